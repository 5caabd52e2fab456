#pragma once
/// What the table of a step's stages shows: the newest times, and while there are none those of before, so that what lies
/// below the table stays where it is.

#include <string>
#include <string_view>
#include <vector>

#include "core/stage_timer.h"

namespace riffle {

class StepTable {
 public:
  /// @param stages   in order of first use; empty after a change that times are counted anew from
  /// @param names    of the stages that have colours, in the order of these
  /// @param total_ms of all stages together, of one step
  /// @param solver   with the same one, a stage that was and is none any more keeps its row, without times
  /// @param playing  false: no further step can be waited for
  void follow(const std::vector<StageStats>& stages, const std::vector<std::string>& names, const StageStats& step,
              double total_ms, std::string_view solver, bool playing);

  struct Row {
    StageStats stage;       ///< count 0: not done since the last change
    std::size_t color = 0;  ///< which of the colours of stages
  };
  const std::vector<Row>& rows() const { return rows_; }
  const StageStats& step() const { return step_; }  ///< count 0: there never was a step
  double other_ms() const { return other_ms_; }     ///< of a step's mean, what belongs to no stage
  bool outdated() const { return outdated_; }       ///< of before the last change

 private:
  std::vector<Row> rows_;
  std::string solver_;
  StageStats step_;
  double other_ms_ = 0;
  bool outdated_ = false;
};

}  // namespace riffle
