/// `riffle audit`: compares every neighbour search with all pairs, along a run.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/command/scene_options.h"
#include "app/report/outputs.h"
#include "app/run/audit_state.h"
#include "app/run/memory_check.h"
#include "app/run/stability.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "neighbors/tree/tree_structures.h"
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
      ->check(whole_number())
      ->check(CLI::Range(1, 1000000000))
      ->type_name("K");
  add_json_option(command, "the result", options.json);
}

/// One variant of one search, over all the states of the run.
struct Candidate {
  std::string name;  ///< "hoetzlein", "rtnn by OptiX"
  std::string use;
  SearchSettings settings;
  bool keep = false;  ///< one search object for the whole run, as a simulation has
  bool lists = false;
  std::unique_ptr<NeighborSearch> kept;

  std::string refused;  ///< why, the first time; "" when never
  std::uint64_t states = 0, refusals = 0;
  std::uint64_t wrong_states = 0;
  SearchAudit sum;                 ///< over the states
  std::vector<std::string> first;  ///< wrong pairs, in words
};

void add_candidates(std::vector<Candidate>& all, const NeighborMethodInfo& info, TreeStructure structure,
                    const Device& device) {
  const bool optix = structure == TreeStructure::Optix;
  const auto add = [&](const std::string& use) -> Candidate& {
    Candidate& c = all.emplace_back();
    c.name = search_name(info.method, structure);
    c.use = use;
    c.settings.method = info.method;
    c.settings.structure = structure;
    return c;
  };
  add("new search");
  add("rebuilt").keep = true;
  if (info.method == NeighborMethod::BruteForce) return;  // it has neither cells nor an order
  if (info.has_cells) {
    add("cells of h/2").settings.cell_ratio = 0.5f;
    add("cells of 2 h").settings.cell_ratio = 2;
  }
  for (const MethodOption& option : info.options) {
    Candidate& c = add(std::string(option.name) + (option.built_again ? ", rebuilt" : ""));
    option.choose(c.settings);
    c.keep = option.built_again;
  }
  if (device.is_cpu()) return;
  if (!optix) {  // which lists by itself
    Candidate& lists = add("with lists, rebuilt");
    lists.lists = true;
    lists.keep = true;
  }
  add("deterministic").settings.deterministic = true;
}

std::vector<Candidate> all_candidates(const Device& device) {
  std::vector<Candidate> all;
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const TreeStructure structure : tree_structures(info.method, device))
      add_candidates(all, info, structure, device);
  return all;
}

void add(Candidate& c, const SearchAudit& audit, const AuditedState& state, const ParticleCloud& cloud) {
  c.sum.particles += audit.particles, c.sum.pairs += audit.pairs;
  c.sum.differing += audit.differing, c.sum.examined += audit.examined;
  c.sum.missing += audit.missing, c.sum.extra += audit.extra, c.sum.duplicate += audit.duplicate;
  c.sum.asymmetric += audit.asymmetric, c.sum.unvisited += audit.unvisited;
  c.sum.asymmetric_somewhere |= audit.asymmetric_somewhere;
  if (audit.right()) return;
  ++c.wrong_states;
  for (const std::string& line : fault_lines(audit, state, cloud))
    if (c.first.size() < 5) c.first.push_back(line);
}

void examine(Candidate& c, const AuditOracle& oracle, const AuditedState& state) {
  try {
    NeighborSearch* search = c.kept.get();
    std::unique_ptr<NeighborSearch> fresh;
    if (!search) {
      fresh = std::make_unique<NeighborSearch>(oracle.device(), c.settings);
      search = fresh.get();
    }
    const SearchAudit audit = build_and_audit(*search, oracle, c.lists);
    ++c.states;
    add(c, audit, state, oracle.cloud());
    if (c.keep && fresh) c.kept = std::move(fresh);
  } catch (const Unavailable& error) {
    ++c.refusals;
    if (c.refused.empty()) c.refused = error.what();
  } catch (const InputError& error) {
    ++c.refusals;
    if (c.refused.empty()) c.refused = error.what();
  } catch (const std::exception& error) {
    throw RuntimeFailure(fmt::format("{}, {}, at step {}: {}", c.name, c.use, state.step, error.what()));
  }
}

void audit_state(std::vector<Candidate>& candidates, const Simulation& simulation, const StepReport& clock) {
  const AuditOracle oracle(simulation.device(), live_cloud(simulation), compared_particles(simulation, clock.step));
  const AuditedState state = audited_state(simulation, clock);
  for (Candidate& c : candidates)
    if (!interrupted()) examine(c, oracle, state);
}

std::string verdict(const Candidate& c) {
  if (c.wrong_states > 0) return "WRONG";
  return c.states == 0 ? "refused" : c.refusals > 0 ? "right, refused at times" : "right";
}

std::string text_of(const std::vector<Candidate>& candidates, const std::string& heading) {
  std::string text = heading + "\n" +
                     fmt::format("{:<14} {:<24} {:>6} {:>11} {:>12} {:>9} {:>9} {:>9} {:>10}  {}\n", "method", "used",
                                 "states", "particles", "pairs", "missing", "extra", "duplicate", "asymmetric", "");
  for (const Candidate& c : candidates)
    text += fmt::format("{:<14} {:<24} {:>6} {:>11} {:>12} {:>9} {:>9} {:>9} {:>10}  {}\n", c.name, c.use, c.states,
                        c.sum.particles, c.sum.pairs, c.sum.missing, c.sum.extra, c.sum.duplicate, c.sum.asymmetric,
                        verdict(c));
  for (const Candidate& c : candidates) {
    if (!c.refused.empty()) text += fmt::format("{}, {}: refused: {}\n", c.name, c.use, c.refused);
    if (c.sum.differing > c.sum.examined)
      text += fmt::format("{}, {}: {} particles are wrong; the pairs are those of {} of them\n", c.name, c.use,
                          c.sum.differing, c.sum.examined);
    for (const std::string& line : c.first) text += fmt::format("{}, {}: {}\n", c.name, c.use, line);
  }
  return text;
}

Json json_of(const Candidate& c) {
  const bool optix = c.settings.structure == TreeStructure::Optix;
  const Json structure = c.settings.method == NeighborMethod::Rtnn ? Json(optix ? "optix" : "lbvh") : Json(nullptr);
  return {{"method", std::string(to_string(c.settings.method))},
          {"structure", structure},
          {"use", c.use},
          {"verdict", verdict(c)},
          {"states", c.states},
          {"wrong_states", c.wrong_states},
          {"refusals", c.refusals},
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
  const scenes::Scene scene = load_with_options(options.scene);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  Simulation simulation(scene.simulation, device);
  std::vector<Candidate> candidates = all_candidates(device);
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
  for (const Candidate& c : candidates) {
    wrong |= c.wrong_states > 0;
    results.push_back(json_of(c));
  }
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
                  {"right", !wrong && failure.empty()},
                  {"interrupted", interrupted()},
                  {"failure", failure.empty() ? Json(nullptr) : Json(failure)},
                  {"results", results}};
  outputs.deliver(text_of(candidates, heading) + interruption_text(interrupted()), json);
  if (!failure.empty()) throw RuntimeFailure(failure);
  return exit_code_or_interrupted(wrong ? 1 : 0);
}

}  // namespace

CommandRow audit_command() {
  return command_row("audit", "compare every neighbour search with all pairs, along a run", add_audit_options,
                     audit_scene);
}

}  // namespace riffle
