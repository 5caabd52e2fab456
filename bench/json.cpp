/// The benchmark's rows as JSON, and back: a machine that measures need not be the one that draws.

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "bench/cells.h"
#include "bench/rows.h"
#include "core/error.h"

namespace riffle {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const BenchRow& row) {
  Json stats = Json::object();
  for (const SearchCount& count : row.stats) stats[count.name] = count.value;
  const bool ours = row.measured();
  const bool timed = ours || row.state == RowState::Published;
  const auto stage = [&](const Spread& s) -> Json {
    if (ours) return spread_json(s);
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
          {"counts", stats}};
}

/// A value of a saved report and the way to it, for messages. The library's own conversions make 1 of true and 2^64 - 1
/// of -1; these throw InputError with the place, what was found and what is allowed.
class Field {
 public:
  Field(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  bool is_null() const { return json_.is_null(); }

  Field at(const char* key) const {
    if (!json_.is_object()) refuse("is no object");
    const auto found = json_.find(key);
    if (found == json_.end()) throw InputError(fmt::format("{}the key \"{}\" is missing", place_, key));
    return {*found, place_ + key + ": "};
  }

  std::string text() const {
    if (!json_.is_string()) refuse("is no text");
    return json_.get<std::string>();
  }
  bool flag() const {
    if (!json_.is_boolean()) refuse("is neither true nor false");
    return json_.get<bool>();
  }
  double number() const {
    if (!json_.is_number()) refuse("is no number");
    return json_.get<double>();
  }
  double number_or_null() const { return is_null() ? -1 : number(); }

  template <class T>
  T whole() const {
    if (!json_.is_number_integer()) refuse("is no whole number");
    using Limits = std::numeric_limits<T>;
    const bool fits = json_.is_number_unsigned() ? std::in_range<T>(json_.get<std::uint64_t>())
                                                 : std::in_range<T>(json_.get<std::int64_t>());
    if (!fits) refuse(fmt::format("is not allowed; allowed: {} to {}", Limits::min(), Limits::max()));
    return json_.get<T>();
  }
  template <class T>
  T whole_or_null() const {
    return is_null() ? T(-1) : whole<T>();
  }

  /// Tables show it as a whole number, which doubles are up to 2^53.
  double shown_number() const {
    const double value = number();
    if (!(std::abs(value) <= 9007199254740992.0)) refuse("is not allowed; allowed: -2^53 to 2^53");
    return value;
  }

  std::vector<Field> list() const {
    if (!json_.is_array()) refuse("is no list");
    std::string name = place_;
    if (name.ends_with(": ")) name.resize(name.size() - 2);
    std::vector<Field> fields;
    for (std::size_t k = 0; k < json_.size(); ++k) fields.emplace_back(json_[k], fmt::format("{}[{}]: ", name, k));
    return fields;
  }
  std::vector<SearchCount> counts() const {
    if (!json_.is_object()) refuse("is no object");
    std::vector<SearchCount> counts;
    for (const auto& [key, value] : json_.items()) counts.push_back({key, Field(value, place_ + key + ": ").number()});
    return counts;
  }

  RowState state() const {
    const std::string name = text();
    try {
      return row_state_from(name);
    } catch (const InputError& error) {
      throw InputError(place_ + error.what());
    }
  }

  /// A figure that was not measured is null or has its median only.
  Spread spread() const {
    Spread s;
    s.median = -1;
    if (is_null()) return s;
    s.median = at("median").number();
    const auto optional = [&](const char* key) { return json_.contains(key) ? at(key).number() : 0.0; };
    s.min = optional("min"), s.max = optional("max"), s.p5 = optional("p5"), s.p95 = optional("p95");
    return s;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    std::string found = json_.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (found.size() > 60) found = found.substr(0, 57) + "...";
    throw InputError(fmt::format("{}{} {}", place_, found, why));
  }

  const Json& json_;
  std::string place_;  ///< "rows[3]: check: "
};

BenchRow row_from(const Field& field) {
  BenchRow row;
  const auto text = [&](const char* key) { return field.at(key).text(); };
  row.scenario = text("scenario"), row.table = text("table"), row.sweep = text("sweep"), row.cloud = text("cloud");
  row.input = text("input"), row.method = text("method"), row.source = text("source"), row.note = text("note");
  row.value = field.at("value").shown_number();
  row.state = field.at("state").state();
  row.fastest = field.at("fastest").flag();
  row.builds_only = field.at("builds_only").flag();
  row.particles = field.at("particles").whole<std::int64_t>();
  row.radius = field.at("radius").number();
  row.build = field.at("build_ms").spread(), row.reorder = field.at("reorder_ms").spread();
  row.list = field.at("list_ms").spread(), row.query = field.at("query_ms").spread();
  row.total = field.at("total_ms").spread();
  row.runs = field.at("runs").whole<int>();
  row.memory_bytes = field.at("memory_bytes").whole_or_null<std::int64_t>();
  row.reordered_bytes = field.at("reordered_bytes_per_particle").whole<int>();
  const Field neighbors = field.at("neighbors"), check = field.at("check");
  row.neighbors_mean = neighbors.at("mean").number_or_null();
  row.neighbors_min = neighbors.at("min").whole_or_null<std::int64_t>();
  row.neighbors_max = neighbors.at("max").whole_or_null<std::int64_t>();
  row.compared = check.at("compared").whole<std::uint64_t>();
  row.wrong = check.at("wrong").whole<std::uint64_t>();
  row.stats = field.at("counts").counts();
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
    throw InputError("is no report of `riffle bench neighbors`: its key \"bench\" is not \"neighbors\"");
  const Field field(json, "");
  BenchReport report;
  report.command = field.at("command").text();
  report.device_kind = field.at("device").at("kind").text();
  report.device_name = field.at("device").at("name").text();
  const Field machine = field.at("machine");
  report.processor = machine.at("processor").text();
  report.threads = machine.at("threads").whole<int>();
  report.system = machine.at("system").text();
  if (const Field cuda = machine.at("cuda"); !cuda.is_null()) report.cuda = cuda.text();
  report.runs = field.at("runs").whole<std::uint64_t>();
  report.warm_up = field.at("warm_up").whole<std::uint64_t>();
  if (json.contains("interrupted")) report.interrupted = field.at("interrupted").flag();
  for (const Field& row : field.at("rows").list()) report.rows.push_back(row_from(row));
  return report;
}

}  // namespace riffle
