#include "app/run/run_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>

#include "app/report/csv.h"
#include "app/report/measured_loads.h"
#include "app/report/series_columns.h"
#include "app/run/local_temperature.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/timing/processor_seconds.h"
#include "core/timing/seconds_since.h"
#include "sim/measure/domain_size.h"
#include "sim/measure/pair_mixing.h"
#include "sim/openings/nozzle.h"

namespace riffle {

namespace {

// In the names of columns; INLET and DRAIN are as long.
constexpr std::string_view kFluid = "FLUID", kSolid = "SOLID";

struct Column {
  std::string name, unit;
  double value;
  bool is_mean = false;  ///< since the row before
};

/// Mean of the load since the one before; nan if no time has passed.
struct MeanLoad {
  double force[3], torque[3];
  MeanLoad(const SolidLoad& now, const SolidLoad& before) {
    const double time = now.time - before.time;
    for (int k = 0; k < 3; ++k) {
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      force[k] = time > 0 ? (now.impulse[k] - before.impulse[k]) / time : none;
      torque[k] = time > 0 ? (now.angular_impulse[k] - before.angular_impulse[k]) / time : none;
    }
  }
};

/// Before the first step no particle has a density: what follows from it is then that of the first step. nan: memory for
/// a copy of the simulation is short.
struct Densities {
  double internal_energy, error_mean, error_max;

  Densities(const Simulation& simulation, const Diagnostics& now) : Densities(now) {
    try {
      QuantityValues values;
      if (Simulation* const first = values.first_step(simulation)) *this = Densities(first->diagnostics());
    } catch (const Unavailable& lack) {
      log::warn("the row at {:g} has no internal_energy and no density errors: {}", simulation.latest().time,
                lack.what());
      internal_energy = error_mean = error_max = std::numeric_limits<double>::quiet_NaN();
    }
  }

