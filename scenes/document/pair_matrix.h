#pragma once
/// Coefficients of pairs of fluids, once all fluids are known.

#include <functional>
#include <string>
#include <vector>

#include "scenes/format/format.h"

namespace riffle {

using Complaint = std::function<void(const std::string& key, const std::string& text)>;

/// @return false when it was refused: not a number for every pair, or not symmetric.
bool fill_matrix(const SceneDraft::Matrix& from, const std::vector<FluidSetup>& fluids, const std::string& key,
                 const Complaint& refuse, PairMatrix& to);

}  // namespace riffle
