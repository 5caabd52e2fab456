#include "sim/measure/solid_measurement.h"

#include "sim/viscosity/viscosity_choice.h"

namespace riffle {

std::string why_no_solid_forces(const SimulationSetup& setup) {
  if (viscosity::is_implicit(setup))
    return "with implicit viscosity they are not measured, because its drag is not known pair by pair. With "
           "`solver.viscosity: explicit` they are";
  return "";
}

}  // namespace riffle
