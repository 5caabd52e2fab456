#pragma once
/// The units of the particles' attributes, for files.

#include <string>
#include <string_view>

#include "sim/setup.h"

namespace riffle {

/// In ASCII: "m/s", with dpd "r_c/tau"; "1" for a number without a unit; "" for an attribute that is not known here.
std::string attribute_unit(std::string_view attribute, const SimulationSetup& setup);

/// Likewise of what a clock counts in.
std::string time_unit(const SimulationSetup& setup);

}  // namespace riffle
