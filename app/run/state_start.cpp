#include "app/run/state_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/parameters.h"

namespace riffle {

namespace {

/// A key that only the start of a run reads would be ignored.
void refuse_keys_of_the_start(const scenes::SceneSource& before, const scenes::SceneSource& now,
                              const std::string& file) {
  std::string refused;
  for (const std::string& key : scenes::keys_of_the_start(before, now)) refused += (refused.empty() ? "" : ", ") + key;
  if (!refused.empty())
    throw InputError(
        fmt::format("--set {}: found a change of what the particles of {} began from; allowed: keys that "
                    "act during a run",
                    refused, file));
}

bool sets_end(const SceneOptions& options) {
  return std::any_of(options.overrides.begin(), options.overrides.end(),
                     [](const std::string& text) { return text.starts_with("time.end="); });
}

/// The keys that a simulation takes notice of.
std::vector<scenes::Parameter> simulated_keys(const scenes::SceneSource& source) {
  std::vector<scenes::Parameter> keys = scenes::parameters(source);
  std::erase_if(keys, [](const scenes::Parameter& key) { return key.effect == scenes::Effect::Picture; });
  return keys;
}

}  // namespace

StateStart start_from_state(const SceneOptions& options) {
  StateStart start;
  start.file = options.scene;
  start.saved = read_state(options.scene, &start.is_pack);
  if (sets_end(options)) start.saved.goal = {};
  const auto unpacked = std::make_shared<const UnpackedScene>(start.saved.scene);
  SceneOptions wanted = options;
  wanted.scene = unpacked->path();
  wanted.text = start.saved.scene.text;
  const scenes::SceneSource before = scenes::parse_source(start.saved.scene.text, unpacked->path());
  start.source = source_with_options(wanted);
  if (unpacked->has_files()) start.source.unpacked = unpacked;
  refuse_keys_of_the_start(before, start.source, start.file);
  start.changes = scenes::changed_keys(simulated_keys(before), simulated_keys(start.source));
  const scenes::Scene scene_before = scenes::build_scene(before);
  start.end_before = scene_before.run.end_time;
  start.saved.state.setup = scene_before.simulation;
  return start;
}

}  // namespace riffle
