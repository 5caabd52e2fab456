#pragma once
/// scatter_to_neighbors() for tests that a plain C++ compiler compiles, and sums of floats by both kinds of traversal.

#include <vector>

#include "neighbors/brute/all_pairs.h"
#include "support/visit_neighbors.h"

namespace riffle::test {

/// Traverses twice, to count and to record, by scattering.
Visits scattered_visits(const NeighborSearch& search, const Vec4* positions, float h);

/// Whole numbers that are added by scattering. Index space: the search's order.
std::vector<NeighborDigest> scattered_digests(const NeighborSearch& search, const Vec4* positions, float h);

/// Of a functor that names its sums: over the neighbours of each particle.
struct WeightSums {
  float weight = 0;  ///< of w_j
  Vec3 arm{};        ///< of w_j r_ij
  friend bool operator==(const WeightSums&, const WeightSums&) = default;
};
std::vector<WeightSums> gathered_weights(const NeighborSearch& search, const Vec4* positions, float h);
std::vector<WeightSums> scattered_weights(const NeighborSearch& search, const Vec4* positions, float h);

}  // namespace riffle::test
