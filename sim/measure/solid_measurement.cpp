#include "sim/measure/solid_measurement.h"

#include <fmt/format.h>

#include "sim/solver_info.h"
#include "sim/viscosity/viscosity_choice.h"

namespace riffle {

std::string why_no_solid_forces(const SimulationSetup& setup) {
  if (!solver_info(setup).wall_particles) return fmt::format("with {} they are not measured", to_string(setup.solver));
  if (viscosity::is_implicit(setup))
    return "with implicit viscosity they are not measured, because its drag is not known pair by pair. "
           "`solver.viscosity: "
           "explicit` measures them";
  return "";
}

}  // namespace riffle
