#include "app/run/run_watch.h"

#include "app/run/stability.h"

namespace riffle {

using scenes::WarningKind;

std::optional<scenes::Warning> RunWatch::give(WarningKind kind, const std::string& text) {
  if (text.empty() || !given_.insert(kind).second) return std::nullopt;
  return scenes::Warning{kind, "", "", text};
}

/// This is how a run usually goes wrong without a single NaN.
std::optional<scenes::Warning> RunWatch::after_step(const StepReport& clock, const Simulation& simulation) {
  if (clock.max_speed > simulation.signal_speed())
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
