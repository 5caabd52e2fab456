/// `riffle bench step` and `bench draw`: whole steps and pictures of a scene, which may be simulated for a while first.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/command/scene_options.h"
#include "app/report/outputs.h"
#include "app/report/report.h"
#include "app/report/stage_table.h"
#include "app/run/memory_check.h"
#include "app/run/scene_view.h"
#include "app/run/stability.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/timing/seconds_since.h"
#include "neighbors/neighbor_search.h"
#include "render/gl/offscreen_context.h"
#include "render/renderer.h"
#include "sim/simulation.h"
#include "sim/units.h"

namespace riffle::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct BenchOptions {
  SceneOptions scene;
  double from_time = 0;     ///< [s] simulated before anything is measured
  std::uint64_t count = 0;  ///< steps or pictures measured
  std::string json;         ///< file; "-": standard output; "": none
};

struct DrawBenchOptions : BenchOptions {
  render::SphereMethod spheres = render::SphereMethod::Auto;
  int steps_per_picture = 0;  ///< done before each picture, and measured with it
};

void add_bench_options(CLI::App& command, BenchOptions& options, std::uint64_t count, const char* count_text) {
  options.count = count;
  add_scene_options(command, options.scene);
  command
      .add_option("--from-time", options.from_time,
                  "simulate this long first: a starting lattice is faster than a fluid in motion")
      ->check(seconds(true))
      ->type_name("SECONDS");
  command.add_option("--count", options.count, count_text)->check(CLI::Range(1, 1000000000))->type_name("N");
  add_json_option(command, "the result", options.json);
}

void add_step_options(CLI::App& command, BenchOptions& options) {
  add_bench_options(command, options, 200, "steps measured (200)");
}

void add_draw_options(CLI::App& command, DrawBenchOptions& options) {
  add_bench_options(command, options, 50, "pictures measured (50)");
  command
      .add_option_function<std::string>(
          "--spheres", [&options](const std::string& word) { options.spheres = render::sphere_method_from(word); },
          "rasterised by OpenGL, splatted by kernels on the particles' device, or what suits both (auto)")
      ->check(one_of("way to draw spheres", {"raster", "splat", "auto"}))
      ->type_name("raster|splat|auto");
  command
      .add_option("--steps-per-picture", options.steps_per_picture,
                  "steps before each picture, measured with it; 0 draws the same particles over and over (0)")
      ->check(CLI::Range(0, 1000000))
      ->type_name("K");
}

constexpr int kWarmUp = 20;  // steps or pictures: the first ones load code and find the lengths of lists

/// Writes nothing, since nothing was measured.
int interrupted_before() {
  log::warn("interrupted before the first measurement");
  return exit_code_or_interrupted(0);
}

/// Steps until the simulated time has passed, then a few more. Stops early when interrupted().
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

int bench_step(const BenchOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  const scenes::Scene scene = load_with_options(options.scene);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  Simulation simulation(scene.simulation, device);
  std::optional<Interruption> interruption(std::in_place);
  move_on(simulation, options.from_time);
  simulation.reset_timings();
  const StepReport first = simulation.finish();
  const Units& units = units_of(scene.simulation);
  log::info("measuring {} steps from t = {:.4g} {}", options.count, first.time, units.time);
  const auto begin = Clock::now();
  std::uint64_t steps = 0;
  for (; steps < options.count && !interrupted(); ++steps) simulation.step();
  const StepReport last = simulation.finish();
  const double seconds = seconds_since(begin);
  if (steps == 0) return interrupted_before();

  const Diagnostics diagnostics = simulation.diagnostics();
  NeighborReport neighbors;
  neighbors.method = to_string(simulation.setup().neighbors.method);
  neighbors.structure = simulation.neighbor_search().structure();
  neighbors.skin = simulation.setup().neighbors.skin;
  if (diagnostics.non_finite == 0) neighbors = simulation.neighbors();  // a NaN has no cell
  const auto stages = simulation.timings().stats();
  const double rate = simulation.particle_count() * double(steps) / seconds;
  const std::string text = fmt::format(
      "{} on {}: {} particles, {} wall particles, {:.1f} neighbours ({} to {}) by {}\n"
      "{} steps from t = {:.4g} {} to {:.4g} {}: {:.3f} ms per step, {:.1f} million particle-steps/s\n"
      "mean compression {:.2e}, fastest {:.3g} {}, {:.1f} MiB on the device\n\n{}",
      scene.name, device_name(device), simulation.particle_count(), simulation.boundary_count(), neighbors.mean,
      neighbors.min, neighbors.max, neighbors.name(), steps, first.time, units.time, last.time, units.time,
      1e3 * seconds / double(steps), 1e-6 * rate, diagnostics.density_error_mean, diagnostics.max_speed, units.speed,
      double(simulation.memory_bytes()) / (1 << 20), stage_table(stages));
  nlohmann::ordered_json json{
      {"bench", "step"},
      {"scene", scene.name},
      {"device", {{"kind", to_string(device.kind)}, {"name", device_name(device)}}},
      {"particles", simulation.particle_count()},
      {"wall_particles", simulation.boundary_count()},
      {"steps", steps},
      {"interrupted", interrupted()},
      {"from_time", first.time},
      {"to_time", last.time},
      {"ms_per_step", 1e3 * seconds / double(steps)},
      {"particle_steps_per_second", rate},
      {"neighbors",
       {{"method", neighbors.method},
        {"structure",
         neighbors.structure.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(neighbors.structure)},
        {"skin", shortest(neighbors.skin)},
        {"auto", simulation.tuning() ? to_json(*simulation.tuning()) : nlohmann::ordered_json(nullptr)},
        {"mean", neighbors.mean},
        {"min", neighbors.min},
        {"max", neighbors.max}}},
      {"memory_bytes", simulation.memory_bytes()},
      {"non_finite", diagnostics.non_finite},
      {"stages", to_json(stages)}};
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(text + interruption_text(interrupted()), json);
  std::string failure = what_blew_up(diagnostics, last, simulation);
  if (failure.empty() && last.step - first.step < steps)
    failure = why_stuck(last, simulation, fmt::format("{} measured steps", steps));
  if (!failure.empty()) throw RuntimeFailure("the figures mean nothing: " + failure);
  return exit_code_or_interrupted(0);
}

