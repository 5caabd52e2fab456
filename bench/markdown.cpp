/// The benchmark's rows as the tables of docs/benchmarks.md and docs/papers.md.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "bench/markdown_columns.h"
#include "bench/rows.h"
#include "core/text/number_text.h"

namespace riffle::bench {

namespace {

using Rows = std::vector<const BenchRow*>;

std::string line(const std::vector<std::string>& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string head(const std::vector<std::string>& cells) {
  std::string rule = "|";
  for (std::size_t k = 0; k < cells.size(); ++k) rule += "---|";
  return line(cells) + rule + "\n";
}

/// "0.055", "16.4": what docs/benchmarks.md has. "-" when missing.
std::string time_cell(double ms) { return ms < 0 ? "-" : fmt::format("{:.{}f}", ms, ms < 10 ? 3 : 1); }

/// "34 kB", "16.9 MB", "1.37 GB".
std::string memory_cell(std::int64_t bytes) {
  if (bytes < 0) return "-";
  if (bytes < 1000000) return fmt::format("{:.0f} kB", double(bytes) / 1e3);
  return bytes < 1000000000 ? fmt::format("{:.1f} MB", double(bytes) / 1e6)
                            : fmt::format("{:.2f} GB", double(bytes) / 1e9);
}

std::string bold(const std::string& text, bool on) { return on ? "**" + text + "**" : text; }

/// A figure that may be given: a stage that took no time was not there.
std::string stage_cell(const Spread& stage, bool optional_stage) {
  return optional_stage && !(stage.median > 0) ? "-" : time_cell(stage.median);
}

bool one_group(const BenchRow& a, const BenchRow& b) {
  return a.scenario == b.scenario && a.table == b.table && a.value == b.value && a.input == b.input;
}

/// Scenarios of which a build is all that is timed.
std::vector<std::string> scenarios_of_builds(const std::vector<BenchRow>& rows) {
  std::vector<std::string> names;
  for (const BenchRow& row : rows)
    if (row.builds_only && std::ranges::find(names, row.scenario) == names.end()) names.push_back(row.scenario);
  return names;
}

std::vector<Rows> groups_of(const std::vector<BenchRow>& rows, const std::vector<std::string>& but) {
  std::vector<Rows> groups;
  for (const BenchRow& row : rows) {
    if (row.state == RowState::LeftOut || std::ranges::find(but, row.scenario) != but.end()) continue;
    if (groups.empty() || !one_group(*groups.back().front(), row)) groups.emplace_back();
    groups.back().push_back(&row);
  }
  return groups;
}

/// A group by itself: every stage, a search in a line.
std::string stages_table(const Rows& group) {
  const BenchRow& first = *group.front();
  std::string text = fmt::format("\n### {}: {}; {}\n\n", first.scenario, first.table, first.input);
  text += head({"search", "build", "reorder", "list", "query", "total [ms]", "sigma", "memory"});
  for (const BenchRow* row : group) {
    if (row->state == RowState::Published) {
      text += line({fmt::format("*{}, {}*", row->method, row->source), time_cell(row->build.median), "-", "-",
                    time_cell(row->query.median), time_cell(row->total.median), "-", memory_cell(row->memory_bytes)});
    } else if (row->measured()) {
      const std::string wrong = row->state == RowState::Wrong ? " WRONG" : "";
      text += line({row->method + wrong, time_cell(row->build.median), time_cell(row->reorder.median),
                    stage_cell(row->list, true), time_cell(row->query.median),
                    bold(time_cell(row->total.median), row->fastest), time_cell(row->total.sigma),
                    memory_cell(row->memory_bytes)});
    } else {
      text += line({row->method, "-", "-", "-", "-", to_string(row->state), "-", "-"});
    }
  }
  return text;
}

/// What of a table's name differs from table to table, and its value: "r", "0.2".
std::pair<std::string, std::string> name_and_value(const std::string& table) {
  const std::size_t equals = table.find(" = ");
  if (equals == std::string::npos) return {"table", table};
  return {table.substr(0, equals), table.substr(equals + 3)};
}

/// The measured searches of some groups, in the order of the rows. Searches with lists have rows in the CSV only.
std::vector<std::string> searches_in_order(const std::vector<Rows>& groups) {
  std::vector<std::string> names;
  for (const Rows& group : groups)
    for (const BenchRow* row : group)
      if (row->source.empty() && !row->method.ends_with(", lists") && row->method != "all" &&
          std::find(names.begin(), names.end(), row->method) == names.end())
        names.push_back(row->method);
  return names;
}

const BenchRow* row_of(const Rows& group, const std::string& method, const std::string& source = "") {
  for (const BenchRow* row : group)
    if (row->method == method && (source.empty() ? row->source.empty() : row->source.find(source) != std::string::npos))
      return row;
  return nullptr;
}

/// A scenario whose groups differ in a number: a line for each group, a column for each search.
std::string sweep_table(const std::vector<Rows>& groups, const std::string& what,
                        std::string (*cell)(const BenchRow&)) {
  const std::vector<std::string> searches = searches_in_order(groups);
  const BenchRow& first = *groups.front().front();
  std::vector<std::string> titles{first.sweep, name_and_value(first.table).first};
  titles.insert(titles.end(), searches.begin(), searches.end());
  std::string text = fmt::format("\n### {}: {}\n\n", first.scenario, what) + head(titles);
  for (const Rows& group : groups) {
    std::vector<std::string> cells{grouped(static_cast<std::int64_t>(group.front()->value)),
                                   name_and_value(group.front()->table).second};
    for (const std::string& search : searches) {
      const BenchRow* row = row_of(group, search);
      cells.push_back(!row ? "-" : row->measured() ? cell(*row) : to_string(row->state));
    }
    text += line(cells);
  }
  return text;
}

std::string time_and_sigma(const BenchRow& row) {
  const Spread& s = row.total;
  return fmt::format("{} ± {}{}", bold(time_cell(s.median), row.fastest), time_cell(s.sigma),
                     row.state == RowState::Wrong ? " WRONG" : "");
}

std::string memory_of(const BenchRow& row) { return memory_cell(row.memory_bytes); }

/// The paper's time on a GTX 1080 Ti, and after a slash ours by these searches.
std::string against_paper(const Rows& group, const std::string& theirs, const std::vector<std::string>& ours) {
  const BenchRow* published = row_of(group, theirs, "1080 Ti");
  std::vector<std::string> times;
  for (const std::string& search : ours)
    if (const BenchRow* row = row_of(group, search); row && row->measured())
      times.push_back(time_cell(row->total.median));
  return fmt::format("{} / {}", published ? fmt::format("{:.2f}", published->total.median) : "-",
                     times.empty() ? "-" : fmt::format("{}", fmt::join(times, ", ")));
}

/// A table of Gross, Koester and Krueger 2019, whole.
std::string paper_table(const std::vector<Rows>& groups) {
  const std::string& scenario = groups.front().front()->scenario;
  const bool fixed = scenario == "fenns2";  // every search has the paper's cells
  const auto ours = [&](const std::string& method, const std::string& papers) {
    return fixed ? std::vector<std::string>{method} : std::vector<std::string>{method, method + papers};
  };
  std::string text = fmt::format("\n### docs/papers.md, table {}: theirs / ours{}\n\n", scenario.back(),
                                 fixed ? "" : "; ours with cells of our choice, then with the paper's");
  text += head({"particles", "r", "Hoetzlein", "Green", "FENNS"});
  for (const Rows& group : groups) {
    const BenchRow& first = *group.front();
    text += line({grouped(first.particles), name_and_value(first.table).second,
                  against_paper(group, "Hoetzlein", ours("hoetzlein", " 2r")),
                  against_paper(group, "Green", ours("green", " 2r")),
                  against_paper(group, "FENNS", ours("fenns", " 18^3"))});
  }
  return text;
}

}  // namespace

std::string bench_markdown(const BenchReport& report) {
  std::string text = fmt::format("`{}`, {}; medians of {} runs, sigma: standard deviation of a run\n", report.command,
                                 report.device_name, report.runs);
  const std::vector<std::string> builds = scenarios_of_builds(report.rows);
  const std::vector<Rows> groups = groups_of(report.rows, builds);
  for (std::size_t begin = 0, end; begin < groups.size(); begin = end) {
    const BenchRow& first = *groups[begin].front();
    end = begin + 1;
    if (first.sweep.empty()) {
      text += stages_table(groups[begin]);
      continue;
    }
    while (end < groups.size() && groups[end].front()->scenario == first.scenario &&
           !groups[end].front()->sweep.empty())
      ++end;
    const std::vector<Rows> swept(groups.begin() + static_cast<std::ptrdiff_t>(begin),
                                  groups.begin() + static_cast<std::ptrdiff_t>(end));
    text += sweep_table(swept, "total [ms], median ± sigma", time_and_sigma);
    text += sweep_table(swept, "memory", memory_of);
    if (first.scenario.starts_with("fenns")) text += paper_table(swept);
  }
  Rows of_builds;
  for (const BenchRow& row : report.rows)
    if (std::ranges::find(builds, row.scenario) != builds.end()) of_builds.push_back(&row);
  text += columns_tables(of_builds);
  return text;
}

}  // namespace riffle::bench
