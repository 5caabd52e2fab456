#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/commands.h"
#include "app/memory_check.h"
#include "app/output_files.h"
#include "app/progress.h"
#include "app/recorder.h"
#include "app/report.h"
#include "app/signals.h"
#include "core/error.h"
#include "core/log.h"
#include "sim/simulation.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kDiagnosticsEvery = 500;  // [steps]: the whole state is read, which is cheap only now and then

/// Where the run writes. Proves before the first step that it can.
struct Outputs {
  fs::path folder, movie, json;
  bool json_to_stdout = false;

  Outputs(const Scene& scene, const RunOptions& options)
      : folder(options.out.empty() ? fs::path("output") / fs::path(scene.path).stem() : fs::path(options.out)),
        movie(options.video) {
    prepare_folder(folder);
    if (!movie.empty()) prepare_file(movie);
    json_to_stdout = options.json == "-";
    if (!json_to_stdout) json = options.json;
    if (!json.empty()) prepare_file(json);
  }
};

/// When the run is over: after a number of steps, or at a simulated time.
struct Goal {
  std::optional<std::uint64_t> steps;
  double time;  ///< [s]; infinity when steps decide

  Goal(const Scene& scene, const RunOptions& options)
      : steps(options.steps), time(options.steps ? INFINITY : options.time.value_or(scene.run.end_time)) {}

  bool reached(std::uint64_t enqueued, const StepReport& known) const {
    if (steps) return enqueued >= *steps;
    return known.time >= time || (known.step > 0 && known.dt == 0);
  }
  double fraction(std::uint64_t enqueued, const StepReport& known) const {
    return steps ? static_cast<double>(enqueued) / static_cast<double>(std::max<std::uint64_t>(*steps, 1))
                 : known.time / time;
  }
};

/// "" while the state is sound.
std::string what_blew_up(const Diagnostics& now, const StepReport& clock, int particles) {
  if (now.non_finite == 0) return "";
  return fmt::format(
      "after step {} (t = {:.6g} s) {} of {} particles have a position or velocity that is no number: the simulation "
      "is unstable. A smaller step helps most: time.step=auto, or a smaller time.cfl; then a larger "
      "solver.artificial_viscosity, "
      "and bodies that do not overlap",
      clock.step, clock.time, now.non_finite, particles);
}

class Run {
 public:
  Run(const Scene& scene, const RunOptions& options, const Device& device)
      : scene_(scene),
        options_(options),
        outputs_(scene, options),
        goal_(scene, options),
        simulation_(scene.simulation, device) {}

