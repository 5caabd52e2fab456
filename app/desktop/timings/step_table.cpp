#include "app/desktop/timings/step_table.h"

#include <algorithm>
#include <utility>

namespace riffle {

void StepTable::follow(const StepStatistics& newest, std::string_view solver) {
  outdated_ = newest.steps == 0;
  if (outdated_) {
    shown_.before = newest.before;
    return;
  }
  const std::vector<StageStats> old = std::exchange(shown_, newest).stages;
  std::vector<StageStats>& rows = shown_.stages;
  for (std::size_t i = 0; i < old.size() && solver == solver_; ++i) {
    const auto same = [&](const StageStats& row) { return row.name == old[i].name; };
    if (std::any_of(rows.begin(), rows.end(), same)) continue;
    StageStats none;
    none.name = old[i].name;
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(std::min(i, rows.size())), none);
  }
  solver_ = solver;
}

}  // namespace riffle
