#include "app/report/stage_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace riffle {

std::string stage_table(const std::vector<StageStats>& stages) {
  std::size_t width = 5;
  double total = 0;
  for (const auto& stage : stages) {
    width = std::max(width, stage.name.size());
    total += stage.mean_ms * static_cast<double>(stage.count);
  }
  std::string table = fmt::format("{:<{}}  {:>9}  {:>9}  {:>9}  {:>9}  {:>7}\n", "stage", width, "count", "mean ms",
                                  "median ms", "p95 ms", "share");
  for (const auto& stage : stages) {
    const double share = total > 0 ? 100 * stage.mean_ms * static_cast<double>(stage.count) / total : 0;
    table += fmt::format("{:<{}}  {:>9}  {:>9.3f}  {:>9.3f}  {:>9.3f}  {:>5.1f} %\n", stage.name, width, stage.count,
                         stage.mean_ms, stage.median_ms, stage.p95_ms, share);
  }
  return table;
}

}  // namespace riffle