  int execute() {
    Interruption interruption;
    Recorder recorder(scene_, simulation_, outputs_.movie);
    if (std::isfinite(goal_.time)) simulation_.set_time_limit(goal_.time);
    step_until_done(recorder, interruption);
    finish(recorder, interruption);
    if (!report_.failure.empty()) throw RuntimeFailure(report_.failure);
    return interruption ? 128 + interruption.signal() : 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void step_until_done(Recorder& recorder, const Interruption& interruption) {
    const auto begin = Clock::now();
    progress_.emplace(!options_.quiet, static_cast<std::uint64_t>(simulation_.particle_count()));
    record(recorder, 0);
    StepReport known = simulation_.latest();
    for (std::uint64_t step = 0; !goal_.reached(step, known) && !interruption;) {
      simulation_.step();
      ++step;
      known = simulation_.latest();
      warn_if_supersonic(known);
      record(recorder, known.time);
      if (options_.image_every > 0 && step % options_.image_every == 0)
        save(recorder, fmt::format("step_{:07}.png", step), known.time);
      if (step % kDiagnosticsEvery == 0 || !std::isfinite(known.max_speed)) {
        known = simulation_.finish();
        report_.failure = what_blew_up(simulation_.diagnostics(), known, simulation_.particle_count());
        if (!report_.failure.empty()) break;
      }
      progress_->update(goal_.fraction(step, known), known.time, step);
    }
    progress_.reset();
    report_.clock = simulation_.finish();
    record(recorder, report_.clock.time);
    report_.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    report_.recording_seconds = recorder.seconds();
  }

  /// The usual way in which a run goes wrong without a single NaN.
  void warn_if_supersonic(const StepReport& known) {
    const float speed_of_sound = simulation_.speed_of_sound();
    if (warned_of_speed_ || !(known.max_speed > speed_of_sound)) return;
    warned_of_speed_ = true;
    const std::string text = fmt::format(
        "at step {} (t = {:.4g} s) particles are as fast as {:.3g} m/s, above the numerical speed of sound ({:.3g} "
        "m/s): the result is not "
        "to be trusted; a larger solver.speed_of_sound or a smaller step would help",
        known.step, known.time, known.max_speed, speed_of_sound);
    if (progress_) progress_->wipe();
    log::warn("{}", text);
    report_.warnings.push_back(text);
  }

  void give_up(const char* what, const std::exception& failure) {
    if (progress_) progress_->wipe();
    if (output_failure_.empty()) log::error("{}: {}", what, failure.what());
    output_failure_ = failure.what();
  }

  /// A movie that fails, for a full disk say, does not take the run with it; the exit code says so at the end.
  void record(Recorder& recorder, double time) {
    try {
      recorder.record_until(time, simulation_);
    } catch (const RuntimeFailure& failure) {
      give_up("the movie is given up", failure);
      recorder.drop_movie();
    }
  }

  void save(Recorder& recorder, const std::string& name, double time) {
    if (!recorder.can_draw()) return;
    const fs::path file = outputs_.folder / name;
    try {
      recorder.save_picture(file, simulation_, time);
      report_.pictures.push_back(file.string());
    } catch (const RuntimeFailure& failure) {
      give_up("a picture is missing", failure);
    }
  }

  void finish(Recorder& recorder, const Interruption& interruption) {
    report_.scene = scene_.name;
    report_.device = simulation_.device();
    report_.particles = simulation_.particle_count();
    report_.wall_particles = simulation_.boundary_count();
    report_.diagnostics = simulation_.diagnostics();
    if (report_.failure.empty()) report_.failure = what_blew_up(report_.diagnostics, report_.clock, report_.particles);
    if (report_.diagnostics.non_finite == 0)
      report_.neighbors = simulation_.neighbors();  // a NaN has no cell
    else
      report_.neighbors.method = to_string(scene_.simulation.neighbors.method);
    report_.stages = simulation_.timings().stats();
    report_.memory_bytes = simulation_.memory_bytes();
    report_.interrupted = static_cast<bool>(interruption);
    if (report_.failure.empty() && !interruption && std::isfinite(goal_.time) &&
        report_.clock.time < goal_.time * (1 - 1e-9))
      report_.failure = fmt::format(
          "the time step has become 0 at t = {:.6g} s (step {}): an acceleration is too large for single precision",
          report_.clock.time, report_.clock.step);
    for (const auto& warning : scene_.warnings) report_.warnings.push_back(warning.message());

    // One output that fails must not cost the others.
    std::string& failure = output_failure_;
    const auto attempt = [&](auto&& write) {
      try {
        write();
      } catch (const std::exception& error) {
        failure += (failure.empty() ? "" : "\n") + std::string(error.what());
      }
    };
    save(recorder, "final.png", report_.clock.time);
    attempt([&] {
      if (!recorder.has_movie()) return;
      recorder.finish_movie();
      report_.movie = outputs_.movie.string();
      report_.movie_frames = recorder.movie_frames();
    });
    if (report_.failure.empty()) report_.failure = failure;
    attempt([&] {
      if (!outputs_.json.empty()) write_text(outputs_.json, to_json(report_).dump(2) + "\n");
    });
    if (outputs_.json_to_stdout)
      print_whole(to_json(report_).dump(2) + "\n");
    else if (!options_.quiet)
      print_whole(summary_text(report_));
    if (report_.failure.empty()) report_.failure = failure;
    if (interruption) log::warn("interrupted at step {}; what was done so far is written", report_.clock.step);
  }

  static void print_whole(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw RuntimeFailure("standard output cannot be written to");
  }

  const Scene& scene_;
  const RunOptions& options_;
  Outputs outputs_;
  Goal goal_;
  Simulation simulation_;
  RunReport report_;
  std::optional<Progress> progress_;  ///< while stepping
  std::string output_failure_;        ///< of what could not be written
  bool warned_of_speed_ = false;
};

}  // namespace

int run_scene(const SceneOptions& scene_options, const RunOptions& options) {
  if (options.quiet) log::set_level(log::Level::Warning);
  const Scene scene = load_with_options(scene_options);
  const Device device = select_device_for(scene.simulation, scene_options.device);
  return Run(scene, options, device).execute();
}

}  // namespace riffle
