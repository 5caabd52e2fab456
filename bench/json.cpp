/// Writes the benchmark's rows as JSON and reads them back: one machine may measure and another draw.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "bench/cells.h"
#include "bench/rows.h"
#include "core/error.h"

namespace riffle::bench {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const BenchRow& row) {
  Json counts = Json::object();
  for (const SearchFigure& figure : row.figures) counts[figure.name] = figure.value;
  const bool ours = row.measured();
  const bool timed = ours || row.state == RowState::Published;
  const auto stage = [&](const Spread& s) -> Json {
    if (ours && s.median >= 0) return spread_json(s);
    return timed && s.median >= 0 ? Json{{"median", s.median}} : Json(nullptr);
  };
  return {{"scenario", row.scenario},
          {"table", row.table},
          {"sweep", row.sweep},
          {"value", row.value},
          {"cloud", row.cloud},
          {"input", row.input},
          {"method", row.method},
          {"source", row.source},
          {"state", to_string(row.state)},
          {"note", row.note},
          {"fastest", row.fastest},
          {"builds_only", row.builds_only},
          {"particles", row.particles},
          {"radius", row.radius},
          {"build_ms", stage(row.build)},
          {"reorder_ms", stage(row.reorder)},
          {"list_ms", stage(row.list)},
          {"query_ms", stage(row.query)},
          {"total_ms", stage(row.total)},
          {"runs", row.runs},
          {"memory_bytes", number_or_null(row.memory_bytes)},
          {"reordered_bytes_per_particle", row.reordered_bytes},
          {"neighbors",
           {{"mean", number_or_null(row.neighbors_mean)},
            {"min", number_or_null(row.neighbors_min)},
            {"max", number_or_null(row.neighbors_max)}}},
          {"check", {{"compared", row.compared}, {"wrong", row.wrong}}},
          {"counts", counts}};
}

std::string allowed_states() {
  std::string all;
  for (const RowState state : kRowStates) all += (all.empty() ? "" : ", ") + to_string(state);
  return all;
}

