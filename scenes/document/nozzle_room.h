#pragma once
/// Whether an inlet's nozzle has room, and what comes out of it.

#include <optional>
#include <string>

#include "sim/setup.h"

namespace riffle::scenes {

struct Hindrance {
  Vec3 at{};         ///< [m] a particle that has no room
  int layer = 0;     ///< of the nozzle, from its back; beyond its end: of what comes out
  std::string what;  ///< "a wall of the domain (y from 0 to 1 m)", "'post'"
};

/// Particles of the nozzle, and those that follow its end within the search radius.
std::optional<Hindrance> what_hinders(const SimulationSetup& setup, const InletSetup& inlet);

/// Whether particles of the two nozzles would be too near to each other.
bool nozzles_meet(const SimulationSetup& setup, const InletSetup& a, const InletSetup& b);

/// Layers that a free particle behind the nozzle's end reaches.
int layers_reached(const SimulationSetup& setup);

}  // namespace riffle::scenes
