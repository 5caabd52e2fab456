#pragma once
/// Moments of a run to go back to, in the host's memory and within a budget.

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/state.h"

namespace riffle {

/// When the budget is full, every second moment is let go and from then on they are taken half as often: the whole run stays
/// within reach, more and more coarsely. The first moment always stays.
class SnapshotHistory {
 public:
  static constexpr std::size_t kMost = 512;

  /// @param budget [bytes]; one moment is always kept, however large
  explicit SnapshotHistory(std::size_t budget) : budget_(budget) {}

  /// Whether so much time on the wall has passed since the last one that another may be taken. Taking them must not cost
  /// more than about 2 % of the run, so a slow one makes the next wait.
  bool due(double wall) const { return moments_.empty() || wall - last_wall_ >= interval_; }

  /// @param cost [s] that taking it took
  void add(SimulationState state, double wall, double cost);

  /// The last moment that is not after that time [s]; the first where all are; nullptr when there is none.
  std::shared_ptr<const SimulationState> at(double time) const;

  /// Forgets what comes after that time: from there the run goes another way.
  void cut_after(double time);
  void clear();

  std::size_t size() const { return moments_.size(); }
  std::size_t bytes() const;
  double first_time() const { return moments_.empty() ? 0 : moments_.front()->clock.time; }
  double last_time() const { return moments_.empty() ? 0 : moments_.back()->clock.time; }

 private:
  static constexpr double kShortest = 0.1;  // [s] on the wall
  static constexpr double kShare = 0.02;

  std::size_t budget_;
  std::vector<std::shared_ptr<const SimulationState>> moments_;  ///< by time
  double interval_ = kShortest, spread_ = kShortest;
  double last_wall_ = 0;
};

}  // namespace riffle
