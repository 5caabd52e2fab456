#include "app/run/structure_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "app/report/csv.h"
#include "app/report/series_columns.h"
#include "app/run/movie_clock.h"
#include "core/error.h"
#include "core/text/output_files.h"
#include "core/timing/seconds_since.h"
#include "sim/units.h"

namespace riffle {

namespace {

std::string unit_of_length(const SimulationSetup& setup) { return unit_text(SeriesUnit::Length, setup); }
std::string unit_of_time(const SimulationSetup& setup) { return unit_text(SeriesUnit::Time, setup); }

}  // namespace

StructureOutput::StructureOutput(const scenes::Scene& scene, StructureWishes wishes)
    : setup_(scene.simulation), wishes_(std::move(wishes)) {
  if (wishes_.every == 0) wishes_.every = scene.run.frame_interval();
  const char* const unit = units_of(setup_).time;
  if (wishes_.from >= wishes_.end)
    throw InputError(
        fmt::format("--structure-from: found {:g} {}, the run ends at {:g}; allowed: a time before its end",
                    wishes_.from, unit, wishes_.end));
  if (wishes_.lag > (wishes_.end - wishes_.from) * (1 + 1e-9))
    throw InputError(fmt::format("--displacement-lag: found {:g} {}, the run measures {:g}; allowed: no more",
                                 wishes_.lag, unit, wishes_.end - wishes_.from));
  if (!wishes_.displacements.empty() && wishes_.lag == 0) {
    if (std::isinf(wishes_.end))
      throw InputError(
          "--displacements: found with --steps; allowed: with --displacement-lag, since a tenth of the run "
          "is not known, or with --time");
    wishes_.lag = wishes_.every * std::max(1.0, std::floor((wishes_.end - wishes_.from) / 10 / wishes_.every + 1e-6));
  }
  begin_again();
}

void StructureOutput::begin_again() {
  last_ = -1;
  has_none_ = true;
  if (!wishes_.radial_distribution.empty()) distribution_.emplace(setup_);
  if (!wishes_.displacements.empty()) displacement_.emplace(wishes_.lag, wishes_.every);
}

void StructureOutput::begin_again(double time, const std::string& change) {
  const bool had_some = !has_none_;
  const double last = last_;
  begin_again();
  if (time < wishes_.from * (1 - 1e-9)) return;
  last_ = last;
  if (had_some) changed_ = time, change_ = change;
}

/// The displacements take the shortest way between two states.
void StructureOutput::require_short_ways(const Simulation& simulation, double time) const {
  double shortest = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < setup_.domain.dimension; ++axis)
    if (setup_.domain.periodic(axis)) shortest = std::min(shortest, double{component(setup_.domain.extent(), axis)});
  const double way = double{simulation.latest().max_speed} * time;
  if (way < 0.5 * shortest) return;
  throw RuntimeFailure(fmt::format(
      "--displacements: a particle may have gone {:.3g} {} between two states, half of a periodic axis is {:.3g}: "
      "a shorter --structure-every would help",
      way, units_of(setup_).length, 0.5 * shortest));
}

void StructureOutput::after_step(Simulation& simulation, double time) {
  if (time < wishes_.from * (1 - 1e-9)) return;
  if (whole_intervals(time - wishes_.from, wishes_.every) <= last_) return;
  const auto begin = std::chrono::steady_clock::now();
  const double now = simulation.finish().time, before = has_none_ ? now : newest_;
  if (std::exchange(has_none_, false)) first_ = now;
  newest_ = now;
  last_ = std::max(0.0, whole_intervals(now - wishes_.from, wishes_.every));
  try {
    if (distribution_) distribution_->add(simulation);
  } catch (...) {
    distribution_.reset(), displacement_.reset();
    throw;
  }
  try {
    if (displacement_) require_short_ways(simulation, now - before);
    if (displacement_) displacement_->add(simulation);
  } catch (...) {
    displacement_.reset();
    wishes_.displacements.clear();
    throw;
  }
  seconds_ += seconds_since(begin);
}

