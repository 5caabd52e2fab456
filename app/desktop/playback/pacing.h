#pragma once
/// How fast simulated time runs relative to wall time.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

namespace riffle::desktop {

/// Has no clock: the caller gives the wall time [s], from any origin.
class Pacing {
 public:
  /// @param speed simulated seconds per second; infinity: as fast as the machine can
  void set_speed(double speed, double wall, double simulated);
  double speed() const { return speed_; }

  /// Counts from here on: after a pause, a jump or a change of scene.
  void restart(double wall, double simulated);

  /// How long to wait before the next step [s]; 0 if it is due. A machine that cannot keep up is counted as at most a
  /// tenth of a second behind: otherwise it would race once steps become cheap again.
  double wait(double wall, double simulated);

 private:
  static constexpr double kMostBehind = 0.1;  // [s] of wall time
  double speed_ = 1;
  double wall_ = 0, simulated_ = 0;  ///< both at the last restart
};

/// Simulated per wall second, over the last second of wall time at least, and over the last twenty moments. Has no clock
/// either.
class AchievedSpeed {
 public:
  void restart() { moments_.clear(); }

  /// A moment after those before. Going back restarts. @return the speed up to it; 0: not known yet
  double at(double wall, double simulated, std::uint64_t step);

 private:
  static constexpr double kSpan = 1;          // [s] of wall time
  static constexpr std::size_t kFewest = 21;  // moments
  struct Moment {
    double wall, simulated;
    std::uint64_t step;
  };
  std::deque<Moment> moments_;
};

}  // namespace riffle::desktop
