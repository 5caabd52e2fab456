#pragma once
/// The text that tells ParaView where in a state file the particles are (XDMF 3).

#include <string>

#include "sim/state.h"

namespace riffle {

/// @param file  name of the state file, as seen from the text's folder
std::string xdmf_text(const std::string& file, const SimulationState& state);

}  // namespace riffle
