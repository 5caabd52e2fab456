#pragma once
/// A uniform grid over the domain's box, and the part of it that a query must read.
///
/// Cells are numbered along x in rows. Every other row runs backwards (and every other layer of rows too), so that
/// particles adjacent in the sorted order are adjacent in space at a row's end as well: a thread that processes two of
/// them shares their candidates.

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/math/domain.h"
#include "core/math/extremes.h"
#include "core/math/math.h"
#include "core/math/vec.h"

namespace riffle {

struct Grid {
  Vec3 origin{};        ///< lower corner
  Vec3 inverse_cell{};  ///< 1 / edge of a cell, per axis; 0 in z in 2-D
  Int3 size{1, 1, 1};   ///< cells per axis; 1 in z in 2-D
  bool periodic_x = false, periodic_y = false, periodic_z = false;
  Vec3 cell{};        ///< edge of a cell
  Vec3 margin{};      ///< upper bound on the rounding error of a coordinate in cells
  float radius2 = 0;  ///< square of the radius that a query reaches, with room for rounding
  Vec3 reach{};       ///< that radius in cells, and the margin

  RIFFLE_HD std::int64_t cells() const { return std::int64_t{size.x} * size.y * size.z; }
  /// The same, before it is checked that they can be numbered: 2^21 per axis are more than an integer holds.
  double cell_count() const { return double(size.x) * size.y * size.z; }

  /// Cell of a coordinate. Outside the box: the nearest cell on an open axis, the image's cell on a periodic one. NaN:
  /// cell 0.
  RIFFLE_HD static int axis_cell(float x, float origin, float inverse_cell, int size, bool periodic) {
    float u = floorf((x - origin) * inverse_cell);  // floor, not a cast: -0.5 belongs to cell -1
    if (periodic) u -= static_cast<float>(size) * floorf(u / static_cast<float>(size));
    if (!(u > 0)) return 0;
    return u < static_cast<float>(size) ? static_cast<int>(u) : size - 1;
  }

  RIFFLE_HD Int3 cell_of(Vec3 x) const {
    return {axis_cell(x.x, origin.x, inverse_cell.x, size.x, periodic_x),
            axis_cell(x.y, origin.y, inverse_cell.y, size.y, periodic_y),
            axis_cell(x.z, origin.z, inverse_cell.z, size.z, periodic_z)};
  }

  /// Row of cells along x.
  RIFFLE_HD std::int64_t row(int y, int z) const {
    return std::int64_t{z} * size.y + ((z & 1) != 0 ? size.y - 1 - y : y);
  }

  /// Number of a cell, 0..cells()-1.
  RIFFLE_HD std::int64_t linear(Int3 c) const {
    const std::int64_t r = row(c.y, c.z);
    return r * size.x + ((r & 1) != 0 ? size.x - 1 - c.x : c.x);
  }
  /// The same for a grid whose cells fit 32 bits.
  RIFFLE_HD std::uint32_t index(Int3 c) const { return static_cast<std::uint32_t>(linear(c)); }

  /// The cell with a number: the inverse of linear().
  RIFFLE_HD Int3 cell_at(std::int64_t number) const {
    const std::int64_t r = number / size.x;
    const auto x = static_cast<int>(number % size.x), z = static_cast<int>(r / size.y),
               y = static_cast<int>(r % size.y);
    return {(r & 1) != 0 ? size.x - 1 - x : x, (z & 1) != 0 ? size.y - 1 - y : y, z};
  }

  /// A coordinate in cells, within 0..size: wrapped on a periodic axis, clamped on an open one. Clamping brings a query
  /// outside the box no farther from any cell.
  RIFFLE_HD static float axis_coordinate(float x, float origin, float inverse_cell, int size, bool periodic) {
    const auto n = static_cast<float>(size);
    float u = (x - origin) * inverse_cell;
    if (periodic) u -= n * floorf(u / n);
    if (!(u > 0)) return 0;
    return u < n ? u : n;
  }

