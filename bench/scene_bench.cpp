#include "bench/scene_bench.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "app/command/option_checks.h"
#include "app/report/report.h"
#include "app/run/stability.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/timing/seconds_since.h"
#include "neighbors/neighbor_search.h"
#include "sim/units.h"

namespace riffle::bench {

void add_bench_options(CLI::App& command, BenchOptions& options, std::uint64_t count, const char* count_text) {
  options.count = count;
  add_scene_options(command, options.scene);
  command
      .add_option("--from-time", options.from_time,
                  fmt::format("simulate this long, and {} more steps, before anything is measured: a starting "
                              "lattice is faster than a fluid in motion; TIME is in seconds, with dpd in reduced units",
                              kWarmUp))
      ->check(scene_time(true))
      ->type_name(kSceneTime);
  command.add_option("--count", options.count, count_text)->check(whole_number_from(1, 1000000000))->type_name("N");
  add_json_option(command, "the result", options.json);
}

int interrupted_before() {
  log::warn("interrupted before the first measurement");
  return exit_code_or_interrupted(0);
}

void move_on(Simulation& simulation, double time) {
  StepReport known = simulation.latest();
  for (std::uint64_t step = 0; known.time < time && !interrupted(); ++step) {
    simulation.step();
    known = simulation.latest();
    if (step % 1000 == 999) {
      known = simulation.finish();
      if (!std::isfinite(known.max_speed) || !(known.dt > 0))
        throw RuntimeFailure(fmt::format("the simulation became unstable at t = {:.6g} {}, before the measurement",
                                         known.time, units_of(simulation.setup()).time));
    }
  }
  while (simulation.tuning() && simulation.tuning()->measuring && !interrupted()) simulation.step();
  if (simulation.tuning()) log::info("neighbours: {}", simulation.tuning()->reason);
  for (int step = 0; step < kWarmUp && !interrupted(); ++step) simulation.step();
  simulation.finish();
}

nlohmann::ordered_json to_json(const std::vector<StageStats>& stages) {
  nlohmann::ordered_json object;
  for (const StageStats& s : stages)
    object[s.name] = {{"count", s.count}, {"mean_ms", s.mean_ms}, {"median_ms", s.median_ms}, {"p95_ms", s.p95_ms}};
  return object;
}

std::optional<StepFigures> measure_steps_of(Simulation& simulation, const std::string& scene, std::uint64_t count,
                                            double seconds) {
  simulation.reset_timings();
  StepFigures f;
  f.first = simulation.finish();
  f.units = units_of(simulation.setup());
  const auto begin = std::chrono::steady_clock::now();
  for (; f.steps < count && !interrupted() && (f.steps == 0 || seconds_since(begin) < seconds); ++f.steps)
    simulation.step();
  f.last = simulation.finish();
  f.seconds = seconds_since(begin);
  if (f.steps == 0) return std::nullopt;

  const SimulationSetup& setup = simulation.setup();
  f.scene = scene;
  f.solver = to_string(setup.solver);
  f.device = simulation.device();
  f.particles = simulation.particle_count();
  f.wall_particles = simulation.boundary_count();
  f.support_ratio = setup.support_radius() / setup.spacing;
  f.diagnostics = simulation.diagnostics();
  f.neighbors.method = to_string(setup.neighbors.method);
  f.neighbors.structure = simulation.neighbor_search().structure();
  f.neighbors.skin = setup.neighbors.skin;
  if (f.diagnostics.non_finite == 0) f.neighbors = simulation.neighbors();  // a NaN has no cell
  if (simulation.tuning()) f.tuning = *simulation.tuning();
  f.stages = simulation.timings().stats();
  f.memory_bytes = simulation.memory_bytes();
  f.failure = what_blew_up(f.diagnostics, f.last, simulation);
  if (f.failure.empty() && f.last.step - f.first.step < f.steps)
    f.failure = why_stuck(f.last, simulation, fmt::format("{} measured steps", f.steps));
  return f;
}

std::optional<StepFigures> measure_steps(const scenes::Scene& scene, const Device& device, double from_time,
                                         std::uint64_t count, const std::function<void(Simulation&)>& afterwards) {
  Simulation simulation(scene.simulation, device);
  move_on(simulation, from_time);
  log::info("measuring {} steps from t = {:.4g} {}", count, simulation.finish().time, units_of(scene.simulation).time);
  std::optional<StepFigures> figures = measure_steps_of(simulation, scene.name, count);
  if (afterwards && figures && figures->failure.empty()) afterwards(simulation);
  return figures;
}

nlohmann::ordered_json to_json(const StepFigures& f) {
  const double rate = f.rate();
  return {{"scene", f.scene},
          {"solver", f.solver},
          {"device", {{"kind", to_string(f.device.kind)}, {"name", device_name(f.device)}}},
          {"particles", f.particles},
          {"wall_particles", f.wall_particles},
          {"support_ratio", shortest(f.support_ratio)},
          {"steps", f.steps},
          {"interrupted", interrupted()},
          {"warm_up_steps", kWarmUp},
          {"from_time", f.first.time},
          {"to_time", f.last.time},
          {"ms_per_step", f.ms_per_step()},
          {"particle_steps_per_second", rate},
          {"gpips", gpips_json(f.neighbors, rate)},
          {"mean_dt", f.mean_dt()},
          {"simulated_per_second", f.simulated_per_second()},
          {"neighbors", to_json(f.neighbors, f.tuning, f.particles)},
          {"memory_bytes", f.memory_bytes},
          {"non_finite", f.diagnostics.non_finite},
          {"stages", to_json(f.stages)}};
}

std::string three_digits(double rate) {
  return rate < 1000 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate);
}

}  // namespace riffle::bench
