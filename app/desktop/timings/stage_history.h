#pragma once
/// The times of the stages in the last seconds: one column per sample, for the stacked plot.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/timing/stage_timer.h"

namespace riffle::desktop {

class StageHistory {
 public:
  static constexpr std::size_t kColumns = 240;

  struct Column {
    std::uint64_t step = 0;        ///< the last one of the column
    std::uint64_t steps = 0;       ///< number of steps
    std::vector<float> mean_ms;    ///< by stage: mean over the steps
    float wall_ms = 0;             ///< of one step on the host's clock, with what belongs to no stage
    double seconds = 0;            ///< from the last sample to this one, with what was done between the steps
    double simulated = 0;          ///< [s] simulated in the same span
    std::optional<double> others;  ///< processors that other programs kept busy in that time
    std::string event;             ///< change before it, "hoetzlein"; "" for none
    std::string in_use;            ///< in use during its steps, "pbf, hoetzlein"
    std::uint64_t run = 0;         ///< number of the run that it belongs to
  };

  /// Adds a column for the steps since the last call, if there were any. @return whether it did
  /// @param wall_ms of all steps since the start, on the host's clock
  /// @param now [s] on a clock that only runs forward @param simulated [s] at that step
  bool sample(const std::vector<StageStats>& stats, std::uint64_t step, double wall_ms, double now = 0,
              std::optional<double> others = {}, double simulated = 0);
  void mark(std::string event, std::string in_use);  ///< for the next column
  /// Columns from now on are of another run, whose times cannot be compared with those before.
  void begin_run() { ++run_; }
  std::uint64_t run() const { return run_; }  ///< number of the present one
  void restart();                             ///< the timer was set to 0; columns stay

  const std::vector<std::string>& stages() const { return stages_; }  ///< in order of first use
  const std::deque<Column>& columns() const { return columns_; }      ///< the oldest first

 private:
  std::vector<std::string> stages_;
  std::vector<double> total_ms_;  ///< by stage, at the last column
  std::deque<Column> columns_;
  std::uint64_t step_ = 0;
  double wall_ms_ = 0;              ///< at the last column
  double now_ = 0, simulated_ = 0;  ///< [s] of the last sample
  bool begun_ = false;
  std::uint64_t run_ = 0;
  std::string event_, in_use_;
};

double stages_ms(const StageHistory::Column& column);  ///< sum of all stages

/// The whole step. A GPU works behind the host: there the stages may take longer than the host's call.
double total_ms(const StageHistory::Column& column);

/// Where a plot of the columns ends [ms]. It ignores the few highest columns: one outlier would flatten all others.
double plot_top_ms(const std::deque<StageHistory::Column>& columns);

}  // namespace riffle::desktop