  RIFFLE_HD Vec3 coordinates(Vec3 x) const {
    return {axis_coordinate(x.x, origin.x, inverse_cell.x, size.x, periodic_x),
            axis_coordinate(x.y, origin.y, inverse_cell.y, size.y, periodic_y),
            axis_coordinate(x.z, origin.z, inverse_cell.z, size.z, periodic_z)};
  }
};

/// Upper limit on cells per support radius when cell counts are given: a query reads their square and more.
inline constexpr int kMostCellsPerRadius = 128;
/// Coarse cells of `fenns` whose counters fit shared memory: the upper limit where cells are given. An automatic grid may
/// have more, up to one for every 64 particles. 117 bytes are stored of each, 21 with two sections.
inline constexpr int kMostCoarseCells = 8192;

/// The requested size of cells.
struct CellSize {
  Vec3 ratio{1, 1, 1};  ///< least edge in support radii, per axis
  Int3 count{0, 0, 0};  ///< cells per axis, if given directly; 0: by the ratio
};

/// The grid for a search of radius h: the smallest cells, of at least ratio * h, that divide the box evenly, or the
/// given number of cells. An axis has at most 2^21 cells: they are larger if the ratio would make more.
/// @throws InputError if h <= 0 or not finite, if the box is empty, if a periodic axis is shorter than 2h (where j has
/// two images within h), or if given cell counts exceed that limit or 128 cells per support radius.
Grid make_grid(const Domain& domain, float h, const CellSize& cell_size = {});

/// Number of cells of that grid, for estimates: it also counts cells of grids that make_grid() refuses.
double count_cells(const Domain& domain, float h, const CellSize& cell_size = {});

/// One axis of a grid.
struct GridAxis {
  int cells = 1;
  double edge = 0;    ///< of a cell; 0: the axis is not one of the dimensions
  double margin = 0;  ///< Grid::margin
  bool periodic = false;
};
/// A grid for queries with a reach of `radius`, rounding allowance included.
Grid grid_of(Vec3 origin, const GridAxis (&axes)[3], double radius);

/// The radius that a query of h reaches, with an allowance for rounding.
inline double query_reach(float h) { return double{h} * (1 + 1e-5); }

/// Query points that are processed together: the box around them, in cells (Grid::coordinates).
struct QueryBox {
  Vec3 low{}, high{};
};

/// Cells on one axis, [first, first + count), modulo the axis' size if it is periodic. No cell comes twice.
struct CellSpan {
  int first = 0;
  int count = 0;
  bool whole = false;  ///< covers a whole periodic axis: distances to its cells are meaningless
};

/// floor, as an integer. A cast would round -0.5 up to 0.
RIFFLE_INLINE int floor_to_int(float u) {
#if RIFFLE_ON_GPU
  return __float2int_rd(u);  // saturates
#else
  const float f = floorf(u);
  return f < -1e9f ? -1000000000 : f > 1e9f ? 1000000000 : static_cast<int>(f);
#endif
}

/// Cells with a point within `reach` of low..high.
RIFFLE_INLINE CellSpan neighbor_span(float low, float high, float reach, int size, bool periodic) {
  int first = floor_to_int(low - reach), last = floor_to_int(high + reach);
  if (periodic) {
    if (last - first + 1 >= size) return {0, size, true};
  } else {
    if (last > size - 1) last = size - 1;
    if (first < 0) first = 0;
    if (first > last) first = last;
  }
  return {first, last - first + 1, false};
}

/// Distance from low..high to cell c, in cells, reduced by the margin.
RIFFLE_INLINE float slab_distance(const CellSpan& span, int c, float low, float high, float margin) {
  const auto u = static_cast<float>(c);
  const float d = larger_of(u - high, low - (u + 1)) - margin;
  return span.whole ? 0.0f : larger_of(d, 0.0f);
}

RIFFLE_INLINE int wrapped(int c, int size) { return c < 0 ? c + size : c >= size ? c - size : c; }

/// visit(y, z, span of cells in x) for every row of cells that may hold a neighbour of the box's points. The part of a
/// row that a ball reaches narrows towards the ball's edge, and it does not reach rows in the corners.
template <class Visit>
RIFFLE_INLINE void for_each_row(const Grid& grid, const QueryBox& box, const Visit& visit) {
  const CellSpan span_y = neighbor_span(box.low.y, box.high.y, grid.reach.y, grid.size.y, grid.periodic_y);
  const CellSpan span_z = neighbor_span(box.low.z, box.high.z, grid.reach.z, grid.size.z, grid.periodic_z);
  RIFFLE_NO_UNROLL
  for (int k = 0; k < span_z.count; ++k) {
    const int z = span_z.first + k;
    const float dz = grid.cell.z * slab_distance(span_z, z, box.low.z, box.high.z, grid.margin.z);
    const float rest_z = grid.radius2 - dz * dz;
    const int wrapped_z = wrapped(z, grid.size.z);
    RIFFLE_NO_UNROLL
    for (int l = 0; l < span_y.count; ++l) {
      const int y = span_y.first + l;
      const float dy = grid.cell.y * slab_distance(span_y, y, box.low.y, box.high.y, grid.margin.y);
      const float rest = rest_z - dy * dy;
      if (!(rest > 0)) continue;
      const float reach_x = quick_sqrt(rest) * grid.inverse_cell.x + grid.margin.x;
      visit(wrapped(y, grid.size.y), wrapped_z,
            neighbor_span(box.low.x, box.high.x, reach_x, grid.size.x, grid.periodic_x));
    }
  }
}

/// The box around `a` and u.
RIFFLE_INLINE QueryBox hull(const QueryBox& a, Vec3 u) {
  return {{smaller_of(a.low.x, u.x), smaller_of(a.low.y, u.y), smaller_of(a.low.z, u.z)},
          {larger_of(a.high.x, u.x), larger_of(a.high.y, u.y), larger_of(a.high.z, u.z)}};
}

/// Whether sharing candidates pays: the box must not reach much more than one query does. A query that is left out
/// costs all threads of its warp another pass, so twice as much is still worthwhile.
RIFFLE_INLINE bool worth_sharing(const Grid& grid, const QueryBox& box) {
  const Vec3 d = box.high - box.low;
  const Vec3 one{2 * grid.reach.x, 2 * grid.reach.y, larger_of(2 * grid.reach.z, 1e-6f)};
  return (d.x + one.x) * (d.y + one.y) * (d.z + one.z) <= 3 * one.x * one.y * one.z;
}

/// A coordinate that is not within h of anything.
RIFFLE_INLINE float not_a_number() {
#if RIFFLE_ON_GPU
  return __int_as_float(0x7fffffff);
#else
  return std::numeric_limits<float>::quiet_NaN();
#endif
}

}  // namespace riffle
