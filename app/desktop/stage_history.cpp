#include "app/desktop/stage_history.h"

#include <algorithm>
#include <utility>

namespace riffle {

void StageHistory::sample(const std::vector<StageStats>& stats, std::uint64_t step) {
  const std::uint64_t steps = begun_ && step > step_ ? step - step_ : 0;
  Column column;
  column.step = step;
  for (const StageStats& stage : stats) {
    auto at = static_cast<std::size_t>(std::find(stages_.begin(), stages_.end(), stage.name) - stages_.begin());
    if (at == stages_.size()) {
      stages_.push_back(stage.name);
      total_ms_.push_back(0);
    }
    const double total = stage.mean_ms * static_cast<double>(stage.count);
    if (column.mean_ms.size() < stages_.size()) column.mean_ms.resize(stages_.size(), 0);
    if (steps > 0)
      column.mean_ms[at] = static_cast<float>(std::max(0.0, total - total_ms_[at]) / static_cast<double>(steps));
    total_ms_[at] = total;
  }
  step_ = step;
  begun_ = true;
  if (steps == 0) return;
  column.event = std::exchange(event_, {});
  columns_.push_back(std::move(column));
  if (columns_.size() > kColumns) columns_.pop_front();
}

void StageHistory::restart() {
  std::fill(total_ms_.begin(), total_ms_.end(), 0.0);
  begun_ = false;
}

void StageHistory::clear() { *this = StageHistory(); }

}  // namespace riffle
