#pragma once
/// How many pairs within the support radius a step has, counted now and then along a run.

#include <string>

#include "app/desktop/playback/instruments_status.h"
#include "sim/simulation.h"

namespace riffle::desktop {

class PairCount {
 public:
  static constexpr double kLeastInterval = 0.5;  ///< [s] of wall time between counts
  static constexpr double kMostShare = 0.01;     ///< largest share of the time for counting

  /// @param wall [s] on a clock that only grows
  /// @param stepping false: the simulation is paused; only a first count is due
  bool due(double wall, bool stepping) const { return !counted_ || (stepping && wall >= next_); }

  /// Builds a search of its own and waits for it. Where memory is too short for that, the status says so.
  void count(Simulation& simulation, double wall);

  const PairCountStatus& status() const { return status_; }

 private:
  PairCountStatus status_;
  std::string counted_search_;  ///< whose figures status_.courses are of
  bool counted_ = false;
  double next_ = 0;  ///< [s] on the wall
};

}  // namespace riffle::desktop
