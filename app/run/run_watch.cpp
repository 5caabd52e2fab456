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
  return give(WarningKind::Compressed, what_is_compressed(now, clock, simulation));
}

}  // namespace riffle
