#include "app/report/validation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/terminal/signals.h"

#include "core/text/number_text.h"

namespace riffle {

namespace {

using Json = nlohmann::ordered_json;

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass: return "pass";
    case Verdict::Short: return "short";
    case Verdict::Fail: return "FAIL";
    case Verdict::None: break;
  }
  return "-";
}

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.5g}", value); }

/// JSON has no infinity and no NaN.
Json or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string with_unit(const Check& c) { return c.unit.empty() ? c.name : fmt::format("{} [{}]", c.name, c.unit); }

Json to_json(const Series& series) { return {{"label", series.label}, {"x", series.x}, {"y", series.y}}; }

Json to_json(const std::vector<Series>& list) {
  Json all = Json::array();
  for (const Series& series : list) all.push_back(to_json(series));
  return all;
}

Json to_json(const Check& c) {
  return {{"name", c.name},
          {"measured", or_null(c.measured)},
          {"expected", or_null(c.expected)},
          {"rule", std::string(to_string(c.rule))},
          {"tolerance", c.rule == Rule::Within || c.rule == Rule::WithinRelative ? Json(c.tolerance) : Json(nullptr)},
          {"least", or_null(c.least)},
          {"most", or_null(c.most)},
          {"unit", c.unit},
          {"source", c.source},
          {"verdict", c.verdict() == Verdict::None   ? "none"
                      : c.verdict() == Verdict::Fail ? "fail"
                                                     : word(c.verdict())},
          {"passed", c.passed()},
          {"shortfall", c.shortfall.empty() ? Json(nullptr) : Json(c.shortfall)},
          {"outer", c.shortfall.empty() ? Json(nullptr) : Json(c.outer)}};
}

Json to_json(const ValidatedCase& v, CaseSize size) {
  Json checks = Json::array(), curves = Json::array();
  for (const Check& c : v.result.checks) checks.push_back(to_json(c));
  for (const Curve& c : v.result.curves)
    curves.push_back({{"name", c.name},
                      {"title", c.title},
                      {"x_label", c.x_label},
                      {"y_label", c.y_label},
                      {"measured", to_json(c.measured)},
                      {"reference", to_json(c.reference)}});
  return {{"name", v.which->name},
          {"title", v.which->title},
          {"what", v.which->size_text(size)},
          {"settings", v.settings},
          {"seconds", v.result.seconds},
          {"passed", v.passed()},
          {"failure", v.failure.empty() ? Json(nullptr) : Json(v.failure)},
          {"checks", checks},
          {"notes", v.result.notes},
          {"curves", curves},
          {"files", v.files}};
}

}  // namespace

bool ValidationReport::passed() const {
  return std::all_of(cases.begin(), cases.end(), [](const ValidatedCase& c) { return c.passed(); });
}

std::string case_text(const ValidatedCase& v, const ValidationReport& report) {
  std::string text =
      fmt::format("{}: {}\n  {}: {}; {:.1f} s on {}\n", v.which->name, v.which->title, to_string(report.size),
                  v.which->size_text(report.size), v.result.seconds, device_name(report.device));
  for (const std::string& settings : v.settings) text += fmt::format("  settings: {}\n", settings);
  if (!v.failure.empty()) return text + fmt::format("  FAIL: {}\n", v.failure);
  std::vector<std::vector<std::string>> rows{{"check", "measured", "reference", "allowed", "", "source"}};
  for (const Check& c : v.result.checks)
    rows.push_back({with_unit(c), number(c.measured), number(c.expected), c.allowed(), word(c.verdict()), c.source});
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  for (const auto& row : rows) {
    std::string line = fmt::format("  {:<{}}", row[0], widths[0]);
    for (std::size_t k : {1, 2}) line += fmt::format("  {:>{}}", row[k], widths[k]);
    for (std::size_t k : {3, 4}) line += fmt::format("  {:<{}}", row[k], widths[k]);
    line += "  " + row[5];
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  for (const Check& c : v.result.checks)
    if (c.verdict() == Verdict::Short) text += fmt::format("  short: {}: {}\n", c.name, c.shortfall);
  for (const std::string& note : v.result.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

std::string summary_text(const ValidationReport& report) {
  int pass = 0, falls_short = 0, fail = 0, ended = 0;
  for (const ValidatedCase& v : report.cases) {
    ended += !v.failure.empty();
    for (const Check& c : v.result.checks) {
      pass += c.verdict() == Verdict::Pass;
      falls_short += c.verdict() == Verdict::Short;
      fail += c.verdict() == Verdict::Fail;
    }
  }
  std::string text =
      fmt::format("{}: {} checks passed", counted(static_cast<std::int64_t>(report.cases.size()), "case"), pass);
  if (falls_short > 0) text += fmt::format(", {} short of the bound as is known", falls_short);
  text += fmt::format(", {} failed", fail);
  if (ended > 0) text += fmt::format("; {} did not finish", counted(ended, "case"));
  return text + "\n" + interruption_text(report.interrupted);
}

std::string markdown_text(const ValidationReport& report) {
  // A bar would end the cell.
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
    return text;
  };
  std::string text;
  for (const ValidatedCase& v : report.cases) {
    text += fmt::format("### `{0}`: {1}\n\nSize {2}: {3}; {4:.1f} s on {5}.\n\n", v.which->name, v.which->title,
                        to_string(report.size), v.which->size_text(report.size), v.result.seconds,
                        device_name(report.device));
    for (const std::string& settings : v.settings)
      text += fmt::format("{}{}.\n", v.settings.size() == 1 ? "Settings: " : "- Settings: ", settings);
    if (!v.settings.empty()) text += "\n";
    if (!v.failure.empty()) text += fmt::format("Did not finish: {}\n\n", v.failure);
    if (!v.result.checks.empty())
      text += "| check | measured | reference | allowed | | source |\n|---|---|---|---|---|---|\n";
    for (const Check& c : v.result.checks) {
      const bool marked = c.verdict() == Verdict::Short || c.verdict() == Verdict::Fail;
      text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(with_unit(c)), number(c.measured),
                          number(c.expected), c.allowed(),
                          marked ? fmt::format("**{}**", word(c.verdict())) : word(c.verdict()), cell(c.source));
    }
    for (const Check& c : v.result.checks)
      if (c.verdict() == Verdict::Short) text += fmt::format("\nShort: {}: {}.\n", c.name, c.shortfall);
    for (const std::string& note : v.result.notes) text += fmt::format("\n{}\n", note);
    for (const Curve& curve : v.result.curves)
      text += fmt::format("\n![{}](images/validation/{}_{}.png)\n", curve.title, v.which->name, curve.name);
    text += "\n";
  }
  return text;
}

Json to_json(const ValidationReport& report) {
  Json cases = Json::array();
  for (const ValidatedCase& v : report.cases) cases.push_back(to_json(v, report.size));
  return {{"validation", to_string(report.size)},
          {"command", report.command},
          {"device", {{"kind", std::string(to_string(report.device.kind))}, {"name", device_name(report.device)}}},
          {"passed", report.passed()},
          {"interrupted", report.interrupted},
          {"cases", cases}};
}

}  // namespace riffle
