#include "app/desktop/playback/kept/snapshot_history.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace riffle::desktop {

std::size_t SnapshotHistory::bytes() const {
  std::size_t sum = 0;
  for (const auto& moment : moments_) sum += moment->bytes();
  return sum;
}

void SnapshotHistory::add(SimulationState state, double wall, double cost) {
  cut_after(state.clock.time);
  if (!moments_.empty() && moments_.back()->clock.time == state.clock.time) moments_.pop_back();
  moments_.push_back(std::make_shared<const SimulationState>(std::move(state)));
  while (moments_.size() > 2 && (bytes() > budget_ || moments_.size() > kMost)) {
    std::size_t kept = 0;
    // The newest stays too: going back from here leads to it.
    for (std::size_t k = 0; k < moments_.size(); ++k)
      if (k % 2 == 0 || k + 1 == moments_.size()) moments_[kept++] = moments_[k];
    moments_.resize(kept);
    spread_ *= 2;
  }
  interval_ = std::max(spread_, cost / kShare);
  if (moments_.size() == 2 &&
      bytes() > budget_) {  // no second moment will ever fit: only the beginning is within reach
    moments_.pop_back();
    interval_ = std::numeric_limits<double>::infinity();
  }
  last_wall_ = wall;
}

std::shared_ptr<const SimulationState> SnapshotHistory::at(double time) const {
  if (moments_.empty()) return nullptr;
  const auto after = std::upper_bound(moments_.begin(), moments_.end(), time,
                                      [](double t, const auto& moment) { return t < moment->clock.time; });
  return after == moments_.begin() ? moments_.front() : *(after - 1);
}

std::shared_ptr<const SimulationState> SnapshotHistory::before(double time) const {
  const auto at = std::lower_bound(moments_.begin(), moments_.end(), time,
                                   [](const auto& moment, double t) { return moment->clock.time < t; });
  return at == moments_.begin() ? nullptr : *(at - 1);
}

void SnapshotHistory::cut_after(double time) {
  while (!moments_.empty() && moments_.back()->clock.time > time) moments_.pop_back();
}

bool SnapshotHistory::keep_ends(double now) {
  const std::size_t kept = last_time() > now ? 2 : 1;
  if (moments_.size() <= kept) return false;
  if (kept == 2) moments_[1] = moments_.back();
  moments_.resize(kept);
  return true;
}

void SnapshotHistory::clear() {
  moments_.clear();
  spread_ = interval_ = kShortest;
}

}  // namespace riffle::desktop
