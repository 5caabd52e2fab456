#pragma once
/// How large a cube of grid cells round a query must be to hold K points (Zhu 2022, section 5.1). Counts are summed
/// along all axes, so that the number of points in any cube is a sum of eight numbers. The paper adds shell after
/// shell; here bisection finds the cube's size.

#include <cstdint>
#include <vector>

#include "core/device/algorithms.h"
#include "core/device/buffer.h"
#include "neighbors/order/bounding_box.h"

namespace riffle {

/// A cube of 2 rings + 1 cells per axis.
inline constexpr int kMegacellRings[] = {0,  1,  2,  3,  4,  5,  6,  7,   8,   10,  12,  14,  16,  20,  24, 28,
                                         32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 384, 512};
inline constexpr int kMegacellWidths = sizeof kMegacellRings / sizeof kMegacellRings[0];

struct MegacellGrid {
  Vec3 low{};
  float edge = 1, inverse_edge = 1;
  Int3 size{1, 1, 1};
  const std::uint32_t* sum = nullptr;  ///< (size + 1 on each axis) points in the cells below, modulo 2^32

  /// Cell of a coordinate; outside the grid, the nearest cell.
  RIFFLE_HD static int cell(float x, float low, float inverse_edge, int size) {
    const float u = (x - low) * inverse_edge;
    if (!(u > 0)) return 0;
    return u < static_cast<float>(size) ? static_cast<int>(u) : size - 1;
  }
  RIFFLE_HD Int3 cell_of(Vec3 x) const {
    return {cell(x.x, low.x, inverse_edge, size.x), cell(x.y, low.y, inverse_edge, size.y),
            cell(x.z, low.z, inverse_edge, size.z)};
  }
  RIFFLE_HD std::int64_t corner(int x, int y, int z) const {
    return (std::int64_t{z} * (size.y + 1) + y) * (size.x + 1) + x;
  }
  RIFFLE_HD std::uint32_t points_within(Int3 cell, int rings) const;
};

class Megacells {
 public:
  /// Cells per point. A table with as many cells as points takes no longer than sorting them. Of the fine one, a GPU's table
  /// takes longer than most searches, and makes only those faster whose queries meet thousands of points without it.
  static constexpr double kCells = 4, kFineCells = 64;

  explicit Megacells(const Device& device);

  /// points: (count), not necessarily all finite; bounds: the box round the finite ones.
  /// @param radius  of the search: cells are not made far smaller than it. May be infinite
  /// @param memory  [bytes] for the cells, at most
  /// @param cells_per_point  at most
  void build(const Vec4* points, int count, const BoundingBox& bounds, float radius, std::size_t memory,
             double cells_per_point = kCells);

  /// width_of: (query_count) out: index into kMegacellRings, below `widths`, of the smallest cube round a query's cell
  /// with `capacity` points; `widths` if there is none or the query is outside the grid. histogram: (widths + 1) out.
  void find(const Vec4* queries, int query_count, int capacity, int widths, std::uint32_t* width_of,
            std::uint32_t* histogram) const;

  /// How many of the points have at least `crowd` points in their cell. Waits.
  int crowded(const Vec4* points, int count, std::uint32_t crowd) const;

  const MegacellGrid& grid() const { return grid_; }
  /// An upper bound on how far rounding may put a point outside its cell.
  double margin() const { return 2e-3 * double{grid_.edge}; }
  std::size_t memory_bytes() const { return sum_.bytes(); }

 private:
  Device device_;
  MegacellGrid grid_;
  Buffer<std::uint32_t> sum_;
};

}  // namespace riffle
