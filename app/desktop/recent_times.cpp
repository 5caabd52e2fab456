#include "app/desktop/recent_times.h"

#include <utility>

#include "neighbors/measure_search.h"

namespace riffle {

void RecentTimes::add(double ms) {
  if (kept_.size() < kKept)
    kept_.push_back(ms);
  else
    kept_[next_] = ms;
  next_ = (next_ + 1) % kKept;
  ++count_;
  total_ms_ += ms;
}

StageStats RecentTimes::stats(std::string name) const {
  const Spread spread = spread_of(kept_);
  StageStats stats;
  stats.name = std::move(name);
  stats.count = count_;
  stats.mean_ms = count_ > 0 ? total_ms_ / static_cast<double>(count_) : 0;
  stats.median_ms = spread.median;
  stats.p95_ms = spread.p95;
  return stats;
}

}  // namespace riffle
