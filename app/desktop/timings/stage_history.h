#pragma once
/// What stages cost over the last moments: one column per sample, for the stacked plot.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/timing/stage_timer.h"

namespace riffle {

class StageHistory {
 public:
  static constexpr std::size_t kColumns = 240;

  struct Column {
    std::uint64_t step = 0;      ///< at its end
    std::uint64_t steps = 0;     ///< that it is of
    std::vector<float> mean_ms;  ///< by stage, of one step: total over the steps since the last column / those steps
    float wall_ms = 0;           ///< of one step on the host's clock, what belongs to no stage included
    std::string event;           ///< "hoetzlein": what was changed before it; "" for nothing
    std::string in_use;          ///< "pbf, hoetzlein": what its steps were done with
  };

  /// Adds a column for the steps since the last call; none when there was no step. @return whether it did
  /// @param wall_ms what all steps since the start have taken on the host's clock
  bool sample(const std::vector<StageStats>& stats, std::uint64_t step, double wall_ms);
  void mark(std::string event, std::string in_use);  ///< of the next column
  void restart();                                    ///< the timer starts at 0 again; columns stay

  const std::vector<std::string>& stages() const { return stages_; }  ///< in order of first use
  const std::deque<Column>& columns() const { return columns_; }      ///< the oldest first

 private:
  std::vector<std::string> stages_;
  std::vector<double> total_ms_;  ///< by stage, at the last column
  std::deque<Column> columns_;
  std::uint64_t step_ = 0;
  double wall_ms_ = 0;  ///< at the last column
  bool begun_ = false;
  std::string event_, in_use_;
};

double stages_ms(const StageHistory::Column& column);  ///< of all stages together

/// Of the whole step; on a GPU, which works behind the host, stages may take longer than the host's call.
double total_ms(const StageHistory::Column& column);

}  // namespace riffle
