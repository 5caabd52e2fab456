#include "app/desktop/playback/diagnostics_record.h"
#include "app/report/measured_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/solver_info.h"

namespace riffle::desktop {

namespace {

using enum DiagnosticGroup;

const DiagnosticChannel kChannels[] = {
    {Energy, "kinetic", "kinetic_energy"},
    {Energy, "potential", "potential_energy"},
    {Energy, "of all pairs", "pair_energy"},
    {Energy, "internal", "internal_energy"},
    {Energy, "solids kinetic", "solids_kinetic_energy"},
    {Energy, "solids potential", "solids_potential_energy"},
    {Temperature, "all", "temperature"},
    {Temperature, "local", "local_temperature"},
    {Pressure, "virial", "pressure"},
    {Pressure, "with thermostat", "thermostat_pressure"},
    {Density, "mean", "density_error_mean"},
    {Density, "max", "density_error_max"},
    {Momentum, "x", "momentum_x"},
    {Momentum, "y", "momentum_y"},
    {Momentum, "z", "momentum_z"},
    {Mixing, "amplitude", "mode_amplitude"},
    {Mixing, "bubble", "bubble_height"},
    {Mixing, "spike", "spike_height"},
    {Mixing, "width", "mixing_width"},
    {Pairs, "now", "unlike_pairs"},
    {Pairs, "if mixed", "unlike_pairs_if_mixed"},
    {Domains, "size R", "domain_size"},
};
const DiagnosticChannel kTotal{Energy, "total", ""};

constexpr const char* kAxes[] = {"x", "y", "z"};

struct ProbeChannel {
  std::string_view kind;  ///< of ProbeColumn
  DiagnosticGroup group;
  const char* name;
};
constexpr ProbeChannel kProbeChannels[] = {
    {"pressure_PROBE", ProbePressure, "pressure"},
    {"velocity_x_PROBE", ProbeVelocity, "x"},
    {"velocity_y_PROBE", ProbeVelocity, "y"},
    {"velocity_z_PROBE", ProbeVelocity, "z"},
    {"speed_PROBE", ProbeVelocity, "speed"},
    {"density_PROBE", ProbeDensity, "density"},
    {"compression_PROBE", ProbeCompression, "compression"},
    {"level_PROBE", ProbeLevel, "level"},
    {"wetted_PROBE", ProbeLevel, "wetted"},
    {"flow_PROBE", ProbeFlow, "flow"},
};

/// Of the solver with the most: the table may have rows from before the solver was changed.
std::vector<ProbeColumn> columns_of_any_solver(std::span<const ProbeSetup> probes, SimulationSetup setup) {
  std::vector<ProbeColumn> most;
  for (const SolverInfo* solver : solvers()) {
    setup.solver = solver->kind;
    std::vector<ProbeColumn> columns = probe_columns(probes, setup);
    if (columns.size() > most.size()) most = std::move(columns);
  }
  return most;
}

/// The particles that lack what the column has, "particles of solver.type pbf"; "" if they have it.
std::string who_lacks(const ProbeColumn& column, const SimulationSetup& setup) {
  for (const Quantity quantity : probed_quantities()) {
    const QuantityInfo& info = quantity_info(quantity);
    if (column.kind == std::string(info.word) + "_" + std::string(kProbe)) return info.lacking(setup);
  }
  return "";
}

std::string text_of(Vec3 place) { return fmt::format("[{:g}, {:g}, {:g}]", place.x, place.y, place.z); }

std::string place_text(const ProbeSetup& probe) {
  switch (probe.kind) {
    case ProbeKind::Point: return text_of(probe.at);
    case ProbeKind::Line:
      return fmt::format("{} places from {} to {}", probe.points[0], text_of(probe.at), text_of(probe.to));
    case ProbeKind::Level: return fmt::format("level from {} to {}", text_of(probe.at), text_of(probe.to));
    case ProbeKind::Plane:
      return fmt::format("{} x {} places at {}, sides {} and {}", probe.points[0], probe.points[1], text_of(probe.at),
                         text_of(probe.side), text_of(probe.other_side));
    case ProbeKind::Flow:
      return fmt::format("flow at {}, sides {} and {}", text_of(probe.at), text_of(probe.side),
                         text_of(probe.other_side));
  }
  return "";
}

/// Whether both measure the same numbers, whatever they are called.
bool same_place(ProbeSetup a, const ProbeSetup& b) {
  a.name = b.name;
  a.quantities = b.quantities;
  return a == b;
}

/// Those of the table's columns that are plotted.
std::vector<DiagnosticChannel> channels_of(const RunSeries& table, const SimulationSetup& setup) {
  std::vector<DiagnosticChannel> channels;
  const auto add = [&](const DiagnosticChannel& channel) {
    if (table.column(channel.column)) channels.push_back(channel);
  };
  for (const DiagnosticChannel& channel : kChannels) {
    const bool energies_end = channel.group != Energy && !channels.empty() && channels.back().group == Energy;
    if (energies_end && channels.back() != kTotal) channels.push_back(kTotal);
    add(channel);
    if (channel.column != "temperature" || setup.fluids.size() < 2) continue;
    for (const FluidSetup& fluid : setup.fluids) add({Temperature, fluid.name, channel.column + "_" + fluid.name});
  }
  for (const std::string& solid : load_names(setup)) {
    for (const char* axis : kAxes) add({Force, axis, fmt::format("force_{}_{}", axis, solid), solid});
    for (const char* axis : kAxes) add({Torque, axis, fmt::format("torque_{}_{}", axis, solid), solid});
  }
  for (const ProbeColumn& column : columns_of_any_solver(table.probes(), setup))
    for (const ProbeChannel& row : kProbeChannels)
      if (row.kind == column.kind)
        add({row.group, row.name, probe_column_name(column), column.label, who_lacks(column, setup)});
  return channels;
}

/// The pair energy of the table is that of a particle; beside the others stands the sum over all.
std::vector<double> values_of(const std::vector<DiagnosticChannel>& channels, const RunSeries& table,
                              std::span<const double> row, int particles) {
  std::vector<double> values;
  double total = 0;
  for (const DiagnosticChannel& channel : channels) {
    if (channel == kTotal) {
      values.push_back(total);
      continue;
    }
    const std::size_t at = *table.column(channel.column);
    double value = at < row.size() ? row[at] : std::numeric_limits<double>::quiet_NaN();
    if (channel.column == "pair_energy") value *= particles;
    if (channel.group == Energy) total += value;
    values.push_back(value);
  }
  return values;
}

}  // namespace

void DiagnosticsRecord::follow(const RunSeries& table, const Simulation& simulation) {
  const std::vector<DiagnosticChannel> channels = channels_of(table, simulation.setup());
  for (std::size_t p = 0; p < table.probes().size(); ++p)
    probes_.try_emplace(probe_name(table.probes(), p), table.probes()[p]);
  const std::size_t rows = table.rows();
  const bool at_start = now_.history.end() <= 0 || rows == 0 || table.row_values(rows - 1)[0] <= 0;
  const bool goes_on = channels == now_.channels && now_.rows <= rows &&
                       (now_.rows == 0 || table.row_values(now_.rows - 1)[0] == now_.history.end());
  if (!goes_on) {
    now_.channels = channels;
    now_.history = SeriesHistory(channels.size());
    now_.rows = 0;
  }
  follow_theory(table, simulation, at_start);
  for (; now_.rows < rows; ++now_.rows) {
    const std::span<const double> row = table.row_values(now_.rows);
    now_.history.add(row[0], values_of(channels, table, row, simulation.particle_count()));
  }
  now_.sample_ms = 1e3 * table.last_seconds();
  publish(now_);
  shows_present_ = false;
}

void DiagnosticsRecord::show_present(const RunSeries& table, const std::vector<double>& row,
                                     const Simulation& simulation) {
  if (channels_of(table, simulation.setup()) != now_.channels) follow(table, simulation);
  DiagnosticsView with = now_;
  with.history.add(row[0], values_of(with.channels, table, row, simulation.particle_count()));
  ++with.rows;
  with.sample_ms = 1e3 * table.last_seconds();
  publish(std::move(with));
  shows_present_ = true;
}

void DiagnosticsRecord::publish(DiagnosticsView view) {
  view.marks.clear();
  for (const ParameterMark& mark : marks_)
    if (!mark.changes.empty() && !view.history.empty() && mark.until > view.history.buckets().front().begin)
      view.marks.push_back(mark);
  view_ = std::make_shared<const DiagnosticsView>(std::move(view));
}

void DiagnosticsRecord::mark(double time, const std::vector<KeyChange>& changes, bool goes_on) {
  go_on_from(time);
  ParameterMark* const last = marks_.empty() ? nullptr : &marks_.back();
  const auto in_last = [&](const KeyChange& change) {
    return std::ranges::find(last->changes, change.key, &KeyChange::key);
  };
  const bool same_movement = goes_on && last != nullptr && std::ranges::all_of(changes, [&](const KeyChange& change) {
                               return in_last(change) != last->changes.end();
                             });
  if (same_movement) {
    last->until = time;
    for (const KeyChange& change : changes) in_last(change)->to = change.to;  // the mark knows where it began
  } else if (last != nullptr && last->until == time) {
    last->changes = joined(std::move(last->changes), changes);  // nothing, if it was taken back
  } else if (!changes.empty()) {
    marks_.push_back({time, time, changes});
  }
}

bool DiagnosticsRecord::mark_probes(double time, std::span<const ProbeSetup> probes,
                                    const std::vector<KeyChange>& changes, bool goes_on) {
  std::vector<KeyChange> moved;
  for (const KeyChange& change : changes)
    if (change.key.starts_with("probes[") && !change.key.ends_with("].name")) moved.push_back(change);
  const bool named_by_key = !moved.empty();
  for (std::size_t p = 0; p < probes.size(); ++p) {
    const std::string name = probe_name(probes, p);
    const auto [known, is_new] = probes_.try_emplace(name, probes[p]);
    // Keys do not say it when entries were removed or added, or when a probe got the name of an earlier one.
    if (!is_new && !named_by_key && !same_place(known->second, probes[p]))
      moved.push_back({"place of " + name, place_text(known->second), place_text(probes[p])});
    known->second = probes[p];
  }
  if (!moved.empty()) mark(time, moved, goes_on);
  return !moved.empty();
}

std::vector<ParameterChange> DiagnosticsRecord::changes() const {
  std::vector<ParameterChange> all;
  for (const ParameterMark& mark : marks_)
    for (const KeyChange& change : mark.changes) all.push_back({mark.time, mark.until, change});
  return all;
}

void DiagnosticsRecord::go_on_with(std::vector<ParameterMark> marks) {
  marks_ = std::move(marks);
  changed_before_ = std::ranges::any_of(marks_, [](const ParameterMark& mark) {
    return std::ranges::any_of(mark.changes, [](const KeyChange& change) { return !is_of_search(change.key); });
  });
}

bool DiagnosticsRecord::go_on_from(double time) {
  if (marks_.empty() || marks_.back().until <= time) return false;
  ParameterMark here{time, time, {}};
  const auto later = std::ranges::find_if(marks_, [&](const ParameterMark& mark) { return mark.until > time; });
  for (auto mark = later; mark != marks_.end(); ++mark) here.changes = joined(std::move(here.changes), mark->changes);
  marks_.erase(later, marks_.end());
  if (!here.changes.empty()) marks_.push_back(std::move(here));
  return true;
}

/// The theory holds for a run that has the same parameters from time 0 on.
/// The curve begins at the wave that the particles have at time 0, which is not quite the one that was asked for.
/// @param at_start no step has been made with other parameters
void DiagnosticsRecord::follow_theory(const RunSeries& table, const Simulation& simulation, bool at_start) {
  GrowthTheory theory = growth_theory(simulation.setup(), simulation.particle_count());
  const std::optional<std::size_t> column = table.column("mode_amplitude");
  if (theory.applies() && column && table.rows() > 0 && table.row_values(0)[0] <= 0) {
    const double measured = table.row_values(0)[*column];
    if (measured > 0) {
      theory.basis +=
          fmt::format("; it begins at the amplitude {:.3g} that was measured at time 0, the scene asks for {:.3g}",
                      measured, theory.amplitude);
      theory.amplitude = measured;
    }
  }
  if (at_start) now_.theory = theory_at_start_ = theory;
  if (theory == theory_at_start_ && !changed_before_) return;
  now_.theory = {};
  now_.theory.why_none = "parameters were changed during the run";
}

}  // namespace riffle::desktop
