#pragma once
/// The run that wrote the particles with which a setup begins.

#include <optional>

#include "sim/setup.h"

namespace riffle {

/// [s] Its time when it wrote them, if all bodies come from files that say the same.
std::optional<double> time_of_files(const SimulationSetup& setup);

/// [m/s] expected_speed() of that run, if all bodies come from files that say it: the largest. Otherwise that of the
/// setup. Pictures measure with it, so that particles from a file look as they did in the run; steps do not.
float pictured_speed(const SimulationSetup& setup);

}  // namespace riffle
