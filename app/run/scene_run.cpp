#include "app/run/scene_run.h"
#include "app/run/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/report/fastest_particle.h"
#include "app/report/measured_loads.h"
#include "app/report/outputs.h"
#include "app/report/parameter_changes.h"
#include "app/report/parameters_json.h"
#include "app/report/probe_places.h"
#include "app/report/report.h"
#include "app/report/series_columns.h"
#include "app/report/thermal_text.h"
#include "app/run/checkpoints.h"
#include "app/run/disk_need.h"
#include "app/run/event_player.h"
#include "app/run/fault_cause.h"
#include "app/run/local_temperature.h"
#include "app/run/pace.h"
#include "app/run/particle_export.h"
#include "app/run/particle_series.h"
#include "app/run/probe_table.h"
#include "app/run/recorder.h"
#include "app/run/run_guard.h"
#include "app/run/run_series.h"
#include "app/run/run_watch.h"
#include "app/run/stability.h"
#include "app/run/structure_output.h"
#include "app/run/surface_output.h"
#include "app/terminal/progress.h"
#include "core/error.h"
#include "core/text/log.h"
#include "core/text/output_files.h"
#include "core/text/printable.h"
#include "core/timing/seconds_since.h"
#include "neighbors/neighbor_search.h"
#include "sim/measure/domain_size.h"
#include "sim/measure/pair_mixing.h"
#include "sim/measure/solid_measurement.h"
#include "sim/openings/nozzle.h"
#include "sim/simulation.h"
#include "sim/start/origin.h"
#include "sim/units.h"

namespace riffle {

namespace fs = std::filesystem;

namespace {

/// [steps] They read the whole state, too slow for every step. A state that is held has passed them.
constexpr std::uint64_t kDiagnosticsEvery = RunGuard::kEvery;

/// When the run ends: after a number of steps, or at a simulated time. Both count from the run's time 0.
struct Goal {
  std::uint64_t first_step = 0;  ///< of the state that it goes on from
  double first_time = 0;         ///< [s]
  std::optional<std::uint64_t> steps;
  double time;                  ///< [s]; infinity when steps decide
  std::optional<double> given;  ///< [s] the same if an option said so, of this run or of the one that wrote the state

  Goal(const scenes::Scene& scene, const RunOptions& options, const RunStart* from) {
    const ClockState start = from != nullptr ? from->saved.state.clock : ClockState{};
    const SavedGoal before = from != nullptr ? from->saved.goal : SavedGoal{};
    first_step = start.step;
    first_time = start.time;
    given = options.time;
    if (options.steps) {
      steps = first_step + *options.steps;
    } else if (!options.time && !(from != nullptr && from->end_before != scene.run.end_time)) {
      steps = before.step;
      given = before.time;
    }
    time = steps ? INFINITY : given.value_or(scene.run.end_time);
    if (from != nullptr) refuse_an_end_before(*from, scene, options);
    if (options.means_from && *options.means_from > time)
      throw InputError(fmt::format("--means-from: found {:g} {}, the run ends at {:g}; allowed: a time before its end",
                                   *options.means_from, units_of(scene.simulation).time, time));
    if (options.means_from && *options.means_from < first_time * (1 - 1e-9))
      throw InputError(fmt::format(
          "--means-from: found {:g} {}, the state is of {:g}: means are over the rows that this call measures, not "
          "over those that a file has from before; allowed: a time from the state on",
          *options.means_from, units_of(scene.simulation).time, first_time));
  }

  SavedGoal saved() const { return {steps, steps ? std::nullopt : given}; }

  bool reached(std::uint64_t enqueued, const StepReport& known) const {
    if (steps) return enqueued >= *steps;
    return known.time >= time || (known.step > first_step && is_stopped(known));
  }
  double fraction(std::uint64_t enqueued, const StepReport& known) const {
    return steps ? static_cast<double>(enqueued - first_step) /
                       static_cast<double>(std::max<std::uint64_t>(*steps - first_step, 1))
                 : (known.time - first_time) / (time - first_time);
  }

