#include "app/run/run_options.h"

#include "app/command/option_checks.h"
#include "app/run/particle_export.h"
#include "app/run/surface_export.h"

namespace riffle {

namespace {

/// "FILE.vtp|.ply"
template <class Rows>
std::string file_type(const Rows& rows) {
  std::string type = "FILE";
  for (const auto& row : rows) type += (type == "FILE" ? "" : "|") + std::string(row.ending);
  return type;
}

/// steps, time: what these options do
void add_output_options(CLI::App& command, RunOptions& options, const char* steps_text, const char* time_text) {
  CLI::Option* steps = command.add_option("--steps", options.steps, steps_text)->check(whole_number())->type_name("N");
  command.add_option("--time", options.time, time_text)
      ->check(scene_time(false))
      ->type_name(kSceneTime)
      ->excludes(steps);
  command.add_option("--out", options.out, "folder for pictures; output/<scene> when not given")
      ->check(output_path())
      ->type_name("DIR");
  command.add_option("--image-every", options.image_every, "a picture every K steps, besides the last one")
      ->check(whole_number())
      ->type_name("K");
  command.add_flag("--no-picture", options.no_picture, "leave out the picture at the end, final.png");
  command.add_option("--video", options.video, "a movie of the run (needs ffmpeg)")
      ->check(output_path())
      ->type_name("FILE.mp4");
  command.add_option("--look", options.look, "how the particles are drawn, in place of the scene's picture.look")
      ->check(one_of("look", {"spheres", "fluid"}))
      ->type_name("spheres|fluid");
  add_json_option(command, "the report", options.json);
  CLI::Option* series = command
                            .add_option("--series", options.series,
                                        "energies, temperatures, heights of fingers ... along the run, as CSV")
                            ->check(output_path())
                            ->type_name("FILE.csv");
  command
      .add_option("--series-every", options.series_every,
                  "simulated time between its rows, in place of the movie's frames")
      ->check(scene_time(false))
      ->type_name(kSceneTime)
      ->needs(series);
  command
      .add_option("--means-from", options.means_from,
                  "means of temperature, pressure ... from TIME to the end, with standard errors, over rows as those "
                  "of --series")
      ->check(scene_time(true))
      ->type_name(kSceneTime);
  command
      .add_option(
          "--radial-distribution", options.radial_distribution,
          "g(r), the radial distribution function, averaged over states of the run, with errors over blocks, as "
          "CSV")
      ->check(output_path())
      ->type_name("FILE.csv");
  CLI::Option* displacements =
      command
          .add_option("--displacements", options.displacements,
                      "mean square displacements over windows of the run, with errors, as CSV; the report has the "
                      "diffusion coefficient")
          ->check(output_path())
          ->type_name("FILE.csv");
  command
      .add_option("--structure-every", options.structure_every,
                  "simulated time between the states of --radial-distribution and --displacements, in place of the "
                  "movie's frames")
      ->check(scene_time(false))
      ->type_name(kSceneTime);
  command
      .add_option("--structure-from", options.structure_from,
                  "simulated time of the first of these states, in place of the start of the run")
      ->check(scene_time(true))
      ->type_name(kSceneTime);
  command
      .add_option("--displacement-lag", options.displacement_lag,
                  "length of a window, in place of a tenth of the time that is measured")
      ->check(scene_time(false))
      ->type_name(kSceneTime)
      ->needs(displacements);
  CLI::Option* probes = command
                            .add_option("--probes", options.probes,
                                        "what the scene's probes measure along the run, as CSV, at a rate of their own")
                            ->check(output_path())
                            ->type_name("FILE.csv");
  command
      .add_option("--probes-every", options.probes_every,
                  "simulated time between its rows, in place of the scene's time.probe_interval")
      ->check(scene_time(false))
      ->type_name(kSceneTime)
      ->needs(probes);
  CLI::Option* particles = command
                               .add_option("--particles", options.particles,
                                           "the particles at the end with all their attributes; .vtp and .h5 are for "
                                           "ParaView, .lammpstrj and .gsd for OVITO")
                               ->check(output_path())
                               ->type_name(file_type(particle_formats()));
  command
      .add_option(
          "--particles-every", options.particles_every,
          "the particles at the first step at or after each multiple of TIME, and at the end: as files FILE_000000 and "
          "on, with FILE.pvd for .vtp; .h5, .lammpstrj, .dump and .gsd have all moments in one file")
      ->check(scene_time(false))
      ->type_name(kSceneTime)
      ->needs(particles);
  command
      .add_option("--particles-fields", options.particle_fields,
                  "what files of particles have besides position, id and fluid, in place of all there is: "
                  "velocity,density,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WORD,...")
      ->needs(particles);
  CLI::Option* surface = command
                             .add_option("--surface", options.surface,
                                         "the surface of each fluid at the end, as closed meshes of triangles; scenes "
                                         "in 3-D have one")
                             ->check(output_path())
                             ->type_name(file_type(surface_formats()));
  command
      .add_option("--surface-every", options.surface_every,
                  "the surfaces at the first step at or after each multiple of TIME, and at the end: as files "
                  "FILE_000000 and on, with FILE.pvd for .vtp")
      ->check(scene_time(false))
      ->type_name(kSceneTime)
      ->needs(surface);
  CLI::Option* every =
      command
          .add_option(
              "--checkpoint-every", options.checkpoint_every,
              "a state to go on from (`riffle resume`) at the first step at or after each multiple of TIME, and at "
              "the end, also when a signal ends the run; each replaces the last one once it is complete")
          ->check(scene_time(false))
          ->type_name(kSceneTime);
  CLI::Option* checkpoint =
      command
          .add_option("--checkpoint", options.checkpoint,
                      "the file of the states, DIR/state.h5 of --out when not given; without --checkpoint-every it is "
                      "written at the end; FILE.xmf beside it is for ParaView")
          ->check(output_path())
          ->type_name("FILE.h5");
  command
      .add_flag("--no-checkpoint", options.no_checkpoint,
                "keep no states; without it a run that goes on from a state keeps them as the run before it did")
      ->excludes(every)
      ->excludes(checkpoint);
  CLI::Option* no_guard = command.add_flag(
      "--no-guard", options.no_guard,
      "hold no state to go back to: a run that becomes unstable then leaves none. Otherwise DIR/good_state.h5 of --out "
      "gets the last good one");
  command
      .add_flag("--recover", options.recover,
                "where the run becomes unstable, go back to a good state, each time twice as far, and on with half the "
                "step, at most 5 times")
      ->excludes(no_guard);
  command.add_flag(
      "--quiet", options.quiet,
      "no progress, no table; only warnings and errors, and the means of --means-from where no --json has them");
}

}  // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  add_scene_options(command, options.scene);
  add_output_options(
      command, options, "do exactly N steps",
      "simulate exactly this time, in place of the scene's time.end; TIME is in seconds, with dpd in reduced units");
}

void add_resume_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("FILE", options.scene.scene,
                  "a state file of `riffle run --checkpoint-every`, or a pack of `riffle pack`")
      ->required()
      ->type_name("");
  add_scene_changes(command, options.scene);
  add_output_options(command, options, "do exactly N more steps",
                     "go on until this simulated time, counted from time 0 of the run; when neither is given, the run "
                     "ends where it was to end before");
}

}  // namespace riffle
