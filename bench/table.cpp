/// The benchmark's rows as aligned text and as comma-separated values.

#include <fmt/format.h>

#include <algorithm>

#include "app/report/csv.h"
#include "app/terminal/text_table.h"
#include "bench/cells.h"
#include "bench/rows.h"
#include "core/text/number_text.h"

namespace riffle::bench {

namespace {

using Cells = std::vector<std::string>;

const Cells kHeader = {"method", "build", "reorder", "list", "query",    "total",   "p5..p95", "sigma",
                       "runs",   "MiB",   "B/part",  "mean", "min..max", "checked", "state"};

Cells cells_of(const BenchRow& row) {
  const std::string method = fmt::format("{}{}{}", row.fastest ? "* " : "  ", row.method,
                                         row.source.empty() ? "" : fmt::format(" ({})", row.source));
  if (!row.measured() && row.state != RowState::Published) {
    Cells cells(kHeader.size(), "-");
    cells.front() = method;
    cells.back() = to_string(row.state);
    return cells;
  }
  const Spread& decisive = row.builds_only ? row.build : row.total;
  const bool ours = row.measured();
  return {method,
          milliseconds_cell(row.build.median),
          milliseconds_cell(row.reorder.median),
          milliseconds_cell(row.list.median),
          milliseconds_cell(row.query.median),
          milliseconds_cell(row.total.median),
          ours ? milliseconds_cell(decisive.p5) + ".." + milliseconds_cell(decisive.p95) : "-",
          ours ? milliseconds_cell(decisive.sigma) : "-",
          ours ? std::to_string(row.runs) : "-",
          mebibytes_cell(row.memory_bytes, 2),
          ours ? std::to_string(row.reordered_bytes) : "-",
          number_cell(row.neighbors_mean, "{:.4g}"),
          ours ? fmt::format("{}..{}", row.neighbors_min, row.neighbors_max) : "-",
          ours ? std::to_string(row.compared) : "-",
          to_string(row.state)};
}

bool same_group(const BenchRow& a, const BenchRow& b) {
  if (b.state == RowState::LeftOut) return false;
  return a.scenario == b.scenario && a.table == b.table && a.value == b.value && a.input == b.input;
}

std::string group_title(const BenchRow& row) {
  std::string text = fmt::format("{}: {}", row.scenario, row.table);
  if (!row.sweep.empty()) text += fmt::format(", {} {}", grouped(static_cast<std::int64_t>(row.value)), row.sweep);
  if (row.radius > 0) text += fmt::format("; h = {:.4g}", row.radius);
  text += "; " + row.input;
  if (!row.cloud.empty()) text += "; " + row.cloud;
  return text;
}

}  // namespace

std::string to_string(RowState state) {
  switch (state) {
    case RowState::Measured: return "ok";
    case RowState::Wrong: return "WRONG";
    case RowState::Refused: return "refused";
    case RowState::LeftOut: return "left out";
    case RowState::Published: break;
  }
  return "published";
}

std::optional<RowState> row_state_from(const std::string& name) {
  for (const RowState state : kRowStates)
    if (name == to_string(state)) return state;
  return std::nullopt;
}

std::string bench_text(const BenchReport& report) {
  std::string text = session_text(report);
  for (std::size_t begin = 0, end; begin < report.rows.size(); begin = end) {
    end = begin;
    if (report.rows[begin].state == RowState::LeftOut) {  // one line: there may be many
      text += fmt::format("\n{}: {}\n", group_title(report.rows[begin]), report.rows[begin].note);
      ++end;
      continue;
    }
    std::vector<Cells> lines{kHeader};
    lines[0][0] = "  method";
    std::string notes;
    for (; end < report.rows.size() && (end == begin || same_group(report.rows[begin], report.rows[end])); ++end) {
      const BenchRow& row = report.rows[end];
      lines.push_back(cells_of(row));
      if (!row.note.empty()) notes += fmt::format("  {}: {}\n", row.method, row.note);
      if (!row.figures.empty()) notes += fmt::format("  {}: {}\n", row.method, describe(row.figures));
    }
    text += fmt::format("\n{}\n{}{}", group_title(report.rows[begin]), aligned_table(lines), notes);
  }
  text +=
      "\nHow to read it: * is the fastest of its group, by the total, or by build where the source timed nothing else; "
      "p5..p95 and the\nstandard deviation sigma are of the same column. Every run builds from the same input; reorder "
      "gathers the positions (B/part "
      "bytes "
      "per particle), query counts\nneighbours and writes 4 bytes per particle. MiB: what the search allocates beyond "
      "the "
      "particles. checked: particles whose\nneighbours were counted again by looking at every pair. WRONG rows are not "
      "to "
      "be used.\n";
  return text;
}

std::string bench_csv(const BenchReport& report) {
  std::string text = "scenario,table,sweep,value,cloud,input,method,source,state,fastest,particles,radius";
  for (const char* stage : {"build", "reorder", "list", "query", "total"})
    for (const char* figure : {"median", "min", "max", "p5", "p95", "sigma"})
      text += fmt::format(",{}_{}_ms", stage, figure);
  text +=
      ",runs,memory_bytes,reordered_bytes_per_particle,neighbors_mean,neighbors_min,neighbors_max,compared,wrong,"
      "note\n";
  for (const BenchRow& row : report.rows) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}", row.scenario, csv_field(row.table), row.sweep, row.value,
                        csv_field(row.cloud), row.input, csv_field(row.method), csv_field(row.source),
                        to_string(row.state), row.fastest ? 1 : 0, row.particles, row.radius);
    const bool ours = row.measured();
    for (const Spread* s : {&row.build, &row.reorder, &row.list, &row.query, &row.total}) {
      const bool given = (ours || row.state == RowState::Published) && s->median >= 0;
      text += given ? fmt::format(",{}", s->median) : ",";
      text += given && ours ? fmt::format(",{},{},{},{},{}", s->min, s->max, s->p5, s->p95, s->sigma) : ",,,,,";
    }
    const auto optional = [](auto value) { return value < 0 ? std::string() : fmt::format("{}", value); };
    text += ours ? fmt::format(",{}", row.runs) : ",";
    text += fmt::format(",{}", optional(row.memory_bytes));
    text += ours ? fmt::format(",{}", row.reordered_bytes) : ",";
    text += fmt::format(",{},{},{}", optional(row.neighbors_mean), optional(row.neighbors_min),
                        optional(row.neighbors_max));
    text += ours ? fmt::format(",{},{}", row.compared, row.wrong) : ",,";
    text += fmt::format(",{}\n", csv_field(row.note));
  }
  return text;
}

}  // namespace riffle::bench
