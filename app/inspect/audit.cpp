/// `riffle audit`: compares every neighbour search with all pairs, along a run.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/command/scene_options.h"
#include "app/inspect/audit_candidates.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/run/stability.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "sim/simulation.h"
#include "sim/units.h"

namespace riffle {

namespace {

using Json = nlohmann::ordered_json;

struct AuditOptions {
  SceneOptions scene;
  std::uint64_t steps = 100;
  std::uint64_t every = 10;  ///< [steps]
  std::string json;          ///< file; "-": standard output; "": none
};

void add_audit_options(CLI::App& command, AuditOptions& options) {
  add_scene_options(command, options.scene);
  command.add_option("--steps", options.steps, "steps of the run (100)")->check(whole_number())->type_name("N");
  command.add_option("--every", options.every, "compare before the first step and after every K-th (10)")
      ->check(whole_number_from(1, 1000000000))
      ->type_name("K");
  add_json_option(command, "the result", options.json);
}

void audit_state(std::vector<AuditCandidate>& candidates, const Simulation& simulation, const StepReport& clock) {
  const AuditOracle oracle(simulation.device(), live_cloud(simulation), compared_particles(simulation, clock.step));
  const AuditedState state = audited_state(simulation, clock);
  for (AuditCandidate& c : candidates)
    if (!interrupted()) examine(c, oracle, state);
}

std::string text_of(const std::vector<AuditCandidate>& candidates, const std::string& heading) {
  std::string text = heading + "\n" +
                     fmt::format("{:<14} {:<24} {:>6} {:>11} {:>12} {:>9} {:>9} {:>9} {:>10}  {}\n", "method", "used",
                                 "states", "particles", "pairs", "missing", "extra", "duplicate", "asymmetric", "");
  for (const AuditCandidate& c : candidates)
    text += fmt::format("{:<14} {:<24} {:>6} {:>11} {:>12} {:>9} {:>9} {:>9} {:>10}  {}\n", c.name, c.use, c.states,
                        c.sum.particles, c.sum.pairs, c.sum.missing, c.sum.extra, c.sum.duplicate, c.sum.asymmetric,
                        verdict(c) + (c.settings.skin > 0 ? fmt::format(", {} builds spared", c.spared_builds) : ""));
  for (const AuditCandidate& c : candidates) {
    if (!c.refused.empty()) text += fmt::format("{}, {}: refused: {}\n", c.name, c.use, c.refused);
    if (c.sum.differing > c.sum.examined)
      text += fmt::format("{}, {}: {} particles are wrong; the pairs are those of {} of them\n", c.name, c.use,
                          c.sum.differing, c.sum.examined);
    for (const std::string& line : c.first) text += fmt::format("{}, {}: {}\n", c.name, c.use, line);
  }
  text +=
      "pairs: over all states, each pair twice, once from either particle; riffle pairs counts it once, in one state\n";
  const bool never_spared =
      std::all_of(candidates.begin(), candidates.end(), [](const AuditCandidate& c) { return c.spared_builds == 0; });
  if (never_spared)
    text += "no skin spared a build: all lists were new at each state; a smaller --every compares older ones\n";
  return text;
}

Json json_of(const AuditCandidate& c) {
  const bool optix = c.settings.structure == TreeStructure::Optix;
  const Json structure = c.settings.method == NeighborMethod::Rtnn ? Json(optix ? "optix" : "lbvh") : Json(nullptr);
  return {{"method", std::string(to_string(c.settings.method))},
          {"structure", structure},
          {"use", c.use},
          {"verdict", verdict(c)},
          {"states", c.states},
          {"wrong_states", c.wrong_states},
          {"refusals", c.refusals},
          {"spared_builds", c.settings.skin > 0 ? Json(c.spared_builds) : Json(nullptr)},
          {"refused", c.refused.empty() ? Json(nullptr) : Json(c.refused)},
          {"particles_compared", c.sum.particles},
          {"pairs", c.sum.pairs},
          {"particles_wrong", c.sum.differing},
          {"particles_examined", c.sum.examined},
          {"missing", c.sum.missing},
          {"extra", c.sum.extra},
          {"duplicate", c.sum.duplicate},
          {"asymmetric", c.sum.asymmetric},
          {"asymmetric_somewhere", c.sum.asymmetric_somewhere},
          {"unvisited", c.sum.unvisited},
          {"first", c.first}};
}

int audit_scene(const AuditOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  const scenes::Scene scene = load_without_events(options.scene);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  Simulation simulation(scene.simulation, device);
  SearchSettings settings;
  static_cast<MethodSettings&>(settings) = scene.simulation.neighbors;
  settings.spacing = scene.simulation.spacing;
  std::vector<AuditCandidate> candidates = audit_candidates(device, settings);
  StepReport clock = simulation.finish();
  std::uint64_t states = 0;
  std::string failure;
  // Particles at NaN have no neighbours in any search, so comparing them would find nothing.
  const auto look = [&](std::uint64_t step) {
    log::info("step {}, t = {:.4g} {}", clock.step, clock.time, units_of(scene.simulation).time);
    failure = what_blew_up(simulation.diagnostics(), clock, simulation);
    if (failure.empty() && clock.step < step)
      failure = why_stuck(clock, simulation, fmt::format("{} steps", options.steps));
    if (!failure.empty()) return false;
    audit_state(candidates, simulation, clock);
    ++states;
    return true;
  };
  {
    const Interruption interruption;
    bool sound = look(0);
    for (std::uint64_t step = 1; sound && step <= options.steps && !interrupted(); ++step) {
      simulation.step();
      if (step % options.every != 0 && step != options.steps) continue;
      clock = simulation.finish();
      sound = look(step);
    }
  }
  const bool all = simulation.particle_count() <= kMostCompared;
  const std::string heading =
      fmt::format("{} on {}: {} particles, {} steps, {} states; {} compared with every pair", scene.name,
                  device_name(device), simulation.particle_count(), clock.step, states,
                  all ? std::string("all particles") : fmt::format("{} particles of each state", kSampled));
  bool wrong = false;
  Json results = Json::array();
  for (const AuditCandidate& c : candidates) {
    wrong |= c.wrong_states > 0;
    results.push_back(json_of(c));
  }
  const std::vector<std::string> not_compared = never_compared(candidates);
  const Json json{{"audit", scene.name},
                  {"device", {{"kind", std::string(to_string(device.kind))}, {"name", device_name(device)}}},
                  {"method_of_the_run", std::string(to_string(scene.simulation.neighbors.method))},
                  {"particles", simulation.particle_count()},
                  {"steps", options.steps},
                  {"every", options.every},
                  {"seed", scene.simulation.seed},
                  {"states", states},
                  {"simulated_time", clock.time},
                  {"all_compared", all},
                  {"right", !wrong && not_compared.empty() && failure.empty()},
                  {"not_compared", not_compared},
                  {"interrupted", interrupted()},
                  {"failure", failure.empty() ? Json(nullptr) : Json(failure)},
                  {"results", results}};
  outputs.deliver(text_of(candidates, heading) + interruption_text(interrupted()), json);
  if (!failure.empty()) throw RuntimeFailure(failure);
  if (!not_compared.empty())
    log::error("not compared, since each refused all {} states: {}", states, fmt::join(not_compared, ", "));
  return exit_code_or_interrupted(wrong || !not_compared.empty() ? 1 : 0);
}

}  // namespace

CommandRow audit_command() {
  return command_row("audit", "compare every neighbour search with all pairs, along a run", add_audit_options,
                     audit_scene);
}

}  // namespace riffle