 private:
  void refuse_an_end_before(const RunStart& from, const scenes::Scene& scene, const RunOptions& options) const {
    const bool over =
        steps ? *steps < first_step || (!options.steps && *steps == first_step) : time <= first_time * (1 + 1e-9);
    if (!over) return;
    const char* unit = units_of(scene.simulation).time;
    if (options.time)
      throw InputError(
          fmt::format("--time: found {:g} {}; allowed: after the state's time, which is {:g}", time, unit, first_time));
    throw InputError(
        fmt::format("{}: its run is over, at step {} and {:g} {}; --time or --steps say how far it goes on", from.file,
                    first_step, first_time, unit));
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
  report.probe_places = probe_places_json(scene.probes, scene.simulation);
  report.solver = to_string(scene.simulation.solver);
  report.units = units_of(scene.simulation);
  report.dimension = scene.simulation.domain.dimension;
  report.mirrors = has_mirrors(scene.simulation);
  report.device = device;
  return report;
}

class Run {
 public:
  /// @throws StartGivenUp when a signal arrives before time 0
  Run(const scenes::Scene& scene, const RunOptions& options, const Outputs& outputs, const Device& device,
      const Interruption& interruption, SavedScene saved, RunStart* from)
      : scene_(scene),
        options_(options),
        outputs_(outputs),
        interruption_(interruption),
        goal_(scene, options, from),
        events_(scene, goal_.first_step),
        simulation_(from ? Simulation(events_.setup(), device, from->saved.state)
                         : Simulation(scene.simulation, device, [&](const StartPoint&) { return !interruption; })),
        series_(scene, options.series_every) {
    report_ = report_of(scene, options, device);
    if (from) goes_on_ = goal_.first_time;
    if (from) acts_ = from->saved.acts;
    // The last step before an end is shorter than the others.
    const double step = from ? std::max(from->saved.state.clock.last_dt, from->saved.state.clock.previous_dt) : 0;
    if (!options.no_guard) guard_.emplace(options.recover);
    if (!outputs_.series.empty()) series_file_.emplace(outputs_.series, goes_on_);
    if (!outputs_.probes.empty()) probes_.emplace(scene, *simulation_, outputs_.probes, options.probes_every, goes_on_);
    if (!outputs_.radial_distribution.empty() || !outputs_.displacements.empty())
      structure_.emplace(scene,
                         StructureWishes{outputs_.radial_distribution, outputs_.displacements, options.structure_every,
                                         begin_of_structure(), options.displacement_lag, goal_.time});
    if (const std::string why = why_no_solid_forces(scene.simulation);
        series_file_ && !load_names(scene.simulation).empty() && !why.empty())
      log::info("{} has no forces on solids and faces: {}", outputs_.series.string(), why);
    if (options.particles_every > 0) begin_particles();
    if (particles_ && from) particles_->go_on_after(goal_.first_time, step);
    if (guard_) saved_ = saved;
    if (!outputs_.surface.empty())
      surface_.emplace(outputs_.surface, options.surface_every, *simulation_, scene.name, goes_on_, step);
    if (!outputs_.checkpoint.empty())
      checkpoints_.emplace(outputs_.checkpoint, options.checkpoint_every, std::move(saved), goal_.saved(), acts_,
                           state_before(from));
    if ((!outputs_.particles.empty() || checkpoints_) && UnwrappedPositions::are_needed(simulation_->setup()))
      from ? unwrapped_.emplace(*simulation_, from->saved.state) : unwrapped_.emplace(*simulation_);
    if (checkpoints_) checkpoints_->announce(*simulation_);
    if (!scene.probes.empty() && !probes_ && !series_file_)
      log::info("{} not written; --probes FILE.csv writes what {}, and so does --series FILE.csv",
                scene.probes.size() == 1 ? fmt::format("the probe '{}' is", probe_name(scene.probes, 0))
                                         : fmt::format("the {} probes of the scene are", scene.probes.size()),
                scene.probes.size() == 1 ? "it measures" : "they measure");
    if (from == nullptr) return;
    report_.resumed = {from->file, goal_.first_step, goal_.first_time, from->changes};
    if (series_file_) {
      (void)series_.measure(*simulation_);  // which names the columns
      series_file_->look(series_.header(), series_.interval());
    }
    from->saved.state = {};
    log::info("goes on from {}: step {}, {:g} {}", from->file, goal_.first_step, goal_.first_time, report_.units.time);
    say_what_is_kept();
    for (const std::string& gaps : {particles_ ? particles_->gaps() : "", surface_ ? surface_->gaps() : ""})
      if (!gaps.empty()) warn(gaps);
    if (!outputs_.movie.empty())
      log::info(
          "{} begins with the first frame after the state; the frames before it are in the movie of the run that wrote "
          "it",
          outputs_.movie.string());
  }

