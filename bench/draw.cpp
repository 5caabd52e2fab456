/// `riffle bench draw`: pictures of a scene, which may be simulated for a while first.

#include <fmt/format.h>

#include <chrono>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/report/stage_table.h"
#include "app/run/memory_check.h"
#include "app/run/scene_view.h"
#include "app/run/solid_meshes.h"
#include "app/terminal/signals.h"
#include "bench/scene_bench.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/timing/seconds_since.h"
#include "render/gl/offscreen_context.h"
#include "render/renderer.h"

namespace riffle::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct DrawBenchOptions : BenchOptions {
  render::SphereMethod spheres = render::SphereMethod::Auto;
  int steps_per_picture = 0;  ///< done before each picture, and measured with it
};

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
      ->check(whole_number_from(0, 1000000))
      ->type_name("K");
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
  render::Extras extras;
  extras.cut = cut_plane(scene.picture.cut, scene.simulation.domain);
  SolidMeshes solids;
  if (scene.picture.solids) extras.solids = solids.of(scene.simulation);
  QuantityValues values;
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
        renderer.draw(view_of(scene, simulation, values), camera, scale, box, {}, extras);
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

CommandRow draw_command() {
  return command_row("bench draw", "pictures of a scene's particles, drawn off-screen", add_draw_options, bench_draw);
}

}  // namespace riffle::bench
