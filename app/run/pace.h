#pragma once
/// Keeps a simulation up with the time that passes: scenes with `time.pace: real`.

#include <string>

#include "sim/simulation.h"

namespace riffle {

/// Decides how far a simulation's accuracy is eased (Simulation::ease). Has no clock: the caller gives the wall time [s],
/// from any origin.
class PaceGovernor {
 public:
  static constexpr int kLevels = 4;  ///< of equal shares, above none

  /// Counts from here on: after a pause or a jump. The share stays.
  void restart(double wall, double simulated);

  /// After each step. While less is simulated than wanted, it eases; while there is time, it takes back one level at a
  /// time. A level that proves too slow is tried again after twice as long as before.
  /// @param wanted [simulated s per s]; infinity: as 1
  /// @return whether share() has changed
  bool follow(double wall, double simulated, double wanted);

  double share() const { return static_cast<double>(level_) / kLevels; }
  double factor() const { return factor_; }  ///< simulated over wanted, of the last half second; 0: not known
  bool behind() const { return behind_; }    ///< although it is eased as far as it can be

 private:
  static constexpr double kWindow = 0.5;                      // [s]
  static constexpr int kLeastSteps = 3;                       // in a window
  static constexpr double kLate = 0.97;                       // a smaller factor twice in a row is too slow,
  static constexpr double kTooLate = 0.9;                     // as is this one once,
  static constexpr double kFarLate = 0.6;                     // and this one by two levels
  static constexpr double kAmple = 1.3;                       // a larger one leaves time: there is nothing to wait for
  static constexpr double kPatience = 3, kMostPatience = 60;  // [s]

  double wall_ = 0, simulated_ = 0;  // at the start of the window
  int steps_ = 0;                    // in it
  int level_ = 0;
  bool late_ = false;   // the last window was
  double changed_ = 0;  // [s] wall
  double patience_ = kPatience;
  bool tried_ = false;  // the last change took a level back
  double factor_ = 0;
  bool behind_ = false;
};

/// "eased by 50 %: cfl 0.3, density_error 0.00158"; "not eased" with a share of 0; "wcsph has nothing to ease".
std::string ease_text(const SimulationSetup& setup, double share);

}  // namespace riffle
