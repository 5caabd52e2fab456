#pragma once
/// The list of all neighbouring pairs, for other programs.

#include <cstdint>
#include <vector>

#include "sim/simulation.h"

namespace riffle {

/// Every pair of fluid particles nearer than the support radius, once.
struct PairList {
  std::vector<std::uint32_t> first, second;  ///< (pairs) ids, first < second; ascending by first, then by second
  std::vector<float> distance;               ///< (pairs) [m]; through periodic faces that to the nearest image

  std::size_t size() const { return first.size(); }
};

/// The state as it is now. Builds a search of its own, of the method that the setup names. Waits.
/// @throws Unavailable if memory is short or the search refuses the particles
PairList list_pairs(const Simulation& simulation);

}  // namespace riffle
