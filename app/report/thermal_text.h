#pragma once
/// The temperature at the end of a run with DPD in words, with what a flow has to do with it.

#include <string>

#include "sim/measure/diagnostics.h"
#include "sim/setup.h"

namespace riffle {

/// From this share on a flow counts as a part of a temperature.
inline constexpr double kLeastFlow = 0.05;

/// Whether a temperature of all velocities is above the local one because the fluid flows.
inline bool has_flow(double temperature, double local) { return temperature > (1 + kLeastFlow) * local; }

/// "kT 1.757, pressure 23.61 (23.7 with the thermostat's part)", and where the fluid flows what the flow has to do with it.
/// @param local  mean of the local temperature; NaN: not known
std::string thermal_text(const ThermalDiagnostics& thermal, double local);

/// A warning about a temperature that is not the thermostat's; "" while it is, and without a thermostat. In the first 5 units
/// of time it may be up to twice as high: a fluid comes to equilibrium then.
std::string what_is_not_the_thermostats(double local, double time, int particles, const SimulationSetup& setup);

}  // namespace riffle
