#include "app/report/series_means.h"

#include <fmt/format.h>

#include <cmath>

#include "app/terminal/text_table.h"
#include "core/text/number_text.h"

namespace riffle {

nlohmann::ordered_json to_json(const SeriesMeans& means) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::object();
  for (const SeriesMeans::Column& column : means.columns)
    columns[column.name] = {{"unit", column.unit},
                            {"mean", column.mean.value},
                            {"error", column.mean.error},  // NaN becomes null
                            {"rows", column.rows}};
  return {{"from", means.from}, {"rows", means.rows}, {"columns", columns}};
}

std::string means_table(const SeriesMeans& means, const std::string& time_unit) {
  const std::string head = fmt::format("means from t = {:.4g} {}, of {}", means.from, time_unit,
                                       counted(static_cast<std::int64_t>(means.rows), "row"));
  if (means.rows == 0) return head + "\n";
  std::vector<std::vector<std::string>> rows = {{"", "mean", "standard error", "unit"}};
  for (const SeriesMeans::Column& column : means.columns) {
    std::string unit = column.unit;
    if (column.rows < means.rows)
      unit += fmt::format("{}of {} rows with a value", unit.empty() ? "" : "  ", column.rows);
    rows.push_back({column.name, fmt::format("{:.6g}", column.mean.value),
                    std::isnan(column.mean.error) ? "-" : fmt::format("{:.2g}", column.mean.error), unit});
  }
  return head + "\n" + aligned_table(rows);
}

}  // namespace riffle
