#pragma once
/// What the table of a step's stages shows: the newest times, and while there are none those of before, so that what lies
/// below the table stays where it is.

#include <string>
#include <string_view>

#include "app/desktop/timings/step_window.h"

namespace riffle {

class StepTable {
 public:
  /// @param solver  with the same one, a stage that was and is none any more keeps its row, of no steps
  void follow(const StepStatistics& newest, std::string_view solver);

  const StepStatistics& shown() const { return shown_; }  ///< of no step: there never was one
  bool outdated() const { return outdated_; }             ///< of before the last change

 private:
  StepStatistics shown_;
  std::string solver_;
  bool outdated_ = true;
};

}  // namespace riffle
