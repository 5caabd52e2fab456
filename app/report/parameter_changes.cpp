#include "app/report/parameter_changes.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "app/report/csv.h"
#include "app/report/series_columns.h"
#include "core/text/output_files.h"

namespace riffle {

namespace fs = std::filesystem;

fs::path changes_file(const fs::path& table) {
  return table.parent_path() / (table.stem().string() + "-changes" + table.extension().string());
}

std::string changes_header(const SimulationSetup& setup) {
  const std::string unit = unit_text(SeriesUnit::Time, setup);
  return fmt::format("{},{},key,from,to\n", csv_field(fmt::format("time [{}]", unit)),
                     csv_field(fmt::format("until [{}]", unit)));
}

std::string changes_rows(std::span<const ParameterChange> changes) {
  std::string rows;
  for (const ParameterChange& change : changes)
    rows += fmt::format("{:.9g},{:.9g},{},{},{}\n", change.time, change.until, csv_field(change.key.key),
                        csv_field(change.key.from), csv_field(change.key.to));
  return rows;
}

std::string write_changes(const fs::path& table, std::span<const ParameterChange> changes, const SimulationSetup& setup,
                          std::optional<double> goes_on) {
  const fs::path file = changes_file(table);
  const std::string header = changes_header(setup);
  std::error_code ignored;
  const bool there = fs::is_regular_file(file, ignored);
  const std::string earlier = there && goes_on ? rows_before(file, header, *goes_on).rows : "";
  if (const std::string rows = earlier + changes_rows(changes); !rows.empty()) {
    write_text(file, header + rows);
    return file.string();
  }
  std::string first;
  if (there && std::getline(std::ifstream(file), first) && first + "\n" == header) fs::remove(file, ignored);
  return "";
}

}  // namespace riffle
