#include "app/desktop/playback/pacing.h"

#include <algorithm>

namespace riffle::desktop {

void Pacing::set_speed(double speed, double wall, double simulated) {
  speed_ = speed;
  restart(wall, simulated);
}

void Pacing::restart(double wall, double simulated) {
  wall_ = wall;
  simulated_ = simulated;
}

double Pacing::wait(double wall, double simulated) {
  if (std::isinf(speed_)) return 0;
  const double due = wall_ + (simulated - simulated_) / speed_;
  if (due < wall - kMostBehind) restart(wall - kMostBehind, simulated);
  return std::max(0.0, due - wall);
}

double AchievedSpeed::at(double wall, double simulated, std::uint64_t step) {
  if (!moments_.empty() && step < moments_.back().step) restart();
  moments_.push_back({wall, simulated, step});
  // Some steps take much longer than others, such as those after which the search is checked. The span holds many
  // moments and is never shorter than its length, so that it has both kinds of steps in their proportion.
  while (moments_.size() > kFewest && moments_[1].wall <= wall - kSpan) moments_.pop_front();
  const Moment& first = moments_.front();
  return wall > first.wall ? (simulated - first.simulated) / (wall - first.wall) : 0;
}

}  // namespace riffle::desktop
