#pragma once
/// Coefficients of pairs of fluids, once all fluids are known.

#include <string>

#include "scenes/review/findings.h"

namespace riffle::scenes {

/// @return false when it was refused under `key`: not a number for every pair, or not symmetric.
bool fill_matrix(const SceneDraft::Matrix& from, const std::vector<FluidSetup>& fluids, const std::string& key,
                 Findings& out, PairMatrix& to);

}  // namespace riffle::scenes