  int execute() {
    Recorder recorder(scene_, *simulation_, outputs_.movie, !options_.no_picture || options_.image_every > 0, goes_on_);
    if (std::isfinite(goal_.time)) simulation_->set_time_limit(goal_.time);
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

  /// [s] The first state of g(r) and of displacements.
  double begin_of_structure() const {
    const double from = options_.structure_from.value_or(goal_.first_time);
    if (from < goal_.first_time * (1 - 1e-9))
      throw InputError(
          fmt::format("--structure-from: found {:g}, the state is of {:g}; allowed: a time from the state on", from,
                      goal_.first_time));
    return from;
  }

  /// Of a run that goes on: whether it keeps states, and what of that is as in the run before.
  void say_what_is_kept() const {
    if (!checkpoints_) {
      if (options_.steps != 0 && !options_.inherits_interval)
        log::info("keeps no states; --checkpoint-every TIME keeps some");
      return;
    }
    if (!options_.inherits_interval && !options_.inherits_file) return;
    std::string text = fmt::format("keeps a state every {:g} {}", options_.checkpoint_every, report_.units.time);
    const std::string in = " in " + outputs_.checkpoint.string();
    if (!options_.inherits_interval)
      text += in + ", beside the state that it goes on from";
    else if (options_.inherits_file)
      text += in + ", as the run before did";
    else
      text += ", as the run before did," + in;
    const bool is_named = !options_.checkpoint.empty() && !options_.inherits_file;
    if (options_.inherits_interval && !is_named) text += "; --no-checkpoint keeps none";  // it excludes the options
    log::info("{}", text);
  }

  /// What a signal has left, and what it has not.
  std::string interruption_text() const {
    const std::string at = fmt::format("interrupted at step {}; ", report_.clock.step);
    if (report_.state)
      return at + fmt::format("what was done so far is written; `riffle resume {}` goes on", report_.state->file);
    return at +
           "the outputs so far are written, but no state: the particles are not kept, and no run can go on from here. "
           "--checkpoint-every TIME keeps states";
  }

  /// Runs a part of the simulation. An exception becomes the reason why the run ended, unless there is one already.
  template <class Part>
  void guarded(const Part& part) {
    const auto note = [&](const std::string& what, bool machine_lacks) {
      if (!report_.failure.empty()) return;
      report_.failure = with_fault(what, *simulation_);
      machine_lacks_ = machine_lacks;
    };
    try {
      part();
    } catch (const Unavailable& lack) {
      note(fmt::format("ended after step {}: {}", simulation_->latest().step, lack.what()), true);
    } catch (const std::bad_alloc&) {
      note(fmt::format("ended after step {}: out of memory", simulation_->latest().step), false);
    } catch (const std::exception& failure) {
      note(fmt::format("ended after step {}: {}", simulation_->latest().step, failure.what()), false);
    }
  }

  void step_until_done(Recorder& recorder) {
    progress_.emplace(!options_.quiet, static_cast<std::uint64_t>(simulation_->particle_count()),
                      units_of(simulation_->setup()).time);
    report_.contact.start = contact_now(*simulation_, {});
    if (goal_.first_step > 0)
      report_.contact.when =
          fmt::format("in the state at {:.6g} {}", goal_.first_time, units_of(simulation_->setup()).time);
    begin_ = Clock::now();
    record(recorder, goal_.first_time);
    sample();
    sample_probes();
    sample_structure(goal_.first_time);
    save_particles(goal_.first_time);
    hold_start();
    save_surface(goal_.first_time);
    announce_files();
    StepReport known = simulation_->latest();
    for (std::uint64_t step = goal_.first_step; !goal_.reached(step, known) && !interruption_;) {
      if (events_.due(step)) play_events();
      simulation_->step();
      ++step;
      known = simulation_->latest();
      note_fastest(known);
      keep_pace(known, recorder);
      if (unwrapped_) unwrapped_->follow(*simulation_);
      announce_choice();
      if (const auto warning = watch_.after_step(known, *simulation_)) warn(warning->text);
      record(recorder, known.time);
      sample();
      sample_probes();
      sample_structure(known.time);
      save_particles(known.time);
      save_surface(known.time);
      if (options_.image_every > 0 && step % options_.image_every == 0) {
        known = simulation_->finish();  // the caption is the time of what is drawn
        save(recorder, outputs_.folder / Outputs::numbered_picture(step), known.time);
      }
      if (checkpoints_ && checkpoints_->due(known.time)) save_state(recorder);
      if (!report_.failure.empty()) break;
      if (!blow_up_ && (step % kDiagnosticsEvery == 0 || known.faulty || goal_.reached(step, known))) {
        known = simulation_->finish();
        const Clock::time_point looked = Clock::now();
        const Diagnostics now = simulation_->diagnostics();
        blow_up_ = find_blow_up(now, known, *simulation_);
        look_seconds_ += seconds_since(looked);
        if (!blow_up_) {
          if (is_stuck(step, known)) break;
          while (const auto warning = watch_.after_diagnostics(now, known, *simulation_)) warn(warning->text);
          if (step % kDiagnosticsEvery == 0) {
            write_what_is_due(recorder, known.time);
            hold();
          }
        }
      }
      if (blow_up_) {
        if (!recover(*std::exchange(blow_up_, std::nullopt))) break;
        known = simulation_->latest();
        step = known.step;
      }
      progress_->update(goal_.fraction(step, known), known.time, step - goal_.first_step);
    }
  }

  /// Those that act before the next step. Waits.
  void play_events() {
    const StepReport now = simulation_->finish();
    if (!events_.due(now.step)) return;  // steps without length do not count
    const std::span<const scenes::SceneEvent> events = events_.take(now.step);
    const auto any = [&](bool scenes::SceneEvent::*what) { return std::ranges::any_of(events, what); };
    if (any(&scenes::SceneEvent::search)) simulation_->set_neighbors(events_.setup().neighbors);
    if (any(&scenes::SceneEvent::live)) {
      SimulationState state = simulation_->save_state();
      if (unwrapped_) unwrapped_->add_to(state, *simulation_);
      go_on_from(state);
      measure_changed_row();
      measure_changed_probes();
      if (structure_) structure_->begin_again(now.time, text_of_events(events));
    }
    if (progress_) progress_->wipe();
    log::info("step {}: {}", now.step, text_of_events(events));
    for (const scenes::SceneEvent& event : events) report_.events.push_back({now.step, now.time, event.changes});
    if (changes_written_ && series_file_) write_changes_file();
  }

  /// From a state with the setup of the events so far. @throws as Simulation's constructor; then all is as it was
  void go_on_from(const SimulationState& state) {
    const SimulationSetup before = simulation_->setup();
    const Device device = simulation_->device();
    const double eased = simulation_->eased(), share = simulation_->step_share();
    stages_ = joined_stages(std::move(stages_), simulation_->timings().stats());
    try {
      Simulation next(events_.setup(), device, state, &*simulation_);
      simulation_.emplace(std::move(next));
    } catch (const Unavailable&) {  // the device may be too small for both
      simulation_.reset();
      try {
        simulation_.emplace(events_.setup(), device, state);
      } catch (...) {
        simulation_.emplace(before, device, state);
        throw;
      }
    }
    simulation_->ease(eased);
    if (share != 1) simulation_->shorten_steps(share);
    if (std::isfinite(goal_.time)) simulation_->set_time_limit(goal_.time);
    if (unwrapped_) unwrapped_.emplace(*simulation_, state);
    if (probes_ && !probes_->suits(*simulation_)) begin_probes_again(state.clock.time);
  }

  /// From that time [s] on. The rows before it stay.
  void begin_probes_again(double time) {
    with_probes([&] {
      probes_->write();
      probes_.emplace(scene_, *simulation_, outputs_.probes, options_.probes_every, time);
    });
  }

  /// The clock has the largest speed of the state that its last step began with. On a GPU it may have gone on by some steps.
  void note_fastest(const StepReport& known) {
    if (known.step > goal_.first_step) fastest_.note(double{known.max_speed}, known.time - known.last_dt);
  }

  /// What the files of the series need, by the first of each; those of a run that goes on are as large as they were.
  void announce_files() {
    const auto say = [&](const char* what, const fs::path& first, double every) {
      std::error_code none;
      const auto each = fs::file_size(first, none);
      if (none) return;
      const double count = std::floor((goal_.time - goal_.first_time) / every * (1 + 1e-6)) + 1;
      if (progress_) progress_->wipe();
      say_disk_need(what, each, count, first.parent_path());
    };
    if (particles_ && !particles_failed_ && particles_->files() == 1)
      say(particles_->one_file() ? "frames of particles" : "files of particles", particle_file_, particles_->every());
    if (surface_ && options_.surface_every > 0 && !surface_->report().file.empty())
      say("files of the surface", surface_->report().file, options_.surface_every);
  }

  /// A run that goes on from a state writes what is due after it. What is due before it must be there by then; the clock that the
  /// loop knows is some steps late on a GPU. @param time [s] that finish() has said
  void write_what_is_due(Recorder& recorder, double time) {
    record(recorder, time);
    sample();
    sample_probes();
    sample_structure(time);
    save_particles(time);
    save_surface(time);
  }

  /// The state at the start, unless it has a fault already. Memory that the first step needs must be left; a later state is
  /// held if there is some beyond that.
  void hold_start() {
    if (!guard_) return;
    const MemoryNeed need = memory_need(simulation_->setup(), simulation_->device());
    if (need.free + simulation_->memory_bytes() < need.needed) {
      log::info("the state at the start is not held to go back to: memory is short");
      return;
    }
    simulation_->look_for_faults();
    if (!simulation_->finish().faulty) hold();
  }

  /// The present state, which is good.
  void hold() {
    if (!guard_) return;
    const Clock::time_point begin = Clock::now();
    guard_->keep(*simulation_, unwrapped());
    eased_when_held_ = simulation_->eased();
    look_seconds_ += seconds_since(begin);
  }

  /// Goes back to a good state if it may. Otherwise the run has failed: the last good state is written, and the failure says
  /// what has happened. @return whether the run goes on
  bool recover(const BlowUp& found) {
    const std::optional<Fault> fault = simulation_->fault();
    const StepReport now = simulation_->finish();
    RunReport::Recovery recovery;
    recovery.fault_step = fault ? fault->step : now.step;
    recovery.fault_time = fault ? fault->time : now.time;
    std::string event, eased;
    const std::uint64_t good_step = guard_ && guard_->last() ? guard_->last()->step() : goal_.first_step;
    if (!report_.events.empty() && report_.events.back().step >= good_step)
      event = fmt::format("an event of the scene has acted at step {}", report_.events.back().step);
    if (simulation_->eased() > eased_when_held_)
      eased = fmt::format("time.pace has eased the simulation to {:.0f} % since the last good state",
                          100 * simulation_->eased());
    const std::string cause = likely_cause(*simulation_, {recovery.fault_time, scene_.warnings, eased, event});
    recovery.fault = found.what + ": " + found.remedy + (cause.empty() ? "" : "; the likely cause: " + cause);
    const bool may = options_.recover && report_.recoveries.size() < std::size_t{RunGuard::kMostRecoveries};
    const HeldState* const good = !guard_ ? nullptr : may ? guard_->go_back(recovery.fault_time) : guard_->last();
    std::string failure = recovery.fault;
    if (may && good != nullptr) {
      try {
        go_back_to(*good, std::move(recovery));
        return report_.failure.empty();  // an output may have been given up
      } catch (const std::exception& why) {
        failure += fmt::format("; it could not go back: {}", why.what());
      }
    }
    report_.failure = failure;
    if (const std::size_t times = report_.recoveries.size(); times > 0)
      report_.failure += fmt::format("; it has gone back {}, at last with {:g} of the step",
                                     times == 1 ? "once" : fmt::format("{} times", times), simulation_->step_share());
    if (good != nullptr) write_good_state(*good);
    return false;
  }

  void go_back_to(const HeldState& good, RunReport::Recovery recovery) {
    const SimulationState state = good.state();
    events_.go_to(state.clock.step) ? go_on_from(state) : simulation_->restore_state(state);
    std::erase_if(report_.events, [&](const auto& event) { return event.step >= state.clock.step; });
    const std::string moved = text_of_moved_events(
        std::span(scene_.events).subspan(scenes::events_before(scene_, state.clock.step)), state.clock,
        {simulation_->setup().step.fixed * simulation_->step_share(), 0.5, report_.units.time});
    simulation_->shorten_steps(0.5 * simulation_->step_share());
    fastest_.forget_after(state.clock.time);
    recovery.step = state.clock.step;
    recovery.time = state.clock.time;
    recovery.step_share = simulation_->step_share();
    warn(fmt::format("{}; goes back to step {} ({:.6g} {}) and on with {:g} of the step{}{}", recovery.fault,
                     recovery.step, recovery.time, report_.units.time, recovery.step_share, moved.empty() ? "" : "; ",
                     moved));
    report_.recoveries.push_back(std::move(recovery));
    if (unwrapped_) unwrapped_.emplace(*simulation_, state);
    take_back_outputs(state.clock.time);
  }

  /// What was written of moments after that time [s]: as for a run that goes on from a state of it.
  void take_back_outputs(double time) {
    if (series_.cut_after(time) && series_file_) series_file_.emplace(outputs_.series, goes_on_);
    if (structure_) structure_->begin_again();
    if (probes_) {
      begin_probes_again(time);
      sample_probes();
    }
    if (particles_ && !particles_failed_) {
      try {
        particles_->take_back(time);
      } catch (const std::exception& failure) {
        particles_failed_ = true;
        give_up("the series of particles is given up", failure);
      }
    }
    if (surface_) surface_->take_back(time);
    settle_states();
    if (checkpoints_ && checkpoints_->written() > 0) write_state_file();  // the last one may be of later
  }

  /// The state that the file of the states has, of another run than the one that this run goes on with.
  StateBefore state_before(const RunStart* from) const {
    const fs::path& file = outputs_.checkpoint;
    if (from == nullptr) return StateBefore(file);
    const bool is_named = !options_.checkpoint.empty() && !options_.inherits_file;
    const bool is_ours = same_file(file, from->file) || same_file(name_of_state_before(file), from->file);
    return is_named && !is_ours ? StateBefore(file) : StateBefore();
  }

  void begin_particles() {
    particles_.emplace(outputs_.particles, options_.particles_every, 0, time_of_files(scene_.simulation).value_or(0));
  }

  void write_good_state(const HeldState& good) {
    const std::string of =
        fmt::format("the last good state, of step {} ({:.6g} {})", good.step(), good.time(), report_.units.time);
    try {
      if (saved_.text.empty()) throw RuntimeFailure("the scene's files could not be read again at the start");
      prepare_folder(outputs_.good_state.parent_path());
      SavedRun run{saved_, good.state(), goal_.saved(), RIFFLE_VERSION};
      run.acts = acts_;
      if (options_.checkpoint_every > 0 && !outputs_.checkpoint.empty())
        run.keeping = SavedKeeping{options_.checkpoint_every, outputs_.checkpoint.filename().string()};
      write_state(outputs_.good_state, run);
      report_.good_state = outputs_.good_state.string();
      report_.failure += fmt::format("\n{}, is in {}; riffle resume goes on from it", of, report_.good_state);
      if (!unwrapped_ && UnwrappedPositions::are_needed(simulation_->setup()))
        report_.failure += ", without --particles and --checkpoint, for which this run would have needed one of them";
    } catch (const std::exception& failure) {
      report_.failure += fmt::format("\n{}, could not be written: {}", of, failure.what());
    }
  }

  /// After the last step: the clock, and the movie's last frames.
  void settle(Recorder& recorder) {
    report_.interrupted = static_cast<bool>(interruption_);
    report_.clock = simulation_->latest();  // remains when waiting for the rest fails
    take_times(recorder);
    report_.clock = simulation_->finish();
    if (what_is_missing().empty()) report_.interrupted = false;  // the signal came after the last step
    record(recorder, report_.clock.time);
    take_times(recorder);
  }

  void take_times(const Recorder& recorder) {
    report_.wall_seconds = seconds_since(begin_);
    report_.recording_seconds = recorder.seconds();
    report_.diagnostics_seconds = look_seconds_ + series_.seconds() + (structure_ ? structure_->seconds() : 0);
    report_.file_seconds = file_seconds_ + (probes_ ? probes_->seconds() : 0) + (surface_ ? surface_->seconds() : 0);
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
    const TuningReport* tuning = simulation_->tuning();
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
    if (pace_.follow(report_.stepping_seconds(), known.time - goal_.first_time, 1)) simulation_->ease(pace_.share());
    most_eased_ = std::max(most_eased_, simulation_->eased());
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
      recorder.record_until(time, *simulation_);
    } catch (const std::exception& failure) {
      give_up("the movie is given up", failure);
      recorder.drop_movie();
    }
    pass_on_warnings(recorder);
  }

