#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "app/command/command.h"
#include "app/command/option_checks.h"
#include "app/command/scene_options.h"
#include "app/report/measured_loads.h"
#include "app/report/outputs.h"
#include "app/report/parameters_json.h"
#include "app/report/report.h"
#include "app/run/memory_check.h"
#include "app/run/pace.h"
#include "app/run/particle_export.h"
#include "app/run/particle_series.h"
#include "app/run/probe_table.h"
#include "app/run/recorder.h"
#include "app/run/run_series.h"
#include "app/run/run_watch.h"
#include "app/run/stability.h"
#include "app/terminal/progress.h"
#include "app/terminal/signals.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"
#include "core/timing/seconds_since.h"
#include "neighbors/neighbor_search.h"
#include "render/media/video.h"
#include "scenes/document/parameters.h"
#include "sim/measure/pair_mixing.h"
#include "sim/measure/solid_measurement.h"
#include "sim/simulation.h"
#include "sim/start/origin.h"
#include "sim/units.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

struct RunOptions {
  SceneOptions scene;
  std::optional<std::uint64_t> steps;  ///< exactly this number
  std::optional<double> time;          ///< [s] simulated, exactly; as all simulated times in the scene's unit
  std::string out;                     ///< folder; "": output/<scene>
  std::uint64_t image_every = 0;       ///< [steps]; 0: only the last picture
  bool no_picture = false;             ///< not even the last one
  std::string video;                   ///< file; "": none
  std::string look;                    ///< "spheres" or "fluid", in place of the scene's; "": the scene's
  std::string json;                    ///< file; "-": standard output; "": none
  std::string series;                  ///< file; "": none
  double series_every = 0;             ///< [s] simulated; 0: the movie's frames
  std::optional<double> means_from;    ///< [s] simulated; nothing: no means
  std::string probes;                  ///< file; "": none
  double probes_every = 0;             ///< [s] simulated; 0: time.probe_interval
  std::string particles;               ///< file of the last state, .ply, .vtp or .csv; "": none
  double particles_every = 0;          ///< [s] simulated between the files of a series; 0: only the last state
  bool quiet = false;
  std::vector<scenes::Parameter> parameters;  ///< of the scene with all options
};

void add_run_options(CLI::App& command, RunOptions& options) {
  add_scene_options(command, options.scene);
  CLI::Option* steps =
      command.add_option("--steps", options.steps, "do exactly N steps")->check(whole_number())->type_name("N");
  command
      .add_option(
          "--time", options.time,
          "simulate exactly this time, in place of the scene's time.end; TIME is in seconds, with dpd in reduced units")
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
  CLI::Option* particles =
      command
          .add_option("--particles", options.particles,
                      "the particles at the end with all their attributes; .vtp is what ParaView opens best")
          ->check(output_path())
          ->type_name("FILE.ply|.vtp|.csv");
  command
      .add_option("--particles-every", options.particles_every,
                  "a file FILE_000000 and on for each TIME that is simulated, and at the end; with FILE.pvd for .vtp")
      ->check(scene_time(false))
      ->type_name(kSceneTime)
      ->needs(particles);
  command.add_flag("--quiet", options.quiet, "no progress, no table; only warnings and errors");
}

constexpr std::uint64_t kDiagnosticsEvery = 500;  // [steps]; they read the whole state, too slow for every step

/// The outputs of the run. Checks before the first step that they can be written.
struct Outputs {
  fs::path folder, movie, json, series, probes, particles;
  bool json_to_stdout = false;

  Outputs(const scenes::Scene& scene, const RunOptions& options)
      : folder(options.out.empty() ? fs::path("output") / fs::path(scene.path).stem() : fs::path(options.out)),
        movie(options.video),
        series(options.series),
        probes(options.probes),
        particles(options.particles) {
    json_to_stdout = options.json == "-";
    if (!json_to_stdout) json = options.json;
    refuse_collisions(scene, options);
    if (!options.no_picture || options.image_every > 0) prepare_folder(folder);
    if (!movie.empty()) prepare_file(movie);
    if (!json.empty()) prepare_file(json);
    if (!series.empty()) prepare_file(series);
    if (!probes.empty()) prepare_file(probes);
    if (!particles.empty()) prepare_file(particles);
  }

