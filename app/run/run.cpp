#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "app/command/command.h"
#include "app/command/scene_options.h"
#include "app/run/memory_check.h"
#include "app/run/run_options.h"
#include "app/run/run_outputs.h"
#include "app/run/scene_run.h"
#include "app/run/state_start.h"
#include "app/run/states_as_before.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "scenes/document/parameters.h"
#include "scenes/scene_events.h"

namespace riffle {

namespace {

/// --look as the override that it is.
SceneOptions scene_of(const RunOptions& options) {
  SceneOptions scene = options.scene;
  if (!options.look.empty()) scene.overrides.push_back("picture.look=" + options.look);
  return scene;
}

/// It would be replaced by a movie that lacks its frames.
void refuse_a_movie_of_before(const Outputs& outputs) {
  std::error_code ignored;
  if (!outputs.movie.empty() && std::filesystem::exists(outputs.movie, ignored))
    throw InputError(
        fmt::format("--video ({}) is there, and the movie of a run that goes on has only the frames after the state; "
                    "allowed: a new name",
                    outputs.movie.string()));
}

/// Moves a good state of an earlier run in the folder out of the way: it would be taken for one of this run. The one that this
/// run goes on from stays.
void set_aside_good_state(const Outputs& outputs, const RunStart* from) {
  const std::filesystem::path old = outputs.folder / "good_state.h5", aside = outputs.folder / "good_state_before.h5";
  std::error_code error;
  if (!std::filesystem::is_regular_file(old, error)) return;
  if (from != nullptr && (same_file(from->file, old) || same_file(from->file, aside))) return;
  std::filesystem::rename(old, aside, error);
  if (error) {
    log::warn("{} is of an earlier run: it cannot be renamed: {}", old.string(), error.message());
    return;
  }
  std::filesystem::remove(companion_of(old), error);  // it names the state by its old name
  log::info("{} is of an earlier run and is {} from now on", old.string(), aside.string());
}

scenes::RunAhead run_ahead(const RunOptions& options, const RunStart* from) {
  const bool option = options.steps.has_value() || options.time.has_value();
  if (from == nullptr) return {.ends_by_scene = !option};
  const SavedGoal& before = from->saved.goal;
  const ClockState& clock = from->saved.state.clock;
  return {clock.step, clock.time, !option && !before.step && !before.time};
}

/// from: nullptr for a run from its start
int run_source(RunOptions options, const scenes::SceneSource& source, RunStart* from) {
  scenes::Scene scene = build_and_warn(source, run_ahead(options, from));
  if (from != nullptr) scene.inputs.push_back(from->file);
  options.parameters = scenes::parameters(
      scenes::document_after(source, from ? scenes::events_before(scene, from->saved.state.clock.step) : 0));
  const Device device = select_device_for(scene.simulation, options.scene.device);
  const Outputs outputs(scene, options);
  if (from != nullptr) {
    refuse_a_movie_of_before(outputs);
    refuse_to_replace_a_later_state(outputs, options, *from);
  }
  SavedScene saved;
  if (!outputs.checkpoint.empty()) {
    saved = saved_scene(source);
  } else if (!options.no_guard) {
    try {
      saved = saved_scene(source);
    } catch (const std::exception& failure) {
      log::warn("a run that becomes unstable will leave no good state: {}", failure.what());
    }
  }
  set_aside_good_state(outputs, from);
  const Interruption interruption;
  return run_scene(scene, options, outputs, device, interruption, std::move(saved), from);
}

int resume(const RunOptions& given) {
  if (given.quiet) log::set_level(log::Level::Warning);
  StateStart start = start_from_state(scene_of(given));
  RunOptions options = given;
  keep_states_as_before(options, start);
  RunStart from{start.file, std::move(start.saved), start.end_before, std::move(start.changes)};
  return run_source(options, start.source, &from);
}

int run(const RunOptions& options) {
  if (options.quiet) log::set_level(log::Level::Warning);
  if (is_state_file(options.scene.scene)) {
    log::info("{}: is a state, so the run goes on from it, as by `riffle resume`", options.scene.scene);
    return resume(options);
  }
  return run_source(options, source_with_options(scene_of(options)), nullptr);
}

}  // namespace

CommandRow run_command() {
  return command_row("run", "run a scene and write pictures, a movie and a report", add_run_options, run);
}

CommandRow resume_command() {
  return command_row("resume", "go on with a run from a state that it has written", add_resume_options, resume);
}

}  // namespace riffle
