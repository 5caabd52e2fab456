#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "app/command/command.h"
#include "app/command/scene_options.h"
#include "app/report/measured_loads.h"
#include "app/report/solid_text.h"
#include "app/run/event_player.h"
#include "app/run/measure_step.h"
#include "app/run/memory_check.h"
#include "app/terminal/progress.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "core/text/printable.h"
#include "sim/measure/free_volume.h"
#include "sim/measure/solid_measurement.h"
#include "sim/openings/face_mouth.h"
#include "sim/openings/nozzle.h"
#include "sim/simulation.h"
#include "sim/solver.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"
#include "sim/units.h"
#include "sim/walls/domain_faces.h"

namespace riffle {

namespace {

const char* axis_word(Axis axis) { return axis == Axis::Open ? "open" : axis == Axis::Walled ? "walled" : "periodic"; }

void print(const char* name, const std::string& value) { fmt::print("{:<16} {}\n", name, printable_line(value)); }

/// "51200"; "5e+28" for numbers that nobody reads digit by digit.
std::string count_text(double count) {
  return count < 1e12 ? fmt::format("{:.0f}", count) : fmt::format("{:.4g}", count);
}

/// Ends the program without waiting for a thread that still measures, which may take hours.
[[noreturn]] void leave_at_once() {
  const bool lost = std::fflush(stdout) != 0;
  if (lost) log::error("standard output cannot be written to");
  std::_Exit(lost ? 1 : 0);
}

/// Steps of that length until a run ends: the last one may be a thousandth longer (sim/step_control.cu).
double steps_in(double time, double dt) { return std::max(0.0, std::ceil(time / dt - 1e-3)); }

std::string domain_text(const Domain& domain, const char* unit) {
  std::string text;
  for (int a = 0; a < domain.dimension; ++a)
    text += fmt::format("{}{} {:g}..{:g} {} {}", a == 0 ? "" : ", ", "xyz"[a], component(domain.min, a),
                        component(domain.max, a), unit, axis_word(domain.axis[a]));
  return text;
}

/// "[0, -9.81] m/s^2": in 2-D the two numbers that count.
std::string gravity_text(const SimulationSetup& setup) {
  std::string text;
  for (int a = 0; a < setup.domain.dimension; ++a)
    text += fmt::format("{}{:g}", a == 0 ? "[" : ", ", component(setup.gravity, a));
  return fmt::format("{}] {}", text, units_of(setup).acceleration);
}

/// "512 r_c^3, number density 3 r_c^-3": what a thermal state is described by, beside its temperature.
std::string volume_text(const SimulationSetup& setup) {
  const Vec3 extent = setup.domain.extent();
  const int dimension = setup.domain.dimension;
  double volume = free_volume(setup);
  if (std::isnan(volume)) {  // an open face
    volume = 1;
    for (int a = 0; a < dimension; ++a) volume *= component(extent, a);
  }
  // Without a name of the unit of length the numbers stand alone: they are in the units of the scene.
  const Units& units = units_of(setup);
  const auto power = [&](int n) { return units.named() ? fmt::format(" {}^{}", units.length, n) : ""; };
  return fmt::format("{:.6g}{}, number density {:.4g}{}", volume, power(dimension),
                     double(count_particles(setup)) / volume, power(-dimension));
}

/// @return whether the scene fits into its memory
bool print_device(const SimulationSetup& setup, const Device& device) {
  const MemoryNeed need = memory_need(setup, device);
  print("device", fmt::format("{} ({})", to_string(device.kind), device_name(device)));
  print("memory", fmt::format("about {} of {} free, {} of them for a state to go back to",
                              bytes_text(static_cast<double>(need.needed)), bytes_text(static_cast<double>(need.free)),
                              bytes_text(static_cast<double>(need.held))));
  if (const std::string text = tree_choice_memory(setup, device); !text.empty()) print("", text);
  std::fflush(stdout);
  return need.fits();
}

/// "12, which give 16 numbers"
std::string probe_summary(const scenes::Scene& scene) {
  const std::size_t numbers = probe_columns(scene.probes, scene.simulation).size();
  return fmt::format("{}, which give {} number{} (--series and --probes of riffle run)", scene.probes.size(), numbers,
                     numbers == 1 ? "" : "s");
}

/// "step 300: gravity from [0, -9.81, 0] to [0, -5, 0]", a line for each of the first ones.
void print_events(const scenes::Scene& scene) {
  constexpr std::size_t kShown = 10;
  const std::span events(scene.events);
  for (std::size_t i = 0; i < std::min(kShown, events.size()); ++i)
    print(i == 0 ? "events" : "", fmt::format("step {}: {}", events[i].step, text_of_events(events.subspan(i, 1))));
  if (events.size() > kShown)
    print("", fmt::format("and {} more, the last one at step {}", events.size() - kShown, events.back().step));
}

std::string opening_size_text(const SimulationSetup& setup, double size, int power) {
  const Units& units = units_of(setup);
  return fmt::format("{:.4g}{}", size, units.named() ? fmt::format(" {}{}", units.length, power == 1 ? "" : "^2") : "");
}

/// "tap: flat part of a mesh, 16 particles in a layer of 0.0025 m^2, up to 1.2 m/s"
std::string inlet_text(const SimulationSetup& setup, std::size_t k) {
  const InletSetup& inlet = setup.inlets[k];
  std::string mouth;
  switch (inlet.mouth) {
    case Mouth::Disc: mouth = "disc"; break;
    case Mouth::Rectangle: mouth = "rectangle"; break;
    case Mouth::Polygon: mouth = "polygon"; break;
    case Mouth::Mesh: mouth = "flat part of a mesh"; break;
    case Mouth::Face:
      mouth = "face " + face_word(inlet.face) +
              (std::isfinite(inlet.level) ? fmt::format(" up to y = {:g}", inlet.level) : "");
  }
  return fmt::format(
      "{}: {}, {} particles in a layer of {}, up to {:.4g} {}", inlet_name(setup, k), mouth,
      mouth_sites(inlet, setup.domain, setup.spacing).size(),
      opening_size_text(setup, mouth_area(inlet, setup.domain, setup.spacing), setup.domain.dimension - 1),
      fastest_inflow(setup, inlet), units_of(setup).speed);
}

/// "downstream: face x_max, moves what is within 0.12 m of it at 0.5 m/s"
std::string outlet_text(const SimulationSetup& setup, std::size_t k) {
  const OutletSetup& outlet = setup.outlets[k];
  const std::string place = outlet.face < 0 ? "region" : "face " + face_word(outlet.face);
  const std::string how =
      moves_out(outlet) ? fmt::format(", moves what is within {} of it at {:g} {}",
                                      opening_size_text(setup, outflow_length(search_radius(setup), setup.spacing), 1),
                                      outlet.speed, units_of(setup).speed)
                        : "";
  return fmt::format("{}: {}{}", outlet_name(setup, k), place, how);
}

int check_scene(const SceneOptions& options) {
  const scenes::Scene scene = load_with_options(options);
  const SimulationSetup& setup = scene.simulation;
  const Units& units = units_of(setup);
  Device device = select_device(options.device);
  const bool fixed = step_bounds(setup).fixed > 0;
  const double dt = fixed ? step_bounds(setup).fixed : stable_dt(setup);
  const double before = steps_in(setup.start.equilibration, dt);  // as fixed as the others: DPD only
  const double after = steps_in(scene.run.end_time, dt), steps = before + after;

  print("scene", fmt::format("{} ({})", scene.name, scene.path));
  const std::size_t in_nozzles = FilledNozzles(setup).count();
  print("particles", fmt::format("{} fluid{}, {} wall", count_particles(setup) + static_cast<std::int64_t>(in_nozzles),
                                 in_nozzles > 0 ? fmt::format(" ({} in nozzles)", in_nozzles) : "",
                                 count_boundary_particles(setup)));
  if (!setup.solid_regions.empty()) print("solids", solid_summary(setup));
  for (const std::string& text : solid_texts(setup)) print("", text);
  if (const std::string why = why_no_solid_forces(setup); !load_names(setup).empty() && !why.empty())
    print("forces", "on solids and faces: " + why);
  for (std::size_t k = 0; k < setup.inlets.size(); ++k) print(k == 0 ? "inlets" : "", inlet_text(setup, k));
  for (std::size_t k = 0; k < setup.outlets.size(); ++k) print(k == 0 ? "outlets" : "", outlet_text(setup, k));
  if (!scene.probes.empty()) print("probes", probe_summary(scene));
  print_events(scene);
  if (solver_info(setup).thermal) print("volume", volume_text(setup));
  print("spacing", fmt::format("{:g} {}", setup.spacing, units.length));
  print("support radius", fmt::format("h = {:g} {}", setup.support_radius(), units.length));
  print("domain", domain_text(setup.domain, units.length));
  print("gravity", gravity_text(setup));
  for (const std::string& text : gravity_texts(setup)) print("", text);
  print("solver", to_string(setup.solver));
  if (const auto facts = solver_info(setup).facts)
    for (const SolverFact& fact : facts(setup, dt)) print(fact.name.c_str(), fact.value);
  const double first = step_bounds(setup).viscous_step;
  const bool grows = !fixed && first > 0 && first < dt;
  print("time step", fmt::format("{:.4g} {}{}", dt, units.time,
                                 fixed   ? " (fixed)"
                                 : grows ? fmt::format("; from {:.4g} {} on, as viscosity needs it", first, units.time)
                                         : " at the start"));
  print("duration",
        fmt::format("{:g} {}, {}{} steps{}{}", scene.run.end_time, units.time, fixed ? "" : "at least ",
                    count_text(after), before > 0 ? fmt::format(", after {} to equilibrate", count_text(before)) : "",
                    fixed   ? ""
                    : grows ? ""
                            : ": they get shorter as particles speed up"));
  print("neighbors", setup.neighbors.automatic ? std::string("auto")
                                               : describe(SearchChoice{setup.neighbors.method, setup.neighbors.skin}));
  if (!print_device(setup, device)) {  // a run would end here, or go to the CPU
    device = select_device_for(setup, options.device);
    print_device(setup, device);
  }
  const StepEstimate step = estimate_step(setup, device);
  if (step.milliseconds > 0) {
    print("time per step", fmt::format("about {:.3g} ms ({})", step.milliseconds, step.method));
    print("time of the run", fmt::format("about {} without pictures{}", clock_text(steps * step.milliseconds / 1000),
                                         fixed ? "" : ", more as particles speed up"));
  } else {
    print("time per step", "not measured, because " + step.method);
  }
  print("warnings", scene.warnings.empty() ? "none" : fmt::format("{}, above", scene.warnings.size()));
  if (step.abandoned) leave_at_once();
  return 0;
}

}  // namespace

CommandRow check_command() {
  return command_row("check", "check a scene without running it: particles, memory, estimated time per step",
                     add_scene_options, check_scene);
}

}  // namespace riffle
