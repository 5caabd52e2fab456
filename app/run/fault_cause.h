#pragma once
/// What has most likely made a run unstable.

#include <span>
#include <string>

#include "app/run/stability.h"
#include "scenes/warning.h"

namespace riffle {

struct FaultSurroundings {
  double time = 0;                            ///< [s] of the fault
  std::span<const scenes::Warning> warnings;  ///< of the scene
  std::string eased = {};                     ///< that time.pace has eased it since the last good state; "": it has not
  std::string event = {};                     ///< which event has acted since then; "": none
};

/// "time.step: steps of 0.01 s, where at most 0.0024 s are stable for particles at rest", then all else that stands out; "" where
/// nothing does. What is beyond a bound comes before what has only happened.
std::string likely_cause(const Simulation& simulation, const FaultSurroundings& around);

}  // namespace riffle
