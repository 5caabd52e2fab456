#include "app/run/probe_table.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "app/report/csv.h"
#include "app/report/series_columns.h"
#include "core/error.h"
#include "core/timing/seconds_since.h"

namespace riffle {

namespace {

constexpr double kWriteEvery = 1;  // [s] of wall time

double interval_of(const scenes::RunSetup& run, double every) {
  if (every > 0) return every;
  return run.probe_interval > 0 ? run.probe_interval : run.frame_interval();
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
    : file_(file),
      goes_on_(goes_on),
      header_(csv_field(fmt::format("time [{}]", unit_text(SeriesUnit::Time, simulation.setup())))),
      meter_(simulation, scene.probes, interval_of(scene.run, every)),
      written_(std::chrono::steady_clock::now()) {
  for (const std::string& heading : probe_headings(meter_.columns(), simulation.setup()))
    header_ += "," + csv_field(heading);
  header_ += "\n";
  if (goes_on_) rows_before(file_, header_, *goes_on_);  // refuses a file with other columns before the run
}

void ProbeTable::after_step(const Simulation& simulation) {
  meter_.after_step(simulation);
  if (seconds_since(written_) > kWriteEvery) write();
}

void ProbeTable::after_change(Simulation& simulation) {
  write();
  if (!last_time_) return after_step(simulation);
  if (*last_time_ != simulation.finish().time) return;
  const ProbeSample now = meter_.measure(simulation);
  out_.seekp(last_at_);
  write_row(now);
  out_.flush();
  std::error_code failure;
  std::filesystem::resize_file(file_, static_cast<std::uintmax_t>(std::streamoff(out_.tellp())), failure);
  if (!out_ || failure)
    throw RuntimeFailure(
        fmt::format("{}: cannot be written: {}", file_.string(), failure ? failure.message() : std::strerror(errno)));
}

void ProbeTable::write_row(const ProbeSample& sample) {
  last_time_ = sample.time;
  last_at_ = out_.tellp();
  std::string row = fmt::format("{:.9g}", sample.time);
  for (const double value : sample.values) row += fmt::format(",{:.9g}", value);
  out_ << row << '\n';
}

void ProbeTable::write() {
  const std::vector<ProbeSample> samples = meter_.collect();
  const auto begin = std::chrono::steady_clock::now();
  errno = 0;
  if (!out_.is_open()) {
    const std::string earlier = goes_on_ ? rows_before(file_, header_, *goes_on_) : "";
    out_ = std::ofstream(file_, std::ios::binary);
    out_ << header_ << earlier;
  }
  for (const ProbeSample& sample : samples) write_row(sample);
  out_.flush();
  written_ = std::chrono::steady_clock::now();
  seconds_ += seconds_since(begin);
  if (!out_) throw RuntimeFailure(fmt::format("{}: cannot be written: {}", file_.string(), std::strerror(errno)));
}

}  // namespace riffle
