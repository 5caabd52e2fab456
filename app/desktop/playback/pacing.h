#pragma once
/// How fast simulated time runs beside the clock on the wall.

#include <cmath>
#include <limits>

namespace riffle {

/// No clock in here: the time on the wall is told to it [s], from any origin.
class Pacing {
 public:
  /// Simulated seconds per second; infinity: as fast as the machine can.
  void set_speed(double speed, double wall, double simulated);
  double speed() const { return speed_; }

  /// From here on: after a pause, a jump or a change of scene.
  void restart(double wall, double simulated);

  /// How long to wait before the next step [s]; 0 when it is due. A machine that cannot keep up owes nothing: it is never
  /// more than a tenth of a second behind, or it would race when steps become cheap again.
  double wait(double wall, double simulated);

 private:
  static constexpr double kMostBehind = 0.1;  // [s] on the wall
  double speed_ = 1;
  double wall_ = 0, simulated_ = 0;  ///< where both were at the start
};

}  // namespace riffle
