#pragma once
/// The fastest particle that a run has had so far.

#include <vector>

namespace riffle {

struct FastestParticle {
  double speed = 0;  ///< [m/s]
  double time = 0;   ///< [s]
};

class FastestSoFar {
 public:
  /// Times must not go back, but for forget_after(). A speed that is no number counts as the largest.
  void note(double speed, double time) {
    if (!records_.empty() && !(speed > records_.back().speed) && speed == speed) return;
    if (!records_.empty() && records_.back().speed != records_.back().speed) return;
    records_.push_back({speed, time});
  }

  /// The run goes back to that time [s].
  void forget_after(double time) {
    while (!records_.empty() && records_.back().time > time) records_.pop_back();
  }

  FastestParticle value() const { return records_.empty() ? FastestParticle{} : records_.back(); }

 private:
  std::vector<FastestParticle> records_;  ///< each faster than the one before it
};

}  // namespace riffle
