#pragma once
/// The solids of a scene in words, for `riffle check`.

#include <string>
#include <vector>

#include "sim/setup.h"

namespace riffle {

/// "step: a box of 0.1 x 0.2 x 0.2 m" for each.
std::vector<std::string> solid_texts(const SimulationSetup& setup);

/// Gravity over time and a moving domain; empty without both.
std::vector<std::string> gravity_texts(const SimulationSetup& setup);

/// "2, with 880 wall particles"
std::string solid_summary(const SimulationSetup& setup);

}  // namespace riffle
