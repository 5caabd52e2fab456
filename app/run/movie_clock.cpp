#include "app/run/movie_clock.h"

#include <algorithm>
#include <cmath>

namespace riffle {

double whole_intervals(double time, double interval) {
  const double passed = time / interval;
  return std::floor(passed + std::min(0.25, 1e-6 + 1.2e-7 * passed));
}

double multiple_before(double time, double interval) { return interval * whole_intervals(time, interval); }

void MovieClock::restart(double start) {
  start_ = start;
  next_ = 0;
}

double MovieClock::due(double time) const {
  const double frames = whole_intervals(time - start_, interval_) + 1 - static_cast<double>(next_);
  return frames >= 1 ? frames : 0;  // none for NaN
}

int MovieClock::take(double time) {
  const int count = static_cast<int>(std::min(due(time), kMostAtOnce));
  next_ += count;
  taken_ += count;
  return count;
}

std::optional<double> MovieClock::take_one(double now, double longest) {
  const double frames = due(now);
  if (frames < 1) return std::nullopt;
  if (frames > kMostAtOnce) restart(now - (kMostAtOnce - 1) * interval_);
  const double earlier = now - (start_ + interval_ * static_cast<double>(next_));
  ++next_;
  ++taken_;
  return std::clamp(earlier, 0.0, longest);
}

}  // namespace riffle
