#pragma once
/// The settings behind the figures of a validation case.

#include <string>

#include "sim/setup.h"

namespace riffle {

/// "wcsph, `kernel` wendland_c2, `support_ratio` 2; not the defaults: `shifting` 5, `walls` free_slip, `cfl` 0.1":
/// solver, kernel (of solvers that have one) and support ratio in any case, and with scene keys whatever differs from
/// the defaults in the sections solver and neighbors and in the step. Without the fluids, the bodies and the spacing.
std::string settings_text(const SimulationSetup& setup);

}  // namespace riffle
