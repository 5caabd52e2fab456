/// `riffle bench surface`: the triangles of the fluid's surface of a scene, which may be simulated for a while first.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/terminal/signals.h"
#include "bench/cells.h"
#include "bench/scene_bench.h"
#include "core/math/statistics.h"
#include "core/timing/seconds_since.h"
#include "sim/fluid_surface/fluid_surface.h"

namespace riffle::bench {

namespace {

void add_surface_options(CLI::App& command, BenchOptions& options) {
  add_bench_options(command, options, 20, "surfaces measured (20), after 3 to warm up");
}

int bench_surface(const BenchOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  const scenes::Scene scene = load_without_events(options.scene);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  std::optional<Interruption> interruption(std::in_place);
  Simulation simulation(scene.simulation, device);
  SimulationSurface surfaces(simulation);
  move_on(simulation, options.from_time);
  constexpr int kSurfaceWarmUp = 3;
  std::vector<double> milliseconds;
  for (std::uint64_t k = 0; k < kSurfaceWarmUp + options.count && !interrupted(); ++k) {
    const auto begin = std::chrono::steady_clock::now();
    surfaces.find(simulation);  // waits
    if (k >= kSurfaceWarmUp) milliseconds.push_back(1e3 * seconds_since(begin));
  }
  if (milliseconds.empty()) return interrupted_before();
  const FluidSurface& surface = surfaces.find(simulation);
  const SurfaceReport& found = surface.report();
  const double volume = surface.to_host().volume();
  const double of_particles = double(found.particles) * simulation.setup().particle_volume();
  const Spread spread = spread_of(milliseconds);
  const StepReport clock = simulation.finish();
  const nlohmann::ordered_json json{{"bench", "surface"},
                                    {"scene", scene.name},
                                    {"device", {{"kind", to_string(device.kind)}, {"name", device_name(device)}}},
                                    {"time", clock.time},
                                    {"particles", found.particles},
                                    {"left_out", found.non_finite + found.too_far},
                                    {"blocks", found.blocks},
                                    {"vertices", found.vertices},
                                    {"triangles", found.triangles},
                                    {"volume", volume},
                                    {"volume_of_particles", of_particles},
                                    {"runs", milliseconds.size()},
                                    {"milliseconds", spread_json(spread)},
                                    {"memory_bytes", surface.memory_bytes()},
                                    {"interrupted", interrupted()}};
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(
      fmt::format("{} on {} at t = {:.4g} {}: {} particles, {} blocks of 4^3 cells, {} vertices, {} triangles\n"
                  "a surface takes {} ms, from {} to {}, median of {}; {} MiB on the device\n"
                  "it encloses {:.6g}, the particles' volumes are {:.6g}{}\n",
                  scene.name, device_name(device), clock.time, units_of(scene.simulation).time, found.particles,
                  found.blocks, found.vertices, found.triangles, milliseconds_cell(spread.median),
                  milliseconds_cell(spread.min), milliseconds_cell(spread.max), milliseconds.size(),
                  mebibytes_cell(static_cast<std::int64_t>(surface.memory_bytes()), 1), volume, of_particles,
                  of_particles > 0 ? fmt::format(": {:+.2f} %", 100 * (volume / of_particles - 1)) : "") +
          interruption_text(interrupted()),
      json);
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow surface_command() {
  return command_row("bench surface", "the triangles of the fluid's surface of a scene's particles",
                     add_surface_options, bench_surface);
}

}  // namespace riffle::bench
