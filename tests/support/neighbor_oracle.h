#pragma once
/// The true neighbours, from every pair on one thread.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/math/domain.h"
#include "core/math/vec.h"

namespace riffle::test {

struct Neighbor {
  std::uint32_t j = 0;
  Vec3 r_ij{};
  float r2 = 0;
};

/// of[i]: the neighbours of query i.
using NeighborSets = std::vector<std::vector<Neighbor>>;

/// All pairs with squared_length(separation(x_i, x_j)) < h * h, i != j, ascending in j. It also compares separation()
/// with distances in double precision: a pair on the wrong side of h by more than rounding error fails the running
/// test.
NeighborSets expected_neighbors(const std::vector<Vec4>& x, const Domain& domain, float h);

/// The same for queries that are not the sources; j == i is a pair like any other.
NeighborSets expected_neighbors_of(const std::vector<Vec4>& sources, const std::vector<Vec4>& queries,
                                   const Domain& domain, float h);

/// Whether both have the same pairs, each once, with bit-equal r_ij and r2. The order of j does not matter.
testing::AssertionResult same_neighbors(NeighborSets expected, NeighborSets found);

/// Whether i finds j exactly when j finds i, with r_ij == -r_ji.
testing::AssertionResult symmetric(const NeighborSets& sets);

std::size_t pair_count(const NeighborSets& sets);  ///< directed

}  // namespace riffle::test
