#include "app/run/framed_camera.h"

#include <cmath>

namespace riffle {

Camera camera_at(const FramedCamera& framed, float aspect) {
  Camera camera = framed.camera;
  if (aspect >= framed.aspect) return camera;  // as it is, without rounding
  const float higher = framed.aspect / aspect;
  constexpr float half_degree = 3.14159265f / 360;
  camera.fov_degrees = std::atan(higher * std::tan(camera.fov_degrees * half_degree)) / half_degree;
  camera.ortho_height *= higher;
  return camera;
}

}  // namespace riffle
