#pragma once
/// Whether a state is still that of a fluid.

#include <optional>
#include <string>

#include "sim/simulation.h"

namespace riffle {

struct BlowUp {
  std::string what;    ///< "after step 90 (t = 0.1 s) particles are ...", with the numbers
  std::string remedy;  ///< that helps most often
};

/// Why the state is worth nothing; nothing while it is sound. Walls put particles back, so that a run can fall apart
/// without a single NaN.
std::optional<BlowUp> find_blow_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation);

/// The same in one text; "" while the state is sound.
std::string what_blew_up(const Diagnostics& now, const StepReport& clock, const Simulation& simulation);

/// Whether the clock alone makes what_blew_up() worth its reading of all particles.
bool looks_unstable(const StepReport& clock, const Simulation& simulation);

/// The same of speeds that the method does not hold for.
std::string what_is_supersonic(const StepReport& clock, const Simulation& simulation);

/// What is to be distrusted but goes on; "" while nothing is.
std::string what_is_compressed(const Diagnostics& now, const StepReport& clock, const Simulation& simulation);

/// Why no step follows: `wanted` says what was asked for, "10 s" or "200 steps".
std::string why_stuck(const StepReport& clock, const Simulation& simulation, const std::string& wanted);

}  // namespace riffle
