#pragma once
/// Whether a state is still plausible for a fluid.

#include <optional>
#include <string>

#include "sim/simulation.h"

namespace riffle {

struct BlowUp {
  std::string what;    ///< "at step 90 (t = 0.1 s) 1 of 512 particles ...", with the numbers
  std::string remedy;  ///< that helps most often; "" where nothing is known to
};

/// The kind of fault, its step and how many particles have it: "at step 90 (t = 0.1 s) 3 of 512 particles ...".
std::string fault_text(const Fault& fault, const Simulation& simulation);

/// What has ended a run, with the fault before it if there is one: the fault is likely the reason. Never throws a device's error.
std::string with_fault(const std::string& what, const Simulation& simulation);

/// Why the state is invalid; nothing while it is valid. A fault that the steps have seen comes first, with the step in which
/// it appeared. Walls put particles back, so a run can become unstable without a single NaN.
std::optional<BlowUp> find_blow_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation);

/// The same as one text; "" while the state is valid.
std::string what_blew_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation);

/// A warning about speeds above those that the method is valid for.
std::string what_is_supersonic(const StepReport& clock, const Simulation& simulation);

/// A warning about pressures that the iterations did not reach; "" while they reach them.
std::string what_is_unconverged(const StepReport& clock, const Simulation& simulation);

/// A warning about a state that is suspicious but not invalid; "" when there is nothing to warn about.
std::string what_is_compressed(const Diagnostics& now, const StepReport& clock, const Simulation& simulation);

/// A warning about a free solid that is beyond an open face of the domain as a whole, "" if it is not. @param solid its index
std::string what_has_left(std::size_t solid, const BodyState& body, const StepReport& clock,
                          const Simulation& simulation);

/// Whether the newest step had no length: later ones have none either.
bool is_stopped(const StepReport& clock);

/// Why no further step is possible. @param wanted the requested length, "10 s" or "200 steps"; "" for none
std::string why_stuck(const StepReport& clock, const Simulation& simulation, const std::string& wanted);

}  // namespace riffle
