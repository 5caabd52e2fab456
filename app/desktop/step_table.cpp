#include "app/desktop/step_table.h"

#include <algorithm>

namespace riffle {

void StepTable::follow(const std::vector<StageStats>& stages, const std::vector<std::string>& names,
                       const StageStats& step, double total_ms, bool playing) {
  // A GPU's times come late and one by one: the first step has all its stages once the second has begun to come.
  const bool whole = step.count > 0 && !stages.empty() && (stages.front().count > 1 || !playing);
  outdated_ = !whole;
  if (!whole) return;
  rows_.clear();
  for (const StageStats& stage : stages)
    rows_.push_back(
        {stage, static_cast<std::size_t>(std::find(names.begin(), names.end(), stage.name) - names.begin())});
  step_ = step;
  other_ms_ = std::max(0.0, step.mean_ms - total_ms);
}

}  // namespace riffle