  fs::path final_picture() const { return folder / "final.png"; }
  static std::string numbered_picture(std::uint64_t step) { return fmt::format("step_{:07}.png", step); }

 private:
  /// Refuses two outputs in one file, before anything is written: only the later one would remain.
  void refuse_collisions(const scenes::Scene& scene, const RunOptions& options) const {
    struct Named {
      std::string what;
      fs::path file;
    };
    std::vector<Named> all = {{"the scene", scene.path}};
    if (!options.no_picture) all.push_back({"the last picture", final_picture()});
    if (!movie.empty()) all.push_back({"--video", movie});
    if (!json.empty()) all.push_back({"--json", json});
    if (!series.empty()) all.push_back({"--series", series});
    if (!probes.empty()) all.push_back({"--probes", probes});
    if (!particles.empty()) all.push_back({"--particles", particles});
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = i + 1; k < all.size(); ++k)
        if (same_file(all[i].file, all[k].file))
          throw InputError(fmt::format("{} ({}) and {} ({}) are the same file; each needs a name of its own",
                                       all[k].what, all[k].file.string(), all[i].what, all[i].file.string()));
    for (const Named& output : all)
      for (const std::string& input : scene.inputs)
        if (same_file(output.file, input))
          throw InputError(fmt::format("{} ({}) is a file that the scene is made from ({}); it needs a name of its own",
                                       output.what, output.file.string(), input));
    for (const Named& output : {Named{"--json", json}, Named{"--series", series}, Named{"--probes", probes}}) {
      const std::string name = output.file.filename().string();
      if (options.image_every > 0 && !output.file.empty() && name.starts_with("step_") && name.ends_with(".png") &&
          same_file(folder / name, output.file))
        throw InputError(fmt::format("{} ({}) has the name of a picture of --image-every; it needs one of its own",
                                     output.what, output.file.string()));
    }
    if (!movie.empty()) render::require_movie_name(movie.string());
    if (!particles.empty()) particle_format(particles);
    if (series == "-") throw InputError("--series: found '-', allowed: the name of a file");
    if (probes == "-") throw InputError("--probes: found '-', allowed: the name of a file");
    if (!probes.empty() && scene.probes.empty())
      throw InputError("--probes: the scene has none; allowed: with a list `probes` in it (docs/scene-format.md)");
    std::error_code ignored;
    if (!movie.empty() && fs::exists(movie, ignored) && !fs::is_regular_file(movie, ignored))
      throw InputError(
          fmt::format("--video ({}) is there and is no regular file; a movie would replace it", movie.string()));
  }
};

/// When the run ends: after a number of steps, or at a simulated time.
struct Goal {
  std::optional<std::uint64_t> steps;
  double time;  ///< [s]; infinity when steps decide

  Goal(const scenes::Scene& scene, const RunOptions& options)
      : steps(options.steps), time(options.steps ? INFINITY : options.time.value_or(scene.run.end_time)) {
    if (options.means_from && *options.means_from > time)
      throw InputError(fmt::format("--means-from: found {:g} {}, the run ends at {:g}; allowed: a time before its end",
                                   *options.means_from, units_of(scene.simulation).time, time));
  }

  bool reached(std::uint64_t enqueued, const StepReport& known) const {
    if (steps) return enqueued >= *steps;
    return known.time >= time || is_stopped(known);
  }
  double fraction(std::uint64_t enqueued, const StepReport& known) const {
    return steps ? static_cast<double>(enqueued) / static_cast<double>(std::max<std::uint64_t>(*steps, 1))
                 : known.time / time;
  }
};

void print_whole(const std::string& text) {
  const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!whole && !hung_up()) throw RuntimeFailure("standard output cannot be written to");
}

/// A report that knows what runs, and nothing of the run.
RunReport report_of(const scenes::Scene& scene, const RunOptions& options, const Device& device) {
  RunReport report;
  report.parameters = to_json(options.parameters);
  report.scene = scene.name;
  report.solver = to_string(scene.simulation.solver);
  report.units = units_of(scene.simulation);
  report.device = device;
  return report;
}