 private:
  explicit Densities(const Diagnostics& d)
      : internal_energy(d.internal_energy), error_mean(d.density_error_mean), error_max(d.density_error_max) {}
};

/// Whether steps compute what the probe's column has.
bool is_of_last_step(const ProbeColumn& column) {
  return std::ranges::any_of(probed_quantities(), [&](Quantity quantity) {
    const QuantityInfo& info = quantity_info(quantity);
    return info.of_last_step && column.kind == std::string(info.word) + "_" + std::string(kProbe);
  });
}

/// [degrees] by which a body has turned; in 2-D with a sign.
double tilt_of(const BodyState& body, int dimension) {
  const double(&q)[4] = body.turn;
  const double axis = dimension == 2 ? q[3] : std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double angle = 2 * std::atan2(q[0] < 0 ? -axis : axis, std::fabs(q[0]));
  return (dimension == 2 ? angle : std::fabs(angle)) * 180 / std::numbers::pi;
}

/// before: the measured loads in the row before; those of another measurement do not count
std::vector<Column> columns_of(Simulation& simulation, const StepReport& clock, const Diagnostics& d,
                               const std::vector<SolidLoad>& before, QuantityValues& quantities) {
  const SimulationSetup& setup = simulation.setup();
  std::vector<Column> columns;
  // Of a column per fluid, `fluid` is its name.
  const auto add = [&](std::string_view column, double value, const std::string& fluid = "") {
    const std::string unit = unit_text(series_column(column).unit, setup);
    static_assert(kFluid.size() == kSolid.size());
    std::string name(column.substr(0, column.size() - (fluid.empty() ? 0 : kFluid.size())));
    name += fluid;
    const bool is_load = column.starts_with("force_") || column.starts_with("torque_");
    columns.push_back({std::move(name), unit, value, is_load});
  };
  add("time", clock.time);
  add("step", double(clock.step));
  add("kinetic_energy", d.kinetic_energy);
  add("potential_energy", d.potential_energy);
  if (!d.bodies.empty()) {
    add("solids_kinetic_energy", d.bodies_energy.kinetic);
    add("solids_potential_energy", d.bodies_energy.potential);
  }
  add("momentum_x", d.momentum[0]);
  add("momentum_y", d.momentum[1]);
  if (setup.domain.dimension == 3) add("momentum_z", d.momentum[2]);
  add("max_speed", d.max_speed);
  if (d.thermal) {
    add("temperature", d.thermal->temperature);
    add("local_temperature", mean_local_temperature(simulation, quantities));
    for (std::size_t f = 0; f < d.thermal->fluid_temperature.size(); ++f)
      add("temperature_FLUID", d.thermal->fluid_temperature[f], setup.fluids[f].name);
    add("pair_energy", d.thermal->pair_energy);
    add("pressure", d.thermal->pressure);
    add("thermostat_pressure", d.thermal->thermostat_pressure);
  } else {
    const Densities densities(simulation, d);
    add("internal_energy", densities.internal_energy);
    add("density_error_mean", densities.error_mean);
    add("density_error_max", densities.error_max);
  }
  if (simulation.setup().fluids.size() > 1) {
    const PairMixing pairs = pair_mixing(simulation);
    add("unlike_pairs", pairs.unlike);
    add("unlike_pairs_if_mixed", pairs.if_mixed);
    if (has_domain_size(setup)) add("domain_size", pairs.domain_size);
  }
  if (const auto m = mixing_of(simulation)) {
    add("mode_amplitude", m->a_cos);
    add("mode_sine", m->a_sin);
    add("bubble_height", m->bubble);
    add("spike_height", m->spike);
    add("mixing_width", m->width);
    add("centre_difference", m->centre_difference);
  }
  const std::vector<SolidLoad> loads = measured_loads(setup, d);
  const std::vector<std::string> names = load_names(setup);
  for (std::size_t s = 0; s < loads.size(); ++s) {
    const bool goes_on = s < before.size() && before[s].measurement == loads[s].measurement;
    const MeanLoad load(loads[s], goes_on ? before[s] : SolidLoad{});
    const std::string& name = names[s];
    add("force_x_SOLID", load.force[0], name);
    add("force_y_SOLID", load.force[1], name);
    if (setup.domain.dimension == 3) {
      add("force_z_SOLID", load.force[2], name);
      add("torque_x_SOLID", load.torque[0], name);
      add("torque_y_SOLID", load.torque[1], name);
    }
    add("torque_z_SOLID", load.torque[2], name);
  }
  const bool solid = setup.domain.dimension == 3;
  for (std::size_t s = 0; s < d.bodies.size(); ++s) {
    if (!setup.solid_regions[s].free.given) continue;
    const BodyState& body = d.bodies[s];
    const std::string name = solid_name(setup, s);
    add("x_SOLID", body.center[0], name);
    add("y_SOLID", body.center[1], name);
    if (solid) add("z_SOLID", body.center[2], name);
    add("v_x_SOLID", body.velocity[0], name);
    add("v_y_SOLID", body.velocity[1], name);
    if (solid) {
      add("v_z_SOLID", body.velocity[2], name);
      add("spin_x_SOLID", body.spin[0], name);
      add("spin_y_SOLID", body.spin[1], name);
    }
    add("spin_z_SOLID", body.spin[2], name);
    add("tilt_SOLID", tilt_of(body, setup.domain.dimension), name);
  }
  for (std::size_t k = 0; k < d.openings.inlets.size(); ++k)
    add("entered_INLET", d.openings.inlets[k].volume, inlet_name(setup, k));
  for (std::size_t k = 0; k < d.openings.outlets.size(); ++k)
    add("left_DRAIN", d.openings.outlets[k].volume, outlet_name(setup, k));
  if (!setup.inlets.empty() || !setup.outlets.empty()) add("particles", simulation.particle_count());
  return columns;
}

}  // namespace

std::string RunSeries::Name::with_unit() const { return unit.empty() ? name : fmt::format("{} [{}]", name, unit); }

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
    : every_(every > 0 ? every : scene.run.frame_interval()), most_(most), probes_(scene.probes) {}

bool RunSeries::set_probes(std::span<const ProbeSetup> probes, Simulation& simulation) {
  if (std::ranges::equal(probes_, probes)) return false;
  if (is_before_first_step(simulation)) forget_probe_columns(simulation.setup());
  probes_.assign(probes.begin(), probes.end());
  meter_.reset();
  if (!rows_.empty() && rows_.back()[0] == simulation.finish().time) measure_probes(simulation, rows_.back());
  return true;
}

bool RunSeries::is_before_first_step(Simulation& simulation) const {
  const StepReport now = simulation.finish();
  return now.step == 0 && rows_.size() == 1 && rows_[0][0] == now.time;
}

void RunSeries::forget_probe_columns(const SimulationSetup& setup) {
  for (const ProbeColumn& probe : probe_columns(probes_, setup)) {
    const auto place = column(probe_column_name(probe));
    if (!place) continue;
    const auto at = static_cast<std::ptrdiff_t>(*place);
    names_.erase(names_.begin() + at);
    if (*place < rows_[0].size()) rows_[0].erase(rows_[0].begin() + at);
  }
}

void RunSeries::measure_probes(Simulation& simulation, std::vector<double>& row) {
  if (probes_.empty()) return;
  if (!meter_ || !meter_->suits(simulation)) meter_ = std::make_shared<ProbeMeter>(simulation, probes_);
  ProbeSample sample = meter_->measure(simulation);
  add_first_step(simulation, sample.values);
  for (std::size_t k = 0; k < sample.values.size(); ++k) {
    const ProbeColumn& column = meter_->columns()[k];
    store(probe_column_name(column), unit_text(series_column(column.kind).unit, simulation.setup()), false,
          sample.values[k], row);
  }
}

/// What a step leaves behind is that of the first one, where none was made yet.
void RunSeries::add_first_step(const Simulation& simulation, std::vector<double>& values) {
  std::vector<std::size_t> lacking;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (std::isnan(values[k]) && is_of_last_step(meter_->columns()[k])) lacking.push_back(k);
  if (lacking.empty()) return;
  try {
    Simulation* const first = quantities_->first_step(simulation);
    if (!first || !meter_->suits(*first)) return;
    const ProbeSample then = meter_->measure(*first);
    for (const std::size_t k : lacking) values[k] = then.values[k];
  } catch (const Unavailable& lack) {
    log::warn("the row at {:g} lacks what probes measure of the first step: {}", simulation.latest().time, lack.what());
  }
}

void RunSeries::store(const std::string& name, const std::string& unit, bool is_mean, double value,
                      std::vector<double>& row) {
  auto at = std::ranges::find(names_, name, &Name::name);
  if (at == names_.end()) {
    names_.push_back({name, unit, is_mean});
    at = names_.end() - 1;
  } else if (at->unit != unit) {
    at->unit = "reduced";  // its rows belong to simulations with different units
  }
  const auto place = static_cast<std::size_t>(at - names_.begin());
  if (row.size() <= place) row.resize(place + 1, std::numeric_limits<double>::quiet_NaN());
  row[place] = value;
}

bool RunSeries::sample(Simulation& simulation, std::uint64_t intervals) {
  // Adaptive steps may end slightly before the time that they are shortened for.
  const auto reached = [](const StepReport& report) { return report.time + 1e-3 * report.dt; };
  const std::uint64_t next = multiples_.empty() ? 0 : (multiples_.back() / intervals + 1) * intervals;
  if (reached(simulation.latest()) < double(next) * every_) return false;
  // The state after all enqueued steps is measured.
  add_row(simulation, multiple_before(reached(simulation.finish())), intervals);
  return true;
}

std::vector<double> RunSeries::measure(Simulation& simulation) {
  const StepReport clock = simulation.finish();
  const auto begin = std::chrono::steady_clock::now();
  const double worked = processor_seconds();
  const Diagnostics diagnostics = simulation.diagnostics();
  mass_ = diagnostics.mass;
  std::vector<double> row(names_.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Column& c : columns_of(simulation, clock, diagnostics, before_, *quantities_))
    store(c.name, c.unit, c.is_mean, c.value, row);
  measure_probes(simulation, row);
  measured_ = measured_loads(simulation.setup(), diagnostics);
  last_seconds_ = seconds_since(begin);
  last_cost_ = simulation.device().is_cuda() ? last_seconds_ : std::min(last_seconds_, processor_seconds() - worked);
  seconds_ += last_seconds_;
  return row;
}

void RunSeries::add_row(Simulation& simulation, std::uint64_t multiple, std::uint64_t intervals) {
  rows_.push_back(measure(simulation));
  multiples_.push_back(multiple);
  strides_.push_back(intervals);
  earlier_ = std::exchange(before_, measured_);
  if (rows_.size() > most_) drop_every_second_row();
}

void RunSeries::drop_every_second_row() {
  for (std::size_t k = 2; k < rows_.size(); k += 2) {
    const std::vector<double>&first = rows_[k - 2], &dropped = rows_[k - 1];
    std::vector<double>& row = rows_[k];
    const double time = dropped[0] - first[0], rest = row[0] - dropped[0];
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!names_[c].is_mean) continue;
      const double mean = c < dropped.size() ? dropped[c] : std::numeric_limits<double>::quiet_NaN();
      row[c] = (time * mean + rest * row[c]) / (time + rest);
    }
  }
  if (rows_.size() % 2 == 0) before_ = earlier_;  // the last one is dropped
  std::size_t kept = 0;
  for (std::size_t k = 0; k < rows_.size(); k += 2) {
    multiples_[kept] = multiples_[k] / 2;
    strides_[kept] = strides_[k];  // twice as long, and so is every_
    std::swap(rows_[kept++], rows_[k]);
  }
  rows_.resize(kept);
  multiples_.resize(kept);
  strides_.resize(kept);
  every_ *= 2;
}

