#pragma once
/// The directions of a picture's light.

#include <glm/vec3.hpp>

#include "render/camera.h"

namespace riffle::render {

struct Lighting {
  glm::vec3 key;  ///< eye space, unit vector towards the light
  glm::vec3 sky;  ///< eye space, unit vector up in the world
};

/// The key light comes over the viewer's left shoulder and from above in the world. It turns with the camera, so that
/// no side of the fluid is ever black, but it never comes from below.
Lighting lighting_of(const ViewTransform& view, Vec3 up);

}  // namespace riffle::render
