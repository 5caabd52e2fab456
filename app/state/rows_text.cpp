#include "app/state/rows_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace riffle {

namespace {

using RowsJson = nlohmann::json;

std::string rows_json_text(const RowsJson& json) {
  return json.dump(1, ' ', false, RowsJson::error_handler_t::replace);
}

/// The text under that name. @throws RowsJson::exception
std::string text_under(const RowsJson& of, const char* name) { return of.at(name).get<std::string>(); }

}  // namespace

std::size_t SavedRows::bytes() const {
  constexpr std::size_t kEach = 128;  // quotes and names of a text, notes
  std::size_t all = 4096 + rows() * row_bytes(columns.size());
  for (const Column& column : columns) all += kEach + 2 * (column.name.size() + column.unit.size());
  for (const Change& change : changes)
    all += 2 * kEach + 2 * (change.key.size() + change.from.size() + change.to.size());
  return all;
}

std::string columns_text(const SavedRows& rows) {
  RowsJson all = RowsJson::array();
  for (const SavedRows::Column& column : rows.columns) {
    RowsJson entry{{"name", column.name}, {"unit", column.unit}};
    if (column.is_mean) entry["is_mean"] = true;
    all.push_back(std::move(entry));
  }
  return rows_json_text(all);
}

std::string changes_text(const SavedRows& rows) {
  RowsJson all = RowsJson::array();
  for (const SavedRows::Change& change : rows.changes)
    all.push_back({{"time", change.time},
                   {"until", change.until},
                   {"key", change.key},
                   {"from", change.from},
                   {"to", change.to}});
  return rows_json_text(all);
}

std::string read_texts(const std::string& columns, const std::string& changes, SavedRows& rows) {
  try {
    for (const RowsJson& entry : RowsJson::parse(columns))
      rows.columns.push_back({text_under(entry, "name"), text_under(entry, "unit"), entry.value("is_mean", false)});
    for (const RowsJson& entry : RowsJson::parse(changes))
      rows.changes.push_back({entry.at("time").get<double>(), entry.at("until").get<double>(), text_under(entry, "key"),
                              text_under(entry, "from"), text_under(entry, "to")});
  } catch (const RowsJson::exception& wrong) {
    return fmt::format("the texts of its rows of diagnostics are damaged: {}", wrong.what());
  }
  return "";
}

std::string what_is_wrong(const SavedRows& rows, std::uint64_t width, double time) {
  if (rows.columns.size() != width || width == 0 || rows.columns[0].name != "time")
    return fmt::format(
        "\"diagnostics/rows\" has {} columns, and \"diagnostics/columns\" names {}, of which the first "
        "is {}; allowed: as many, the first of them time",
        width, rows.columns.size(), rows.columns.empty() ? "none" : rows.columns[0].name);
  if (rows.empty()) return "\"diagnostics/rows\" has no row; allowed: one or more";
  if (!(rows.every > 0 && std::isfinite(rows.every)))
    return fmt::format("the interval of its rows of diagnostics is {}; allowed: above 0", rows.every);
  std::vector<std::string> names;
  for (const SavedRows::Column& column : rows.columns) names.push_back(column.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    return fmt::format("\"diagnostics/columns\" has {} twice", *twice);
  double before = -1;
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    const double at = rows.values[k * width];
    if (!(at > before && at <= time))
      return fmt::format(
          "row {} of \"diagnostics/rows\" is of the time {}; allowed: above {}, the time of the row before, "
          "up to {}, that of the state",
          k, at, before, time);
    if (rows.strides[k] == 0 || (k > 0 && rows.multiples[k] < rows.multiples[k - 1]))
      return fmt::format("row {} of \"diagnostics/due\" is {} and {}; allowed: ascending, and above 0", k,
                         rows.multiples[k], rows.strides[k]);
    before = at;
  }
  for (const SavedRows::Change& change : rows.changes)
    if (!(change.time >= 0 && change.until >= change.time && std::isfinite(change.until)))
      return fmt::format("a change in \"diagnostics/changes\" is of the times {} to {}", change.time, change.until);
  return "";
}

}  // namespace riffle
