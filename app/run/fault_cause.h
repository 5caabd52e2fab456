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
  std::string event;                          ///< what was changed since the last good state, "" if nothing was
};

/// "time.step is 0.01 s, and 0.0024 s is the longest that is stable for particles at rest"; "" where nothing stands out.
std::string likely_cause(const Simulation& simulation, const FaultSurroundings& around);

}  // namespace riffle
