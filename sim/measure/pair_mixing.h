#pragma once
/// How well several fluids are mixed, by the pairs of neighbouring particles.

#include "sim/simulation.h"

namespace riffle {

/// Both are NaN where no pair is near enough, and where the device has no room for another search.
struct PairMixing {
  double unlike = 0;    ///< share of pairs of different fluids among the pairs nearer than the support radius
  double if_mixed = 0;  ///< that share, expected if the same particles were exchanged at random
};

/// The state as it is now. Builds a search of its own. Waits.
PairMixing pair_mixing(const Simulation& simulation);

}  // namespace riffle
