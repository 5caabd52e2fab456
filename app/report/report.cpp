#include "app/report/report.h"

#include <fmt/format.h>

#include <cmath>

#include "app/report/stage_table.h"
#include "app/report/thermal_text.h"
#include "app/terminal/progress.h"
#include "core/text/number_text.h"
#include "core/timing/stages.h"
#include "neighbors/search_figures.h"
#include "scenes/scene_events.h"
#include "sim/bodies/free_bodies.h"

namespace riffle {

namespace {

double iterations_per_step(const RunReport& r, const SolveReport& solve) {
  return static_cast<double>(solve.all_iterations) / static_cast<double>(std::max<std::uint64_t>(r.clock.step, 1));
}

using Json = nlohmann::ordered_json;

/// Sum of the means of the stages that count as `part` [ms].
double mean_of(const std::vector<StageStats>& stages, StagePart part) {
  double sum = 0;
  for (const auto& stage : stages)
    if (const StageInfo* info = find_stage(stage.name); info && info->part == part) sum += stage.mean_ms;
  return sum;
}

}  // namespace

double shortest(float value) { return std::stod(fmt::format("{}", value)); }

Json to_json(const TuningReport& t) {
  Json candidates = Json::array();
  for (const TuningCandidate& c : t.candidates) {
    Json candidate{{"method", to_string(c.search.method)}, {"skin", shortest(c.search.skin)}};
    if (c.skipped.empty())
      candidate["step_ms"] = c.step_ms;
    else
      candidate["skipped"] = c.skipped;
    candidates.push_back(candidate);
  }
  return Json{{"chosen", to_string(t.chosen.method)},
              {"skin", shortest(t.chosen.skin)},
              {"reason", t.reason},
              {"candidates", candidates},
              {"measured_at_step", t.measured_at_step},
              {"times_measured", t.times_measured},
              {"cost_ms", t.cost_ms}};
}

double RunReport::stepping_seconds() const {
  return wall_seconds - recording_seconds - diagnostics_seconds - file_seconds;
}

double RunReport::steps_per_second() const {
  return stepping_seconds() > 0 ? static_cast<double>(steps_done()) / stepping_seconds() : 0;
}

double RunReport::real_time_factor() const { return stepping_seconds() > 0 ? time_done() / stepping_seconds() : 0; }

namespace {

Json to_json(const ListStats& lists) {
  return {{"kind", std::string(name_of(lists.kind))}, {"width", lists.width},         {"longest", lists.longest},
          {"overflowing", lists.overflowing},         {"searching", lists.searching}, {"builds", lists.builds}};
}

/// null before the first build
Json to_json(const std::vector<SearchFigure>& figures) {
  Json json;
  for (const SearchFigure& figure : figures)
    if (figure.value == std::floor(figure.value))
      json[figure.key()] = static_cast<std::int64_t>(figure.value);
    else
      json[figure.key()] = figure.value;
  return json;
}

}  // namespace

Json to_json(const NeighborReport& neighbors, const std::optional<TuningReport>& tuning, int particles) {
  return {{"method", neighbors.method},
          {"structure", neighbors.structure.empty() ? Json(nullptr) : Json(neighbors.structure)},
          {"skin", shortest(neighbors.skin)},
          {"auto", tuning ? to_json(*tuning) : Json(nullptr)},
          {"mean", neighbors.mean},
          {"min", neighbors.min},
          {"max", neighbors.max},
          {"walls", neighbors.walls},
          {"lists", to_json(neighbors.lists)},
          {"search", to_json(figures_of(neighbors.search, neighbors.lists, particles))}};
}

Json gpips_json(const NeighborReport& neighbors, double rate) {
  return {{"fluid", neighbors.fluid_gpips(rate)}, {"with_walls", neighbors.all_gpips(rate)}};
}

namespace {

Json to_json(const std::optional<ContactReport>& contact) {
  if (!contact) return nullptr;
  return Json{{"alone", contact->alone},
              {"apart", contact->apart},
              {"groups", contact->groups},
              {"most_neighbors", contact->most_neighbors}};
}

/// Means over the time that was measured.
Json loads_json(const std::vector<SolidLoad>& loads, const std::vector<std::string>& names) {
  Json solids = Json::object();
  for (std::size_t s = 0; s < loads.size(); ++s) {
    const SolidLoad& load = loads[s];
    const auto mean = [&](const double(&sum)[3]) {
      return Json{sum[0] / load.time, sum[1] / load.time, sum[2] / load.time};  // before a step NaN, which becomes null
    };
    solids[names[s]] = {{"time", load.time},
                        {"force", mean(load.impulse)},
                        {"torque", mean(load.angular_impulse)},
                        {"last_force", load.force},
                        {"last_torque", load.torque}};
  }
  return solids;
}

}  // namespace

Json to_json(const RunReport& r) {
  Json stages = Json::object();
  for (const auto& s : r.stages)
    stages[s.name] = {{"count", s.count}, {"mean_ms", s.mean_ms}, {"median_ms", s.median_ms}, {"p95_ms", s.p95_ms}};
  const Diagnostics& d = r.diagnostics;
  Json diagnostics{{"kinetic_energy", d.kinetic_energy},
                   {"potential_energy", d.potential_energy},
                   {"momentum", {d.momentum[0], d.momentum[1], d.momentum[2]}},
                   {"mass", d.mass},
                   {"max_speed", d.max_speed},
                   {"max_acceleration", d.max_acceleration},
                   {"non_finite", d.non_finite},
                   {"outside", d.outside},
                   {"contained", r.clock.contained},
                   {"state_hash", fmt::format("{:016x}", d.state_hash)}};
  if (!d.bodies.empty()) {
    diagnostics["solids_kinetic_energy"] = d.bodies_energy.kinetic;
    diagnostics["solids_potential_energy"] = d.bodies_energy.potential;
  }
  if (d.contact.contact_steps > 0)
    diagnostics["body_contact"] = {{"steps", d.contact.contact_steps},
                                   {"interval", d.contact.interval},
                                   {"touching", d.contact.touching},
                                   {"long_ways", d.contact.long_ways}};
  if (!d.thermal) {
    const bool known = r.clock.step > 0;  // a step finds the densities
    diagnostics["internal_energy"] = known ? Json(d.internal_energy) : Json(nullptr);
    diagnostics["density_error_mean"] = known ? Json(d.density_error_mean) : Json(nullptr);
    diagnostics["density_error_max"] = known ? Json(d.density_error_max) : Json(nullptr);
  } else {
    const ThermalDiagnostics& t = *d.thermal;
    diagnostics["temperature"] = t.temperature;
    diagnostics["local_temperature"] = r.local_temperature;
    diagnostics["half_step_temperature"] = t.half_step_temperature;
    diagnostics["fluid_temperature"] = t.fluid_temperature;  // NaN becomes null
    diagnostics["pair_energy"] = t.pair_energy;
    diagnostics["pressure"] = t.pressure;
    diagnostics["thermostat_pressure"] = t.thermostat_pressure;
  }
  if (r.pairs) {
    diagnostics["unlike_pairs"] = r.pairs->unlike;  // NaN becomes null
    diagnostics["unlike_pairs_if_mixed"] = r.pairs->if_mixed;
    if (r.parting) diagnostics["domain_size"] = r.pairs->domain_size;
  }
  if (r.mixing)
    diagnostics["mixing"] = {{"mode_amplitude", r.mixing->a_cos}, {"mode_sine", r.mixing->a_sin},
                             {"bubble_height", r.mixing->bubble}, {"spike_height", r.mixing->spike},
                             {"width", r.mixing->width},          {"centre_difference", r.mixing->centre_difference}};
  if (d.compression) {
    const auto stats = [](const CompressionStats& s) {
      return Json{{"particles", s.particles},
                  {"mean", s.mean},
                  {"p99", s.p99},
                  {"max", s.max},
                  {"mean_absolute", s.mean_absolute}};
    };
    diagnostics["compression"] = {{"interior", stats(d.compression->interior)}, {"all", stats(d.compression->all)}};
  }
  if (d.pbf) {
    diagnostics["residual"] = d.pbf->residual;
    diagnostics["cut_corrections"] = d.pbf->cut_corrections;
  }
  if (d.solves) {
    const auto solve = [&](const SolveReport& s) {
      return Json{{"iterations", s.iterations},
                  {"mean_iterations", iterations_per_step(r, s)},
                  {"mean_error", s.mean_error},
                  {"largest_error", s.largest_error}};
    };
    diagnostics["density_solve"] = solve(d.solves->density);
    diagnostics["divergence_solve"] = solve(d.solves->divergence);
    diagnostics["unconverged"] = d.solves->unconverged;
  }
  if (d.viscous_solve)
    diagnostics["viscous_solve"] = {{"iterations", d.viscous_solve->iterations},
                                    {"mean_iterations", iterations_per_step(r, *d.viscous_solve)},
                                    {"error", d.viscous_solve->mean_error},
                                    {"unconverged", d.viscous_unconverged}};
  if (!r.loads.empty()) diagnostics["solids"] = loads_json(r.loads, r.load_names);
  for (std::size_t k = 0; k < d.openings.inlets.size(); ++k) {
    const InletReport& inlet = d.openings.inlets[k];
    diagnostics["inlets"].push_back(
        {{"name", r.inlet_names[k]},
         {"particles", inlet.particles},
         {"volume", inlet.volume},
         {"paused_steps", inlet.paused_steps},
         {"why_paused", inlet.why_paused.empty() ? Json(nullptr) : Json(inlet.why_paused)}});
  }
  for (std::size_t k = 0; k < d.openings.outlets.size(); ++k)
    diagnostics["outlets"].push_back({{"name", r.outlet_names[k]},
                                      {"particles", d.openings.outlets[k].particles},
                                      {"volume", d.openings.outlets[k].volume}});
  Json pace = nullptr;
  if (r.pace)
    pace = {{"eased", r.pace->share}, {"eased_at_most", r.pace->largest_share}, {"settings", r.pace->settings}};
  Json neighbors = to_json(r.neighbors, r.tuning, r.particles);
  neighbors["build_ms"] = mean_of(r.stages, StagePart::Search);
  neighbors["query_ms"] = mean_of(r.stages, StagePart::Traversal);
  neighbors["memory_bytes"] = r.neighbors.memory_bytes;
  Json resumed = nullptr, state = nullptr, surface = nullptr;
  const auto changes_json = [](const std::vector<scenes::KeyChange>& of) {
    Json changes = Json::array();
    for (const scenes::KeyChange& change : of)
      changes.push_back({{"key", change.key}, {"from", change.from}, {"to", change.to}});
    return changes;
  };
  if (r.resumed)
    resumed = {{"file", r.resumed->file},
               {"step", r.resumed->step},
               {"time", r.resumed->time},
               {"changes", changes_json(r.resumed->changes)}};
  Json events = Json::array();
  for (const RunReport::Event& event : r.events)
    events.push_back({{"step", event.step}, {"time", event.time}, {"changes", changes_json(event.changes)}});
  if (r.surface)
    surface = {{"file", r.surface->file},
               {"files", r.surface->files},
               {"triangles", r.surface->triangles},
               {"volume", r.surface->volume},
               {"volume_of_particles", r.surface->volume_of_particles},
               {"left_out", r.surface->left_out}};
  if (r.state) state = {{"file", r.state->file}, {"written", r.state->written}, {"seconds", r.state->seconds}};
  Json recoveries = Json::array();
  for (const RunReport::Recovery& each : r.recoveries)
    recoveries.push_back({{"fault", each.fault},
                          {"fault_step", each.fault_step},
                          {"fault_time", each.fault_time},
                          {"step", each.step},
                          {"time", each.time},
                          {"step_share", each.step_share}});
  return Json{
      {"scene", r.scene},
      {"solver", r.solver},
      {"parameters", r.parameters},
      {"device", {{"kind", std::string(to_string(r.device.kind))}, {"name", device_name(r.device)}}},
      {"particles", r.particles},
      {"wall_particles", r.wall_particles},
      {"resumed_from", resumed},
      {"events", events},
      {"events_to_come", r.events_to_come},  // their steps
      {"steps", r.clock.step},
      {"simulated_time", r.clock.time},
      {"steps_of_this_run", r.steps_done()},
      {"simulated_time_of_this_run", r.time_done()},
      {"last_dt", r.clock.last_dt},
      {"wall_seconds", r.wall_seconds},
      {"recording_seconds", r.recording_seconds},
      {"diagnostics_seconds", r.diagnostics_seconds},
      {"particle_file_seconds", r.file_seconds},
      {"real_time_factor", r.units.si ? Json(r.real_time_factor()) : Json(nullptr)},
      {"pace", pace},
      {"steps_per_second", r.steps_per_second()},
      {"particle_steps_per_second", r.steps_per_second() * r.particles},
      {"gpips", gpips_json(r.neighbors, r.steps_per_second() * r.particles)},
      {"memory_bytes", r.memory_bytes},
      {"neighbors", neighbors},
      {"contact", {{"start", to_json(r.contact.start)}, {"end", to_json(r.contact.end)}}},
      {"stages", stages},
      {"diagnostics", r.diagnosed ? diagnostics : Json(nullptr)},
      {"fastest_particle", r.diagnosed ? Json{{"speed", r.fastest.speed}, {"time", r.fastest.time}} : Json(nullptr)},
      {"means", r.means ? to_json(*r.means) : Json(nullptr)},
      {"structure", r.structure ? to_json(*r.structure) : Json(nullptr)},
      {"interrupted", r.interrupted},
      {"failure", r.failure.empty() ? Json(nullptr) : Json(r.failure)},
      {"pictures", r.pictures},
      {"spheres", r.spheres.empty() ? Json(nullptr) : Json(r.spheres)},
      {"movie", r.movie.empty() ? Json(nullptr) : Json({{"file", r.movie}, {"frames", r.movie_frames}})},
      {"series", r.series.empty() ? Json(nullptr) : Json(r.series)},
      {"changes_file", r.changes_file.empty() ? Json(nullptr) : Json(r.changes_file)},
      {"probes", r.probes.empty() ? Json(nullptr) : Json(r.probes)},
      {"probe_places", r.probe_places},
      {"particle_file", r.particle_file.empty() ? Json(nullptr) : Json(r.particle_file)},
      {"surface", surface},
      {"state", state},
      {"good_state", r.good_state.empty() ? Json(nullptr) : Json(r.good_state)},
      {"recoveries", recoveries},
      {"warnings", r.warnings},
  };
}

namespace {

/// "0.52 s of it for pictures, 0.10 s for diagnostics": what is not steps.
std::string parts_text(const RunReport& r) {
  std::string text = fmt::format("{:.2f} s of it for pictures", r.recording_seconds);
  if (r.diagnostics_seconds >= 0.005) text += fmt::format(", {:.2f} s for diagnostics", r.diagnostics_seconds);
  if (r.file_seconds >= 0.005) text += fmt::format(", {:.2f} s for files", r.file_seconds);
  return text;
}

}  // namespace

namespace {

/// "fastest particle 0.0386 m/s at the end, 0.466 m/s in the run (at 0.42 s)"
std::string fastest_text(const RunReport& r) {
  std::string text = fmt::format("fastest particle {:.3g} {}", r.diagnostics.max_speed, r.units.speed);
  if (r.steps_done() == 0) return text;
  text += " at the end";
  if (r.fastest.speed > r.diagnostics.max_speed)
    text += fmt::format(", {:.3g} {} in the run (at {:.4g} {})", r.fastest.speed, r.units.speed, r.fastest.time,
                        r.units.time);
  else
    text += ", the largest speed of the run";
  return text;
}

std::string openings_text(const RunReport& r) {
  std::string text;
  const OpeningsReport& openings = r.diagnostics.openings;
  const std::string& unit = r.volume_unit;
  for (std::size_t k = 0; k < openings.inlets.size(); ++k) {
    const InletReport& inlet = openings.inlets[k];
    text += fmt::format("inlet '{}': {} particles ({:.4g} {}) entered", r.inlet_names[k],
                        grouped(static_cast<std::int64_t>(inlet.particles)), inlet.volume, unit);
    if (inlet.paused_steps > 0)
      text += fmt::format("; paused for {} steps", grouped(static_cast<std::int64_t>(inlet.paused_steps)));
    text += inlet.why_paused.empty() ? "\n" : ", as now: " + inlet.why_paused + "\n";
  }
  for (std::size_t k = 0; k < openings.outlets.size(); ++k)
    text += fmt::format("outlet '{}': {} particles ({:.4g} {}) left\n", r.outlet_names[k],
                        grouped(static_cast<std::int64_t>(openings.outlets[k].particles)), openings.outlets[k].volume,
                        unit);
  return text;
}

}  // namespace

std::string summary_text(const RunReport& r) {
  std::string text = fmt::format(
      "{}: {} particles, {} steps, {:.4g} {} simulated in {:.2f} s ({}) on {}\n"
      "{} steps/s, {} particle-steps/s, {:.3g} GPIPS; {} neighbours per particle ({} to {}) by {}, lists: {}; {} of "
      "memory\n",
      r.scene, r.particles, r.steps_done(), r.time_done(), r.units.time, r.wall_seconds, parts_text(r),
      device_name(r.device), short_count(r.steps_per_second()), short_count(r.steps_per_second() * r.particles),
      r.neighbors.fluid_gpips(r.steps_per_second() * r.particles), fmt::format("{:.1f}", r.neighbors.mean),
      r.neighbors.min, r.neighbors.max, r.neighbors.name(), describe(r.neighbors.lists, r.particles),
      bytes_text(static_cast<double>(r.memory_bytes)));
  if (r.resumed)
    text += fmt::format("went on from {}: step {}, {:.4g} {}; since time 0 {} steps, {:.4g} {}\n", r.resumed->file,
                        r.resumed->step, r.resumed->time, r.units.time, r.clock.step, r.clock.time, r.units.time);
  if (r.resumed)
    for (const scenes::KeyChange& change : r.resumed->changes) text += "changed there: " + change_text(change) + "\n";
  if (const std::uint64_t ways = r.diagnostics.contact.long_ways; r.diagnosed && ways > 0)
    text += fmt::format(
        "free bodies moved more than {:g} of a spacing between two contact steps {} times: they may have gone into "
        "each "
        "other; a smaller time.step or time.cfl helps\n",
        FreeBodies::kLongestWay, grouped(static_cast<std::int64_t>(ways)));
  if (!r.events.empty())
    text += fmt::format("events: {}, the last one at step {}\n", r.events.size(), r.events.back().step);
  if (!r.events_to_come.empty())
    text += fmt::format("not reached at step {}: {}\n", r.clock.step, scenes::steps_text(r.events_to_come));
  for (const RunReport::Recovery& each : r.recoveries)
    text += fmt::format(
        "recovered from a fault at step {}: went back to step {}, {:.4g} {}, and on with {:g} of the step\n",
        each.fault_step, each.step, each.time, r.units.time, each.step_share);
  if (r.diagnosed && r.diagnostics.thermal)
    text += fmt::format("{}; {}\n",
                        thermal_text(*r.diagnostics.thermal, r.local_temperature,
                                     temperature_scatter(r.particles, r.neighbors.mean, r.dimension), r.mirrors),
                        fastest_text(r));
  else if (r.diagnosed && r.clock.step == 0)
    text += fmt::format("compression not known before the first step; {}\n", fastest_text(r));
  else if (r.diagnosed)
    text += fmt::format("compression at the end {:.2g} % on average, {:.2g} % at most; {}{}\n",
                        100 * r.diagnostics.density_error_mean, 100 * r.diagnostics.density_error_max, fastest_text(r),
                        r.clock.contained > 0
                            ? fmt::format("; particles crossed a wall {} times and were put back", r.clock.contained)
                            : "");
  if (r.diagnosed && r.diagnostics.solves) {
    const SolveDiagnostics& solves = *r.diagnostics.solves;
    text += fmt::format(
        "{:.1f} iterations per step for the pressure, {:.1f} for the divergence; {} did not reach their bounds\n",
        iterations_per_step(r, solves.density), iterations_per_step(r, solves.divergence), solves.unconverged);
  }
  if (r.pace) {
    text += fmt::format("pace: {:.3g} of real time; {}", r.real_time_factor(), r.pace->settings);
    if (r.pace->largest_share > r.pace->share)
      text += fmt::format(" at the end; eased by {:.0f} % at most", 100 * r.pace->largest_share);
    text += "\n";
  }
  if (r.diagnosed && r.diagnostics.viscous_solve)
    text += fmt::format("{:.1f} iterations per step for the viscosity; {} did not reach their bound\n",
                        iterations_per_step(r, *r.diagnostics.viscous_solve), r.diagnostics.viscous_unconverged);
  text += contact_text(r.contact);
  if (r.diagnosed) text += openings_text(r);
  if (r.diagnosed && r.diagnostics.outside > 0)
    text += fmt::format("particles beyond a walled face: {}\n", grouped(r.diagnostics.outside));
  if (r.means) text.append("\n").append(means_table(*r.means, r.units.time));
  if (!r.stages.empty()) text.append("\n").append(stage_table(r.stages));
  if (!r.pictures.empty() || !r.movie.empty() || !r.series.empty() || !r.probes.empty() || !r.particle_file.empty() ||
      r.surface || r.state || r.structure)
    text += "\n";
  if (!r.pictures.empty())
    text += fmt::format("picture: {}{}\n", r.pictures.back(),
                        r.pictures.size() > 1 ? fmt::format(" (and {} more)", r.pictures.size() - 1) : "");
  if (!r.movie.empty()) text += fmt::format("movie:   {} ({} frames)\n", r.movie, r.movie_frames);
  if (!r.series.empty()) text += fmt::format("series:  {}\n", r.series);
  if (!r.changes_file.empty()) text += fmt::format("changes of parameters: {}\n", r.changes_file);
  text += r.structure_text;
  if (!r.probes.empty()) text += fmt::format("probes:  {}\n", r.probes);
  if (!r.particle_file.empty()) text += fmt::format("particles: {}\n", r.particle_file);
  if (r.surface) {
    const std::string volume_unit = r.units.named() ? fmt::format(" {}^3", r.units.length) : "";
    text += fmt::format(
        "surface: {} ({} triangles; they enclose {:.5g}{}, {:+.2f} % of the particles' {:.5g}{}{})\n", r.surface->file,
        grouped(static_cast<std::int64_t>(r.surface->triangles)), r.surface->volume, volume_unit, r.surface->percent(),
        r.surface->volume_of_particles, volume_unit,
        r.surface->left_out > 0 ? fmt::format("; {} particles left out", grouped(r.surface->left_out)) : "");
  }
  if (r.state) text += fmt::format("state:   {} (riffle resume goes on from it)\n", r.state->file);
  if (!r.warnings.empty()) text += "\n";
  for (const std::string& warning : r.warnings)
    text += "warning: " + warning + "\n";  // those of the start are far above
  return text;
}

}  // namespace riffle
