#include "sim/viscosity/viscosity_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/openings/nozzle.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle::viscosity {

namespace {

/// [kg/m^2] Mass of the lightest free body over its surface, as if it filled its bounds; infinite if there is none. Fluid that sticks
/// half a spacing from the surface slows a body at a rate of 2 mu / spacing over that. Explicit steps must be below 2 over the rate,
/// and for a body that turns too below 1.2 over it.
double lightest_cover(const SimulationSetup& setup) {
  double lightest = std::numeric_limits<double>::infinity();
  for (const SolidRegion& solid : setup.solid_regions) {
    if (!solid.free.given) continue;
    const Bounds bounds = bounds_of(solid);
    double volume = 1, thickness = 0;
    for (int a = 0; a < setup.domain.dimension; ++a) {
      const double extent = double{component(bounds.max, a)} - component(bounds.min, a);
      volume *= extent;
      thickness += 2 / extent;
    }
    const double density = solid.free.mass > 0 ? solid.free.mass / volume : solid.free.density;
    if (std::isfinite(volume)) lightest = std::min(lightest, density / thickness);
  }
  return lightest;
}

constexpr double kBodyStep = 0.4;  // 0.8 over that rate

}  // namespace

float explicit_step(const SimulationSetup& setup) {
  const float s = 0.5f * setup.support_radius();
  float lightest = std::numeric_limits<float>::infinity(), stickiest = 0;
  for (const int used : used_fluids(setup)) {
    const FluidSetup& fluid = setup.fluids[static_cast<std::size_t>(used)];
    lightest = std::min(lightest, fluid.rest_density);
    stickiest = std::max(stickiest, fluid.rest_density * fluid.viscosity);
  }
  if (!(stickiest > 0)) return std::numeric_limits<float>::infinity();
  return static_cast<float>(std::min(double{0.125f * s * s * lightest / stickiest},
                                     kBodyStep * lightest_cover(setup) * setup.spacing / stickiest));
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
      // The drag of implicit viscosity on a free solid is not known.
      choice.implicit =
          solver_info(setup).long_steps && !any_free(setup) && choice.other_step > kWorthwhile * choice.explicit_step;
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
