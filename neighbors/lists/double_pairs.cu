#include "neighbors/lists/double_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "core/text/number_text.h"
#include "neighbors/grid/cell_sort.h"

namespace riffle {

namespace {

/// A finite point is not infinite and no NaN.
RIFFLE_INLINE bool is_point(const DoublePoint& p) {
  const double most = 1.7976931348623157e308;
  return fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
}

struct DoubleExtent {
  double low[3], high[3];
};

struct FindDoubleExtent {
  const DoublePoint* points;

  RIFFLE_HD static DoubleExtent identity() { return {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}}; }
  RIFFLE_HD static DoubleExtent combine(DoubleExtent a, const DoubleExtent& b) {
    for (int axis = 0; axis < 3; ++axis) {
      if (b.low[axis] < a.low[axis]) a.low[axis] = b.low[axis];
      if (b.high[axis] > a.high[axis]) a.high[axis] = b.high[axis];
    }
    return a;
  }
  RIFFLE_HD DoubleExtent operator()(std::int64_t i) const {
    const DoublePoint p = points[i];
    if (!is_point(p)) return identity();
    return {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
  }
};

/// Cells of one edge, each divided into kFine along x, where rows are cut to the ball. Positions within the grid are
/// counted in edges from its corner.
struct DoubleGrid {
  static constexpr int kFine = 4;
  static constexpr int kMostCells = 1 << 20;  ///< along y and z
  /// [edges] Positions in edges are exact to 2^-31, since an axis has no more than 2^20.
  static constexpr double kSlack = 1e-6;

  double low[3] = {0, 0, 0};
  double inverse = 1;
  double reach2 = 0;        ///< [edges^2] of the radius, with slack
  int size[3] = {1, 1, 1};  ///< cells; along x the fine ones

  RIFFLE_HD std::int64_t cells() const { return std::int64_t{size[0]} * size[1] * size[2]; }
  RIFFLE_HD DoublePoint edges(const DoublePoint& p) const {
    return {(p.x - low[0]) * inverse, (p.y - low[1]) * inverse, (p.z - low[2]) * inverse};
  }
  RIFFLE_HD static int within(double u, int size) {
    return !(u > 0) ? 0 : u < static_cast<double>(size) ? static_cast<int>(u) : size - 1;
  }
  RIFFLE_HD std::int64_t row(int y, int z) const { return (std::int64_t{z} * size[1] + y) * size[0]; }
  RIFFLE_HD static double gap(double u, int cell) {
    const double below = static_cast<double>(cell) - u, above = u - static_cast<double>(cell + 1);
    const double gap = (below > above ? below : above) - kSlack;
    return gap > 0 ? gap : 0;
  }
};

/// A grid whose cells are wider than the radius, by more than rounding, and not many more than there are points.
DoubleGrid grid_for(const DoubleExtent& extent, double radius, std::int64_t count) {
  const double most = std::min(std::max(4.0 * double(count), 4096.0), 4294967294.0);  // keys have 32 bits
  double edge = radius * (1 + 4 * DoubleGrid::kSlack);
  for (int axis = 0; axis < 3; ++axis)
    edge = std::max(edge, (extent.high[axis] - extent.low[axis]) / (DoubleGrid::kMostCells - 2));
  const auto along = [&](int axis) { return std::floor((extent.high[axis] - extent.low[axis]) / edge) + 1; };
  while (DoubleGrid::kFine * along(0) * along(1) * along(2) > most) edge *= 1.125;
  DoubleGrid grid;
  grid.inverse = 1 / edge;
  const double reach = radius / edge + DoubleGrid::kSlack;
  grid.reach2 = reach * reach;
  for (int axis = 0; axis < 3; ++axis) {
    grid.low[axis] = extent.low[axis];
    grid.size[axis] = static_cast<int>(along(axis)) * (axis == 0 ? DoubleGrid::kFine : 1);
  }
  return grid;
}

struct FindDoubleKeys {
  DoubleGrid grid;
  const DoublePoint* points;
  std::uint32_t *key, *index;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const DoublePoint p = points[i];
    index[i] = static_cast<std::uint32_t>(i);
    key[i] = static_cast<std::uint32_t>(grid.cells());  // behind all cells
    if (!is_point(p)) return;
    const DoublePoint u = grid.edges(p);
    key[i] = static_cast<std::uint32_t>(
        grid.row(DoubleGrid::within(u.y, grid.size[1]), DoubleGrid::within(u.z, grid.size[2])) +
        DoubleGrid::within(u.x * DoubleGrid::kFine, grid.size[0]));
  }
};

struct GatherDoublePoints {
  const DoublePoint* points;
  const std::uint32_t* order;
  DoublePoint* sorted;

