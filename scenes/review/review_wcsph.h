#pragma once
/// Checks of WCSPH's settings that need the fluids and the domain.

#include "scenes/document/pair_matrix.h"

namespace riffle {

/// Fills setup.wcsph.interface_tension from the draft.
/// @param given  whether the scene has this key
void review_wcsph(const SceneDraft& draft, SimulationSetup& setup, const std::function<bool(const std::string&)>& given,
                  const Complaint& refuse, const Complaint& warn);

}  // namespace riffle
