#include "app/desktop/playback/diagnostics_record.h"

#include <algorithm>
#include <chrono>

#include "app/run/run_series.h"
#include "core/timing/seconds_since.h"
#include "sim/measure/pair_mixing.h"

namespace riffle::desktop {

DiagnosticSample sample_diagnostics(Simulation& simulation) {
  const Diagnostics d = simulation.diagnostics();
  DiagnosticSample sample;
  const auto add = [&](DiagnosticGroup group, std::string name, double value) {
    sample.channels.push_back({group, std::move(name)});
    sample.values.push_back(value);
  };
  using enum DiagnosticGroup;
  add(Energy, "kinetic", d.kinetic_energy);
  add(Energy, "potential", d.potential_energy);
  double elastic = d.internal_energy;
  if (d.thermal) {
    elastic = d.thermal->pair_energy * simulation.particle_count();
    add(Energy, "of pairs", elastic);
  } else {
    add(Energy, "internal", elastic);
  }
  add(Energy, "total", d.kinetic_energy + d.potential_energy + elastic);
  if (d.thermal) {
    const auto& fluids = simulation.setup().fluids;
    add(Temperature, "all", d.thermal->temperature);
    if (fluids.size() > 1)
      for (std::size_t f = 0; f < d.thermal->fluid_temperature.size() && f < fluids.size(); ++f)
        add(Temperature, fluids[f].name, d.thermal->fluid_temperature[f]);
  } else {
    add(Density, "mean", d.density_error_mean);
    add(Density, "max", d.density_error_max);
  }
  add(Momentum, "x", d.momentum[0]);
  add(Momentum, "y", d.momentum[1]);
  if (simulation.setup().domain.dimension == 3) add(Momentum, "z", d.momentum[2]);
  if (const auto m = mixing_of(simulation)) {
    add(Mixing, "amplitude", m->a_cos);
    add(Mixing, "bubble", m->bubble);
    add(Mixing, "spike", m->spike);
    add(Mixing, "width", m->width);
  }
  if (simulation.setup().fluids.size() > 1) {
    const PairMixing pairs = pair_mixing(simulation);
    add(Pairs, "now", pairs.unlike);
    add(Pairs, "if mixed", pairs.if_mixed);
  }
  return sample;
}

bool DiagnosticsRecord::due(double time, double wall, bool stepping) const {
  if (now_.history.empty()) return true;
  return stepping && time != now_.history.end() && wall >= next_;
}

void DiagnosticsRecord::sample(Simulation& simulation, double wall) {
  const auto begin = std::chrono::steady_clock::now();
  const double time = simulation.finish().time;
  const DiagnosticSample sample = sample_diagnostics(simulation);
  if (sample.channels != now_.channels) {  // another solver
    now_.channels = sample.channels;
    now_.history = SeriesHistory(sample.channels.size());
  }
  now_.history.cut_after(time);
  follow_theory(simulation);
  now_.history.add(time, sample.values);
  const double took = seconds_since(begin);
  now_.sample_ms = 1e3 * took;
  next_ = wall + took + std::max(kLeastInterval, took / kMostShare);
  view_ = std::make_shared<const DiagnosticsView>(now_);
}

/// The theory holds for a run that has the same parameters from time 0 on.
void DiagnosticsRecord::follow_theory(const Simulation& simulation) {
  const GrowthTheory theory = growth_theory(simulation.setup(), simulation.particle_count());
  if (now_.history.end() <= 0) now_.theory = theory_at_start_ = theory;  // no step has been made with other parameters
  if (theory == theory_at_start_) return;
  now_.theory = {};
  now_.theory.why_none = "parameters were changed during the run";
}

}  // namespace riffle::desktop
