#pragma once
/// Statistics that a search reports after a build.

#include <cstdint>
#include <string>
#include <vector>

namespace riffle {

/// How the particles are spread over the cells.
struct OccupancyStats {
  std::int64_t cells = 0;
  std::int64_t occupied = 0;
  std::uint32_t max = 0;  ///< particles in the fullest cell
  double mean = 0;        ///< particles per occupied cell
};

/// A count that only some methods have: rounds of the iterative insertion, the border's share, pairs listed ...
struct SearchCount {
  std::string name;
  double value = 0;
};

struct SearchStats {
  OccupancyStats occupancy;
  std::vector<SearchCount> counts;
};

}  // namespace riffle
