/// `riffle pairs`: the list of all neighbouring pairs of a scene, for other programs.

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/command/scene_options.h"
#include "app/report/npz.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/run/stability.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/output_files.h"
#include "scenes/document/yaml_writer.h"
#include "sim/measure/pair_list.h"
#include "sim/simulation.h"
#include "sim/units.h"

namespace riffle {

namespace {

using Json = nlohmann::ordered_json;

struct PairsOptions {
  SceneOptions scene;
  std::uint64_t steps = 0;
  std::string out, json;
  bool distances = false;
};

CLI::Validator pair_file() {
  return CLI::Validator(
      [](std::string& file) -> std::string {
        const std::string ending = std::filesystem::path(file).extension().string();
        if (ending == ".npz" || ending == ".csv") return "";
        return fmt::format("'{}': found the ending '{}', allowed for pairs: .npz, .csv", file, ending);
      },
      "");
}

void add_pairs_options(CLI::App& command, PairsOptions& options) {
  add_scene_options(command, options.scene);
  command.add_option("--steps", options.steps, "the pairs after N steps (0)")->check(whole_number())->type_name("N");
  command
      .add_option("--out", options.out,
                  "the pairs: arrays i and j of ids for numpy.load(), or lines i,j; ascending, each pair once, i < j")
      ->check(output_path())
      ->check(pair_file())
      ->type_name("FILE.npz|csv");
  command.add_flag("--distances", options.distances, "their distances, too")->needs("--out");
  add_json_option(command, "how many there are", options.json);
}

void write_pairs(const std::filesystem::path& file, const PairList& pairs, bool distances, double radius, double time) {
  if (file.extension() == ".csv") {
    write_stream(file, [&](std::ostream& out) {
      out << (distances ? "i,j,distance\n" : "i,j\n");
      for (std::size_t k = 0; k < pairs.size(); ++k) {
        out << pairs.first[k] << ',' << pairs.second[k];
        if (distances) out << ',' << scenes::number_text(pairs.distance[k]);
        out << '\n';
      }
    });
    return;
  }
  write_whole(file, [&](const std::filesystem::path& partial) {
    NpzWriter npz(partial);
    npz.add("i", pairs.first);
    npz.add("j", pairs.second);
    if (distances) npz.add("distance", pairs.distance);
    npz.add("support_radius", radius);
    npz.add("time", time);
    npz.finish();
  });
}

/// @throws RuntimeFailure if the run ends before the step
void run_to(Simulation& simulation, std::uint64_t steps) {
  const Interruption interruption;
  StepReport clock = simulation.latest();
  for (std::uint64_t step = 0; step < steps && !interrupted(); ++step) {
    simulation.step();
    clock = simulation.latest();
    if (is_stopped(clock)) break;
  }
  clock = simulation.finish();
  if (interrupted()) return;
  if (const std::string failure = what_blew_up(simulation.diagnostics(), clock, simulation); !failure.empty())
    throw RuntimeFailure(failure);
  if (clock.step < steps) throw RuntimeFailure(why_stuck(clock, simulation, fmt::format("{} steps", steps)));
}

int list_scene_pairs(const PairsOptions& options) {
  const ReportOutputs outputs{.csv = options.out, .json = options.json};
  outputs.prepare();
  const scenes::Scene scene = load_without_events(options.scene);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  Simulation simulation(scene.simulation, device);
  run_to(simulation, options.steps);
  if (interrupted()) return exit_code_or_interrupted(0);
  const StepReport clock = simulation.finish();
  const PairList pairs = list_pairs(simulation);
  const double radius = scene.simulation.support_radius(), particles = simulation.particle_count();
  const Units& units = units_of(scene.simulation);
  if (!options.out.empty()) write_pairs(options.out, pairs, options.distances, radius, clock.time);
  const double mean = particles > 0 ? 2 * static_cast<double>(pairs.size()) / particles : 0;
  const std::string method(to_string(simulation.setup().neighbors.method));
  const Json json{{"pairs", scene.name},
                  {"method", method},
                  {"particles", simulation.particle_count()},
                  {"count", pairs.size()},
                  {"mean_neighbors", mean},
                  {"support_radius", radius},
                  {"steps", clock.step},
                  {"time", clock.time},
                  {"file", options.out.empty() ? Json(nullptr) : Json(options.out)}};
  ReportOutputs{.json = options.json}.deliver(
      fmt::format(
          "{} by {}: {} pairs of {} particles nearer than {:.6g} {}, {:.4g} neighbours each, after {} steps{}\n",
          scene.name, method, pairs.size(), simulation.particle_count(), radius, units.length, mean, clock.step,
          options.out.empty() ? "" : fmt::format("\npairs:   {}", options.out)),
      json);
  return 0;
}

}  // namespace

CommandRow pairs_command() {
  return command_row("pairs", "list all neighbouring pairs of a scene, for other programs", add_pairs_options,
                     list_scene_pairs);
}

}  // namespace riffle
