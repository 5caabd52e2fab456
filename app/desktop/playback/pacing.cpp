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

}  // namespace riffle::desktop
