#pragma once
/// Occupancy of a search that has no cells. Private to neighbors/.

#include <algorithm>

#include "neighbors/neighbor_search.h"
#include "neighbors/order/morton_order.h"

namespace riffle {

/// By cubes of the Morton curve.
inline OccupancyStats occupancy_of(const CrowdStats& crowds, int count) {
  OccupancyStats stats;
  stats.cells = static_cast<std::int64_t>(std::min(crowds.cubes, 9e18));
  stats.occupied = crowds.occupied;
  stats.max = crowds.max;
  stats.mean = stats.occupied > 0 ? double(count) / double(stats.occupied) : 0;
  return stats;
}

}  // namespace riffle
