#pragma once
/// The times of the last steps, stage by stage, and those with the previous setup.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/desktop/timings/stage_history.h"
#include "core/math/statistics.h"

namespace riffle::desktop {

/// The duration of a step depends on these three.
struct TimedSetup {
  std::string solver, search, device;  ///< "pbf", "hoetzlein" or "auto", "cpu"

  bool operator==(const TimedSetup&) const = default;
};

/// The differences in `now`: "fenns", or "dpd, cuda"; "" if there are none.
std::string difference(const TimedSetup& before, const TimedSetup& now);

/// All rows count the same steps and are per step: a stage that is done twice in a step counts with both, and one that
/// is done in every second step with half of its time. Median and percentile are over moments: means over the steps of
/// a tenth of a second, or over one step if that takes longer.
struct StepStatistics {
  std::vector<StageStats> stages;  ///< in order of first use
  StageStats other;                ///< the part of a step that belongs to no stage
  StageStats step;  ///< on the host's clock, or the sum of its stages if a GPU works longer than the host
  std::uint64_t steps = 0;
  double seconds = 0;            ///< that these steps took, with what was done between them
  double simulated = 0;          ///< [s] simulated by these steps
  Spread moments;                ///< of a step, over the moments [ms]
  std::optional<double> others;  ///< mean number of processors that other programs kept busy; nothing: not known
  struct Before {
    std::string what;  ///< what was in use and no longer is, "hoetzlein"; "" if there was nothing before
    std::map<std::string, double> median_ms;  ///< by stage, with "other" and "step"
    Spread moments;
    std::optional<double> others;
  } before;

  double steps_per_second() const { return seconds > 0 ? double(steps) / seconds : 0; }
  double simulated_per_second() const { return seconds > 0 ? simulated / seconds : 0; }
};

/// How long a step takes beside one before the switch: "24 % less", or "no clear difference" where the scatter of the
/// moments is larger. "" without steps before or since.
std::string against_before(const StepStatistics& statistics);

/// "0.2 processors busy", with the number of before if there was one; "" if it is not known.
std::string other_programs(const StepStatistics& statistics);

class StepWindow {
 public:
  static constexpr std::size_t kMoments = 100;  ///< at most

  /// Begins to count again, with that setup. If it is another one than before, the steps so far become `before`.
  void begin(const TimedSetup& setup);

  /// Begins to count again, for another run: nothing of before can be compared with it.
  void begin_run(const TimedSetup& setup);

  /// Begins to count again, with the same setup.
  void restart() { moments_.clear(); }

  /// Adds the steps of a moment. @param names of the column's stages
  void add(const StageHistory::Column& moment, const std::vector<std::string>& names);

  StepStatistics statistics() const;

 private:
  TimedSetup setup_;
  std::vector<std::string> names_;
  std::deque<StageHistory::Column> moments_;
  StepStatistics::Before before_;
};

/// The times in the table of a step's stages: the newest, or the previous ones while there are no new ones, so that the
/// table keeps its height.
class StepTable {
 public:
  /// @param solver as long as it is the same, a stage that is no longer done keeps its row, without times
  /// @param run what tells the present run from others
  void follow(const StepStatistics& newest, std::string_view solver, std::pair<std::uint64_t, std::uint64_t> run = {});

  const StepStatistics& shown() const { return shown_; }   ///< of 0 steps if there was none yet
  bool outdated() const { return outdated_; }              ///< the shown times are of before the last change
  bool of_earlier_run() const { return of_earlier_run_; }  ///< and of another run

 private:
  StepStatistics shown_;
  std::string solver_;
  std::pair<std::uint64_t, std::uint64_t> run_;  ///< of the shown times
  bool outdated_ = true, of_earlier_run_ = false;
};

}  // namespace riffle::desktop
