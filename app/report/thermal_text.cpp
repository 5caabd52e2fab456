#include "app/report/thermal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace riffle {

namespace {

bool has_thermostat(const SimulationSetup& setup) {
  for (std::size_t a = 0; a < setup.fluids.size(); ++a)
    for (std::size_t b = 0; b < setup.fluids.size(); ++b)
      if (setup.dpd.friction.value[a][b] > 0 && setup.dpd.noise.value[a][b] > 0) return true;
  return false;
}

}  // namespace

// kT of n degrees of freedom scatters by sqrt(2 / n) of itself. The local one is of those particles that have neighbours, of which
// there are no more than pairs, about; and it lacks the common velocity of a particle and its neighbours.
double temperature_scatter(int particles, double neighbors, int dimension) {
  if (particles < 1 || !(neighbors > 0)) return std::numeric_limits<double>::infinity();
  const double all = dimension * static_cast<double>(particles), local = all * std::min(1.0, neighbors / 2);
  return 5 * std::sqrt(2 / local - 2 / all + 2 / (all * (neighbors + 1)));
}

std::string thermal_text(const ThermalDiagnostics& thermal, double local, double scatter) {
  std::string text = fmt::format("kT {:.4g}, pressure {:.5g} ({:.5g} with the thermostat's part)", thermal.temperature,
                                 thermal.pressure, thermal.thermostat_pressure);
  if (has_flow(thermal.temperature, local, scatter))
    text +=
        fmt::format("; both have the motion of the flow in them, without it kT is {:.4g} (local_temperature)", local);
  return text;
}

std::string what_is_not_the_thermostats(double local, double time, int particles, const SimulationSetup& setup) {
  const double wanted = setup.dpd.temperature;
  if (setup.solver != SolverKind::Dpd || !has_thermostat(setup) || !(wanted > 0) || particles < 1) return "";
  // kT scatters by sqrt(2 / (d N)) of itself.
  const double allowed =
      std::max(time < 5 ? 1 : 0.1, 5 * std::sqrt(2.0 / (setup.domain.dimension * double(particles))));
  if (!(std::fabs(local / wanted - 1) > allowed)) return "";
  return fmt::format(
      "the local kT is {:.3g} at the end, the thermostat's {:.3g} (solver.temperature): steps are too long "
      "(time.step), or "
      "the run has ended before the fluid came to equilibrium",
      local, wanted);
}

}  // namespace riffle
