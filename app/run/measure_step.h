#pragma once
/// Measures the cost of a step of a scene by doing a few.

#include <string>

#include "core/device/device.h"
#include "sim/setup.h"

namespace riffle {

struct StepEstimate {
  double milliseconds = 0;  ///< per step; 0 when it could not be measured
  std::string method;       ///< how it was found, or why it was not, for people
  bool abandoned = false;   ///< a thread still measures: the program must end by std::_Exit
};

/// Times steps of the scene itself when it is small. Otherwise it times the scene at a larger spacing, with as many
/// neighbours, and scales the result with the number of particles. Takes a second or two; one of more than five is abandoned.
StepEstimate estimate_step(const SimulationSetup& setup, const Device& device);

}  // namespace riffle
