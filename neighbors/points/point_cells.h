#pragma once
/// Cubic cells over a point cloud, on levels: a cell of level L has 2^L finest cells along each axis. Points that are
/// sorted by the Morton code of their finest cell are sorted by their cells of every level. Private to neighbors/points.
///
/// Why no point is lost: a point's cell is a monotonic function of each coordinate, so that a plane lies between the
/// coordinates of adjacent cells. plane_below() and plane_above() bound it by more than the rounding of that function,
/// and are rounded once, as positions are. Distances to them then obey neighbors/tree/tree_traversal.cuh.

#include <cstdint>

#include "neighbors/order/bounding_box.h"
#include "neighbors/order/morton.h"
#include "neighbors/separation.h"

namespace riffle {

/// Inverse of spread_by_3().
RIFFLE_INLINE std::uint32_t gather_by_3(std::uint64_t x) {
  x &= 0x1249249249249249ull;
  x = (x | x >> 2) & 0x10c30c30c30c30c3ull;
  x = (x | x >> 4) & 0x100f00f00f00f00full;
  x = (x | x >> 8) & 0x001f0000ff0000ffull;
  x = (x | x >> 16) & 0x001f00000000ffffull;
  return static_cast<std::uint32_t>((x | x >> 32) & 0x1fffffull);
}

/// Inverse of spread_by_2().
RIFFLE_INLINE std::uint32_t gather_by_2(std::uint64_t x) {
  x &= 0x5555555555555555ull;
  x = (x | x >> 1) & 0x3333333333333333ull;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0full;
  x = (x | x >> 4) & 0x00ff00ff00ff00ffull;
  x = (x | x >> 8) & 0x0000ffff0000ffffull;
  return static_cast<std::uint32_t>(x | x >> 16);
}

struct PointCells {
  static constexpr int kMostBits = kMortonBits;  ///< finest cells along an axis: 2^21 at most

  Vec3 low{}, high{};                 ///< the box round the finite points
  float inverse_half = 1;             ///< 2 / edge of the finest cells
  float step_low = 2, step_high = 2;  ///< below and above that edge by more than the rounding of a point's cell
  Int3 size{1, 1, 1};                 ///< finest cells
  int dimension = 3;
  int bits = 0;  ///< of a finest cell's number along an axis; on this level there is a single cell

  RIFFLE_HD int shift(int level) const { return dimension * level; }  ///< of codes, to those of a level
  RIFFLE_HD std::uint64_t no_cell() const { return std::uint64_t{1} << shift(bits); }  ///< after the codes of all cells

  /// Computes with halves: the difference of two floats may overflow. Outside the box, the nearest cell.
  RIFFLE_HD int cell(float x, float from, int cells) const {
    const float u = rounded_product(rounded_difference(0.5f * x, 0.5f * from), inverse_half);
    if (!(u > 0)) return 0;
    return u < static_cast<float>(cells - 1) ? static_cast<int>(u) : cells - 1;
  }
  RIFFLE_HD Int3 cell_of(Vec3 x) const {
    return {cell(x.x, low.x, size.x), cell(x.y, low.y, size.y), cell(x.z, low.z, size.z)};
  }
  RIFFLE_HD std::uint64_t code(Int3 c) const {
    const auto x = static_cast<std::uint32_t>(c.x), y = static_cast<std::uint32_t>(c.y);
    return dimension == 2 ? spread_by_2(x) | spread_by_2(y) << 1
                          : spread_by_3(x) | spread_by_3(y) << 1 | spread_by_3(static_cast<std::uint32_t>(c.z)) << 2;
  }
  RIFFLE_HD Int3 cell_of_code(std::uint64_t code) const {
    if (dimension == 2) return {static_cast<int>(gather_by_2(code)), static_cast<int>(gather_by_2(code >> 1)), 0};
    return {static_cast<int>(gather_by_3(code)), static_cast<int>(gather_by_3(code >> 1)),
            static_cast<int>(gather_by_3(code >> 2))};
  }
  RIFFLE_HD Int3 on_level(Int3 cell, int level) const { return {cell.x >> level, cell.y >> level, cell.z >> level}; }
  RIFFLE_HD Int3 size_on_level(int level) const {
    return {((size.x - 1) >> level) + 1, ((size.y - 1) >> level) + 1, ((size.z - 1) >> level) + 1};
  }

