#include "neighbors/grid/unmoved_part.h"

#include "core/device/algorithms.h"
#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/grid/static_neighborhoods.cuh"

namespace riffle {

namespace {

/// Of each particle its place in the merged order, and of each cell its start.
struct MergeCellOrders {
  std::int64_t unmoved;
  const std::uint32_t* unmoved_order;
  const std::uint32_t* unmoved_cell;  ///< in that order
  const std::uint32_t* unmoved_start;
  CellOrder moved;
  std::uint32_t* order;       ///< out
  std::uint32_t* cell_start;  ///< out

  RIFFLE_HD void operator()(std::int64_t k) const {
    if (k < unmoved) {
      order[k + moved.cell_start[unmoved_cell[k]]] = unmoved_order[k];
    } else if (k < unmoved + moved.count) {
      const std::int64_t p = k - unmoved;
      const std::uint32_t particle = moved.order[p];
      order[p + unmoved_start[moved.cell[particle] + 1]] = static_cast<std::uint32_t>(unmoved) + particle;
    } else {
      const std::int64_t c = k - unmoved - moved.count;
      cell_start[c] = unmoved_start[c] + moved.cell_start[c];
    }
  }
};

/// Marks the cells that MarkNeighborhoods would mark for these particles: a cell is within reach of another one if that is
/// within reach of it. The first particle of each cell does it.
struct MarkAroundParticles {
  Grid grid;
  CellOrder moved;
  std::uint8_t* near;  ///< in and out

  RIFFLE_HD void operator()(std::int64_t p) const {
    const std::uint32_t cell = moved.cell[moved.order[p]];
    if (p != moved.cell_start[cell]) return;
    for_each_row(grid, box_of_cell(grid, cell), [&](int y, int z, const CellSpan& span) {
      for (int k = 0; k < span.count; ++k)
        atomic_store(&near[grid.linear({wrapped(span.first + k, grid.size.x), y, z})], std::uint8_t{1});
    });
  }
};

}  // namespace

bool UnmovedPart::serves(const Domain& domain, const Grid& grid, int count) const {
  // A grid follows from the domain, the radius and the sizes of its cells.
  return count_ > 0 && count == count_ && domain == domain_ && grid.radius2 == grid_.radius2 &&
         grid.size.x == grid_.size.x && grid.size.y == grid_.size.y && grid.size.z == grid_.size.z;
}

void UnmovedPart::keep(const Domain& domain, const Grid& grid, const CellOrder& order, const std::uint8_t* near) {
  count_ = 0;
  const auto count = static_cast<std::size_t>(order.count), cells = static_cast<std::size_t>(grid.cells());
  order_.resize(count);
  cell_.resize(count);
  cell_start_.resize(cells + 1);
  near_.resize(near != nullptr ? cells : 0);
  copy_on_device(device_, order_.data(), order.order, count * sizeof(std::uint32_t));
  copy_on_device(device_, cell_start_.data(), order.cell_start, (cells + 1) * sizeof(std::uint32_t));
  if (near != nullptr) copy_on_device(device_, near_.data(), near, cells);
  const GatherArray cell{order.cell, cell_.data(), sizeof(std::uint32_t)};
  gather(device_, order_.data(), count, &cell, 1);
  domain_ = domain;
  grid_ = grid;
  count_ = static_cast<int>(order.count);
}

void UnmovedPart::merge(const CellOrder& moved, std::uint32_t* order, std::uint32_t* cell_start,
                        std::uint8_t* near) const {
  parallel_for(device_, "merge cells", count_ + moved.count + grid_.cells() + 1,
               MergeCellOrders{count_, order_.data(), cell_.data(), cell_start_.data(), moved, order, cell_start});
  if (near == nullptr) return;
  copy_on_device(device_, near, near_.data(), near_.size());
  parallel_for(device_, "mark around particles", moved.count, MarkAroundParticles{grid_, moved, near});
}

double UnmovedPart::estimate(double cells, double count, bool marks) {
  return (2 * count + cells) * sizeof(std::uint32_t) + (marks ? cells : 0);
}

}  // namespace riffle
