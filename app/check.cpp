#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "app/commands.h"
#include "app/measure_step.h"
#include "app/memory_check.h"
#include "app/progress.h"
#include "core/log.h"
#include "sim/simulation.h"
#include "sim/wcsph.h"

namespace riffle {

namespace {

const char* axis_word(Axis axis) { return axis == Axis::Open ? "open" : axis == Axis::Walled ? "walled" : "periodic"; }

void print(const char* name, const std::string& value) { fmt::print("{:<16} {}\n", name, value); }

std::string domain_text(const Domain& domain) {
  std::string text;
  for (int a = 0; a < domain.dimension; ++a)
    text += fmt::format("{}{} {:g}..{:g} m {}", a == 0 ? "" : ", ", "xyz"[a], component(domain.min, a),
                        component(domain.max, a), axis_word(domain.axis[a]));
  return text;
}

}  // namespace

int check_scene(const SceneOptions& options) {
  const Scene scene = load_with_options(options);
  const SimulationSetup& setup = scene.simulation;
  const Device device = select_device(options.device);
  const float c0 = setup.wcsph.speed_of_sound > 0 ? setup.wcsph.speed_of_sound : automatic_speed_of_sound(setup);
  const StepBounds bounds = wcsph_step_bounds(setup, c0);
  double dt = std::min(bounds.constant, bounds.cfl_length / bounds.sound_speed);
  const double gravity = std::sqrt(length2(setup.gravity));
  if (gravity > 0) dt = std::min(dt, std::sqrt(bounds.force_length / gravity));
  if (bounds.fixed > 0) dt = bounds.fixed;
  const double steps = scene.run.end_time / dt;

  print("scene", fmt::format("{} ({})", scene.name, scene.path));
  print("particles", fmt::format("{} fluid, {} wall", count_particles(setup), count_boundary_particles(setup)));
  print("spacing", fmt::format("{:g} m", setup.spacing));
  print("support radius", fmt::format("h = {:g} m", setup.support_radius()));
  print("domain", domain_text(setup.domain));
  print("speed of sound", fmt::format("{:.4g} m/s{}", c0, setup.wcsph.speed_of_sound > 0 ? "" : " (automatic)"));
  print("time step", fmt::format("{:.4g} s{}", dt, bounds.fixed > 0 ? " (fixed)" : " at the start"));
  print("duration", fmt::format("{:g} s, at least {:.0f} steps", scene.run.end_time, std::ceil(steps)));
  print("neighbors", std::string(to_string(setup.neighbors.method)));
  print("device", fmt::format("{} ({})", to_string(device.kind), device_name(device)));

  const MemoryNeed need = memory_need(setup, device);
  print("memory", fmt::format("about {} of {} free", bytes_text(static_cast<double>(need.needed)),
                              bytes_text(static_cast<double>(need.free))));
  std::fflush(stdout);
  if (!need.fits()) {
    log::warn("{}", describe_shortage(need, setup, device));
    return 0;
  }
  const StepEstimate step = estimate_step(setup, device);
  if (step.milliseconds > 0) {
    print("time per step", fmt::format("about {:.3g} ms ({})", step.milliseconds, step.method));
    print("time of the run", fmt::format("about {} without pictures, more as particles speed up",
                                         clock_text(steps * step.milliseconds / 1000)));
  } else {
    print("time per step", "not known: " + step.method);
  }
  print("warnings", scene.warnings.empty() ? "none" : fmt::format("{}, above", scene.warnings.size()));
  return 0;
}

}  // namespace riffle