  /// A row of the series if one is due. When it cannot be written, the series is given up, and the exit code reports it.
  void sample() {
    if ((!series_file_ && !options_.means_from) || !series_.sample(*simulation_) || !series_file_) return;
    with_series([&] {
      series_file_->follow(series_);
      if (!std::exchange(changes_written_, true)) write_changes_file();
    });
  }

  /// A row of the moment of a change has the parameters with which the run goes on.
  void measure_changed_row() {
    if ((!series_file_ && !options_.means_from) || !series_.measure_last_again(*simulation_) || !series_file_) return;
    with_series([&] {
      series_file_->take_back_last();
      series_file_->follow(series_);
    });
  }

  template <class Part>
  void with_series(const Part& part) {
    try {
      part();
    } catch (const std::exception& failure) {
      series_file_.reset();
      give_up("the series is given up", failure);
    }
  }

  /// The file beside the series that says what was changed where the run goes on.
  void write_changes_file() {
    report_.changes_file = write_changes(outputs_.series, all_changes(), simulation_->setup(), goes_on_);
  }

  /// Where the run goes on, and by events.
  std::vector<ParameterChange> all_changes() const {
    std::vector<ParameterChange> changes;
    if (report_.resumed)
      for (const scenes::KeyChange& change : report_.resumed->changes)
        changes.push_back({goal_.first_time, goal_.first_time, change});
    for (const RunReport::Event& event : report_.events)
      for (const scenes::KeyChange& change : event.changes) changes.push_back({event.time, event.time, change});
    return changes;
  }

