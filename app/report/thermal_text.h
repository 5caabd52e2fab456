#pragma once
/// The temperature at the end of a run with DPD in words, with what a flow has to do with it.

#include <algorithm>
#include <string>

#include "sim/measure/diagnostics.h"
#include "sim/setup.h"

namespace riffle {

/// From this share on a flow counts as a part of a temperature.
inline constexpr double kLeastFlow = 0.05;

/// Whether a temperature of all velocities is above the local one because the fluid flows.
/// @param scatter  by which their difference is above 0 by chance, as a share of the local one
inline bool has_flow(double temperature, double local, double scatter = 0) {
  return temperature > (1 + std::max(kLeastFlow, scatter)) * local;
}

/// By how much a temperature may differ from the local one by chance, five standard deviations of so many particles.
/// @param neighbors  mean number: few have few relative velocities, which the local temperature is made of
double temperature_scatter(int particles, double neighbors, int dimension);

/// Whether a fluid with a thermostat lies between mirrors: its pressure then counts their layers.
bool has_mirrors(const SimulationSetup& setup);

/// "at the end kT 1.757, pressure 23.61 (23.7 with the thermostat's part)", and what mirrors and a flow have to do with it.
/// @param local  mean of the local temperature; NaN: not known  @param scatter  as for has_flow()
/// @param mirrors  has_mirrors()
std::string thermal_text(const ThermalDiagnostics& thermal, double local, double scatter = 0, bool mirrors = false);

/// [tau] A fluid with a thermostat comes to equilibrium in the first units of time.
inline constexpr double kRelaxation = 5;

/// A warning about a temperature that is not the thermostat's, with what can be the cause; "" while it is, and without a
/// thermostat. Within kRelaxation it may be up to twice as high.
std::string what_is_not_the_thermostats(double local, double time, int particles, const SimulationSetup& setup);

}  // namespace riffle