class Run {
 public:
  /// @throws StartGivenUp when a signal arrives before time 0
  Run(const scenes::Scene& scene, const RunOptions& options, const Outputs& outputs, const Device& device,
      const Interruption& interruption)
      : scene_(scene),
        options_(options),
        outputs_(outputs),
        interruption_(interruption),
        goal_(scene, options),
        simulation_(scene.simulation, device, [&](std::uint64_t, std::uint64_t) { return !interruption; }),
        series_(scene, options.series_every) {
    report_ = report_of(scene, options, device);
    if (!outputs_.series.empty()) series_file_.emplace(outputs_.series);
    if (!outputs_.probes.empty()) probes_.emplace(scene, simulation_, outputs_.probes, options.probes_every);
    if (const std::string why = why_no_solid_forces(scene.simulation);
        series_file_ && !load_names(scene.simulation).empty() && !why.empty())
      log::info("{} has no forces on solids and faces: {}", outputs_.series.string(), why);
    if (options.particles_every > 0)
      particles_.emplace(outputs_.particles, options.particles_every, 0, time_of_files(scene.simulation).value_or(0));
    if (!outputs_.particles.empty() && UnwrappedPositions::are_needed(simulation_.setup()))
      unwrapped_.emplace(simulation_);
  }

  int execute() {
    Recorder recorder(scene_, simulation_, outputs_.movie, !options_.no_picture || options_.image_every > 0);
    if (std::isfinite(goal_.time)) simulation_.set_time_limit(goal_.time);
    // A step may fail after hours, for lack of memory say. What was computed before it is written all the same.
    guarded([&] { step_until_done(recorder); });
    progress_.reset();
    guarded([&] { settle(recorder); });
    finish(recorder);
    if (!report_.failure.empty()) {
      if (machine_lacks_) throw Unavailable(report_.failure);
      throw RuntimeFailure(report_.failure);
    }
    return report_.interrupted ? 128 + interruption_.signal() : 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Runs a part of the simulation. An exception becomes the reason why the run ended, unless there is one already.
  template <class Part>
  void guarded(const Part& part) {
    const auto note = [&](const std::string& what, bool machine_lacks) {
      if (!report_.failure.empty()) return;
      report_.failure = what;
      machine_lacks_ = machine_lacks;
    };
    try {
      part();
    } catch (const Unavailable& lack) {
      note(fmt::format("ended after step {}: {}", simulation_.latest().step, lack.what()), true);
    } catch (const std::bad_alloc&) {
      note(fmt::format("ended after step {}: out of memory", simulation_.latest().step), false);
    } catch (const std::exception& failure) {
      note(fmt::format("ended after step {}: {}", simulation_.latest().step, failure.what()), false);
    }
  }

  void step_until_done(Recorder& recorder) {
    progress_.emplace(!options_.quiet, static_cast<std::uint64_t>(simulation_.particle_count()),
                      units_of(simulation_.setup()).time);
    report_.contact.start = contact_now(simulation_, {});
    begin_ = Clock::now();
    record(recorder, 0);
    sample();
    sample_probes();
    save_particles(0);
    StepReport known = simulation_.latest();
    for (std::uint64_t step = 0; !goal_.reached(step, known) && !interruption_;) {
      simulation_.step();
      ++step;
      known = simulation_.latest();
      keep_pace(known, recorder);
      if (unwrapped_) unwrapped_->follow(simulation_);
      announce_choice();
      if (const auto warning = watch_.after_step(known, simulation_)) warn(warning->text);
      record(recorder, known.time);
      sample();
      sample_probes();
      save_particles(known.time);
      if (options_.image_every > 0 && step % options_.image_every == 0) {
        known = simulation_.finish();  // the caption is the time of what is drawn
        save(recorder, outputs_.folder / Outputs::numbered_picture(step), known.time);
      }
      if (step % kDiagnosticsEvery == 0 || looks_unstable(known, simulation_)) {
        known = simulation_.finish();
        const Clock::time_point looked = Clock::now();
        const Diagnostics now = simulation_.diagnostics();
        look_seconds_ += seconds_since(looked);
        report_.failure = what_blew_up(now, known, simulation_);
        if (!report_.failure.empty() || is_stuck(step, known)) break;
        if (const auto warning = watch_.after_diagnostics(now, known, simulation_)) warn(warning->text);
      }
      progress_->update(goal_.fraction(step, known), known.time, step);
    }
  }

  /// After the last step: the clock, and the movie's last frames.
  void settle(Recorder& recorder) {
    report_.interrupted = static_cast<bool>(interruption_);
    report_.clock = simulation_.latest();  // remains when waiting for the rest fails
    take_times(recorder);
    report_.clock = simulation_.finish();
    if (what_is_missing().empty()) report_.interrupted = false;  // the signal came after the last step
    record(recorder, report_.clock.time);
    take_times(recorder);
  }

  void take_times(const Recorder& recorder) {
    report_.wall_seconds = seconds_since(begin_);
    report_.recording_seconds = recorder.seconds();
    report_.diagnostics_seconds = look_seconds_ + series_.seconds();
    report_.file_seconds = file_seconds_ + (probes_ ? probes_->seconds() : 0);
  }

  /// The clock does not count a step of length 0, and all later steps have length 0 too.
  bool is_stuck(std::uint64_t enqueued, const StepReport& known) const {
    return known.step < enqueued && !(known.time >= goal_.time * (1 - 1e-9));
  }

  void warn(const std::string& text) {
    if (progress_) progress_->wipe();
    log::warn("{}", text);
    report_.warnings.push_back(text);
  }

  void pass_on_warnings(const Recorder& recorder) {
    for (; recorder_warnings_ < recorder.warnings().size(); ++recorder_warnings_)
      warn(recorder.warnings()[recorder_warnings_]);
  }

  /// Which search neighbors.method auto has chosen, and why, each time that it has measured.
  void announce_choice() {
    const TuningReport* tuning = simulation_.tuning();
    if (!tuning || tuning->times_measured == choices_announced_) return;
    choices_announced_ = tuning->times_measured;
    if (progress_) progress_->wipe();
    log::info("neighbours: {}", tuning->reason);
  }

  /// Eases the simulation so that it keeps up with real time, where the scene wants that.
  /// Pictures and files do not count.
  void keep_pace(const StepReport& known, const Recorder& recorder) {
    if (scene_.run.pace != scenes::PaceChoice::Real) return;
    take_times(recorder);
    if (pace_.follow(report_.stepping_seconds(), known.time, 1)) simulation_.ease(pace_.share());
    most_eased_ = std::max(most_eased_, simulation_.eased());
    if (!pace_.behind() || std::exchange(told_behind_, true)) return;
    warn(fmt::format("time.pace: the simulation falls behind, to {:.2g} of real time; {}", pace_.factor(),
                     ease_text(scene_.simulation, pace_.share())));
  }

  void add_output_failure(const std::string& text) { output_failure_ += (output_failure_.empty() ? "" : "\n") + text; }

  void give_up(const char* what, const std::exception& failure) {
    if (progress_) progress_->wipe();
    log::error("{}: {}", what, failure.what());
    add_output_failure(failure.what());
  }

  /// A movie that fails, on a full disk say, does not end the run; the exit code reports the failure at the end.
  void record(Recorder& recorder, double time) {
    try {
      recorder.record_until(time, simulation_);
    } catch (const std::exception& failure) {
      give_up("the movie is given up", failure);
      recorder.drop_movie();
    }
    pass_on_warnings(recorder);
  }

  /// A row of the series if one is due. When it cannot be written, the series is given up, and the exit code reports it.
  void sample() {
    if ((!series_file_ && !options_.means_from) || !series_.sample(simulation_) || !series_file_) return;
    try {
      series_file_->follow(series_);
    } catch (const std::exception& failure) {
      series_file_.reset();
      give_up("the series is given up", failure);
    }
  }

  /// Likewise of the probes.
  void sample_probes() {
    if (!probes_) return;
    try {
      probes_->after_step(simulation_);
    } catch (const std::exception& failure) {
      probes_.reset();
      give_up("the table of the probes is given up", failure);
    }
  }

  /// A file of the series that is due. When one fails, the series is given up, and the exit code reports it.
  void save_particles(double time) {
    if (!particles_ || particles_failed_ || !particles_->due(time)) return;
    try {
      add_particles();
    } catch (const std::exception& failure) {
      particles_failed_ = true;
      give_up("the series of particles is given up", failure);
    }
  }

  UnwrappedPositions* unwrapped() { return unwrapped_ ? &*unwrapped_ : nullptr; }

  void add_particles() {
    const double time = simulation_.finish().time;
    const Clock::time_point begin = Clock::now();
    write_particles(particles_->next(time), read_particles(simulation_, scene_.name, unwrapped()));
    if (particles_->list_is_due()) write_text(particles_->list(), particles_->list_text());
    file_seconds_ += seconds_since(begin);
  }

  void save(Recorder& recorder, const fs::path& file, double time) {
    if (!recorder.can_draw()) return;
    try {
      recorder.save_picture(file, simulation_, time);
      report_.pictures.push_back(file.string());
      report_.spheres = recorder.spheres();
      pass_on_warnings(recorder);
    } catch (const std::exception& failure) {
      if (++missing_pictures_ == 1) give_up("a picture is missing", failure);  // the others likely have the same reason
    }
  }

  void finish(Recorder& recorder) {
    // A failed output must not prevent the others.
    const auto attempt = [&](auto&& write) {
      try {
        write();
      } catch (const std::exception& error) {
        add_output_failure(error.what());
      }
    };
    // The picture and the movie come first: diagnostics need memory and a working device.
    if (!options_.no_picture) save(recorder, outputs_.final_picture(), report_.clock.time);
    if (missing_pictures_ > 1) add_output_failure(fmt::format("{} more pictures are missing", missing_pictures_ - 1));
    attempt([&] {
      if (!recorder.has_movie()) return;
      recorder.finish_movie();
      report_.movie = outputs_.movie.string();
      report_.movie_frames = recorder.movie_frames();
    });
    attempt([&] {
      if (series_file_ || options_.means_from) series_.add_present(simulation_);
      if (!series_file_) return;
      series_file_->follow(series_);
      report_.series = outputs_.series.string();
    });
    attempt([&] {
      if (!probes_) return;
      probes_->write();
      report_.probes = outputs_.probes.string();
    });
    attempt([&] {
      if (outputs_.particles.empty()) return;
      if (particles_) {
        if (particles_failed_) return;
        if (!particles_->has(report_.clock.time)) add_particles();
        if (!particles_->list().empty()) write_text(particles_->list(), particles_->list_text());
        report_.particle_file = particles_->list().empty() ? particles_->pattern() : particles_->list().string();
        return;
      }
      write_particles(outputs_.particles, read_particles(simulation_, scene_.name, unwrapped()));
      report_.particle_file = outputs_.particles.string();
    });
    if (options_.means_from) report_.means = series_.means(*options_.means_from);
    if (report_.means && report_.means->rows == 0)
      log::warn("--means-from {:g}: the run ended at {:g} {}, there is no row to take a mean of", *options_.means_from,
                report_.clock.time, units_of(simulation_.setup()).time);
    guarded([&] { examine(); });
    for (const auto& warning : scene_.warnings) report_.warnings.push_back(warning.message());
    report_output_failures();  // the report names what could not be written before it
    attempt([&] {
      if (!outputs_.json.empty()) write_text(outputs_.json, text_of_json(to_json(report_)));
    });
    attempt([&] {
      if (outputs_.json_to_stdout)
        print_whole(text_of_json(to_json(report_)));
      else if (!options_.quiet)
        print_whole(printable(summary_text(report_)));
      else if (report_.means)  // they were asked for
        print_whole(printable(means_table(*report_.means, report_.units.time)));
    });
    report_output_failures();
    if (report_.interrupted) log::warn("interrupted at step {}; what was done so far is written", report_.clock.step);
  }

  /// Adds what could not be written to the reason why the run failed: neither may hide the other.
  void report_output_failures() {
    if (output_failure_.empty()) return;
    report_.failure += (report_.failure.empty() ? "" : "\n") + std::exchange(output_failure_, "");
  }

  /// Measures the final state and whether it can be trusted.
  void examine() {
    report_.particles = simulation_.particle_count();
    report_.wall_particles = simulation_.boundary_count();
    report_.memory_bytes = simulation_.memory_bytes();
    const NeighborSetup& in_use = simulation_.setup().neighbors;
    report_.neighbors.method = to_string(in_use.method);
    report_.neighbors.structure = simulation_.neighbor_search().structure();
    report_.neighbors.skin = in_use.skin;
    if (const TuningReport* tuning = simulation_.tuning()) report_.tuning = *tuning;
    report_.diagnostics = simulation_.diagnostics();
    const SimulationSetup& simulated = simulation_.setup();
    report_.load_names = load_names(simulated);
    report_.loads = measured_loads(simulated, report_.diagnostics);
    report_.diagnosed = true;
    report_.mixing = mixing_of(simulation_);
    if (simulation_.setup().fluids.size() > 1) report_.pairs = pair_mixing(simulation_);
    if (scene_.run.pace == scenes::PaceChoice::Real)
      report_.pace = {simulation_.eased(), most_eased_, ease_text(scene_.simulation, simulation_.eased())};
    report_.contact.end = contact_now(simulation_, report_.diagnostics);
    if (report_.failure.empty()) report_.failure = what_blew_up(report_.diagnostics, report_.clock, simulation_);
    if (report_.failure.empty()) {
      if (const auto warning = watch_.after_diagnostics(report_.diagnostics, report_.clock, simulation_))
        warn(warning->text);
      if (!report_.interrupted) report_.failure = what_is_missing();
    }
    report_.stages = simulation_.timings().stats();
    if (report_.diagnostics.non_finite == 0) report_.neighbors = simulation_.neighbors();  // a NaN has no cell
  }

  /// "" if the run did what was requested.
  std::string what_is_missing() const {
    const StepReport& clock = report_.clock;
    if (goal_.steps && clock.step < *goal_.steps)
      return why_stuck(clock, simulation_, fmt::format("{} steps", *goal_.steps));
    if (!goal_.steps && clock.time < goal_.time * (1 - 1e-9))
      return why_stuck(clock, simulation_, fmt::format("{:g} {}", goal_.time, report_.units.time));
    return "";
  }

  const scenes::Scene& scene_;
  const RunOptions& options_;
  const Outputs& outputs_;
  const Interruption& interruption_;
  Goal goal_;
  Simulation simulation_;
  RunSeries series_;
  std::optional<SeriesFile> series_file_;  ///< none: there is to be no series, or it was given up
  std::optional<ProbeTable> probes_;       ///< likewise
  std::optional<ParticleSeries> particles_;
  bool particles_failed_ = false;
  std::optional<UnwrappedPositions> unwrapped_;  ///< of files of particles in a periodic box
  RunReport report_;
  std::optional<Progress> progress_;  ///< while stepping
  std::string output_failure_;        ///< what could not be written and is not in the report yet, a line each
  std::uint64_t missing_pictures_ = 0;
  Clock::time_point begin_ = Clock::now();
  double look_seconds_ = 0, file_seconds_ = 0;  ///< diagnostics besides those of the series; files of particles
  std::size_t recorder_warnings_ = 0;           ///< logged so far
  int choices_announced_ = 0;
  RunWatch watch_;
  PaceGovernor pace_;
  double most_eased_ = 0;  ///< Simulation::eased() so far
  bool told_behind_ = false;
  bool machine_lacks_ = false;  ///< the failure is one of Unavailable
};

/// The report of a run that was interrupted before time 0. @return the exit code
int report_no_start(const scenes::Scene& scene, const RunOptions& options, const Outputs& outputs, const Device& device,
                    const std::string& unfinished, int exit_code) {
  RunReport report = report_of(scene, options, device);
  report.interrupted = true;
  for (const auto& warning : scene.warnings) report.warnings.push_back(warning.message());
  if (!outputs.json.empty()) write_text(outputs.json, text_of_json(to_json(report)));
  if (outputs.json_to_stdout) print_whole(text_of_json(to_json(report)));
  log::warn("interrupted before time 0, while {}{}", unfinished,
            options.json.empty() ? "" : "; only the report is written");
  return exit_code;
}

int run_scene(const RunOptions& given) {
  if (given.quiet) log::set_level(log::Level::Warning);
  RunOptions options = given;
  if (!options.look.empty()) options.scene.overrides.push_back("picture.look=" + options.look);
  const scenes::SceneSource source = source_with_options(options.scene);
  const scenes::Scene scene = build_and_warn(source);
  options.parameters = scenes::parameters(source);
  const Device device = select_device_for(scene.simulation, options.scene.device);
  const Outputs outputs(scene, options);
  const Interruption interruption;
  try {
    return Run(scene, options, outputs, device, interruption).execute();
  } catch (const StartGivenUp& given_up) {
    return report_no_start(scene, options, outputs, device, given_up.what(), 128 + interruption.signal());
  }
}

}  // namespace

CommandRow run_command() {
  return command_row("run", "run a scene and write pictures, a movie and a report", add_run_options, run_scene);
}

}  // namespace riffle
