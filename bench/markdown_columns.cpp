#include "bench/markdown_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/cells.h"
#include "core/text/number_text.h"

namespace riffle::bench {

namespace {

/// Rows that become one table.
bool same_table(const BenchRow& a, const BenchRow& b) {
  return a.scenario == b.scenario && a.table == b.table && a.input == b.input;
}

std::string column_of(const BenchRow& row) {
  return row.source.empty() ? row.method : fmt::format("*{}, {}*", row.method, row.source);
}

std::string figure_of(const BenchRow& row) {
  switch (row.state) {
    case RowState::Wrong: return "WRONG";
    case RowState::Refused: return "refused";
    case RowState::LeftOut: return "-";
    case RowState::Measured:
    case RowState::Published: break;
  }
  const double ms = row.deciding_ms() >= 0 ? row.deciding_ms() : row.total.median;
  if (row.state == RowState::Published) return ms < 0 ? "-" : fmt::format("{:g}", ms);
  return row.fastest ? "**" + milliseconds_cell(ms) + "**" : milliseconds_cell(ms);
}

void add_line(std::string& text, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) text += "| " + cell + " ";
  text += "|\n";
}

}  // namespace

std::string columns_tables(const std::vector<const BenchRow*>& all) {
  std::string text;
  std::vector<bool> done(all.size());
  for (std::size_t begin = 0; begin < all.size(); ++begin) {
    if (done[begin]) continue;
    const BenchRow& first = *all[begin];
    std::vector<std::string> columns;
    std::vector<double> values;
    std::vector<const BenchRow*> rows;
    for (std::size_t k = begin; k < all.size(); ++k) {
      const BenchRow& row = *all[k];
      if (!same_table(first, row)) continue;
      done[k] = true;
      rows.push_back(&row);
      if (std::ranges::find(values, row.value) == values.end()) values.push_back(row.value);
      const bool whole_group =
          row.state == RowState::LeftOut || (row.state == RowState::Refused && row.method == "all");
      if (!whole_group && std::ranges::find(columns, column_of(row)) == columns.end())
        columns.push_back(column_of(row));
    }
    text += fmt::format("\n{}: {}; {}; {} [ms]\n\n", first.scenario, first.table, first.input,
                        first.builds_only ? "build" : "total");
    if (columns.empty()) {
      text.resize(text.size() - 1);
      text += first.note + "\n";
      continue;
    }
    std::vector<std::string> cells{first.sweep.empty() ? "particles" : first.sweep};
    cells.insert(cells.end(), columns.begin(), columns.end());
    add_line(text, cells);
    add_line(text, std::vector<std::string>(cells.size(), "---"));
    for (const double value : values) {
      cells.assign(columns.size() + 1, "-");
      for (const BenchRow* row : rows) {
        if (row->value != value) continue;
        cells[0] = grouped(first.sweep.empty() ? row->particles : static_cast<std::int64_t>(value));
        const auto at = std::ranges::find(columns, column_of(*row));
        if (at != columns.end()) cells[static_cast<std::size_t>(at - columns.begin()) + 1] = figure_of(*row);
      }
      add_line(text, cells);
    }
  }
  return text;
}

}  // namespace riffle::bench
