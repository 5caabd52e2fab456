#include "render/lighting.h"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

namespace riffle::render {

Lighting lighting_of(const ViewTransform& view, Vec3 up) {
  const glm::vec3 world_up{up.x, up.y, up.z};
  const glm::vec3 sky =
      glm::length(world_up) > 1e-6f ? glm::mat3(view.view) * glm::normalize(world_up) : glm::vec3(0, 1, 0);
  return {glm::normalize(0.75f * sky + glm::vec3(-0.50f, 0.10f, 0.62f)), sky};
}

}  // namespace riffle::render
