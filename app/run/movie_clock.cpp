#include "app/run/movie_clock.h"

#include <algorithm>
#include <cmath>

namespace riffle {

namespace {

/// A time limit of n intervals may be rounded up or down. The length of a step is rounded to 24 bits: over many steps the
/// time that is n intervals comes out shorter by up to 6e-8 of itself.
double intervals_in(double time, double interval) {
  const double passed = time / interval;
  return std::floor(passed + std::min(0.25, 1e-6 + 1.2e-7 * passed));
}

}  // namespace

double multiple_before(double time, double interval) { return interval * intervals_in(time, interval); }

void MovieClock::restart(double start) {
  start_ = start;
  next_ = 0;
}

double MovieClock::due(double time) const {
  const double frames = intervals_in(time - start_, interval_) + 1 - static_cast<double>(next_);
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