void RunSeries::add_present(Simulation& simulation) {
  const double time = simulation.finish().time;
  if (!rows_.empty() && time <= rows_.back()[0]) return;
  add_row(simulation, std::max(rows_.empty() ? 0 : multiples_.back(), multiple_before(time)), 1);
}

bool RunSeries::measure_last_again(Simulation& simulation) {
  if (rows_.empty() || rows_.back()[0] != simulation.finish().time) return false;
  std::vector<double>& last = rows_.back();
  if (is_before_first_step(simulation)) {
    names_.clear();
    last = measure(simulation);
    return true;
  }
  std::vector<double> row = measure(simulation);
  for (std::size_t c = 0; c < std::min(row.size(), last.size()); ++c)
    if (names_[c].is_mean) row[c] = last[c];
  last = std::move(row);
  return true;
}

bool RunSeries::cut_after(double time) {
  if (rows_.empty() || rows_.back()[0] <= time) return false;
  while (!rows_.empty() && rows_.back()[0] > time) rows_.pop_back();
  multiples_.resize(rows_.size());
  strides_.resize(rows_.size());
  // Without rows just before that time the next one is due at the next multiple nevertheless.
  if (!rows_.empty()) multiples_.back() = std::max(multiples_.back(), multiple_before(time));
  before_.clear();  // forces are measured from the beginning again
  earlier_.clear();
  return true;
}