template <class T>
std::string allowed_values() {
  if constexpr (std::is_same_v<T, std::string>) return "a text";
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  if constexpr (std::is_floating_point_v<T>) return "a number";
  if constexpr (std::is_integral_v<T>)
    return fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

/// A value of a saved report.
class Saved {
 public:
  Saved(const Json& report, Json::json_pointer place) : report_(report), place_(std::move(place)) {}

  template <class Key>  // a member's name or a list's index
  Saved operator[](Key key) const {
    return {report_, place_ / key};
  }

  /// @throws InputError with the place, what was found and what is allowed
  template <class T>
  T get() const {
    try {
      const Json& found = report_.at(place_);
      const T value = found.get<T>();
      // The library makes 1 of true, 1 of 1.5 and 2^64 - 1 of -1.
      const bool negative = found.is_number_integer() && found < 0;
      if (Json(value) == found && !(std::is_unsigned_v<T> && negative)) return value;
    } catch (const Json::exception&) {
    }
    refuse(allowed_values<T>());
  }

  template <class T>
  void to(T& value) const {
    value = get<T>();
  }
  /// null becomes -1, a missing figure.
  template <class T>
  void to_or_missing(T& value) const {
    value = is_null() ? T(-1) : get<T>();
  }

  const Json& object() const {
    if (!report_.contains(place_) || !report_.at(place_).is_object()) refuse("an object");
    return report_.at(place_);
  }
  std::size_t list_size() const {
    if (!report_.contains(place_) || !report_.at(place_).is_array()) refuse("a list");
    return report_.at(place_).size();
  }
  bool is_null() const { return report_.contains(place_) && report_.at(place_).is_null(); }

  [[noreturn]] void refuse(const std::string& allowed) const {
    std::string found = "nothing";
    if (report_.contains(place_)) found = report_.at(place_).dump(-1, ' ', true, Json::error_handler_t::replace);
    if (found.size() > 60) found = found.substr(0, 57) + "...";
    throw InputError(fmt::format("{}: found {}, allowed: {}", place_.to_string(), found, allowed));
  }

 private:
  const Json& report_;
  Json::json_pointer place_;
};

/// A figure that was not measured is null or has its median only.
Spread spread_from(const Saved& saved) {
  Spread s;
  s.median = -1;
  if (saved.is_null()) return s;
  const Json& members = saved.object();
  saved["median"].to(s.median);
  for (const auto& [name, value] :
       {std::pair{"min", &s.min}, {"max", &s.max}, {"p5", &s.p5}, {"p95", &s.p95}, {"sigma", &s.sigma}})
    if (members.contains(name)) saved[name].to(*value);
  return s;
}

BenchRow row_from(const Saved& saved) {
  BenchRow row;
  saved["scenario"].to(row.scenario);
  saved["table"].to(row.table);
  saved["sweep"].to(row.sweep);
  saved["value"].to(row.value);
  // Tables show it as a whole number. Doubles hold every whole number up to 2^53.
  if (!(std::abs(row.value) <= 9007199254740992.0)) saved["value"].refuse("a number from -2^53 to 2^53");
  saved["cloud"].to(row.cloud);
  saved["input"].to(row.input);
  saved["method"].to(row.method);
  saved["source"].to(row.source);
  const auto state = row_state_from(saved["state"].get<std::string>());
  if (!state) saved["state"].refuse(allowed_states());
  row.state = *state;
  saved["note"].to(row.note);
  saved["fastest"].to(row.fastest);
  saved["builds_only"].to(row.builds_only);
  saved["particles"].to(row.particles);
  saved["radius"].to(row.radius);
  row.build = spread_from(saved["build_ms"]);
  row.reorder = spread_from(saved["reorder_ms"]);
  row.list = spread_from(saved["list_ms"]);
  row.query = spread_from(saved["query_ms"]);
  row.total = spread_from(saved["total_ms"]);
  saved["runs"].to(row.runs);
  saved["memory_bytes"].to_or_missing(row.memory_bytes);
  saved["reordered_bytes_per_particle"].to(row.reordered_bytes);
  saved["neighbors"]["mean"].to_or_missing(row.neighbors_mean);
  saved["neighbors"]["min"].to_or_missing(row.neighbors_min);
  saved["neighbors"]["max"].to_or_missing(row.neighbors_max);
  saved["check"]["compared"].to(row.compared);
  saved["check"]["wrong"].to(row.wrong);
  for (const auto& [name, value] : saved["counts"].object().items())
    row.figures.push_back(figure_named(name, saved["counts"][name].get<double>()));
  return row;
}

}  // namespace

Json to_json(const BenchReport& report) {
  Json rows = Json::array();
  for (const BenchRow& row : report.rows) rows.push_back(to_json(row));
  Json json = session_json("neighbors", report, report.wrong());
  json["rows"] = rows;
  return json;
}

BenchReport bench_report_from(const Json& json) {
  const auto bench = json.is_object() ? json.find("bench") : json.end();
  if (!json.is_object() || bench == json.end() || *bench != "neighbors")
    throw InputError("is not a report of `riffle bench neighbors`: its key \"bench\" is not \"neighbors\"");
  const Saved saved(json, Json::json_pointer());
  BenchReport report;
  saved["command"].to(report.command);
  saved["device"]["kind"].to(report.device_kind);
  saved["device"]["name"].to(report.device_name);
  const Saved machine = saved["machine"];
  machine["processor"].to(report.processor);
  machine["threads"].to(report.threads);
  machine["system"].to(report.system);
  if (!machine["cuda"].is_null()) machine["cuda"].to(report.cuda);
  saved["runs"].to(report.runs);
  saved["warm_up"].to(report.warm_up);
  if (json.contains("interrupted")) saved["interrupted"].to(report.interrupted);
  const std::size_t rows = saved["rows"].list_size();
  for (std::size_t k = 0; k < rows; ++k) report.rows.push_back(row_from(saved["rows"][k]));
  return report;
}

}  // namespace riffle::bench
