#pragma once
/// A uniform grid over the domain's box. Cells are numbered x fastest, so that cells next to each other in x are next
/// to each other in memory and a row of three is one range of particles.

#include <cstdint>

#include "core/domain.h"
#include "core/vec.h"
#include "neighbors/separation.h"

namespace riffle {

struct Grid {
  Vec3 origin{};        ///< lower corner
  Vec3 inverse_cell{};  ///< 1 / edge of a cell, per axis
  Int3 size{1, 1, 1};   ///< cells per axis; 1 in z in 2-D
  bool periodic_x = false, periodic_y = false, periodic_z = false;

  RIFFLE_HD std::int64_t cells() const { return std::int64_t{size.x} * size.y * size.z; }

  /// Cell of a coordinate. Outside the box: the nearest cell on an open axis, the image's cell on a periodic one. NaN:
  /// cell 0.
  RIFFLE_HD static int axis_cell(float x, float origin, float inverse_cell, int size, bool periodic) {
    float u = floorf((x - origin) * inverse_cell);  // floor, not a cast: -0.5 belongs to cell -1
    if (periodic) u -= static_cast<float>(size) * floorf(u / static_cast<float>(size));
    if (!(u > 0)) return 0;
    return u < static_cast<float>(size) ? static_cast<int>(u) : size - 1;
  }

  RIFFLE_HD Int3 cell(Vec3 x) const {
    return {axis_cell(x.x, origin.x, inverse_cell.x, size.x, periodic_x),
            axis_cell(x.y, origin.y, inverse_cell.y, size.y, periodic_y),
            axis_cell(x.z, origin.z, inverse_cell.z, size.z, periodic_z)};
  }

  RIFFLE_HD std::uint32_t index(Int3 c) const {
    return static_cast<std::uint32_t>((static_cast<std::int64_t>(c.z) * size.y + c.y) * size.x + c.x);
  }
};

/// Cells on one axis that may hold neighbours of a particle in cell c: [first, first + count) modulo size.
struct CellSpan {
  int first = 0;
  int count = 0;
};

/// Each cell at most once: on a periodic axis of one or two cells the left and the right neighbour are the same cell.
RIFFLE_INLINE CellSpan neighbor_span(int c, int size, bool periodic) {
  if (!periodic) {
    const int first = c > 0 ? c - 1 : 0;
    const int last = c < size - 1 ? c + 1 : size - 1;
    return {first, last - first + 1};
  }
  if (size <= 3) return {0, size};
  return {c > 0 ? c - 1 : size - 1, 3};
}

/// The grid for a search of radius h: the smallest cells, of at least h, that divide the box evenly.
/// @throws InputError for h <= 0 or not finite, an empty box, or a periodic axis shorter than 2h (where j has two
/// images
///         within h); Unavailable when there would be more than 2^31 - 2 cells.
Grid make_grid(const Domain& domain, float h);

}  // namespace riffle
