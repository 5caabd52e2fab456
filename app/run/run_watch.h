#pragma once
/// What a run is warned of while it goes on, for `riffle run` and the window. Each warning is given once, that of a body that
/// leaves once for each body.

#include <cstddef>
#include <optional>
#include <set>

#include "scenes/warning.h"
#include "sim/simulation.h"

namespace riffle {

class RunWatch {
 public:
  /// After a step. Cheap. Says nothing of speeds that random places of a fluid with a thermostat give within kRelaxation:
  /// a fluid that does not settle by then is warned of.
  std::optional<scenes::Warning> after_step(const StepReport& clock, const Simulation& simulation);

  /// Where diagnostics were made anyway.
  std::optional<scenes::Warning> after_diagnostics(const Diagnostics& now, const StepReport& clock,
                                                   const Simulation& simulation);

  void forget() { given_.clear(), left_.clear(); }  ///< for another run, or another state of this one: warns again

 private:
  std::optional<scenes::Warning> give(scenes::WarningKind kind, const std::string& text);

  std::set<scenes::WarningKind> given_;
  std::set<std::size_t> left_;  ///< free bodies that have left the domain
};

}  // namespace riffle
