#include "app/run/run_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/report/csv.h"
#include "core/text/output_files.h"
#include "sim/measure/pair_mixing.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle {

namespace {

struct Column {
  std::string name;  ///< with the unit
  double value;
};

/// Units in ASCII, which every program reads in a table's first line.
struct SeriesUnits {
  std::string length, time, speed, energy, momentum, pressure;
};

SeriesUnits series_units(const SimulationSetup& setup) {
  const SolverInfo& solver = solver_info(setup);
  const bool flat = setup.domain.dimension == 2;  // quantities of a layer, per metre of depth
  if (solver.si()) return {"m", "s", "m/s", flat ? "J/m" : "J", flat ? "kg/s" : "kg m/s", "Pa"};
  if (&units_of(setup) != &kReducedUnits)
    return {"length unit", "time unit", "reduced", "reduced", "reduced", "reduced"};
  return {"r_c", "tau", "r_c/tau", "kT", "m r_c/tau", flat ? "kT/r_c^2" : "kT/r_c^3"};
}

std::vector<Column> columns_of(Simulation& simulation, const StepReport& clock) {
  const Diagnostics d = simulation.diagnostics();
  const SimulationSetup& setup = simulation.setup();
  const SeriesUnits unit = series_units(setup);
  std::vector<Column> columns;
  const auto add = [&](const std::string& name, const std::string& of, double value) {
    columns.push_back({of.empty() ? name : fmt::format("{} [{}]", name, of), value});
  };
  add("time", unit.time, clock.time);
  add("step", "", double(clock.step));
  add("kinetic_energy", unit.energy, d.kinetic_energy);
  add("potential_energy", unit.energy, d.potential_energy);
  add("momentum_x", unit.momentum, d.momentum[0]);
  add("momentum_y", unit.momentum, d.momentum[1]);
  if (setup.domain.dimension == 3) add("momentum_z", unit.momentum, d.momentum[2]);
  add("max_speed", unit.speed, d.max_speed);
  if (d.thermal) {
    add("temperature", "kT", d.thermal->temperature);
    for (std::size_t f = 0; f < d.thermal->fluid_temperature.size(); ++f)
      add("temperature_" + setup.fluids[f].name, "kT", d.thermal->fluid_temperature[f]);
    add("pair_energy", unit.energy, d.thermal->pair_energy);
    add("pressure", unit.pressure, d.thermal->pressure);
    add("thermostat_pressure", unit.pressure, d.thermal->thermostat_pressure);
  } else {
    add("internal_energy", unit.energy, d.internal_energy);
    add("density_error_mean", "", d.density_error_mean);
    add("density_error_max", "", d.density_error_max);
  }
  if (simulation.setup().fluids.size() > 1) {
    const PairMixing pairs = pair_mixing(simulation);
    add("unlike_pairs", "", pairs.unlike);
    add("unlike_pairs_if_mixed", "", pairs.if_mixed);
  }
  if (const auto m = mixing_of(simulation)) {
    add("mode_amplitude", unit.length, m->a_cos);
    add("mode_sine", unit.length, m->a_sin);
    add("bubble_height", unit.length, m->bubble);
    add("spike_height", unit.length, m->spike);
    add("mixing_width", unit.length, m->width);
    add("centre_difference", unit.length, m->centre_difference);
  }
  return columns;
}

}  // namespace

std::optional<MixingMeasures> mixing_of(const Simulation& simulation) {
  const StartSetup& start = simulation.setup().start;
  if (!start.has_interface) return std::nullopt;
  const Domain& domain = simulation.setup().domain;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr MixingMeasures unknown{none, none, none, none, none, none};
  std::vector<float> height, across;
  for (const Vec4& x : simulation.particles().get<Vec4>("position").to_host()) {
    if (!is_finite(xyz(x))) return unknown;
    height.push_back(x.y), across.push_back(x.x);
  }
  const auto fluid = simulation.particles().get<std::uint32_t>("fluid").to_host();
  const auto has = [&](int which) {
    return std::find(fluid.begin(), fluid.end(), static_cast<std::uint32_t>(which)) != fluid.end();
  };
  if (!has(start.upper) || !has(start.lower)) return unknown;  // the bodies lie on one side of the interface
  MixingBox box;
  box.bottom = domain.min.y;
  box.top = domain.max.y;
  box.middle = start.height;
  box.left = domain.min.x;
  box.right = double{domain.min.x} + start.wavelength;
  box.heavy = static_cast<std::uint32_t>(start.upper);
  return measure_mixing(height, across, fluid, box);
}

RunSeries::RunSeries(const scenes::Scene& scene, double every, std::size_t most)
    : every_(every > 0 ? every : scene.run.frame_interval()), most_(most) {}

bool RunSeries::sample(Simulation& simulation) {
  // Steps are floats: a thousand of 0.02 s end slightly before 20 s.
  const auto reached = [](const StepReport& report) { return report.time + 1e-3 * report.dt; };
  if (reached(simulation.latest()) < double(next_) * every_) return false;
  constexpr double kMost = 1e18;  // the largest that a whole number holds
  // The state after all enqueued steps is measured.
  next_ = static_cast<std::uint64_t>(std::min(kMost, std::floor(reached(simulation.finish()) / every_))) + 1;
  add_row(simulation);
  return true;
}

void RunSeries::add_row(Simulation& simulation) {
  const std::vector<Column> columns = columns_of(simulation, simulation.finish());
  std::vector<double> row(names_.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Column& c : columns) {
    const auto at = std::find(names_.begin(), names_.end(), c.name);
    if (at == names_.end()) {
      names_.push_back(c.name);
      row.push_back(c.value);
    } else {
      row[static_cast<std::size_t>(at - names_.begin())] = c.value;
    }
  }
  rows_.push_back(std::move(row));
  if (rows_.size() <= most_) return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < rows_.size(); k += 2) std::swap(rows_[kept++], rows_[k]);
  rows_.resize(kept);
  every_ *= 2;
  next_ = next_ / 2 + 1;
}

void RunSeries::add_present(Simulation& simulation) {
  if (rows_.empty() || simulation.finish().time > rows_.back()[0]) add_row(simulation);
}

void RunSeries::cut_after(double time) {
  if (rows_.empty() || rows_.back()[0] <= time) return;
  while (!rows_.empty() && rows_.back()[0] > time) rows_.pop_back();
  next_ = static_cast<std::uint64_t>(std::max(0.0, std::floor(time / every_))) + 1;
}

std::string RunSeries::csv() const {
  std::string text;
  for (std::size_t c = 0; c < names_.size(); ++c) text += (c == 0 ? "" : ",") + csv_field(names_[c]);
  text += "\n";
  for (const std::vector<double>& row : rows_) {
    for (std::size_t c = 0; c < names_.size(); ++c)
      text += c < row.size() ? fmt::format("{}{:.9g}", c == 0 ? "" : ",", row[c]) : std::string(",nan");
    text += "\n";
  }
  return text;
}

void RunSeries::finish(Simulation& simulation, const std::filesystem::path& file) {
  add_present(simulation);
  write_text(file, csv());
}

}  // namespace riffle
