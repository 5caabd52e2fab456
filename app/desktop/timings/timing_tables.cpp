#include "app/desktop/timings/timing_tables.h"

#include <fmt/format.h>

#include "app/report/csv.h"

namespace riffle::desktop {

std::vector<StageStats> rows_of(const StepStatistics& statistics) {
  std::vector<StageStats> rows = statistics.stages;
  if (statistics.steps == 0) return rows;
  rows.push_back(statistics.other);
  rows.push_back(statistics.step);
  return rows;
}

std::string stage_statistics_csv(const std::vector<StageStats>& stages) {
  std::string text = "stage,count,mean_ms,median_ms,p95_ms\n";
  for (const StageStats& s : stages)
    text += fmt::format("{},{},{:.6g},{:.6g},{:.6g}\n", csv_field(s.name), s.count, s.mean_ms, s.median_ms, s.p95_ms);
  return text;
}

std::string stage_history_csv(const std::vector<std::string>& stages, const std::deque<StageHistory::Column>& history) {
  std::string text = "step";
  for (const std::string& stage : stages) text += fmt::format(",{}", csv_field(stage));
  text += ",event\n";
  for (const StageHistory::Column& column : history) {
    text += std::to_string(column.step);
    for (std::size_t s = 0; s < stages.size(); ++s)
      text += fmt::format(",{:.6g}", s < column.mean_ms.size() ? column.mean_ms[s] : 0.0f);
    text += fmt::format(",{}\n", csv_field(column.event));
  }
  return text;
}

}  // namespace riffle::desktop
