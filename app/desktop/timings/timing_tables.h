#pragma once
/// The tables and the plot of the timings panel, as CSV.

#include <deque>
#include <string>
#include <vector>

#include "app/desktop/timings/stage_history.h"
#include "app/desktop/timings/step_window.h"

namespace riffle::desktop {

/// The rows that the panel's table shows.
std::vector<StageStats> rows_of(const StepStatistics& statistics);

/// stage,count,mean_ms,median_ms,p95_ms: one row per stage.
std::string stage_statistics_csv(const std::vector<StageStats>& stages);

/// step,<stage> ... [ms of one step],event: one row per column of the plot. A stage that was not timed is 0.
std::string stage_history_csv(const std::vector<std::string>& stages, const std::deque<StageHistory::Column>& history);

}  // namespace riffle::desktop
