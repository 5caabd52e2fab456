#include "render/overlay/outline.h"

#include <algorithm>
#include <glm/vec4.hpp>

namespace riffle::render {
namespace {

float cross(glm::vec2 a, glm::vec2 b) { return a.x * b.y - a.y * b.x; }

/// Appends one side of the hull and drops points that would bend it inwards (Andrew's monotone chain).
template <class Points>
void add_chain(const Points& points, std::vector<glm::vec2>& hull) {
  const std::size_t first = hull.size();
  for (const glm::vec2 p : points) {
    while (hull.size() >= first + 2 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
      hull.pop_back();
    hull.push_back(p);
  }
  hull.pop_back();  // the other side begins with this point
}

}  // namespace

Outline::Outline(std::vector<glm::vec2> points) {
  std::sort(points.begin(), points.end(),
            [](glm::vec2 a, glm::vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) {
    hull_ = points;
    return;
  }
  add_chain(points, hull_);
  std::reverse(points.begin(), points.end());
  add_chain(points, hull_);
}

bool Outline::touches(const PixelRect& rect) const {
  if (hull_.empty()) return false;
  const glm::vec2 corners[] = {
      {rect.left, rect.top}, {rect.right, rect.top}, {rect.right, rect.bottom}, {rect.left, rect.bottom}};
  // Two convex shapes are apart if the whole of one is beyond a side of the other.
  const auto all = [&](auto&& condition) { return std::all_of(hull_.begin(), hull_.end(), condition); };
  if (all([&](glm::vec2 p) { return p.x < rect.left; }) || all([&](glm::vec2 p) { return p.x > rect.right; }) ||
      all([&](glm::vec2 p) { return p.y < rect.top; }) || all([&](glm::vec2 p) { return p.y > rect.bottom; }))
    return false;
  for (std::size_t i = 0; i < hull_.size() && hull_.size() > 1; ++i) {
    const glm::vec2 from = hull_[i], side = hull_[(i + 1) % hull_.size()] - from;
    if (std::all_of(std::begin(corners), std::end(corners),
                    [&](glm::vec2 corner) { return cross(side, corner - from) < 0; }))
      return false;
  }
  return true;
}

Outline outline_of(const BoxView& box, const ViewTransform& view, int width, int height) {
  std::vector<glm::vec2> points;
  for (int i = 0; i < 8; ++i) {
    const glm::vec4 corner((i & 1) ? box.max.x : box.min.x, (i & 2) ? box.max.y : box.min.y,
                           (i & 4) ? box.max.z : box.min.z, 1);
    const glm::vec4 clip = view.projection * (view.view * corner);
    if (!(clip.w > 0)) {
      const float w = static_cast<float>(width), h = static_cast<float>(height);
      return Outline({{0, 0}, {w, 0}, {w, h}, {0, h}});
    }
    points.emplace_back((0.5f + 0.5f * clip.x / clip.w) * static_cast<float>(width),
                        (0.5f - 0.5f * clip.y / clip.w) * static_cast<float>(height));
  }
  return Outline(std::move(points));
}

}  // namespace riffle::render