SavedRows RunSeries::saved(double time) const {
  RunSeries some = *this;
  some.cut_after(time);
  while (some.rows() > 1 && some.rows() * SavedRows::row_bytes(names_.size()) > SavedRows::kMostBytes)
    some.drop_every_second_row();
  SavedRows saved;
  if (some.rows() == 0) return saved;
  saved.every = some.every_;
  for (const Name& name : some.names_) saved.columns.push_back({name.name, name.unit, name.is_mean});
  for (std::size_t k = 0; k < some.rows(); ++k)
    for (std::size_t c = 0; c < names_.size(); ++c) saved.values.push_back(some.value_at(k, c));
  saved.multiples = std::move(some.multiples_);
  saved.strides = std::move(some.strides_);
  return saved;
}

void RunSeries::go_on_from(const SavedRows& rows) {
  every_ = rows.every;
  names_.clear();
  for (const SavedRows::Column& column : rows.columns) names_.push_back({column.name, column.unit, column.is_mean});
  multiples_ = rows.multiples;
  strides_ = rows.strides;
  rows_.clear();
  for (auto first = rows.values.begin(); first != rows.values.end();
       first += static_cast<std::ptrdiff_t>(names_.size()))
    rows_.emplace_back(first, first + static_cast<std::ptrdiff_t>(names_.size()));
  while (rows_.size() > most_) drop_every_second_row();
}

std::uint64_t RunSeries::multiple_before(double time) const {
  constexpr double kMost = 1e18;  // the largest that a whole number holds
  return static_cast<std::uint64_t>(std::clamp(std::floor(time / every_), 0.0, kMost));
}

std::optional<std::size_t> RunSeries::column(std::string_view name) const {
  const auto at = std::ranges::find(names_, name, &Name::name);
  return at == names_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - names_.begin()));
}

std::string RunSeries::header() const {
  std::string text;
  for (std::size_t c = 0; c < names_.size(); ++c) text += (c == 0 ? "" : ",") + csv_field(names_[c].with_unit());
  return text + "\n";
}

