#pragma once
/// Marks the cells with a particle in reach of any of their points: a search of static sources gets external queries,
/// and most of them are in the other cells. Include it only from .cu files.

#include "core/device/buffer.h"
#include "neighbors/grid/grid_traversal.cuh"

namespace riffle {

/// A cell with all points whose coordinates may be rounded into it: a query's coordinate and its cell are rounded separately.
RIFFLE_INLINE QueryBox box_of_cell(const Grid& grid, std::int64_t number) {
  const Int3 c = grid.cell_at(number);
  const Vec3 low{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
  return {low - grid.margin, low + Vec3{1, 1, 1} + grid.margin};
}

struct MarkNeighborhoods {
  GridView view;
  std::uint8_t* has_neighbors;  ///< (cells) out

  RIFFLE_HD void operator()(std::int64_t index) const {
    bool found = false;
    for_each_range<false>(view, box_of_cell(view.grid, index),
                          [&](std::uint32_t, std::uint32_t, std::uint32_t) { found = true; });
    has_neighbors[index] = found ? 1 : 0;
  }
};

inline void mark_neighborhoods(const Device& device, const GridView& view, Buffer<std::uint8_t>& has_neighbors) {
  has_neighbors.resize(static_cast<std::size_t>(view.grid.cells()));
  parallel_for(device, "mark neighbourhoods", view.grid.cells(), MarkNeighborhoods{view, has_neighbors.data()});
}

}  // namespace riffle
