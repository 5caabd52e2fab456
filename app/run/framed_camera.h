#pragma once
/// A camera that shows the same things in pictures of any shape.

#include "core/math/camera.h"

namespace riffle {

struct FramedCamera {
  Camera camera;
  float aspect = 0;  ///< width over height of the picture that it was made for; 0: the narrowest
};

/// All that a picture of the frame's shape shows is in a picture of every shape: a wider one shows more at the sides, a
/// narrower one more above and below.
/// @param aspect  width over height of the picture
Camera camera_at(const FramedCamera& framed, float aspect);

}  // namespace riffle
