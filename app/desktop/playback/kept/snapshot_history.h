#pragma once
/// Moments of a run to go back to: saved states in the host's memory, within a budget.

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/state.h"

namespace riffle::desktop {

/// When the budget is full, every second moment is dropped and later ones are saved half as often. The whole run stays
/// within reach, more and more coarsely. The first moment is always kept.
class SnapshotHistory {
 public:
  static constexpr std::size_t kMost = 512;

  /// @param budget [bytes]; the first moment is kept even if it is larger
  explicit SnapshotHistory(std::size_t budget) : budget_(budget) {}

  /// Whether enough wall time has passed since the last moment to save another. Saving may cost about 2 % of the run,
  /// so the next moment after a slow one comes later.
  bool due(double wall) const { return moments_.empty() || wall - last_wall_ >= interval_; }

  /// @param cost [s] that saving it took
  void add(SimulationState state, double wall, double cost);

  /// The last moment at or before that time [s], or the first if all are later; nullptr if there is none.
  std::shared_ptr<const SimulationState> at(double time) const;

  /// The last moment before that time [s]; nullptr if there is none.
  std::shared_ptr<const SimulationState> before(double time) const;

  /// Forgets the moments after that time: the run may differ from there on.
  void cut_after(double time);
  /// Forgets all but the first, and the last if that is later than `now` [s]. @return whether there were others
  bool keep_ends(double now);
  void clear();

  const std::vector<std::shared_ptr<const SimulationState>>& moments() const { return moments_; }  ///< by time

  std::size_t size() const { return moments_.size(); }
  std::size_t bytes() const;
  double first_time() const { return moments_.empty() ? 0 : moments_.front()->clock.time; }
  double last_time() const { return moments_.empty() ? 0 : moments_.back()->clock.time; }

 private:
  static constexpr double kShortest = 0.1;  // [s] of wall time
  static constexpr double kShare = 0.02;    // of the run, for saving

  std::size_t budget_;
  std::vector<std::shared_ptr<const SimulationState>> moments_;  ///< by time
  double interval_ = kShortest, spread_ = kShortest;
  double last_wall_ = 0;
};

}  // namespace riffle::desktop
