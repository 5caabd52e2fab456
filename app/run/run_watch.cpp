#include "app/run/run_watch.h"

#include <algorithm>

#include "app/report/thermal_text.h"
#include "app/run/stability.h"
#include "sim/solver_info.h"

namespace riffle {

using scenes::WarningKind;

std::optional<scenes::Warning> RunWatch::give(WarningKind kind, const std::string& text) {
  if (text.empty() || !given_.insert(kind).second) return std::nullopt;
  return scenes::Warning{kind, "", "", text};
}

namespace {

/// Particles at random places may overlap: repulsion then throws some of them off, and the thermostat slows them down.
bool comes_from_random_places(const StepReport& clock, const SimulationSetup& setup) {
  return solver_info(setup).thermal && setup.start.equilibration == 0 && clock.time < kRelaxation &&
         std::ranges::any_of(setup.bodies, [](const BodySetup& body) {
           return body.filling == Filling::Random && body.particles.from == nullptr;
         });
}

}  // namespace

/// This is how a run usually goes wrong without a single NaN.
std::optional<scenes::Warning> RunWatch::after_step(const StepReport& clock, const Simulation& simulation) {
  if (clock.max_speed > simulation.signal_speed() && !comes_from_random_places(clock, simulation.setup()))
    if (auto warning = give(WarningKind::TooFast, what_is_supersonic(clock, simulation))) return warning;
  return give(WarningKind::Unconverged, what_is_unconverged(clock, simulation));
}

std::optional<scenes::Warning> RunWatch::after_diagnostics(const Diagnostics& now, const StepReport& clock,
                                                           const Simulation& simulation) {
  if (auto warning = give(WarningKind::Compressed, what_is_compressed(now, clock, simulation))) return warning;
  const std::vector<BodyState> bodies = simulation.bodies();
  for (std::size_t solid = 0; solid < bodies.size(); ++solid) {
    if (!simulation.setup().solid_regions[solid].free.given || left_.count(solid) != 0) continue;
    const std::string text = what_has_left(solid, bodies[solid], clock, simulation);
    if (text.empty()) continue;
    left_.insert(solid);
    return scenes::Warning{WarningKind::BodyLeft, "", "", text};
  }
  return std::nullopt;
}

}  // namespace riffle