std::string RunSeries::row(std::size_t k) const {
  const std::vector<double>& numbers = rows_[k];
  std::string text;
  for (std::size_t c = 0; c < names_.size(); ++c)
    text += c < numbers.size() ? fmt::format("{}{:.9g}", c == 0 ? "" : ",", numbers[c]) : std::string(",nan");
  return text + "\n";
}

/// As if the largest stride in the span had been in force in all of it.
std::vector<std::size_t> RunSeries::even_rows(double first, double last, std::size_t& left_out) const {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (rows_[k][0] >= first && rows_[k][0] <= last) all.push_back(k);
  std::uint64_t stride = 1;  // that of the first row lies before the span
  for (std::size_t i = 1; i < all.size(); ++i) stride = std::max(stride, strides_[all[i]]);
  std::vector<std::size_t> even;
  std::uint64_t next = all.empty() ? 0 : (multiples_[all[0]] + stride - 1) / stride * stride;
  for (const std::size_t k : all) {
    if (stride > 1 && multiples_[k] < next) continue;
    even.push_back(k);
    next = (multiples_[k] / stride + 1) * stride;
  }
  left_out = all.size() - even.size();
  return even;
}

double RunSeries::value_at(std::size_t k, std::size_t column) const {
  return column < rows_[k].size() ? rows_[k][column] : std::numeric_limits<double>::quiet_NaN();
}

double RunSeries::value_since(std::size_t before, std::size_t k, std::size_t column) const {
  if (!names_[column].is_mean || before + 1 == k) return value_at(k, column);
  double sum = 0, time = 0;
  for (std::size_t row = before + 1; row <= k; ++row) {
    const double interval = rows_[row][0] - rows_[row - 1][0];
    sum += interval * value_at(row, column), time += interval;
  }
  return sum / time;
}

/// A momentum that forces of pairs keep is the rounding of sums: small against that of all particles in one direction.
void RunSeries::mark_rounding(SeriesMeans& means, const std::map<std::string, double>& largest) const {
  constexpr double kRounding = 1e-6;
  const auto kinetic = std::ranges::find(means.columns, "kinetic_energy", &SeriesMeans::Column::name);
  if (kinetic == means.columns.end()) return;
  const double all = std::sqrt(2 * kinetic->mean.value * mass_);
  for (SeriesMeans::Column& column : means.columns) {
    const auto at = largest.find(column.name);
    if (at == largest.end() || !(at->second > 0) || !(at->second < kRounding * all)) continue;
    column.only_rounding = true;
    column.mean.drift.reset();
    column.mean.error = column.mean.error_uncertainty = CorrelatedMean::kNone;
  }
}

SeriesMeans RunSeries::means(double from, double to) const {
  SeriesMeans means;
  means.from = from;
  // A row may lie slightly beside the time that it is due.
  const auto rows = even_rows(from - 1e-3 * every_, to + 1e-3 * every_, means.left_out);
  means.rows = rows.size();
  if (!rows.empty()) means.first = rows_[rows.front()][0], means.last = rows_[rows.back()][0];
  std::map<std::string, double> largest_momentum;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (names_[c].name == "time" || names_[c].name == "step") continue;
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double value = i == 0 ? value_at(rows[0], c) : value_since(rows[i - 1], rows[i], c);
      if (!std::isnan(value)) values.push_back(value);
    }
    means.columns.push_back({names_[c].name, names_[c].unit, correlated_mean(values), values.size()});
    const bool is_momentum = names_[c].name.starts_with("momentum_");
    for (const double value : values)
      if (is_momentum) {
        double& largest = largest_momentum[names_[c].name];
        largest = std::max(largest, std::fabs(value));
      }
  }
  mark_rounding(means, largest_momentum);
  return means;
}

std::string RunSeries::csv() const {
  std::string text = header();
  for (std::size_t k = 0; k < rows_.size(); ++k) text += row(k);
  return text;
}

void SeriesFile::follow(const RunSeries& series) {
  const std::string header = series.header();
  const bool begins = header != header_;
  std::string rows;
  for (std::size_t k = begins ? 0 : rows_; k < series.rows(); ++k) rows += series.row(k);
  begins ? table_.begin(header, rows) : table_.append(rows);
  header_ = header;
  rows_ = series.rows();
}

void SeriesFile::take_back_last() {
  if (rows_ == 0) return;
  table_.cut_last();
  --rows_;
}

}  // namespace riffle
