#include "app/desktop/step_table.h"

#include <algorithm>

namespace riffle {

void StepTable::follow(const std::vector<StageStats>& stages, const std::vector<std::string>& names,
                       const StageStats& step, double total_ms, std::string_view solver, bool playing) {
  // A GPU's times come late and one by one: the first step has all its stages once the second has begun to come.
  const bool whole = step.count > 0 && !stages.empty() && (stages.front().count > 1 || !playing);
  outdated_ = !whole;
  if (!whole) return;
  std::vector<Row> rows;
  for (const StageStats& stage : stages)
    rows.push_back(
        {stage, static_cast<std::size_t>(std::find(names.begin(), names.end(), stage.name) - names.begin())});
  for (std::size_t i = 0; i < rows_.size() && solver == solver_; ++i) {
    const Row& old = rows_[i];
    if (std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.stage.name == old.stage.name; }))
      continue;
    StageStats none;
    none.name = old.stage.name;
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(std::min(i, rows.size())), {none, old.color});
  }
  rows_ = std::move(rows);
  solver_ = solver;
  step_ = step;
  other_ms_ = std::max(0.0, step.mean_ms - total_ms);
}

}  // namespace riffle
