#pragma once
/// The mean of the local temperature, which knows of flows only what they vary by within the support radius.

#include "sim/measure/quantity_values.h"
#include "sim/simulation.h"

namespace riffle {

/// [kT] Over the particles with neighbours; nan: there are none, or memory is short. Waits.
double mean_local_temperature(const Simulation& simulation, QuantityValues& quantities);

}  // namespace riffle
