#pragma once
/// Whether a setup's solver measures what the fluid does to solids.

#include <string>

#include "sim/setup.h"

namespace riffle {

/// Why forces on solids are not measured, for people; "" if they are.
std::string why_no_solid_forces(const SimulationSetup& setup);

}  // namespace riffle
