#pragma once
/// How well several fluids are mixed, by the pairs of neighbouring particles.

#include <cstdint>

#include "sim/simulation.h"

namespace riffle {

/// The first two are NaN where no pair is near enough, all where the device has no room for another search.
struct PairMixing {
  double unlike = 0;       ///< share of pairs of different fluids among the pairs nearer than the support radius
  double if_mixed = 0;     ///< that share, expected if the same particles were exchanged at random
  double domain_size = 0;  ///< of domain_size(); NaN unless has_domain_size()
};

/// The state as it is now. Builds a search of its own, unless this thread's last call was about the same moment. Waits.
PairMixing pair_mixing(const Simulation& simulation);

/// Counts that this thread has made so far.
std::uint64_t pair_counts_made();

}  // namespace riffle
