#include "app/desktop/playback/row_stride.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/math/statistics.h"

namespace riffle::desktop {

namespace {

constexpr double kMostIntervals = 1 << 20;
constexpr double kSlack = 1.2;  // rows do not come closer and go again with every small change of their cost

std::uint64_t power_of_two(double at_least) {
  return std::bit_ceil(static_cast<std::uint64_t>(std::ceil(std::clamp(at_least, 1.0, kMostIntervals))));
}

}  // namespace

std::size_t intervals_without_row(double first, double last, std::size_t rows, double interval) {
  constexpr double kRounding = 1e-3;  // steps may end slightly before an interval does
  const double due = 1 + std::floor((last - first) / interval + kRounding);
  return static_cast<std::size_t>(std::max(0.0, due - static_cast<double>(rows)));
}

void RowStride::note(double time, double interval, double row, double rest) {
  costs_.push_back(row / std::max(rest, 1e-12));
  if (costs_.size() > kLooksAt) costs_.pop_front();
  if (costs_.size() >= kFirstLook) {
    const double wanted = upper_median(std::vector<double>(costs_.begin(), costs_.end())) / kShare;
    // The first rows of a run may cost more than all others: twice as far apart at once, and no more.
    if (wanted > static_cast<double>(intervals_))
      intervals_ = std::min(power_of_two(wanted), 2 * intervals_);
    else if (power_of_two(kSlack * wanted) < intervals_)
      intervals_ = power_of_two(kSlack * wanted);
  }
  const double every = static_cast<double>(intervals()) * interval;
  if (every_ == 0) every_ = interval;  // the rows so far
  if (every != every_) changes_.push_back({time, every_, every});
  every_ = every;
}

void RowStride::go_on_with(std::vector<Change> changes, double interval) {
  changes_ = std::move(changes);
  if (changes_.empty()) return;
  every_ = changes_.back().to;
  // Their numbers are rounded, and those of a table are not.
  intervals_ = power_of_two(std::round(every_ / interval));
  const double every = static_cast<double>(intervals_) * interval;
  if (std::fabs(every - every_) < 1e-4 * every) every_ = every;
}

void RowStride::go_on_from(double time) {
  if (changes_.empty() || changes_.back().time <= time) return;
  const auto later = std::ranges::find_if(changes_, [&](const Change& change) { return change.time > time; });
  const double from = later->from;
  changes_.erase(later, changes_.end());
  if (from != every_) changes_.push_back({time, from, every_});
}

}  // namespace riffle::desktop
