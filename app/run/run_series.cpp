#include "app/run/run_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/report/csv.h"
#include "core/text/output_files.h"

namespace riffle {

namespace {

struct Column {
  std::string name;
  double value;
};

std::vector<Column> columns_of(Simulation& simulation, const StepReport& clock) {
  const Diagnostics d = simulation.diagnostics();
  std::vector<Column> columns = {{"time", clock.time},
                                 {"step", double(clock.step)},
                                 {"kinetic_energy", d.kinetic_energy},
                                 {"potential_energy", d.potential_energy},
                                 {"momentum_x", d.momentum[0]},
                                 {"momentum_y", d.momentum[1]},
                                 {"momentum_z", d.momentum[2]},
                                 {"max_speed", d.max_speed}};
  if (d.thermal) {
    columns.push_back({"temperature", d.thermal->temperature});
    for (std::size_t f = 0; f < d.thermal->fluid_temperature.size(); ++f)
      columns.push_back({"temperature_" + simulation.setup().fluids[f].name, d.thermal->fluid_temperature[f]});
    columns.push_back({"pair_energy", d.thermal->pair_energy});
    columns.push_back({"pressure", d.thermal->pressure});
    columns.push_back({"thermostat_pressure", d.thermal->thermostat_pressure});
  } else {
    columns.push_back({"internal_energy", d.internal_energy});
    columns.push_back({"density_error_mean", d.density_error_mean});
    columns.push_back({"density_error_max", d.density_error_max});
  }
  if (const auto m = mixing_of(simulation)) {
    columns.push_back({"mode_amplitude", m->a_cos});
    columns.push_back({"mode_sine", m->a_sin});
    columns.push_back({"bubble_height", m->bubble});
    columns.push_back({"spike_height", m->spike});
    columns.push_back({"mixing_width", m->width});
    columns.push_back({"centre_difference", m->centre_difference});
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

RunSeries::RunSeries(const scenes::Scene& scene, double every)
    : every_(every > 0 ? every : scene.run.frame_interval()) {}

void RunSeries::sample(Simulation& simulation) {
  // Steps are floats: a thousand of 0.02 s end slightly before 20 s.
  const auto reached = [](const StepReport& report) { return report.time + 1e-3 * report.dt; };
  if (reached(simulation.latest()) < double(next_) * every_) return;
  constexpr double kMost = 1e18;  // the largest that a whole number holds
  // The state after all enqueued steps is measured.
  next_ = static_cast<std::uint64_t>(std::min(kMost, std::floor(reached(simulation.finish()) / every_))) + 1;
  add_row(simulation);
}

void RunSeries::add_row(Simulation& simulation) {
  const StepReport clock = simulation.finish();
  last_time_ = clock.time;
  const std::vector<Column> columns = columns_of(simulation, clock);
  if (rows_ == 0) {
    for (const Column& c : columns) text_ += fmt::format("{}{}", &c == &columns[0] ? "" : ",", csv_field(c.name));
    text_ += "\n";
  }
  for (const Column& c : columns) text_ += fmt::format("{}{:.9g}", &c == &columns[0] ? "" : ",", c.value);
  text_ += "\n";
  ++rows_;
}

void RunSeries::finish(Simulation& simulation, const std::filesystem::path& file) {
  if (!last_time_ || simulation.finish().time != *last_time_) add_row(simulation);
  write_text(file, text_);
}

}  // namespace riffle
