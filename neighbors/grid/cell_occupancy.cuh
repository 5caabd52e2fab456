#pragma once
/// How particles are spread over cells that are ranges of a sorted array. Include it only from .cu files.

#include "core/device/reduce.cuh"
#include "neighbors/neighbor_search.h"

namespace riffle {

struct CellOccupancy {
  const std::uint32_t* cell_start;  ///< (cells + 1)

  RIFFLE_HD static OccupancyStats identity() { return {}; }
  RIFFLE_HD static OccupancyStats combine(OccupancyStats a, const OccupancyStats& b) {
    a.occupied += b.occupied;
    a.max = a.max > b.max ? a.max : b.max;
    return a;
  }
  RIFFLE_HD OccupancyStats operator()(std::int64_t c) const {
    const std::uint32_t n = cell_start[c + 1] - cell_start[c];
    OccupancyStats stats;
    stats.occupied = n > 0 ? 1 : 0;
    stats.max = n;
    return stats;
  }
};

/// Waits for the device.
inline OccupancyStats occupancy_of(const Device& device, const std::uint32_t* cell_start, std::int64_t cells,
                                   int count) {
  OccupancyStats stats = reduce<OccupancyStats>(device, "occupancy", cells, CellOccupancy{cell_start});
  stats.cells = cells;
  stats.mean = stats.occupied > 0 ? double(count) / double(stats.occupied) : 0;
  return stats;
}

}  // namespace riffle