std::vector<std::string> StructureOutput::write(double end) {
  std::vector<std::string> left_out;
  const auto leave_out = [&](const std::filesystem::path& file, const char* what) {
    left_out.push_back(fmt::format("{}: not written, since the run ended at {:.6g} {} with {} from {:.6g} {} on",
                                   file.string(), end, units_of(setup_).time, what, wishes_.from,
                                   units_of(setup_).time));
  };
  if (distribution_ && distribution_->states() == 0) {
    leave_out(wishes_.radial_distribution, "no state of two particles or more");
    distribution_.reset();
  }
  if (displacement_ && displacement_->rows().empty()) {
    leave_out(wishes_.displacements, "fewer than two states");
    displacement_.reset();
  }
  if (distribution_) write_text(wishes_.radial_distribution, distribution_table());
  if (displacement_) write_text(wishes_.displacements, displacement_table());
  return left_out;
}

/// With several fluids also of each pair of them.
std::string StructureOutput::distribution_table() const {
  std::string head = fmt::format("r [{}],g,g_error", unit_of_length(setup_));
  std::vector<std::vector<BlockedDistribution::Row>> kinds = {distribution_->rows()};
  const auto fluids = static_cast<int>(setup_.fluids.size());
  for (int a = 0; a < fluids && fluids > 1; ++a)
    for (int b = a; b < fluids; ++b) {
      const auto name = [&](int fluid) { return setup_.fluids[static_cast<std::size_t>(fluid)].name; };
      const std::string column = fmt::format("g_{}_{}", name(a), name(b));
      head += "," + csv_field(column) + "," + csv_field(column + "_error");
      kinds.push_back(distribution_->rows(a, b));
    }
  std::string text = head + "\n";
  for (std::size_t k = 0; k < kinds[0].size(); ++k) {
    text += fmt::format("{:.9g}", kinds[0][k].radius);
    for (const auto& rows : kinds) text += fmt::format(",{:.9g},{:.9g}", rows[k].g.value, rows[k].g.error);
    text += "\n";
  }
  return text;
}

/// With several fluids also of each.
std::string StructureOutput::displacement_table() const {
  const std::string square = fmt::format(" [{}^2]", unit_of_length(setup_));
  std::string head = fmt::format("lag [{1}],mean_square_displacement{0},mean_square_displacement_error{0}", square,
                                 unit_of_time(setup_));
  if (setup_.fluids.size() > 1)
    for (const FluidSetup& fluid : setup_.fluids) {
      const std::string column = "mean_square_displacement_" + fluid.name;
      head += "," + csv_field(column + square) + "," + csv_field(column + "_error" + square);
    }
  std::string text = head + "\n";
  for (const BlockedDisplacement::Row& row : displacement_->rows()) {
    text += fmt::format("{:.9g},{:.9g},{:.9g}", row.lag, row.msd.value, row.msd.error);
    if (setup_.fluids.size() > 1)
      for (const BlockMean& fluid : row.of_fluid) text += fmt::format(",{:.9g},{:.9g}", fluid.value, fluid.error);
    text += "\n";
  }
  return text;
}

StructureReport StructureOutput::report() const {
  StructureReport report;
  report.from = first_, report.to = newest_;
  report.changed = changed_, report.change = change_;
  if (distribution_) {
    report.radial_distribution = wishes_.radial_distribution.string();
    report.states = distribution_->states();
    report.blocks = distribution_->blocks();
  }
  if (displacement_) {
    report.displacements = wishes_.displacements.string();
    report.windows = displacement_->windows();
    report.lag = displacement_->lag(), report.fit_from = displacement_->fit_from();
    report.diffusion = displacement_->diffusion();
    if (setup_.fluids.size() > 1)
      for (std::size_t f = 0; f < setup_.fluids.size(); ++f)
        report.diffusion_of.push_back({setup_.fluids[f].name, displacement_->diffusion(f)});
    report.exponent = displacement_->exponent(), report.is_curved = displacement_->is_curved();
  }
  return report;
}

}  // namespace riffle
