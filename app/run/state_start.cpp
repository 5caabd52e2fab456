#include "app/run/state_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/parameters.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene_events.h"
#include "sim/solver.h"

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

std::string events_of(const scenes::SceneSource& source) {
  const scenes::Node* const events = source.root.find("events");
  return events ? scenes::flow_text(*events) : "";
}

/// Those before the state have acted.
void refuse_other_events(const scenes::SceneSource& before, const scenes::SceneSource& now, const std::string& file) {
  if (events_of(before) != events_of(now))
    throw InputError(fmt::format(
        "--set events: found other events than those of the run that wrote {}; allowed: the values of keys, "
        "which change at the state",
        file));
}

bool changes_something(const SceneOptions& options) {
  return !options.overrides.empty() || !options.neighbors.empty() || options.seed.has_value();
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

/// Where the run has come to its end, the last step may be shorter than the scene has it.
void note_shortened_step(const SavedGoal& goal, StateStart& start) {
  const ClockState& clock = start.saved.state.clock;
  const double end = goal.step ? INFINITY : goal.time.value_or(start.end_before);
  if (clock.step == 0 || clock.time != end || start.saved.acts.shortened_step) return;
  if (is_shortened(clock.last_dt, start.saved.state.setup)) start.saved.acts.shortened_step = clock.step;
}

}  // namespace

bool is_shortened(float dt, const SimulationSetup& setup) {
  const float fixed = step_bounds(setup).fixed;
  return !(fixed > 0) || dt != fixed;
}

StateStart start_from_state(const SceneOptions& options) {
  StateStart start;
  start.file = options.scene;
  start.saved = read_state(options.scene, &start.is_pack);
  const SavedGoal goal = start.saved.goal;
  if (sets_end(options)) start.saved.goal = {};
  const auto unpacked = std::make_shared<const UnpackedScene>(start.saved.scene);
  SceneOptions wanted = options;
  wanted.scene = unpacked->path();
  wanted.text = start.saved.scene.text;
  scenes::SceneSource before = scenes::parse_source(start.saved.scene.text, unpacked->path());
  // Nobody has the file of the state's text, which may be another one than the file of that name.
  scenes::name_without_lines(before.root, before.path, start.file);
  const scenes::Scene scene_before = scenes::build_scene(before);
  const std::size_t played = scenes::events_before(scene_before, start.saved.state.clock.step);
  if (played > 0 && changes_something(options)) {
    // Events before the state must not hide what the options change.
    before = scenes::with_changes(scenes::document_after(before, played), before, {}, played);
    wanted.text = scenes::to_yaml(before.root, start.saved.scene.name);
  }
  start.source = source_with_options(wanted);
  scenes::name_without_lines(start.source.root, start.source.path, start.file);
  if (unpacked->has_files()) start.source.unpacked = unpacked;
  start.source.is_new = true;  // a file of its name may be there, and have other lines
  refuse_keys_of_the_start(before, start.source, start.file);
  refuse_other_events(before, start.source, start.file);
  start.changes = scenes::changed_keys(simulated_keys(before), simulated_keys(start.source));
  start.end_before = scene_before.run.end_time;
  start.saved.state.setup = scenes::setup_after(scene_before, played);
  note_shortened_step(goal, start);
  return start;
}

}  // namespace riffle
