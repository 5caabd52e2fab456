/// `riffle bench methods`: which search for which solver and size: whole steps of one scene per solver, at several sizes, by every
/// search, from the same state of the fluid.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/terminal/signals.h"
#include "app/terminal/text_table.h"
#include "bench/cells.h"
#include "bench/left_out.h"
#include "bench/scene_bench.h"
#include "bench/scene_size.h"
#include "bench/search_choice.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "core/timing/seconds_since.h"
#include "sim/solver_info.h"

namespace riffle::bench {

namespace {

using Json = nlohmann::ordered_json;

struct MethodsOptions {
  std::vector<std::string> scenes;   ///< none: those of kUsualScenes
  std::vector<double> particles;     ///< none: kUsualSizes
  std::vector<std::string> methods;  ///< none: all
  std::vector<double> skins{0};
  std::vector<std::string> overrides;
  std::optional<double> from_time;  ///< of every scene; not given: the usual scenes' own, of others 0
  std::uint64_t count = 200;
  double row_seconds = 1, motion_seconds = 4;
  DeviceRequest device = DeviceRequest::Auto;
  std::string json, command_line;
};

/// One for each kind of solver that users choose between, and when its fluid is in motion.
struct UsualScene {
  const char* name;
  double from_time;  ///< [s], of dpd [tau]
};
constexpr UsualScene kUsualScenes[] = {
    {"dam_break", 0.3}, {"dam_break_pbf_72k", 0.25}, {"rayleigh_taylor_sph", 0.5}, {"dpd_box", 4}};
constexpr double kUsualSizes[] = {65536, 1e6, 4e6};

void add_methods_options(CLI::App& command, MethodsOptions& options) {
  std::vector<std::string> usual;
  for (const UsualScene& scene : kUsualScenes) usual.emplace_back(scene.name);
  command.add_option("SCENE", options.scenes, fmt::format("scenes; {} when not given", fmt::join(usual, ", ")))
      ->type_name("");
  command
      .add_option("--particles", options.particles,
                  "about as many fluid particles, by another spacing (dpd: wider boxes): 65536,1e6,4e6 when not given")
      ->delimiter(',')
      ->check(number_from(1, 2e9))
      ->type_name("N,...");
  add_methods_option(command, options.methods);
  command
      .add_option("--skins", options.skins, "lists that are kept while no particle has moved too far: 0,0.1 (0: none)")
      ->delimiter(',')
      ->check(number_from(0, 1))
      ->type_name("S,...");
  command
      .add_option("--set", options.overrides,
                  "key.path=value, in place of every scene's: --set particles.support_ratio=2; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command
      .add_option("--from-time", options.from_time,
                  "simulate every scene so long, once for each size, before its rows are measured (0, and the usual "
                  "scenes' own)")
      ->check(scene_time(true))
      ->type_name(kSceneTime);
  command
      .add_option(
          "--motion-seconds", options.motion_seconds,
          "simulate no longer than this time on the wall (4) before the rows of a size, and say how far it came")
      ->check(positive_seconds())
      ->type_name("SECONDS");
  command.add_option("--count", options.count, "steps of each row (200), after 20 to warm up")
      ->check(whole_number_from(1, 1000000000))
      ->type_name("N");
  command
      .add_option("--row-seconds", options.row_seconds,
                  "start no further step of a row after this time (1), warming up takes half as long at most")
      ->check(positive_seconds())
      ->type_name("SECONDS");
  add_device_option(command, options.device);
  add_json_option(command, "the rows", options.json);
}

struct MethodsRow {
  MethodSettings search;
  std::optional<StepFigures> figures;
  std::string note;  ///< why there are no figures
  bool fastest = false;
};

/// The rows of one scene and size.
struct MethodsCase {
  std::string scene;
  double wanted = 0;  ///< particles
  std::string solver, time, note;
  int particles = 0, wall_particles = 0;
  std::vector<MethodsRow> rows;
};

/// Steps until the simulated time or the time on the wall has passed. @return the simulated time that was reached
double move_on_within(Simulation& simulation, double time, double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  while (simulation.latest().time < time && seconds_since(begin) < seconds && !interrupted()) simulation.step();
  const StepReport known = simulation.finish();
  if (!std::isfinite(known.max_speed)) throw RuntimeFailure("the fluid fell apart before the measurement");
  return known.time;
}

/// From the state, by a search.
void measure_row(Simulation& simulation, const SimulationState& state, const MethodsOptions& options,
                 const std::string& scene, MethodsRow& row) {
  const std::string note = why_left_out([&] {
    simulation.set_neighbors(with_search(simulation.setup().neighbors, row.search));
    simulation.restore_state(state);
    const auto begin = std::chrono::steady_clock::now();
    for (int step = 0; step < kWarmUp && !interrupted(); ++step)
      if (step == 0 || seconds_since(begin) < options.row_seconds / 2) simulation.step();
    simulation.finish();
    row.figures = measure_steps_of(simulation, scene, options.count, options.row_seconds);
    if (row.figures && !row.figures->failure.empty()) {
      row.note = row.figures->failure;
      row.figures.reset();
    }
  });
  if (!note.empty()) row.note = note;
  if (!row.note.empty()) log::warn("{}, {}: left out: {}", scene, name_of(row.search), row.note);
}

void mark_fastest(MethodsCase& one) {
  MethodsRow* fastest = nullptr;
  for (MethodsRow& row : one.rows)
    if (row.figures && (!fastest || row.figures->ms_per_step() < fastest->figures->ms_per_step())) fastest = &row;
  if (fastest) fastest->fastest = true;
}

void measure_case(const MethodsOptions& options, double from_time, MethodsCase& one) {
  SceneOptions wanted;
  wanted.scene = one.scene;
  wanted.overrides = options.overrides;
  const std::string note = why_left_out([&] {
    scenes::Scene scene = load_with_options(sized(wanted, one.wanted));
    scene.simulation.neighbors.automatic = false;  // it would measure searches itself
    one.solver = to_string(scene.simulation.solver);
    const Device device = select_device_for(scene.simulation, options.device);
    for (const MethodSettings& search : searches_of(options.methods, device))
      for (const double skin : options.skins) {
        one.rows.emplace_back();
        one.rows.back().search = search;
        one.rows.back().search.skin = static_cast<float>(skin);
      }
    Simulation simulation(scene.simulation, device);
    const double reached = move_on_within(simulation, from_time, options.motion_seconds);
    one.particles = simulation.particle_count();
    one.wall_particles = simulation.boundary_count();
    one.time = fmt::format("t = {:.4g} {}", reached, units_of(scene.simulation).time);
    if (reached < from_time) one.note = fmt::format("moved for {:g} s, not to {:g}", options.motion_seconds, from_time);
    SimulationState state = simulation.save_state();
    state.search = {};  // each search begins with a build of its own
    for (MethodsRow& row : one.rows)
      if (!interrupted()) measure_row(simulation, state, options, scene.name, row);
  });
  if (!note.empty()) one.note = note;
  if (!one.note.empty()) log::warn("{}, {:g} particles: {}", one.scene, one.wanted, one.note);
  mark_fastest(one);
}

std::string title_of(const MethodsCase& one) {
  std::string text = fmt::format("{}, {}: ", one.solver.empty() ? "?" : one.solver, one.scene);
  text += one.particles > 0 ? fmt::format("{} particles, {} in walls, {}", grouped(one.particles),
                                          grouped(one.wall_particles), one.time)
                            : fmt::format("{:g} particles, not measured", one.wanted);
  return one.note.empty() ? text : text + " (" + one.note + ")";
}

std::string table_of(const MethodsCase& one) {
  std::vector<std::vector<std::string>> table{
      {"  search", "ms/step", "M p-steps/s", "GPIPS", "neighbours", "steps", "of best", "B/particle", "lists"}};
  const auto best = std::find_if(one.rows.begin(), one.rows.end(), [](const MethodsRow& row) { return row.fastest; });
  for (const MethodsRow& row : one.rows) {
    const std::string name = fmt::format("{}{}", row.fastest ? "* " : "  ", name_of(row.search));
    if (!row.figures) {
      table.push_back({name, "-", "-", "-", "-", "-", "-", "-", row.note.empty() ? "not measured" : row.note});
      continue;
    }
    const StepFigures& f = *row.figures;
    table.push_back({name, milliseconds_cell(f.ms_per_step()), three_digits(1e-6 * f.rate()),
                     three_digits(f.neighbors.fluid_gpips(f.rate())), fmt::format("{:.1f}", f.neighbors.mean),
                     std::to_string(f.steps), fmt::format("{:.2f}", f.ms_per_step() / best->figures->ms_per_step()),
                     fmt::format("{:.0f}", f.bytes_per_particle()), describe(f.neighbors.lists, f.particles)});
  }
  return table.size() > 1 ? aligned_table(table) : "";
}

/// The fastest search of every scene and size, and the next one.
std::string summary_of(const std::vector<MethodsCase>& cases) {
  std::vector<std::vector<std::string>> table{
      {"scene", "solver", "particles", "ms/step", "M p-steps/s", "GPIPS", "fastest search, and the next"}};
  for (const MethodsCase& one : cases) {
    std::vector<const MethodsRow*> measured;
    for (const MethodsRow& row : one.rows)
      if (row.figures) measured.push_back(&row);
    std::stable_sort(measured.begin(), measured.end(), [](const MethodsRow* a, const MethodsRow* b) {
      return a->figures->ms_per_step() < b->figures->ms_per_step();
    });
    if (measured.empty()) {
      table.push_back({one.scene, one.solver.empty() ? "?" : one.solver, fmt::format("{:g}", one.wanted), "-", "-", "-",
                       one.note.empty() ? "not measured" : one.note});
      continue;
    }
    const StepFigures& f = *measured.front()->figures;
    std::string names = name_of(measured.front()->search);
    if (measured.size() > 1)
      names += fmt::format("; {} takes {:.2f} times as long", name_of(measured[1]->search),
                           measured[1]->figures->ms_per_step() / f.ms_per_step());
    table.push_back({one.scene, one.solver, grouped(f.particles), milliseconds_cell(f.ms_per_step()),
                     three_digits(1e-6 * f.rate()), three_digits(f.neighbors.fluid_gpips(f.rate())), names});
  }
  return aligned_table(table);
}

Json json_of(const MethodsCase& one) {
  Json rows = Json::array();
  for (const MethodsRow& row : one.rows) {
    Json entry{{"search", name_of(row.search)}, {"fastest", row.fastest}, {"note", row.note}};
    if (row.figures) entry.update(to_json(*row.figures));
    rows.push_back(entry);
  }
  return {{"scene", one.scene},
          {"solver", one.solver},
          {"wanted_particles", one.wanted},
          {"particles", one.particles},
          {"wall_particles", one.wall_particles},
          {"from", one.time},
          {"note", one.note},
          {"rows", rows}};
}

std::vector<std::pair<MethodsCase, double>> cases_of(const MethodsOptions& options) {
  std::vector<double> sizes = options.particles;
  if (sizes.empty()) sizes.assign(std::begin(kUsualSizes), std::end(kUsualSizes));
  std::vector<std::string> scenes = options.scenes;
  if (scenes.empty())
    for (const UsualScene& usual : kUsualScenes) scenes.emplace_back(usual.name);
  std::vector<std::pair<MethodsCase, double>> cases;
  for (const std::string& scene : scenes) {
    double from_time = options.from_time.value_or(0);
    for (const UsualScene& usual : kUsualScenes)
      if (scene == usual.name && !options.from_time) from_time = usual.from_time;
    SceneOptions as_it_is;
    as_it_is.scene = scene;
    as_it_is.overrides = options.overrides;
    load_with_options(as_it_is);  // a scene that is wrong is found before hours of measuring
    for (const double particles : sizes) cases.push_back({{scene, particles, "", "", "", 0, 0, {}}, from_time});
  }
  return cases;
}

int bench_methods(const MethodsOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  select_device(options.device);  // a device that is asked for by name and missing is no row's fault
  std::optional<Interruption> interruption(std::in_place);
  std::vector<MethodsCase> cases;
  const auto begin = std::chrono::steady_clock::now();
  bool any = false;
  for (auto& [one, from_time] : cases_of(options)) {
    if (interrupted()) break;
    log::info("{}, {:g} particles", one.scene, one.wanted);
    measure_case(options, from_time, one);
    for (const MethodsRow& row : one.rows) any = any || row.figures;
    cases.push_back(std::move(one));
  }
  if (!any && interrupted()) return interrupted_before();
  const double seconds = seconds_since(begin);
  std::string text = options.command_line + "\n";
  Json list = Json::array();
  for (const MethodsCase& one : cases) {
    text += "\n" + title_of(one) + "\n" + table_of(one);
    list.push_back(json_of(one));
  }
  text += fmt::format(
      "\n{}\n* takes the least time per step; a pair counts once per step and particle (GPIPS). All of "
      "this took {:.0f} s.\n",
      summary_of(cases), seconds);
  interruption.reset();  // from here on a signal ends the program
  outputs.deliver(text + interruption_text(interrupted()), {{"bench", "methods"},
                                                            {"command", options.command_line},
                                                            {"interrupted", interrupted()},
                                                            {"seconds", seconds},
                                                            {"cases", list}});
  if (!any) throw RuntimeFailure("no row could be measured; the table says why");
  return exit_code_or_interrupted(0);
}

}  // namespace

CommandRow methods_command() {
  return command_row("bench methods", "which search for which solver and size: whole steps by every search",
                     add_methods_options, bench_methods);
}

}  // namespace riffle::bench