  RIFFLE_HD void operator()(std::int64_t i) const { sorted[i] = points[order[i]]; }
};

/// The points in order, and what is found among them.
struct DoubleCandidates {
  DoubleGrid grid;
  const DoublePoint* sorted;
  const std::uint32_t* cell_start;
  double radius2;

  /// visit(begin, end) for each range of points before place i that may be within the radius of it.
  template <class Visit>
  RIFFLE_HD void each_range(std::int64_t i, const Visit& visit) const {
    const DoublePoint p = sorted[i];
    if (!is_point(p)) return;
    const DoublePoint u = grid.edges(p);
    const int y = DoubleGrid::within(u.y, grid.size[1]), z = DoubleGrid::within(u.z, grid.size[2]);
    for (int dz = -1; dz <= 0; ++dz) {
      for (int dy = -1; dy <= (dz < 0 ? 1 : 0); ++dy) {
        const int row_y = y + dy, row_z = z + dz;
        if (row_z < 0 || row_y < 0 || row_y >= grid.size[1]) continue;
        const double gap_y = DoubleGrid::gap(u.y, row_y), gap_z = DoubleGrid::gap(u.z, row_z);
        const double left = grid.reach2 - gap_y * gap_y - gap_z * gap_z;
        if (left < 0) continue;
        const double half = sqrt(left) + DoubleGrid::kSlack;
        const std::int64_t row = grid.row(row_y, row_z);
        const int first = DoubleGrid::within((u.x - half) * DoubleGrid::kFine, grid.size[0]);
        const int last = DoubleGrid::within((u.x + half) * DoubleGrid::kFine, grid.size[0]);
        const std::int64_t begin = cell_start[row + first], cells_end = cell_start[row + last + 1];
        const std::int64_t end = cells_end < i ? cells_end : i;
        if (begin < end) visit(begin, end);
      }
    }
  }

  /// visit(j, squared distance) for each place j < i within the radius of place i, ascending within a row of cells.
  template <class Visit>
  RIFFLE_HD void each_pair(std::int64_t i, const Visit& visit) const {
    const DoublePoint p = sorted[i];
    each_range(i, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t j = begin; j < end; ++j) {
        const double r2 = square_distance(p, sorted[j]);
        if (r2 < radius2) visit(j, r2);
      }
    });
  }
};

struct SumDoubleCandidates {
  DoubleCandidates among;

  RIFFLE_HD static std::uint64_t identity() { return 0; }
  RIFFLE_HD static std::uint64_t combine(std::uint64_t a, std::uint64_t b) { return a + b; }
  RIFFLE_HD std::uint64_t operator()(std::int64_t i) const {
    std::uint64_t sum = 0;
    among.each_range(i, [&](std::int64_t begin, std::int64_t end) { sum += static_cast<std::uint64_t>(end - begin); });
    return sum;
  }
};

/// Over count + 1 elements: the one behind the points is 0, as the scan requires.
struct CountDoublePairs {
  DoubleCandidates among;
  std::int64_t count;
  std::uint64_t* pairs;  ///< (count + 1) out

  RIFFLE_HD void operator()(std::int64_t i) const {
    std::uint64_t found = 0;
    if (i < count) among.each_pair(i, [&](std::int64_t, double) { ++found; });
    pairs[i] = found;
  }
};

struct WriteDoublePairs {
  DoubleCandidates among;
  const std::uint32_t* order;
  const std::uint64_t* start;  ///< (count + 1)
  std::uint32_t *first, *second;
  double* distance;  ///< nullptr: not wanted

  RIFFLE_HD void operator()(std::int64_t i) const {
    std::uint64_t at = start[i];
    const std::uint32_t mine = order[i];
    among.each_pair(i, [&](std::int64_t j, double r2) {
      first[at] = mine;
      second[at] = order[j];
      if (distance) distance[at] = sqrt(r2);
      ++at;
    });
  }
};

constexpr std::uint64_t kMostCandidates = std::uint64_t{1} << 44;

