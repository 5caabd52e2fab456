#include "sim/viscosity/viscosity_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/openings/nozzle.h"
#include "sim/solver.h"
#include "sim/solver_info.h"

namespace riffle::viscosity {

float explicit_step(const SimulationSetup& setup) {
  const float s = 0.5f * setup.support_radius();
  float lightest = std::numeric_limits<float>::infinity(), stickiest = 0;
  for (const int used : used_fluids(setup)) {
    const FluidSetup& fluid = setup.fluids[static_cast<std::size_t>(used)];
    lightest = std::min(lightest, fluid.rest_density);
    stickiest = std::max(stickiest, fluid.rest_density * fluid.viscosity);
  }
  return stickiest > 0 ? 0.125f * s * s * lightest / stickiest : std::numeric_limits<float>::infinity();
}

Choice choose(const SimulationSetup& setup) {
  Choice choice;
  choice.explicit_step = explicit_step(setup);
  if (!solver_info(setup).sph_forces || !(choice.explicit_step < std::numeric_limits<float>::infinity())) return choice;
  SimulationSetup inviscid = setup;
  for (FluidSetup& fluid : inviscid.fluids) fluid.viscosity = 0;
  const StepBounds bounds = step_bounds(inviscid);
  choice.other_step =
      bounds.fixed > 0 ? bounds.fixed
                       : std::min(bounds.constant, bounds.cfl_length / (bounds.sound_speed + expected_speed(inviscid)));
  switch (setup.wcsph.viscosity) {
    case ViscosityScheme::Explicit: break;
    case ViscosityScheme::Implicit: choice.implicit = true; break;
    case ViscosityScheme::Automatic:
      choice.implicit = solver_info(setup).long_steps && choice.other_step > kWorthwhile * choice.explicit_step;
      break;
  }
  return choice;
}

float least_step(const SimulationSetup& setup) {
  const Choice choice = choose(setup);
  if (!solver_info(setup).long_steps) return choice.explicit_step;
  return std::max(choice.explicit_step, choice.other_step / kMostSteps);
}

std::string text(const Choice& choice, const SimulationSetup& setup) {
  if (!(choice.explicit_step < std::numeric_limits<float>::infinity())) return "";
  return fmt::format("{}{}: explicit viscosity allows steps of {:.2g} s, everything else of {:.2g} s",
                     choice.implicit ? "implicit" : "explicit",
                     setup.wcsph.viscosity == ViscosityScheme::Automatic ? " (automatic)" : "", choice.explicit_step,
                     choice.other_step);
}

}  // namespace riffle::viscosity
