#pragma once
/// Whether the fluid of a setup has room, or fills what it is in.

#include "sim/setup.h"

namespace riffle {

/// Number of particles without which the fluid has room: those that fill the part of the domain that bodies of fluid can reach
/// between solids as they are at time 0, less a layer across each axis, since a lattice need not fit. Infinite where they reach an
/// open face; 0 with SimulationSetup::solids alone, whose volume is not known. To less than a layer. In a domain of more than
/// kRoomCells spacings cells are wider than a spacing, and fluid may seem to reach through walls as thin as that.
double particles_without_room(const SimulationSetup& setup);

inline constexpr double kRoomCells = 1 << 20;

}  // namespace riffle
