#pragma once
/// What the cases need from a running simulation.

#include <functional>

#include "sim/by_id.h"

namespace riffle {

/// Steps until exactly this time [s] and waits. @param each_step is told the time of the newest step known.
/// @throws RuntimeFailure when the simulation falls apart on the way
void run_until(Simulation& simulation, double time, const std::function<void(double time)>& each_step = {});

}  // namespace riffle
