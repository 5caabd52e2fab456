#pragma once
/// What a step of a scene will cost, found by doing a few.

#include <string>

#include "core/device/device.h"
#include "sim/setup.h"

namespace riffle {

struct StepEstimate {
  double milliseconds = 0;  ///< per step; 0 when it could not be measured
  std::string method;       ///< how it was found, for people
};

/// Times real steps of the scene when it is small, and of the same scene at a larger spacing, scaled by the number of
/// particles, when it is not. Takes a second or two.
StepEstimate estimate_step(const SimulationSetup& setup, const Device& device);

}  // namespace riffle
