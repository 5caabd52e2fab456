#pragma once
/// Solids by their names.

#include <string>

namespace riffle {

struct SimulationSetup;

/// The number of the first solid of that name, see solid_name(); -1: there is none.
int solid_named(const SimulationSetup& setup, const std::string& name);

}  // namespace riffle
