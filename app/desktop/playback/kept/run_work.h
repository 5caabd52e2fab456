#pragma once
/// How long a run has been computed, and for how much of that a state file was written.

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

namespace riffle::desktop {

class RunWork {
 public:
  /// @param start [s] of computing that brought the run to its first moment, which all later ones need
  explicit RunWork(double start = 0) : start_(start), computed_(start) {}

  void add(double seconds) { computed_ += seconds; }

  /// [s] of computing since the last state that is in a file, or since the run began. Copies of the run share what is saved.
  double unsaved() const { return std::max(0.0, computed_ - saved_->load()); }

  /// Of a run of its own that goes on from an earlier moment. A state in a file that was later than it has nothing of that run.
  /// @param share of the computing after the first moment that led to that moment
  RunWork up_to(double share) const {
    RunWork work(start_);
    work.computed_ += share * (computed_ - start_);
    if (*saved_ <= work.computed_) *work.saved_ = saved_->load();
    return work;
  }

  /// For a state of this moment: to be called, on any thread, once its file is complete.
  std::function<void()> when_saved() const {
    return [saved = saved_, computed = computed_] { saved->store(std::max(saved->load(), computed)); };
  }

 private:
  double start_, computed_;  ///< [s] computed_ includes start_
  std::shared_ptr<std::atomic<double>> saved_ = std::make_shared<std::atomic<double>>(0.0);
};

}  // namespace riffle::desktop
