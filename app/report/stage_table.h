#pragma once
/// The cost of each stage of a step, for people.

#include <string>
#include <vector>

#include "core/timing/stage_timer.h"

namespace riffle {

/// Aligned columns: stage, count, mean, median, p95, share of the sum of all stages.
std::string stage_table(const std::vector<StageStats>& stages);

}  // namespace riffle
