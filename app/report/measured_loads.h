#pragma once
/// The solids and faces whose forces are measured, as columns and reports name them: the solids, then the walled faces.

#include <string>
#include <vector>

#include "sim/measure/diagnostics.h"
#include "sim/setup.h"

namespace riffle {

/// All that a setup has, whether its solver measures them or not.
std::vector<std::string> load_names(const SimulationSetup& setup);

/// One for each of load_names(); empty: none is measured.
std::vector<SolidLoad> measured_loads(const SimulationSetup& setup, const Diagnostics& diagnostics);

}  // namespace riffle
