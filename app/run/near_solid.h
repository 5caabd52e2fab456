#pragma once
/// The solid of a setup that is nearest to a place.

#include <optional>
#include <string>

#include "sim/simulation.h"

namespace riffle {

struct NearSolid {
  std::size_t solid = 0;  ///< region of the setup
  float distance = 0;     ///< [m] from its surface; below 0 inside
};

/// Nothing where no surface is within a support radius. Driven solids are where they are at that time [s], free ones where
/// they are now. Waits.
std::optional<NearSolid> near_solid(const Simulation& simulation, Vec3 x, double time);

/// "0.004 m from the free solid 'box'"; "" where there is none.
std::string near_solid_text(const Simulation& simulation, Vec3 x, double time);

}  // namespace riffle
