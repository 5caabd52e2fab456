#include <utility>

#include "app/command/command.h"
#include "app/command/scene_options.h"
#include "app/run/memory_check.h"
#include "app/run/run_options.h"
#include "app/run/run_outputs.h"
#include "app/run/scene_run.h"
#include "app/run/state_start.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
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
  SavedScene saved;
  if (options.has_checkpoints()) {
    saved = saved_scene(source);
  } else if (!options.no_guard) {
    try {
      saved = saved_scene(source);
    } catch (const std::exception& failure) {
      log::warn("a run that becomes unstable will leave no good state: {}", failure.what());
    }
  }
  const Interruption interruption;
  return run_scene(scene, options, outputs, device, interruption, std::move(saved), from);
}

int run(const RunOptions& options) {
  if (options.quiet) log::set_level(log::Level::Warning);
  return run_source(options, source_with_options(scene_of(options)), nullptr);
}

int resume(const RunOptions& options) {
  if (options.quiet) log::set_level(log::Level::Warning);
  StateStart start = start_from_state(scene_of(options));
  RunStart from{start.file, std::move(start.saved), start.end_before};
  return run_source(options, start.source, &from);
}

}  // namespace

CommandRow run_command() {
  return command_row("run", "run a scene and write pictures, a movie and a report", add_run_options, run);
}

CommandRow resume_command() {
  return command_row("resume", "go on with a run from a state that it has written", add_resume_options, resume);
}

}  // namespace riffle
