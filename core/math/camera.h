#pragma once
/// The point of view of a picture.

#include "core/math/vec.h"

namespace riffle {

struct Camera {
  Vec3 position{0, 0, 1};  ///< [m]
  Vec3 target{0, 0, 0};    ///< [m]
  Vec3 up{0, 1, 0};
  float fov_degrees = 35;     ///< vertical
  bool orthographic = false;  ///< 2-D scenes
  float ortho_height = 1;     ///< [m], height of the visible rectangle, orthographic only
};

}  // namespace riffle
