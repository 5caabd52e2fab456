#include "render/overlay/grid_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/matrix.hpp>

namespace riffle::render {
namespace {

using Triple = std::array<float, 3>;

Triple triple(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 vector(const Triple& t) { return {t[0], t[1], t[2]}; }

/// A rectangle of cells: perpendicular to `axis`, at `position` along it.
struct Plane {
  int axis;
  float position;
};

class Grid {
 public:
  explicit Grid(const GridOverlay& view) : origin_(triple(view.origin)), cell_(triple(view.cell)) {
    std::copy(view.counts, view.counts + 3, counts_.begin());
  }

  bool usable(bool two_dimensional) const {
    for (std::size_t a = 0; a < (two_dimensional ? 2 : 3); ++a)
      if (counts_[a] <= 0 || !(cell_[a] > 0) || !std::isfinite(cell_[a] * static_cast<float>(counts_[a])) ||
          !std::isfinite(origin_[a]))
        return false;
    return true;
  }

  float low(int axis) const { return origin_[at(axis)]; }
  float high(int axis) const { return low(axis) + cell_[at(axis)] * static_cast<float>(counts_[at(axis)]); }

  std::int64_t line_count(const Plane& plane, int every) const {
    return lines_across((plane.axis + 1) % 3, every) + lines_across((plane.axis + 2) % 3, every);
  }

  void append(const Plane& plane, int every, std::vector<Segment>& segments) const {
    const int u = (plane.axis + 1) % 3, v = (plane.axis + 2) % 3;
    append_across(plane, u, v, every, segments);
    append_across(plane, v, u, every, segments);
  }

 private:
  static std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

  std::int64_t lines_across(int axis, int every) const {
    const std::int64_t count = counts_[at(axis)];
    return count / every + 1 + (count % every != 0);
  }

  /// Lines along `along`, one after the other in the direction `across`.
  void append_across(const Plane& plane, int along, int across, int every, std::vector<Segment>& segments) const {
    Triple a{}, b{};
    a[at(plane.axis)] = b[at(plane.axis)] = plane.position;
    a[at(along)] = low(along);
    b[at(along)] = high(along);
    const std::int64_t count = counts_[at(across)];
    for (std::int64_t i = 0; i < lines_across(across, every); ++i) {
      const auto line = static_cast<float>(std::min(i * every, count));
      a[at(across)] = b[at(across)] = low(across) + cell_[at(across)] * line;
      segments.push_back({vector(a), vector(b)});
    }
  }

  Triple origin_, cell_;
  std::array<int, 3> counts_{};
};

/// The eye sees the inside of an axis' low face if it is on that face's inner side.
std::vector<Plane> planes_behind(const Grid& grid, const ViewTransform& view) {
  const glm::mat4 to_world = glm::inverse(view.view);
  std::vector<Plane> planes;
  for (int axis = 0; axis < 3; ++axis) {
    const float middle = 0.5f * (grid.low(axis) + grid.high(axis));
    // In an orthographic view all lines of sight have the same direction.
    const bool eye_is_high = view.orthographic ? to_world[2][axis] > 0 : to_world[3][axis] > middle;
    planes.push_back({axis, eye_is_high ? grid.low(axis) : grid.high(axis)});
  }
  return planes;
}

}  // namespace

std::vector<Segment> grid_segments(const GridOverlay& view_of_grid, const ViewTransform& view, bool two_dimensional) {
  const Grid grid(view_of_grid);
  std::vector<Segment> segments;
  if (!grid.usable(two_dimensional)) return segments;
  std::vector<Plane> planes;
  if (two_dimensional)
    planes = {{2, view_of_grid.origin.z}};
  else if (view_of_grid.slice && view_of_grid.slice->axis >= 0 && view_of_grid.slice->axis < 3)
    planes = {{view_of_grid.slice->axis, view_of_grid.slice->position}};
  else if (!view_of_grid.slice)
    planes = planes_behind(grid, view);

  const auto count = [&](int every) {
    std::int64_t lines = 0;
    for (const Plane& plane : planes) lines += grid.line_count(plane, every);
    return lines;
  };
  int every = 1;
  while (count(every) > kMostGridLines) every *= 2;
  for (const Plane& plane : planes) grid.append(plane, every, segments);
  return segments;
}

}  // namespace riffle::render