int bench_draw(const DrawBenchOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  scenes::Scene scene = load_with_options(options.scene);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  Simulation simulation(scene.simulation, device);
  std::optional<Interruption> interruption(std::in_place);
  move_on(simulation, options.from_time);
  std::string why;
  const auto context = render::OffscreenContext::create(cuda_ordinal(device), &why);
  if (!context) throw Unavailable("nothing can be drawn here: " + why);
  settle_picture(scene, context->info().software);

  const Camera camera = camera_of(scene);
  const render::ColorScale scale = color_scale(scene);
  const render::BoxView box = box_of(scene.simulation.domain);
  const int particles = simulation.particle_count();
  std::string text = fmt::format("{}: {} particles at {} x {} on {}\n", scene.name, particles, scene.picture.width,
                                 scene.picture.height, context->info().renderer);
  nlohmann::ordered_json json{{"bench", "draw"},
                              {"scene", scene.name},
                              {"particles", particles},
                              {"steps_per_picture", options.steps_per_picture},
                              {"renderer", context->info().renderer}};
  for (const bool plain : {true, false}) {
    render::RenderOptions quality = render_options_of(scene);
    quality.spheres = options.spheres;
    if (plain) quality.anti_aliasing = render::AntiAliasing::Analytic, quality.ambient_occlusion = 0.0f;
    if (!plain && context->info().software) break;  // its default is the plain quality
    render::Renderer renderer(scene.picture.width, scene.picture.height, device, quality);
    const auto step_and_draw = [&](std::uint64_t pictures) {
      std::uint64_t drawn = 0;
      for (; drawn < pictures && !interrupted(); ++drawn) {
        for (int n = 0; n < options.steps_per_picture; ++n) simulation.step();
        renderer.draw(view_of(scene, simulation), camera, scale, box);
      }
      renderer.read_image();  // waits for the last picture; one transfer over all of them
      return drawn;
    };
    step_and_draw(kWarmUp);
    renderer.reset_costs();
    simulation.reset_timings();
    const char* name = plain ? "analytic edges, no occlusion" : "the machine's default quality";
    log::info("measuring {} pictures: {}", options.count, name);
    const auto begin = Clock::now();
    const std::uint64_t pictures = step_and_draw(options.count);
    const double milliseconds = 1e3 * seconds_since(begin) / double(pictures);
    simulation.finish();
    if (pictures == 0) break;
    text += fmt::format("\n{}: {:.3f} ms per picture{} ({:.0f} per second), {} of them, spheres by {}, {} by {}\n{}",
                        name, milliseconds, options.steps_per_picture > 0 ? " and its steps" : "", 1e3 / milliseconds,
                        pictures, to_string(renderer.sphere_method()),
                        renderer.sphere_method() == render::SphereMethod::Splat ? "pixels" : "vertices",
                        to_string(renderer.vertex_path()), stage_table(renderer.costs()));
    const auto steps = simulation.timings().stats();
    if (options.steps_per_picture > 0)
      text += fmt::format("\nof the steps, {} before each picture:\n{}", options.steps_per_picture, stage_table(steps));
    json[plain ? "plain" : "default"] = {{"ms_per_picture", milliseconds},
                                         {"pictures", pictures},
                                         {"spheres", to_string(renderer.sphere_method())},
                                         {"vertex_path", to_string(renderer.vertex_path())},
                                         {"stages", to_json(renderer.costs())},
                                         {"step_stages", to_json(steps)}};
  }
  json["interrupted"] = interrupted();
  interruption.reset();  // from here on a signal ends the program
  if (!json.contains("plain")) return interrupted_before();
  outputs.deliver(text + interruption_text(interrupted()), json);
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow step_command() {
  return command_row("bench step", "whole time steps of a scene, neighbour search included", add_step_options,
                     bench_step);
}

CommandRow draw_command() {
  return command_row("bench draw", "pictures of a scene's particles, drawn off-screen", add_draw_options, bench_draw);
}

}  // namespace riffle::bench
