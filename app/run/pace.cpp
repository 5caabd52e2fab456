#include "app/run/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/solver_info.h"

namespace riffle {

void PaceGovernor::restart(double wall, double simulated) {
  wall_ = changed_ = wall;
  simulated_ = simulated;
  steps_ = 0;
  factor_ = 0;
  behind_ = tried_ = late_ = false;
}

bool PaceGovernor::follow(double wall, double simulated, double wanted) {
  ++steps_;
  if (wall - wall_ < kWindow || steps_ < kLeastSteps) return false;
  factor_ = (simulated - simulated_) / (wall - wall_) / (std::isfinite(wanted) ? wanted : 1);
  wall_ = wall;
  simulated_ = simulated;
  steps_ = 0;

  const int before = level_;
  // A busy machine makes a window late by a few percent now and then.
  const bool late = factor_ < kLate, slow = factor_ < kTooLate || (late && late_);
  late_ = late;
  if (slow) {
    if (tried_) patience_ = std::min(2 * patience_, kMostPatience);
    level_ = std::min(kLevels, level_ + (factor_ < kFarLate ? 2 : 1));
  } else if (!late && level_ > 0 && (factor_ > kAmple || wall - changed_ > patience_)) {
    --level_;
  }
  behind_ = slow && before == kLevels;
  if (level_ == before) {
    if (wall - changed_ > patience_) tried_ = false;
    return false;
  }
  tried_ = level_ < before;
  changed_ = wall;
  return true;
}

std::string ease_text(const SimulationSetup& setup, double share) {
  const SolverInfo& info = solver_info(setup);
  if (info.ease == nullptr) return fmt::format("{} has nothing to ease", info.name);
  if (!(share > 0)) return "not eased";
  SimulationSetup eased = setup;
  info.ease(eased, share);
  return fmt::format("eased by {:.0f} %: {}", 100 * share, info.ease_text(eased));
}

}  // namespace riffle
