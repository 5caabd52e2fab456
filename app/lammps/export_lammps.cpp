/// `riffle export lammps`: a DPD scene, or a state of its run, as files for LAMMPS.

#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/command/scene_options.h"
#include "app/lammps/lammps_files.h"
#include "app/report/outputs.h"
#include "app/run/memory_check.h"
#include "app/run/state_start.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/number_text.h"
#include "core/text/output_files.h"
#include "scenes/scene_events.h"

namespace riffle {

namespace {

namespace fs = std::filesystem;

struct LammpsOptions {
  SceneOptions scene;
  std::string out, json;
};

void add_lammps_options(CLI::App& command, LammpsOptions& options) {
  command.add_option("SCENE", options.scene.scene, "a scene of `dpd` by its name or path, or a state file of its run")
      ->required()
      ->type_name("");
  add_scene_changes(command, options.scene);
  command.add_option("--out", options.out, "folder for NAME.data and NAME.in; output/<scene> when not given")
      ->check(output_path())
      ->type_name("DIR");
  add_json_option(command, "what was written", options.json);
}

struct Exported {
  LammpsScene scene;
  LammpsParticleTable particles;
  std::vector<std::string> inputs;  ///< files that it is made from
};

Exported from_state(const LammpsOptions& options) {
  const StateStart start = start_from_state(options.scene);
  // LAMMPS goes on with the values of the state, in which events before it have acted.
  const std::size_t played = scenes::events_before(start.source, start.saved.state.clock.step);
  const scenes::SceneSource document =
      scenes::with_changes(scenes::document_after(start.source, played), start.source, {}, played);
  const scenes::Scene scene = build_and_warn(document);
  LammpsScene made = lammps_scene(scene);
  check_state(start.saved.state, scene.simulation);
  // As `riffle resume` goes on: while the goal of the run that wrote the state is not reached, it counts more than the scene's
  // time.end.
  const SavedGoal& goal = start.saved.goal;
  if (goal.step && *goal.step > start.saved.state.clock.step) made.end_step = goal.step;
  if (goal.time && *goal.time > start.saved.state.clock.time) made.end_time = *goal.time;
  std::vector<std::string> inputs = scene.inputs;
  inputs.push_back(start.file);
  return {std::move(made), particles_for_lammps(start.saved.state), std::move(inputs)};
}

Exported from_scene(const LammpsOptions& options) {
  const scenes::Scene scene = load_with_options(options.scene);
  LammpsScene made = lammps_scene(scene);
  Simulation simulation(scene.simulation, select_device_for(scene.simulation, options.scene.device));
  std::vector<std::string> inputs = scene.inputs;
  inputs.push_back(scene.path);
  return {std::move(made), particles_for_lammps(simulation), std::move(inputs)};
}

void refuse_inputs_as_outputs(const fs::path& file, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs)
    if (same_file(file, input))
      throw InputError(fmt::format(
          "--out: {} would replace a file that the scene is made from; allowed: another folder", file.string()));
}

int export_lammps(const LammpsOptions& options) {
  const ReportOutputs outputs{.json = options.json};
  outputs.prepare();
  const Exported made = is_state_file(options.scene.scene) ? from_state(options) : from_scene(options);
  const LammpsScene& scene = made.scene;
  const fs::path folder = options.out.empty() ? fs::path("output") / scene.stem : fs::path(options.out);
  const fs::path data = folder / (scene.stem + ".data"), input = folder / (scene.stem + ".in");
  for (const fs::path& file : {data, input}) {
    refuse_inputs_as_outputs(file, made.inputs);
    if (outputs.json_is_file() && same_file(file, options.json))
      throw InputError(fmt::format("--json ({}) is a file for LAMMPS; it needs a name of its own", options.json));
    prepare_file(file);
  }
  for (const std::string& difference : scene.differences) log::info("{}", difference);
  write_stream(data, [&](std::ostream& out) { write_lammps_data(out, scene, made.particles); });
  write_text(input, lammps_input(scene, made.particles, data.filename().string()));
  const std::uint64_t steps = lammps_steps(scene, made.particles);
  const LammpsDump dump = lammps_dump(scene, made.particles);
  const std::uint64_t frame_steps = lammps_frame_steps(scene, made.particles);
  if (steps == 0)
    log::warn("the run is over at step {}, time {:.6g}: LAMMPS makes no step unless `-var steps N` gives some",
              made.particles.step, made.particles.time);
  outputs.deliver(
      fmt::format(
          "data:    {} with {} particles at time {:.6g}\ninput:   {} of {} steps\ndump:    {}.lammpstrj, which "
          "LAMMPS writes: {} frames, one every {} steps (-var frame_every N), about {} of text\nrun it:  cd {} && "
          "mpiexec -n 2 lmp -in {}\n",
          data.string(), made.particles.id.size(), made.particles.time, input.string(), steps, scene.stem, dump.frames,
          frame_steps, bytes_text(dump.bytes), folder.string(), input.filename().string()),
      {{"scene", scene.name},
       {"data", data.string()},
       {"input", input.string()},
       {"particles", made.particles.id.size()},
       {"step", made.particles.step},
       {"time", made.particles.time},
       {"steps", steps},
       {"frames", dump.frames},
       {"frame_steps", frame_steps},
       {"dump_bytes", dump.bytes},
       {"differences", scene.differences}});
  return 0;
}

}  // namespace

CommandRow export_lammps_command() {
  return command_row("export lammps",
                     "write a scene of dpd, or a state of its run, for LAMMPS, which runs on many devices",
                     add_lammps_options, export_lammps);
}

}  // namespace riffle