std::string short_text(double number) {
  std::string text = std::to_string(number);
  return text.size() < 24 ? text : "1e" + std::to_string(static_cast<int>(std::log10(std::fabs(number)) + 0.5));
}

void require_pairs_to_fit(const Device& device, std::uint64_t pairs, std::int64_t count, bool distances,
                          const DoublePairList& list) {
  const double bytes = double(pairs) * (2 * sizeof(std::uint32_t) + (distances ? sizeof(double) : 0));
  const double held = double(list.first.bytes() + list.second.bytes() + list.distance.bytes());
  const double free = double(free_memory(device)) + held;
  if (bytes <= free) return;
  throw Unavailable("pairs in double precision: " + std::to_string(pairs) + " pairs of " + std::to_string(count) +
                    " points take " + bytes_text(bytes) + ", " + bytes_text(free) + " are free on the " +
                    std::string(to_string(device.kind)) + "; use a smaller radius");
}

}  // namespace

void DoublePairs::build(const DoublePoint* points, std::int64_t count, double radius, bool distances,
                        DoublePairList& list) {
  constexpr double least = 1e-150;  // the square of a smaller one would lose its digits
  if (!(radius >= least && radius <= kMostCoordinate))
    throw InputError("pairs in double precision: radius " + short_text(radius) +
                     "; it must be from 1e-150 to 1e150");
  if (count < 0 || count >= std::numeric_limits<std::int32_t>::max())
    throw Unavailable("pairs in double precision: " + std::to_string(count) + " points; allowed: 0 to 2147483646");
  candidates_ = 0;
  list.first.resize(0), list.second.resize(0), list.distance.resize(0);
  if (count < 2) return;
  const auto extent = reduce<DoubleExtent>(device_, "extent of points", count, FindDoubleExtent{points});
  if (extent.low[0] > extent.high[0]) return;  // none is finite
  for (int axis = 0; axis < 3; ++axis)
    if (extent.low[axis] < -kMostCoordinate || extent.high[axis] > kMostCoordinate)
      throw InputError("pairs in double precision: coordinates up to " +
                       short_text(std::max(-extent.low[axis], extent.high[axis])) + "; they must be at most 1e150");

  const auto n = static_cast<std::size_t>(count);
  const DoubleGrid grid = grid_for(extent, radius, count);
  for (Buffer<std::uint32_t>* array : {&key_, &sorted_key_, &index_, &order_}) array->resize(n);
  cell_start_.resize(static_cast<std::size_t>(grid.cells()) + 1);
  sorted_.resize(n);
  start_.resize(n + 1);
  parallel_for(device_, "cells of points", count, FindDoubleKeys{grid, points, key_.data(), index_.data()});
  sort_by_cell(device_,
               {.key = key_.data(),
                .sorted_key = sorted_key_.data(),
                .index = index_.data(),
                .order = order_.data(),
                .cell_start = cell_start_.data(),
                .count = count,
                .cells = grid.cells(),
                .largest_key = static_cast<std::uint64_t>(grid.cells())},
               {scratch_, scratch_});
  parallel_for(device_, "sort points", count, GatherDoublePoints{points, order_.data(), sorted_.data()});

  const DoubleCandidates among{grid, sorted_.data(), cell_start_.data(), radius * radius};
  candidates_ = reduce<std::uint64_t>(device_, "count candidates", count, SumDoubleCandidates{among});
  if (candidates_ > kMostCandidates)
    throw Unavailable("pairs in double precision: " + std::to_string(candidates_) + " candidates of " +
                      std::to_string(count) + " points; at most 2^44 are tested; use a smaller radius");
  parallel_for(device_, "count pairs", count + 1, CountDoublePairs{among, count, start_.data()});
  exclusive_scan(device_, start_.data(), start_.data(), n + 1, scratch_);
  std::uint64_t pairs = 0;
  copy_to_host(device_, &pairs, start_.data() + n, sizeof pairs);
  require_pairs_to_fit(device_, pairs, count, distances, list);
  const auto size = static_cast<std::size_t>(pairs);
  list.first.resize(size);
  list.second.resize(size);
  if (distances) list.distance.resize(size);
  if (size == 0) return;
  parallel_for(device_, "write pairs", count,
               WriteDoublePairs{among, order_.data(), start_.data(), list.first.data(), list.second.data(),
                                distances ? list.distance.data() : nullptr});
}

}  // namespace riffle
