#pragma once
/// Checks of a scene's DPD coefficients, which need all fluids.

#include "scenes/document/pair_matrix.h"

namespace riffle {

/// Fills setup.dpd's matrices from the draft.
void review_dpd(const SceneDraft& draft, SimulationSetup& setup, const Complaint& refuse, const Complaint& warn);

}  // namespace riffle
