#include "neighbors/points/point_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace riffle {

namespace {

constexpr double kLeastEdge = 1e-36;  // twice its inverse is still a float

/// 0 for no points.
Vec3 extent_of(const BoundingBox& box) {
  const auto along = [](float low, float high) { return low <= high ? 0.5f * high - 0.5f * low : 0.0f; };
  return {along(box.low.x, box.high.x), along(box.low.y, box.high.y), along(box.low.z, box.high.z)};
}

double longest_of(const BoundingBox& box) {
  const Vec3 half = extent_of(box);
  return 2 * double{std::max({half.x, half.y, half.z})};
}

}  // namespace

PointCells point_cells(const BoundingBox& bounds, int dimension, double edge, bool finest) {
  PointCells cells;
  cells.dimension = dimension;
  if (!(bounds.low.x <= bounds.high.x)) return cells;
  cells.low = bounds.low;
  cells.high = bounds.high;
  constexpr double most_cells = double{1 << PointCells::kMostBits} - 2;
  const double longest = longest_of(bounds);
  double fine = std::max(edge, kLeastEdge);
  while (longest / fine > most_cells) fine *= 2;
  while (finest && fine / 2 > kLeastEdge && longest / (fine / 2) <= most_cells) fine /= 2;
  cells.inverse_half = static_cast<float>(2 / fine);
  const double step = 2 / double{cells.inverse_half};
  cells.step_low = static_cast<float>(step * (1 - 0x1p-21));
  cells.step_high = static_cast<float>(step * (1 + 0x1p-21));
  const Vec3 half = extent_of(bounds);
  const auto number = [&](float half_extent) {
    return static_cast<int>(std::min(most_cells, std::floor(2 * double{half_extent} / step))) + 1;
  };
  cells.size = {number(half.x), number(half.y), dimension == 2 ? 1 : number(half.z)};
  const int most = std::max({cells.size.x, cells.size.y, cells.size.z});
  cells.bits = std::bit_width(static_cast<unsigned>(most - 1));
  return cells;
}

double even_cell_edge(const BoundingBox& bounds, int dimension, std::int64_t points) {
  constexpr double per_cell = 2;
  const Vec3 half = extent_of(bounds);
  const double longest = longest_of(bounds);
  double volume = 1;
  int axes = 0;
  for (const float h : {half.x, half.y, dimension == 2 ? 0.0f : half.z})
    if (2 * double{h} > 1e-6 * longest) volume *= 2 * double{h} / longest, ++axes;  // a plane has two axes
  if (axes == 0 || points <= 0) return 1;
  return longest * std::pow(volume * per_cell / double(points), 1.0 / axes);
}

}  // namespace riffle
