#include "render/fluid/fluid_fields.h"

#include <algorithm>
#include <cmath>
#include <glm/vec4.hpp>

namespace riffle::render {

PictureSize coarse_size(PictureSize scene, const ViewTransform& view, const BoxView& box, float spacing) {
  constexpr float wanted = 2;  // [pixel] of a spacing
  const Vec3 middle = 0.5f * (box.min + box.max);
  const float depth = -(view.view * glm::vec4(middle.x, middle.y, middle.z, 1)).z;
  const float size = 0.5f * std::sqrt(length2(box.max - box.min));
  // An eye inside the domain has particles all around it. The size is then that for an eye at the domain's edge.
  const float distance = view.orthographic ? 1.0f : std::max(depth, 0.5f * size);
  const float meters_per_pixel = 2 * view.half_extent.y * distance / static_cast<float>(scene.height);
  const float factor = spacing / std::max(meters_per_pixel, 1e-30f) / wanted;
  // A tiny picture keeps a few coarse pixels, because the result is interpolated.
  const int most = std::clamp(scene.height / 32, 2, 64);
  const int whole = factor < static_cast<float>(most) ? std::max(static_cast<int>(factor), 2) : most;
  return {(scene.width + whole - 1) / whole, (scene.height + whole - 1) / whole};
}

}  // namespace riffle::render