  /// Likewise of the probes.
  void sample_probes() {
    with_probes([&] { probes_->after_step(*simulation_); });
  }
  void write_probes() {
    with_probes([&] { probes_->write(); });
  }
  void measure_changed_probes() {  ///< as measure_changed_row()
    with_probes([&] { probes_->after_change(*simulation_); });
  }

  template <class Part>
  void with_probes(const Part& part) {
    if (!probes_) return;
    try {
      part();
    } catch (const std::exception& failure) {
      probes_.reset();
      give_up("the table of the probes is given up", failure);
    }
  }

  /// Likewise of g(r) and the displacements.
  void sample_structure(double time) {
    if (!structure_) return;
    try {
      structure_->after_step(*simulation_, time);
    } catch (const std::exception& failure) {
      give_up(structure_->measures() ? "displacements are given up" : "g(r) and displacements are given up", failure);
      if (!structure_->measures()) structure_.reset();
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

  /// The state that is due. When it cannot be written the last one stays, and the exit code reports it. One that blew up
  /// would replace the last one from which the run can go on: it is not written.
  void save_state(Recorder& recorder) {
    const StepReport known = simulation_->finish();
    const Clock::time_point begin = Clock::now();
    blow_up_ = find_blow_up(simulation_->diagnostics(), known, *simulation_);
    look_seconds_ += seconds_since(begin);
    if (blow_up_) return;
    write_what_is_due(recorder, known.time);
    write_probes();  // a run that goes on from the state finds the rows before it
    write_state_file();
  }

  void write_state_file() {
    with_states([&] { checkpoints_->write(*simulation_, unwrapped()); });
  }

  /// Waits until the disk has the last state.
  void settle_states() {
    if (checkpoints_) with_states([&] { checkpoints_->settle(); });
  }

  template <class Part>
  void with_states(const Part& part) {
    const Clock::time_point begin = Clock::now();
    try {
      part();
    } catch (const std::exception& failure) {
      // The others likely have the same reason.
      if (!std::exchange(misses_states_, true)) give_up("a state is missing", failure);
    }
    file_seconds_ += seconds_since(begin);
  }

  UnwrappedPositions* unwrapped() { return unwrapped_ ? &*unwrapped_ : nullptr; }

  void add_particles() {
    const double time = simulation_->finish().time;
    const Clock::time_point begin = Clock::now();
    particle_file_ = particles_->next(time);
    particles_->writer()(particle_file_,
                         read_particles(*simulation_, scene_.name, unwrapped(), outputs_.particle_fields));
    if (particles_->list_is_due()) write_text(particles_->list(), particles_->list_text());
    file_seconds_ += seconds_since(begin);
  }

  /// Likewise of the surfaces.
  void save_surface(double time) {
    if (!surface_) return;
    try {
      surface_->after_step(*simulation_, time);
    } catch (const std::exception& failure) {
      surface_.reset();
      give_up("the series of surfaces is given up", failure);
    }
  }

  void save(Recorder& recorder, const fs::path& file, double time) {
    if (!recorder.can_draw()) return;
    try {
      recorder.save_picture(file, *simulation_, time);
      if (std::find(report_.pictures.begin(), report_.pictures.end(), file.string()) == report_.pictures.end())
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
    settle_states();
    // Without a step the file that the run goes on from is as good, and it has a goal that --steps 0 has not.
    const bool is_as_before = options_.inherits_file && report_.resumed && report_.clock.step == goal_.first_step &&
                              same_file(outputs_.checkpoint, report_.resumed->file);
    if (checkpoints_ && report_.failure.empty() && !is_as_before && !checkpoints_->has(report_.clock.step))
      guarded([&] { save_state(recorder); });
    settle_states();
    if (const std::uint64_t lost = checkpoints_ ? checkpoints_->failed() : 0; lost > 1)
      add_output_failure(fmt::format("{} more {} missing", lost - 1, lost == 2 ? "state is" : "states are"));
    if (checkpoints_ && checkpoints_->written() > 0)
      report_.state = {checkpoints_->file().string(), checkpoints_->written(),
                       checkpoints_->seconds() / static_cast<double>(checkpoints_->written())};
    // The picture and the movie come first: diagnostics need memory and a working device.
    if (!options_.no_picture) save(recorder, outputs_.final_picture(), report_.clock.time);
    if (missing_pictures_ > 1) add_output_failure(fmt::format("{} more pictures are missing", missing_pictures_ - 1));
    attempt([&] {
      if (!recorder.has_movie()) return;
      recorder.finish_movie();
      pass_on_warnings(recorder);
      if (!recorder.has_movie()) return;
      report_.movie = outputs_.movie.string();
      report_.movie_frames = recorder.movie_frames();
    });
    attempt([&] {
      if (series_file_ || options_.means_from) series_.add_present(*simulation_);
      if (!series_file_) return;
      series_file_->follow(series_);
      report_.series = outputs_.series.string();
    });
    attempt([&] {
      if (!structure_) return;
      sample_structure(report_.clock.time);
      if (!structure_) return;
      for (const std::string& line : structure_->write(report_.clock.time)) warn(line);
      if (!structure_->measures()) return;
      report_.structure = structure_->report();
      report_.structure_text = structure_text(*report_.structure, simulation_->setup());
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
      write_particles(outputs_.particles,
                      read_particles(*simulation_, scene_.name, unwrapped(), outputs_.particle_fields));
      report_.particle_file = outputs_.particles.string();
    });
    attempt([&] {
      if (!surface_) return;
      surface_->finish(*simulation_);
      report_.surface = surface_->report();
    });
    for (const std::string& files :
         {particles_ && !particles_failed_ ? particles_->left_over() : "", surface_ ? surface_->left_over() : ""})
      if (!files.empty()) warn(files);
    if (options_.means_from) report_.means = series_.means(*options_.means_from);
    if (report_.means) note_changes(*report_.means, all_changes());
    if (report_.means && report_.means->rows == 0)
      log::warn("--means-from {:g}: the run ended at {:g} {}, there is no row to take a mean of", *options_.means_from,
                report_.clock.time, units_of(simulation_->setup()).time);
    guarded([&] { examine(); });
    note_events_to_come();
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
      else if (report_.means && outputs_.json.empty())  // nothing else has what was asked for
        print_whole(printable(means_table(*report_.means, report_.units.time)));
    });
    report_output_failures();
    if (report_.interrupted) log::warn("{}", interruption_text());
  }

  /// Events that the run did not come to. Where time.end has ended it, and nothing has said so before, they are a warning.
  void note_events_to_come() {
    report_.events_to_come = events_.to_come();
    if (report_.events_to_come.empty() || report_.interrupted || !report_.failure.empty()) return;
    const bool by_scene = !goal_.steps && !goal_.given;
    const bool is_known = std::ranges::find(scene_.warnings, scenes::WarningKind::EventsBeyondEnd,
                                            &scenes::Warning::kind) != scene_.warnings.end();
    if (by_scene && !is_known)
      warn(fmt::format("the run ended at {:g} {} (time.end) and step {}, before {}: --time goes further", goal_.time,
                       report_.units.time, report_.clock.step, scenes::steps_text(report_.events_to_come)));
  }

  /// Adds what could not be written to the reason why the run failed: neither may hide the other.
  void report_output_failures() {
    if (output_failure_.empty()) return;
    report_.failure += (report_.failure.empty() ? "" : "\n") + std::exchange(output_failure_, "");
  }

  /// Measures the final state and whether it can be trusted.
  void examine() {
    report_.particles = simulation_->particle_count();
    report_.wall_particles = simulation_->boundary_count();
    report_.memory_bytes = simulation_->memory_bytes() + (guard_ ? guard_->memory_bytes() : 0);
    const NeighborSetup& in_use = simulation_->setup().neighbors;
    report_.neighbors.method = to_string(in_use.method);
    report_.neighbors.structure = simulation_->neighbor_search().structure();
    report_.neighbors.skin = in_use.skin;
    if (const TuningReport* tuning = simulation_->tuning()) report_.tuning = *tuning;
    report_.diagnostics = simulation_->diagnostics();
    const SimulationSetup& simulated = simulation_->setup();
    report_.load_names = load_names(simulated);
    for (std::size_t k = 0; k < simulated.inlets.size(); ++k) report_.inlet_names.push_back(inlet_name(simulated, k));
    for (std::size_t k = 0; k < simulated.outlets.size(); ++k)
      report_.outlet_names.push_back(outlet_name(simulated, k));
    report_.volume_unit = unit_text(SeriesUnit::Volume, simulated);
    report_.loads = measured_loads(simulated, report_.diagnostics);
    if (report_.diagnostics.thermal) {
      QuantityValues quantities;
      report_.local_temperature = mean_local_temperature(*simulation_, quantities);
    }
    report_.diagnosed = true;
    note_fastest(report_.clock);
    fastest_.note(report_.diagnostics.max_speed, report_.clock.time);
    report_.fastest = fastest_.value();
    report_.mixing = mixing_of(*simulation_);
    if (simulation_->setup().fluids.size() > 1) report_.pairs = pair_mixing(*simulation_);
    report_.parting = has_domain_size(simulation_->setup());
    if (scene_.run.pace == scenes::PaceChoice::Real)
      report_.pace = {simulation_->eased(), most_eased_, ease_text(scene_.simulation, simulation_->eased())};
    report_.contact.end = contact_now(*simulation_, report_.diagnostics);
    if (report_.failure.empty()) report_.failure = what_blew_up(report_.diagnostics, report_.clock, *simulation_);
    if (report_.failure.empty()) {
      while (const auto warning = watch_.after_diagnostics(report_.diagnostics, report_.clock, *simulation_))
        warn(warning->text);
      if (const std::string text =
              what_is_not_the_thermostats(report_.local_temperature, report_.clock.time, report_.particles, simulated);
          !text.empty() && report_.clock.step > 0)
        warn(text);
      if (!report_.interrupted) report_.failure = what_is_missing();
    }
    report_.stages = joined_stages(stages_, simulation_->timings().stats());
    if (report_.diagnostics.non_finite == 0) report_.neighbors = simulation_->neighbors();  // a NaN has no cell
  }

  /// "" if the run did what was requested.
  std::string what_is_missing() const {
    const StepReport& clock = report_.clock;
    if (goal_.steps && clock.step < *goal_.steps)
      return why_stuck(clock, *simulation_, fmt::format("{} steps", *goal_.steps));
    if (!goal_.steps && clock.time < goal_.time * (1 - 1e-9))
      return why_stuck(clock, *simulation_, fmt::format("{:g} {}", goal_.time, report_.units.time));
    return "";
  }

  const scenes::Scene& scene_;
  const RunOptions& options_;
  const Outputs& outputs_;
  const Interruption& interruption_;
  const Goal goal_;
  EventPlayer events_;
  std::optional<Simulation> simulation_;  ///< always there
  std::vector<StageStats> stages_;        ///< of the simulations before the events so far
  std::optional<double> goes_on_;         ///< [s] of the state that the run goes on from
  SavedActs acts_;                        ///< of that state
  RunSeries series_;
  std::optional<SeriesFile> series_file_;     ///< none: there is to be no series, or it was given up
  std::optional<ProbeTable> probes_;          ///< likewise
  std::optional<StructureOutput> structure_;  ///< likewise
  std::optional<ParticleSeries> particles_;
  fs::path particle_file_;  ///< of the series, that was written last
  bool particles_failed_ = false;
  std::optional<SurfaceOutput> surface_;  ///< none: there is to be none, or the series was given up
  std::optional<Checkpoints> checkpoints_;
  std::optional<RunGuard> guard_;
  SavedScene saved_;               ///< of the good state
  std::optional<BlowUp> blow_up_;  ///< just found
  double eased_when_held_ = 0;     ///< Simulation::eased()
  bool misses_states_ = false;
  std::optional<UnwrappedPositions> unwrapped_;  ///< of files of particles, and states, in a periodic box
  RunReport report_;
  std::optional<Progress> progress_;  ///< while stepping
  std::string output_failure_;        ///< what could not be written and is not in the report yet, a line each
  std::uint64_t missing_pictures_ = 0;
  Clock::time_point begin_ = Clock::now();
  double look_seconds_ = 0, file_seconds_ = 0;  ///< diagnostics besides those of the series; files of particles
  std::size_t recorder_warnings_ = 0;           ///< logged so far
  int choices_announced_ = 0;
  bool changes_written_ = false;
  RunWatch watch_;
  PaceGovernor pace_;
  FastestSoFar fastest_;
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

}  // namespace

int run_scene(const scenes::Scene& scene, const RunOptions& options, const Outputs& outputs, const Device& device,
              const Interruption& interruption, SavedScene saved, RunStart* from) {
  try {
    return Run(scene, options, outputs, device, interruption, std::move(saved), from).execute();
  } catch (const StartGivenUp& given_up) {
    return report_no_start(scene, options, outputs, device, given_up.what(), 128 + interruption.signal());
  }
}

}  // namespace riffle
