#include "app/inspect/case_scene.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "scenes/document/changed_keys.h"
#include "scenes/document/key_path.h"
#include "scenes/document/parameters.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/load.h"

namespace riffle {

namespace {

/// Thrown out of a case once its set-up is known. Not a std::exception, which would count as a failed case.
struct SetupTaken {};

/// A scene refers to fluids by name.
void name_apart(std::vector<FluidSetup>& fluids) {
  for (std::size_t i = 0; i < fluids.size(); ++i) {
    const std::string wanted = fluids[i].name;
    const auto taken = [&] {
      return std::any_of(fluids.begin(), fluids.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const FluidSetup& other) { return other.name == fluids[i].name; });
    };
    for (int k = 2; taken(); ++k) fluids[i].name = wanted + " " + std::to_string(k);
  }
}

/// @throws InputError unless a case may run with another value of the key that `assignment` names
void check_override(const std::string& assignment) {
  const std::string key = assignment.substr(0, assignment.find('='));
  const auto below = [&](const std::string& section) { return key.rfind(section + ".", 0) == 0; };
  static constexpr const char* kAlone[] = {"time.step", "time.cfl", "time.max_step", "particles.support_ratio", "seed"};
  const bool alone = std::find(std::begin(kAlone), std::end(kAlone), key) != std::end(kAlone);
  if (alone || below("neighbors") || (below("solver") && key != "solver.type")) return;
  throw InputError("--set " + key +
                   ": a case measures what its geometry, its fluids and its duration give; allowed: keys of solver "
                   "other than solver.type, keys of neighbors, time.step, time.cfl, time.max_step, "
                   "particles.support_ratio and seed");
}

}  // namespace

namespace {

/// Keys of the fluid and the forces on it; the others say how they are computed, and the references hold for them too.
bool is_physics(const std::string& key) {
  static constexpr const char* kPhysics[] = {"solver.temperature",   "solver.cutoff", "solver.repulsion",
                                             "solver.friction",      "solver.noise",  "solver.weights",
                                             "solver.wall_velocity", "solver.walls",  "solver.interface_tension"};
  return std::any_of(std::begin(kPhysics), std::end(kPhysics),
                     [&](const char* physics) { return scenes::is_inside(key, physics); });
}

}  // namespace

scenes::Scene scene_of(const ValidationCase& which, const SimulationSetup& setup) {
  scenes::Scene scene;
  scene.name = which.name;
  scene.description = which.title;
  scene.simulation = setup;
  name_apart(scene.simulation.fluids);
  return scene;
}

scenes::Scene case_scene(const ValidationCase& which, const CaseContext& context) {
  std::optional<SimulationSetup> setup;
  CaseContext asked = context;
  asked.on_setup = [&](const SimulationSetup& first) {
    setup = first;
    throw SetupTaken{};
  };
  try {
    run_case(which, asked);
  } catch (const SetupTaken&) {
  }
  if (!setup) throw InputError("'" + which.name + "' simulates nothing, so there is no scene of it");
  return scene_of(which, *setup);
}

SimulationSetup with_overrides(const ValidationCase& which, const SimulationSetup& setup,
                               const std::vector<std::string>& overrides, std::vector<std::string>& warnings) {
  for (const std::string& assignment : overrides) check_override(assignment);
  const std::string text = scenes::to_yaml(scenes::document_of(scene_of(which, setup)), which.name);
  const scenes::Scene plain = scenes::parse_scene(text, which.name);
  scenes::Scene changed = scenes::parse_scene(text, which.name, overrides);
  const auto says = [](const scenes::Warning& warning) { return warning.message(); };
  for (const scenes::Warning& warning : changed.warnings)
    if (std::none_of(plain.warnings.begin(), plain.warnings.end(),
                     [&](const scenes::Warning& other) { return says(other) == says(warning); }))
      warnings.push_back(says(warning));
  return std::move(changed.simulation);
}

std::string changed_physics(const ValidationCase& which, const SimulationSetup& setup,
                            const std::vector<std::string>& overrides) {
  const std::string text = scenes::to_yaml(scenes::document_of(scene_of(which, setup)), which.name);
  const auto keys = [&](const std::vector<std::string>& set) {
    return scenes::parameters(scenes::parse_source(text, which.name, set));
  };
  std::string changed;
  for (const scenes::KeyChange& change : scenes::changed_keys(keys({}), keys(overrides)))
    if (is_physics(change.key)) changed += (changed.empty() ? "" : ", ") + scenes::change_text(change);
  return changed;
}

}  // namespace riffle