  /// No point in finest cell k or above has a smaller coordinate.
  RIFFLE_HD float plane_below(int k, float from) const {
    return fused_multiply_add(static_cast<float>(k), step_low, from);
  }
  /// No point below finest cell k has a larger coordinate.
  RIFFLE_HD float plane_above(int k, float from, float to, int cells) const {
    return k >= cells ? to : least(to, fused_multiply_add(static_cast<float>(k), step_high, from));
  }

  RIFFLE_HD static float positive(float gap) { return gap > 0 ? gap : 0; }
  /// Distance of x from cell k of a level along one axis, at most.
  RIFFLE_HD float gap(float x, int k, int level, float from, float to, int cells) const {
    const float before = rounded_difference(plane_below(k << level, from), x);
    const float behind = rounded_difference(x, plane_above((k + 1) << level, from, to, cells));
    return positive(most(before, behind));
  }
  RIFFLE_HD float gap_x(float x, int k, int level) const { return gap(x, k, level, low.x, high.x, size.x); }
  RIFFLE_HD float gap_y(float y, int k, int level) const { return gap(y, k, level, low.y, high.y, size.y); }
  RIFFLE_HD float gap_z(float z, int k, int level) const { return gap(z, k, level, low.z, high.z, size.z); }
  RIFFLE_HD float gap2(Vec3 x, Int3 k, int level) const {
    return squared_length({gap_x(x.x, k.x, level), gap_y(x.y, k.y, level), gap_z(x.z, k.z, level)});
  }
  RIFFLE_HD Vec3 gap_of_box(Vec3 x) const {
    return {positive(most(rounded_difference(low.x, x.x), rounded_difference(x.x, high.x))),
            positive(most(rounded_difference(low.y, x.y), rounded_difference(x.y, high.y))),
            positive(most(rounded_difference(low.z, x.z), rounded_difference(x.z, high.z)))};
  }

  /// Distance of x from what lies more than `rings` cells of a level away from cell `c` along one axis, at most.
  RIFFLE_HD float gap_beyond(float x, int c, int rings, int level, float from, float to, int cells) const {
    float least_gap = BoundingBox::kInfinity;
    if (c > rings) least_gap = positive(rounded_difference(x, plane_above((c - rings) << level, from, to, cells)));
    if (c + rings < (cells - 1) >> level)
      least_gap = least(least_gap, positive(rounded_difference(plane_below((c + rings + 1) << level, from), x)));
    return least_gap;
  }
  /// Squared distance of x from every point outside the cube of `rings` cells round cell `c`, at most; infinite if there
  /// is no cell outside.
  RIFFLE_HD float gap2_beyond(Vec3 x, Int3 c, int rings, int level) const {
    const Vec3 box = gap_of_box(x);
    const float bx = most(box.x, gap_beyond(x.x, c.x, rings, level, low.x, high.x, size.x));
    const float by = most(box.y, gap_beyond(x.y, c.y, rings, level, low.y, high.y, size.y));
    const float bz = most(box.z, gap_beyond(x.z, c.z, rings, level, low.z, high.z, size.z));
    return least(squared_length({bx, box.y, box.z}),
                 least(squared_length({box.x, by, box.z}), squared_length({box.x, box.y, bz})));
  }
};

/// The box round the finite points of a cloud, and their number.
struct FinitePoints {
  BoundingBox box;
  std::int64_t count = 0;
};

/// Cells with the given edge, or wider by a power of two if there would be more than 2^21 along an axis. finest: as small
/// as that limit allows, smaller by a power of two.
PointCells point_cells(const BoundingBox& bounds, int dimension, double edge, bool finest);

/// An edge for which an evenly filled box has two points per cell.
double even_cell_edge(const BoundingBox& bounds, int dimension, std::int64_t points);

}  // namespace riffle
