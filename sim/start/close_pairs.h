#pragma once
/// Particles that lie on top of each other.

#include <cstdint>
#include <span>

#include "core/math/domain.h"
#include "core/math/vec.h"

namespace riffle {

struct ClosePairs {
  std::int64_t particles = 0;  ///< with another one within the distance
  float nearest = 0;           ///< [m] between the two nearest; 0 if they are at one place
  Vec3 place{};                ///< [m] of one of these two
};

/// By a neighbour search on the CPU, which takes about a second for some million particles.
/// @param positions [m] finite  @param within [m], at most `spacing`  @param spacing [m] the edge of the cells
/// @throws InputError or Unavailable as NeighborSearch::build()
ClosePairs find_close_pairs(std::span<const Vec3> positions, const Domain& domain, float within, float spacing);

}  // namespace riffle
