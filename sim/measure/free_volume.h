#pragma once
/// The part of the domain that solids leave to the fluid.

#include "sim/setup.h"

namespace riffle {

/// [m^3], in 2-D [m^2]: the domain's volume without the solids, where the setup places them; NaN with an open face. With
/// solids it is counted by a million points that lie evenly, and wrong by up to 1e-4 of the domain.
double free_volume(const SimulationSetup& setup);

}  // namespace riffle
