#pragma once
/// Speeds of driven solids, for bounds of the time step.

#include "sim/setup.h"

namespace riffle {

/// [m/s] An upper bound of the speed of any point of the region, at any time; 0 if it is not driven.
float fastest_point(const SimulationSetup& setup, std::size_t region);

/// [m/s] The largest of all regions.
float fastest_drive(const SimulationSetup& setup);

}  // namespace riffle
