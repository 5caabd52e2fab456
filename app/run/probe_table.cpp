#include "app/run/probe_table.h"

#include <fmt/format.h>

#include "app/report/csv.h"
#include "app/report/series_columns.h"
#include "core/timing/seconds_since.h"

namespace riffle {

namespace {

constexpr double kWriteEvery = 1;  // [s] of wall time

double interval_of(const scenes::RunSetup& run, double every) {
  if (every > 0) return every;
  return run.probe_interval > 0 ? run.probe_interval : run.frame_interval();
}

std::string row_of(const ProbeSample& sample) {
  std::string row = fmt::format("{:.9g}", sample.time);
  for (const double value : sample.values) row += fmt::format(",{:.9g}", value);
  return row + "\n";
}

}  // namespace

std::vector<std::string> probe_headings(const std::vector<ProbeColumn>& columns, const SimulationSetup& setup) {
  std::vector<std::string> headings;
  for (const ProbeColumn& column : columns) {
    const std::string unit = unit_text(series_column(column.kind).unit, setup);
    const std::string name = probe_column_name(column);
    headings.push_back(unit.empty() ? name : fmt::format("{} [{}]", name, unit));
  }
  return headings;
}

ProbeTable::ProbeTable(const scenes::Scene& scene, const Simulation& simulation, const std::filesystem::path& file,
                       double every, std::optional<double> goes_on)
    : header_(csv_field(fmt::format("time [{}]", unit_text(SeriesUnit::Time, simulation.setup())))),
      meter_(simulation, scene.probes, interval_of(scene.run, every)),
      table_(file, goes_on),
      written_(std::chrono::steady_clock::now()) {
  for (const std::string& heading : probe_headings(meter_.columns(), simulation.setup()))
    header_ += "," + csv_field(heading);
  header_ += "\n";
  table_.look(header_, interval_of(scene.run, every));  // refuses a file with other columns before the run
}

void ProbeTable::after_step(const Simulation& simulation) {
  meter_.after_step(simulation);
  if (seconds_since(written_) > kWriteEvery) write();
}

void ProbeTable::after_change(Simulation& simulation) {
  write();
  if (!last_time_) return after_step(simulation);
  if (*last_time_ != simulation.finish().time) return;
  table_.cut_last();
  table_.append(row_of(meter_.measure(simulation)));
}

void ProbeTable::write() {
  const std::vector<ProbeSample> samples = meter_.collect();
  const auto begin = std::chrono::steady_clock::now();
  std::string rows;
  for (const ProbeSample& sample : samples) rows += row_of(sample);
  table_.begun() ? table_.append(rows) : table_.begin(header_, rows);
  if (!samples.empty()) last_time_ = samples.back().time;
  written_ = std::chrono::steady_clock::now();
  seconds_ += seconds_since(begin);
}

}  // namespace riffle
