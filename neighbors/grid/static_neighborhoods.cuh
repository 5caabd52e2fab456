#pragma once
/// Marks the cells with a particle in reach of any of their points: a search of static sources gets external queries,
/// and most of them are in the other cells. Include it only from .cu files.

#include "core/device/buffer.h"
#include "neighbors/grid/grid_traversal.cuh"

namespace riffle {

struct MarkNeighborhoods {
  GridView view;
  std::uint8_t* has_neighbors;  ///< (cells) out

  RIFFLE_HD void operator()(std::int64_t index) const {
    const Int3 c = view.grid.cell_at(index);
    const Vec3 low{static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)};
    const Vec3 slack = view.grid.margin;  // a query's coordinate and its cell are rounded separately
    bool found = false;
    for_each_range<false>(view, {low - slack, low + Vec3{1, 1, 1} + slack},
                          [&](std::uint32_t, std::uint32_t, std::uint32_t) { found = true; });
    has_neighbors[index] = found ? 1 : 0;
  }
};

inline void mark_neighborhoods(const Device& device, const GridView& view, Buffer<std::uint8_t>& has_neighbors) {
  has_neighbors.resize(static_cast<std::size_t>(view.grid.cells()));
  parallel_for(device, "mark neighbourhoods", view.grid.cells(), MarkNeighborhoods{view, has_neighbors.data()});
}

}  // namespace riffle
