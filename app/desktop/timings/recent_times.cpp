#include "app/desktop/timings/recent_times.h"

#include <numeric>
#include <utility>

#include "core/math/statistics.h"

namespace riffle::desktop {

void RecentTimes::add(double ms) {
  if (kept_.size() < kKept)
    kept_.push_back(ms);
  else
    kept_[next_] = ms;
  next_ = (next_ + 1) % kKept;
  ++count_;
}

StageStats RecentTimes::stats(std::string name) const {
  const Spread spread = spread_of(kept_);
  StageStats stats;
  stats.name = std::move(name);
  stats.count = count_;
  stats.mean_ms =
      kept_.empty() ? 0 : std::accumulate(kept_.begin(), kept_.end(), 0.0) / static_cast<double>(kept_.size());
  stats.median_ms = spread.median;
  stats.p95_ms = spread.p95;
  return stats;
}

}  // namespace riffle::desktop
