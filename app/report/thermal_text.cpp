#include "app/report/thermal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/dpd/dpd.h"
#include "sim/solver.h"
#include "sim/solver_info.h"

namespace riffle {

namespace {

bool has_thermostat(const SimulationSetup& setup) {
  for (std::size_t a = 0; a < setup.fluids.size(); ++a)
    for (std::size_t b = 0; b < setup.fluids.size(); ++b)
      if (setup.dpd.friction.value[a][b] > 0 && setup.dpd.noise.value[a][b] > 0) return true;
  return false;
}

/// The keys by which something does work on the fluid: "gravity, solver.wall_velocity"; "" for none.
std::string what_does_work(const SimulationSetup& setup) {
  std::string text;
  const auto add = [&](bool works, const char* key) {
    if (works) text += (text.empty() ? "" : ", ") + std::string(key);
  };
  add(length2(setup.gravity) > 0, "gravity");
  add(setup.gravity_change.given, "gravity_change");
  add(setup.body_force.given, "body_force");
  bool moving = false;
  for (int a = 0; a < setup.domain.dimension; ++a)
    for (const Vec3& velocity : setup.wcsph.wall_velocity[a]) moving |= setup.domain.walled(a) && length2(velocity) > 0;
  add(moving && dpd::walls_drag(setup), "solver.wall_velocity");
  add(std::ranges::any_of(setup.solid_regions, [](const SolidRegion& solid) { return solid.moves(); }), "solids");
  add(setup.tank.given, "domain.motion");
  return text;
}

}  // namespace

// kT of n degrees of freedom scatters by sqrt(2 / n) of itself. The local one is of those particles that have neighbours, of which
// there are no more than pairs, about; and it lacks the common velocity of a particle and its neighbours.
double temperature_scatter(int particles, double neighbors, int dimension) {
  if (particles < 1 || !(neighbors > 0)) return std::numeric_limits<double>::infinity();
  const double all = dimension * static_cast<double>(particles), local = all * std::min(1.0, neighbors / 2);
  return 5 * std::sqrt(2 / local - 2 / all + 2 / (all * (neighbors + 1)));
}

bool has_mirrors(const SimulationSetup& setup) {
  if (!solver_info(setup).thermal || dpd::walls_drag(setup)) return false;
  bool walled = !setup.solid_regions.empty();
  for (int a = 0; a < setup.domain.dimension; ++a) walled |= setup.domain.walled(a);
  return walled;
}

std::string thermal_text(const ThermalDiagnostics& thermal, double local, double scatter, bool mirrors) {
  std::string text = fmt::format("at the end kT {:.4g}, pressure {:.5g} ({:.5g} with the thermostat's part)",
                                 thermal.temperature, thermal.pressure, thermal.thermostat_pressure);
  if (mirrors)
    text +=
        ", which has the layers beside the mirrors in it and is not the fluid's away from them "
        "(domain.face_forces measures that at a face)";
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
      std::max(time < kRelaxation ? 1 : 0.1, 5 * std::sqrt(2.0 / (setup.domain.dimension * double(particles))));
  if (!(std::fabs(local / wanted - 1) > allowed)) return "";
  std::string text =
      fmt::format("the local kT is {:.3g} at the end, the thermostat's {:.3g} (solver.temperature): ", local, wanted);
  const double step = step_bounds(setup).fixed, longest = dpd::stable_dt(setup);
  const std::string work = local > wanted ? what_does_work(setup) : "";
  const std::string error = fmt::format("up to {:.3g} the error that they cause is within {:g} %", longest,
                                        100 * dpd::kAdmittedTemperatureError);
  const bool long_steps = step > 1.005 * longest;
  if (long_steps) text += fmt::format("steps of {:.3g} are too long (time.step), {}", step, error);
  if (!work.empty())
    text += fmt::format(
        "{}what drives the fluid ({}) heats it faster than the thermostat cools it, and a strong shear counts as heat "
        "in "
        "part",
        long_steps ? "; and " : "", work);
  if (!long_steps && work.empty()) text += "the run has ended before the fluid came to equilibrium";
  if (!long_steps) text += fmt::format("; steps of {:.3g} are not the cause, {}", step, error);
  return text;
}

}  // namespace riffle
