#pragma once
/// What the last steps took, stage by stage, with what is in use now; and what they took with what was in use before.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "app/desktop/timings/stage_history.h"

namespace riffle {

/// What a step takes depends on these three.
struct TimedSetup {
  std::string solver, search, device;  ///< "pbf", "hoetzlein" or "auto", "cpu"

  bool operator==(const TimedSetup&) const = default;
};

/// What of `now` is not as it was: "fenns", or "dpd, cuda"; "" where nothing is.
std::string difference(const TimedSetup& before, const TimedSetup& now);

/// All rows are of the same steps, per step: a stage that is done twice in one counts with both, and one that is done in every
/// second with half of what it takes. Median and percentile are of moments: the means of a tenth of a second's steps, or
/// one step where that takes longer.
struct StepStatistics {
  std::vector<StageStats> stages;  ///< in order of first use
  StageStats other;                ///< what of a step belongs to no stage
  StageStats step;  ///< on the host's clock, or its stages together where a GPU works longer than the host
  std::uint64_t steps = 0;
  struct Before {
    std::string what;  ///< was in use and is no more: "hoetzlein"; "" when there was nothing before
    std::map<std::string, double> median_ms;  ///< by stage, with "other" and "step"
  } before;
};

class StepWindow {
 public:
  static constexpr std::size_t kMoments = 100;  ///< at most

  /// Counts anew: steps from now on are of that setup. Where that is another one than so far, the steps until now become
  /// what was before.
  void begin(const TimedSetup& setup);

  /// Counts anew, with the same setup.
  void restart() { moments_.clear(); }

  /// A moment's steps. @param names of the column's stages
  void add(const StageHistory::Column& moment, const std::vector<std::string>& names);

  StepStatistics statistics() const;

 private:
  TimedSetup setup_;
  std::vector<std::string> names_;
  std::deque<StageHistory::Column> moments_;
  StepStatistics::Before before_;
};

}  // namespace riffle
