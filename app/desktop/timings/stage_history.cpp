#include "app/desktop/timings/stage_history.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace riffle::desktop {

bool StageHistory::sample(const std::vector<StageStats>& stats, std::uint64_t step, double wall_ms, double now,
                          std::optional<double> others, double simulated) {
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
  if (steps > 0) column.wall_ms = static_cast<float>(std::max(0.0, wall_ms - wall_ms_) / static_cast<double>(steps));
  column.seconds = begun_ ? now - now_ : 0;
  column.simulated = begun_ ? simulated - simulated_ : 0;
  column.others = others;
  step_ = step;
  wall_ms_ = wall_ms;
  now_ = now;
  simulated_ = simulated;
  begun_ = true;
  if (steps == 0) return false;
  column.steps = steps;
  column.event = std::exchange(event_, {});
  column.in_use = in_use_;
  column.run = run_;
  columns_.push_back(std::move(column));
  if (columns_.size() > kColumns) columns_.pop_front();
  return true;
}

void StageHistory::mark(std::string event, std::string in_use) {
  event_ = std::move(event);
  in_use_ = std::move(in_use);
}

void StageHistory::restart() {
  std::fill(total_ms_.begin(), total_ms_.end(), 0.0);
  wall_ms_ = 0;
  begun_ = false;
}

double stages_ms(const StageHistory::Column& column) {
  return std::accumulate(column.mean_ms.begin(), column.mean_ms.end(), 0.0);
}

double total_ms(const StageHistory::Column& column) { return std::max(stages_ms(column), double{column.wall_ms}); }

double plot_top_ms(const std::deque<StageHistory::Column>& columns) {
  std::vector<double> sorted;
  for (const auto& column : columns) sorted.push_back(total_ms(column));
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? 1 : std::max(1e-3, 1.25 * sorted[(sorted.size() - 1) * 97 / 100]);
}

}  // namespace riffle::desktop
