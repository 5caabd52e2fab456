/// `riffle bench step`: whole steps of a scene, which may be simulated for a while first.

#include <fmt/format.h>

#include "app/command/command.h"
#include "app/report/outputs.h"
#include "app/report/stage_table.h"
#include "app/run/memory_check.h"
#include "app/terminal/signals.h"
#include "bench/scene_bench.h"
#include "core/error.h"
#include "neighbors/search_figures.h"
#include "neighbors/tree/tree_structures.h"

namespace riffle::bench {

namespace {

void add_step_options(CLI::App& command, BenchOptions& options) {
  add_bench_options(command, options, 200, "steps measured (200)");
}

/// " (auto: 1.2 ms by lbvh, 2.3 ms by optix)" if the search has measured its structures.
std::string choice_text(const SearchStats& search) {
  const SearchCount *lbvh = search.find(kMsByLbvh), *optix = search.find(kMsByOptix);
  return lbvh && optix ? fmt::format(" (auto: {:.3g} ms by lbvh, {:.3g} ms by optix)", lbvh->value, optix->value) : "";
}

/// "bucket counts: cells 1000, occupied 317 cells, ...\n"; "" before the first build
std::string counts_text(const StepFigures& f) {
  const std::string counts = describe(figures_of(f.neighbors.search, f.neighbors.lists, f.particles));
  return counts.empty() ? "" : fmt::format("{} counts: {}\n", f.neighbors.name(), counts);
}

std::string text_of(const StepFigures& f) {
  const Units& units = f.units;
  return fmt::format(
      "{} on {}: {} particles, {} wall particles, {:.1f} neighbours ({} to {}) by {}, lists: {}\n"
      "{} steps from t = {:.4g} {} to {:.4g} {}, after {} steps to warm up: {:.3f} ms per step, {} million "
      "particle-steps/s, {} GPIPS "
      "({} with walls)\n"
      "a step of {:.3g} {}, {:.3g} {} simulated per second, {}, fastest {:.3g} {}, {:.1f} MiB on "
      "the device\n{}\n{}",
      f.scene, device_name(f.device), f.particles, f.wall_particles, f.neighbors.mean, f.neighbors.min, f.neighbors.max,
      f.neighbors.name() + choice_text(f.neighbors.search), describe(f.neighbors.lists, f.particles), f.steps,
      f.first.time, units.time, f.last.time, units.time, kWarmUp, f.ms_per_step(), three_digits(1e-6 * f.rate()),
      three_digits(f.neighbors.fluid_gpips(f.rate())), three_digits(f.neighbors.all_gpips(f.rate())), f.mean_dt(),
      units.time, f.simulated_per_second(), units.time,
      f.diagnostics.thermal ? fmt::format("kT {:.4g}", f.diagnostics.thermal->temperature)
                            : fmt::format("mean compression {:.2e}", f.diagnostics.density_error_mean),
      f.diagnostics.max_speed, units.speed, double(f.memory_bytes) / (1 << 20), counts_text(f), stage_table(f.stages));
}

int bench_step(const BenchOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  const scenes::Scene scene = load_with_options(options.scene);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  std::optional<Interruption> interruption(std::in_place);
  const std::optional<StepFigures> figures = measure_steps(scene, device, options.from_time, options.count);
  if (!figures) return interrupted_before();
  nlohmann::ordered_json json{{"bench", "step"}};
  json.update(to_json(*figures));
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(text_of(*figures) + interruption_text(interrupted()), json);
  if (!figures->failure.empty()) throw RuntimeFailure("the figures mean nothing: " + figures->failure);
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow step_command() {
  return command_row("bench step", "whole time steps of a scene, neighbour search included", add_step_options,
                     bench_step);
}

}  // namespace riffle::bench
