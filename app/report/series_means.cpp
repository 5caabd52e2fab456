#include "app/report/series_means.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report/thermal_text.h"
#include "app/terminal/text_table.h"
#include "core/text/number_text.h"

namespace riffle {

namespace {

/// Both ends with digits enough to differ. One that is small beside the value, as of water that comes to rest, says so.
std::string drift_text(const LinearDrift& drift) {
  constexpr double kSmall = 1e-3;
  int digits = 3;
  const auto text = [&](double value) { return fmt::format("{:.{}g}", value, digits); };
  while (digits < 17 && text(drift.from) == text(drift.to)) ++digits;
  const double part = std::fabs(drift.to - drift.from) / std::max(std::fabs(drift.from), std::fabs(drift.to));
  return fmt::format("drifts {}from {} to {}: the mean has no error",
                     part < kSmall ? fmt::format("by only {:.2g} % of it, ", 100 * part) : "", text(drift.from),
                     text(drift.to));
}

/// Whether the fluid flows, so that a column of this name has the flow's motion in it.
bool has_flow_in_it(const std::string& name, const SeriesMeans& means) {
  const bool thermal =
      name == "temperature" || name.starts_with("temperature_") || name == "pressure" || name == "thermostat_pressure";
  const auto mean_of = [&](const char* column) {
    const auto at = std::ranges::find(means.columns, column, &SeriesMeans::Column::name);
    return at == means.columns.end() ? CorrelatedMean{} : at->mean;
  };
  const CorrelatedMean all = mean_of("temperature"), local = mean_of("local_temperature");
  const double scatter = 5 * std::hypot(all.error, local.error) / local.value;  // NaN where one has no error
  return thermal && has_flow(all.value, local.value, std::isnan(scatter) ? 0 : scatter);
}

/// ", enough at about t = 120": when the error will have converged; "" where that cannot be known.
std::string enough_text(const CorrelatedMean& mean, const SeriesMeans& means) {
  const double times = enough_times(mean);
  if (!(times > 1) || !(means.last > means.first) || !means.changes.empty()) return "";
  return fmt::format(", enough at about t = {:.3g}", means.first + times * (means.last - means.first));
}

}  // namespace

void note_changes(SeriesMeans& means, std::span<const ParameterChange> of_run) {
  means.changes.clear();
  for (const ParameterChange& change : of_run)
    // A row of the moment of a change has what was changed.
    if (means.rows > 0 && change.until > means.first && change.time <= means.last && !is_of_search(change.key.key))
      means.changes.push_back(change);
}

std::string changes_text(const SeriesMeans& means, const std::string& time_unit) {
  if (means.changes.empty()) return "";
  constexpr std::size_t kShown = 3;
  const std::size_t all = means.changes.size(), shown = all > kShown + 1 ? kShown : all;
  double since = 0;
  std::string text;
  for (std::size_t k = 0; k < all; ++k) {
    const ParameterChange& change = means.changes[k];
    since = std::max(since, change.until);
    if (k < shown) text += fmt::format("{}{} at t = {:.6g}", k == 0 ? "" : ", ", change_text(change.key), change.time);
  }
  if (shown < all) text += fmt::format(", and {} more", all - shown);
  return fmt::format(
      "parameters were changed in this span, so each mean is over different fluids: {}. Begin the means at t = {:.6g} "
      "{} or "
      "later",
      text, since, time_unit);
}

std::string note_on(const SeriesMeans::Column& column, const SeriesMeans& means) {
  const std::size_t rows = means.rows;
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  const CorrelatedMean& mean = column.mean;
  if (column.rows < rows) add(fmt::format("{} of {} rows with a value", column.rows, rows));
  if (std::isnan(mean.value)) return note;
  if (column.only_rounding) return "0 but for rounding";
  if (has_flow_in_it(column.name, means)) add("with the motion of the flow, unlike local_temperature");
  if (mean.drift)
    add(drift_text(*mean.drift));
  else if (column.rows < kLeastSeries)
    add(fmt::format("no error: fewer than {} rows", kLeastSeries));
  else if (!mean.converged && !std::isnan(mean.error))
    add(fmt::format("error uncertain by {:.0f} %: {} rows are about {:.0f} independent ones{}",
                    100 * mean.error_uncertainty, column.rows, mean.independent, enough_text(mean, means)));
  return note;
}

std::string mean_text(const CorrelatedMean& mean, const std::string& unit) {
  if (std::isnan(mean.value)) return "-";
  const std::string behind = unit.empty() ? "" : " " + unit;
  if (mean.drift) return fmt::format("{:.6g}{}, drifts", mean.value, behind);
  if (std::isnan(mean.error)) return fmt::format("{:.6g}{}, no error", mean.value, behind);
  if (!(mean.error > 0)) return fmt::format("{:.6g}{}", mean.value, behind);
  const auto digit = [](double number) { return static_cast<int>(std::floor(std::log10(std::fabs(number)))); };
  const int last = digit(mean.error) - 1, first = std::max(last + 1, mean.value == 0 ? last : digit(mean.value));
  const bool as_power = first < -4 || first > 6;
  const std::string value = as_power ? fmt::format("{:.{}e}", mean.value, first - last)
                                     : fmt::format("{:.{}f}", mean.value, std::max(0, -last));
  const std::string error =
      as_power ? fmt::format("{:.2g}", mean.error) : fmt::format("{:.{}f}", mean.error, std::max(0, -last));
  constexpr double kFew = 10;  // independent rows: the error of fewer comes out too small
  return fmt::format("{} \u00b1 {}{}{}", value, error, behind,
                     mean.converged || mean.independent >= kFew ? "" : ", or more");
}

nlohmann::ordered_json to_json(const SeriesMeans& means) {
  using Json = nlohmann::ordered_json;
  Json columns = Json::object();
  for (const SeriesMeans::Column& column : means.columns) {
    const CorrelatedMean& mean = column.mean;
    const Json drift = mean.drift ? Json{{"from", mean.drift->from}, {"to", mean.drift->to}} : Json(nullptr);
    columns[column.name] = {{"unit", column.unit},
                            {"mean", mean.value},
                            {"error", mean.error},  // NaN becomes null
                            {"error_uncertainty", mean.error_uncertainty},
                            {"independent_rows", mean.independent},
                            {"converged", mean.converged},
                            {"drift", drift},
                            {"only_rounding", column.only_rounding},
                            {"rows", column.rows}};
  }
  Json changes = Json::array();
  for (const ParameterChange& change : means.changes)
    changes.push_back({{"time", change.time},
                       {"until", change.until},
                       {"key", change.key.key},
                       {"from", change.key.from},
                       {"to", change.key.to}});
  return {{"from", means.from}, {"rows", means.rows}, {"changes", changes}, {"columns", columns}};
}

std::string rows_text(const SeriesMeans& means) {
  const std::string rows = counted(static_cast<std::int64_t>(means.rows), "row");
  return means.left_out == 0 ? rows : fmt::format("{} ({} closer ones left out)", rows, means.left_out);
}

std::string means_table(const SeriesMeans& means, const std::string& time_unit) {
  std::string head = fmt::format("means from t = {:.4g} {}, of {}", means.from, time_unit, rows_text(means));
  if (const std::string changed = changes_text(means, time_unit); !changed.empty()) head += "\n" + changed;
  if (means.rows == 0) return head + "\n";
  std::vector<std::vector<std::string>> rows = {{"", "mean", "standard error", "unit"}};
  for (const SeriesMeans::Column& column : means.columns) {
    std::string unit = column.unit;
    if (const std::string note = note_on(column, means); !note.empty()) unit += (unit.empty() ? "" : "  ") + note;
    rows.push_back({column.name, fmt::format("{:.6g}", column.mean.value),
                    std::isnan(column.mean.error) ? "-" : fmt::format("{:.2g}", column.mean.error), unit});
  }
  return head + "\n" + aligned_table(rows);
}

}  // namespace riffle
