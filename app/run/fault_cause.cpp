#include "app/run/fault_cause.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/dpd/dpd.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle {

namespace {

/// A solid that is so much lighter or heavier than the fluid takes an impulse in one step that throws it, or lets nothing
/// slow it down.
constexpr double kExtremeDensity = 50;

/// [steps] Bodies that overlap push each other apart at once.
constexpr double kSoonSteps = 2000;

std::string of_the_step(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  const double step = double{step_bounds(setup).fixed} * simulation.step_share();
  const double stable = simulation.stable_dt();
  const char* const unit = units_of(setup).time;
  if (setup.step.fixed > 0 && step > stable && setup.solver == SolverKind::Dpd)
    return fmt::format(
        "time.step: steps of {:.3g} {}; up to {:.3g} {} kT is within {:g} % of solver.temperature, and much "
        "longer ones throw the fluid apart",
        step, unit, stable, unit, 100 * dpd::kAdmittedTemperatureError);
  if (setup.step.fixed > 0 && step > stable)
    return fmt::format("time.step: steps of {:.3g} {}, where at most {:.3g} {} are stable for particles at rest", step,
                       unit, stable, unit);
  constexpr float usual = StepSetup{}.cfl;
  if (!(setup.step.fixed > 0) && setup.step.cfl * simulation.step_share() > 2 * usual)
    return fmt::format("time.cfl is {:g}, where {:g} is usual: steps are too long", setup.step.cfl, usual);
  return "";
}

std::string of_the_stiffness(const Simulation& simulation) {
  const SimulationSetup& setup = simulation.setup();
  const SolverInfo& solver = solver_info(setup);
  if (solver.speed_is_given == nullptr || !solver.speed_is_given(setup)) return "";
  const float given = signal_speed(setup), wanted = automatic_signal_speed(setup);
  if (!(given < 0.5f * wanted)) return "";
  return fmt::format("{} is {:.3g} {}, where speeds of this scene want {:.3g}: the fluid is too soft", solver.speed_key,
                     given, units_of(setup).speed, wanted);
}

std::string of_a_free_solid(const SimulationSetup& setup) {
  if (!solver_info(setup).has_density) return "";
  for (std::size_t r = 0; r < setup.solid_regions.size(); ++r) {
    const FreeBodySetup& body = setup.solid_regions[r].free;
    if (!body.given || !(body.density > 0)) continue;
    for (const FluidSetup& fluid : setup.fluids) {
      const double ratio = double{body.density} / double{fluid.rest_density};
      if (ratio < kExtremeDensity && ratio > 1 / kExtremeDensity) continue;
      return fmt::format("the free solid '{}' has {:.3g} times the density of '{}'", solid_name(setup, r), ratio,
                         fluid.name);
    }
  }
  return "";
}

std::string of_the_start(const Simulation& simulation, const FaultSurroundings& around) {
  if (around.time > kSoonSteps * double{simulation.stable_dt()}) return "";
  using Kind = scenes::WarningKind;
  for (const scenes::Warning& warning : around.warnings)
    for (const Kind kind : {Kind::BodiesOverlap, Kind::ParticlesTogether, Kind::FluidInSolid, Kind::SolidsOverlap})
      if (warning.kind == kind) return warning.text;
  return "";
}

}  // namespace

std::string likely_cause(const Simulation& simulation, const FaultSurroundings& around) {
  std::string first, others;
  for (const std::string& cause : {of_the_step(simulation), around.eased, of_the_start(simulation, around),
                                   of_the_stiffness(simulation), of_a_free_solid(simulation.setup()), around.event}) {
    if (cause.empty()) continue;
    if (first.empty())
      first = cause;
    else
      others += "; perhaps also: " + cause;
  }
  return first + others;
}

}  // namespace riffle
