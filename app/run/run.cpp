#include <fmt/format.h>

#include <utility>

#include "app/command/command.h"
#include "app/command/scene_options.h"
#include "app/run/memory_check.h"
#include "app/run/run_options.h"
#include "app/run/run_outputs.h"
#include "app/run/scene_run.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/parameters.h"

namespace riffle {

namespace {

/// --look as the override that it is.
SceneOptions scene_of(const RunOptions& options) {
  SceneOptions scene = options.scene;
  if (!options.look.empty()) scene.overrides.push_back("picture.look=" + options.look);
  return scene;
}

/// from: nullptr for a run from its start
int run_source(RunOptions options, const scenes::SceneSource& source, RunStart* from) {
  scenes::Scene scene = build_and_warn(source);
  if (from != nullptr) scene.inputs.push_back(from->file);
  options.parameters = scenes::parameters(source);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  const Outputs outputs(scene, options);
  SavedScene saved = options.has_checkpoints() ? saved_scene(source) : SavedScene{};
  const Interruption interruption;
  return run_scene(scene, options, outputs, device, interruption, std::move(saved), from);
}

int run(const RunOptions& options) {
  if (options.quiet) log::set_level(log::Level::Warning);
  return run_source(options, source_with_options(scene_of(options)), nullptr);
}

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

int resume(const RunOptions& options) {
  if (options.quiet) log::set_level(log::Level::Warning);
  RunStart from{options.scene.scene, read_state(options.scene.scene)};
  const UnpackedScene unpacked(from.saved.scene);
  SceneOptions wanted = scene_of(options);
  wanted.scene = unpacked.path();
  wanted.text = from.saved.scene.text;
  const scenes::SceneSource before = scenes::parse_source(from.saved.scene.text, unpacked.path());
  const scenes::SceneSource now = source_with_options(wanted);
  refuse_keys_of_the_start(before, now, from.file);
  const scenes::Scene scene_before = scenes::build_scene(before);
  from.end_before = scene_before.run.end_time;
  from.saved.state.setup = scene_before.simulation;
  return run_source(options, now, &from);
}

}  // namespace

CommandRow run_command() {
  return command_row("run", "run a scene and write pictures, a movie and a report", add_run_options, run);
}

CommandRow resume_command() {
  return command_row("resume", "go on with a run from a state that it has written", add_resume_options, resume);
}

}  // namespace riffle
