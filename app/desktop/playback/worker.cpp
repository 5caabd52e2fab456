#include "app/desktop/playback/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "app/command/scene_options.h"
#include "app/desktop/playback/kept/freed_memory.h"
#include "app/desktop/playback/playback.h"
#include "app/run/scene_view.h"
#include "app/run/stability.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "core/text/log.h"
#include "scenes/review/particle_estimate.h"
#include "sim/solver_info.h"
#include "sim/start/sampling.h"
#include "sim/units.h"

namespace riffle::desktop {

namespace {

using namespace std::chrono_literals;

constexpr auto kStatusEvery = 100ms;
constexpr auto kCheckEvery = 2s;  // reads all particles
constexpr auto kIdle = 250ms;
constexpr double kBlamed = 15;                // [s] after an edit in which a blow-up is put down to it,
constexpr std::uint64_t kBlamedSteps = 1000;  // or [steps]: a slow machine takes longer
// [steps] A larger difference is a leap, not simulation (a GPU's clock is a few steps late).
constexpr std::uint64_t kLeap = 8;
constexpr double kBusy = 0.005;  // [s] until the next look while something is measured without steps

/// Simulated per wall second: real time, or the speed of the scene's movie if faster. Reduced units have no real time.
double usual_speed(const scenes::Scene& scene) {
  if (scene.run.pace == scenes::PaceChoice::Real) return 1;
  return solver_info(scene.simulation).si() ? std::max(1.0, scene.run.time_scale) : INFINITY;
}

KeptStatus status_of(const KeptRuns::Entry& entry) {
  const KeptRun& run = entry.run;
  KeptStatus status{entry.state, run.scene, run.scene->name, run.now != nullptr, run.work, run.diagnostics.view()};
  double last = run.now ? std::max(run.now->clock.time, run.history.last_time()) : 0;
  if (status.diagnostics) last = std::max(last, status.diagnostics->history.end());
  status.name += " up to " + time_text(run.scene->simulation, last);
  return status;
}

/// The part of the status that describes the simulation.
void describe(Playback& playback, double wall, WorkerStatus& status) {
  Simulation& simulation = playback.simulation();
  status.loaded = true;
  status.scene = playback.shared_scene();
  status.source = playback.source();
  status.place = playback.place();
  status.state_file = playback.state_file();
  if (const auto& keeping = playback.keeping())
    status.keeping =
        fmt::format("every {:g} {} in {}", keeping->every, units_of(simulation.setup()).time, keeping->file);
  else
    status.keeping.clear();
  status.device = simulation.device();
  status.device_name = device_name(simulation.device());
  status.particles = simulation.particle_count();
  status.wall_particles = simulation.boundary_count();
  status.memory_bytes = simulation.memory_bytes();
  status.search_bytes = simulation.neighbor_search().memory_bytes();
  status.lists = simulation.neighbor_search().list_stats();
  status.search_structure = simulation.neighbor_search().structure();
  status.clock = simulation.latest();
  status.first_moment = playback.history().first_time();
  status.last_moment = playback.history().last_time();
  status.moments = playback.history().size();
  status.moments_bytes = playback.history().bytes();
  status.neighbors = simulation.setup().neighbors;
  if (const TuningReport* tuning = simulation.tuning()) status.tuning = *tuning;
  status.timings = playback.sample_timings(wall);
  if (status.device.is_cuda()) status.device_free = free_memory(status.device);
  status.instruments = playback.instruments().status();
  status.stage_names = playback.stages().stages();
  status.history = playback.stages().columns();
  status.history_run = playback.stages().run();
  status.series_rows = playback.series().rows();
  status.rows_left_out = playback.rows_left_out();
  status.row_interval = static_cast<double>(playback.row_stride().intervals()) * playback.series().interval();
  status.all_rows = playback.row_stride().measures_all();
  status.particle_series = playback.particle_files();
  status.surface_series = playback.surface_files();
  status.last_particle_series = playback.last_particle_files();
  status.last_surface_series = playback.last_surface_files();
}

}  // namespace

Worker::Worker(bool software_gl, std::optional<std::size_t> kept_bytes)
    : status_(std::make_shared<WorkerStatus>()),
      software_gl_(software_gl),
      kept_(kept_bytes),
      thread_([this] { run(); }) {}

Worker::~Worker() {
  stop_ = true;
  {
    const std::lock_guard lock(mutex_);
    wake_.notify_all();
  }
  thread_.join();
}

void Worker::enqueue(std::string title, std::function<void()> action) {
  const std::lock_guard lock(mutex_);
  commands_.push_back({std::move(title), std::move(action)});
  wake_.notify_all();
}

void Worker::enqueue_request(std::string title, std::function<void()> action) {
  const std::lock_guard lock(mutex_);
  commands_.push_back({std::move(title), std::move(action), ++asked_});
  wake_.notify_all();
}

void Worker::post(std::string title, std::function<void(Playback&)> action) {
  enqueue(std::move(title), [this, action = std::move(action)] {
    if (!playback_) return;
    action(*playback_);
    changed_ = true;
  });
}

void Worker::post_in(std::uint64_t state, std::string title, std::function<void(Playback&)> action) {
  enqueue(std::move(title), [this, state, action = std::move(action)] {
    if (!playback_) return;
    if (state != state_)
      throw RuntimeFailure("another scene runs by now, or a change of this one was refused; try it again");
    action(*playback_);
  });
}

std::uint64_t Worker::load(const SceneOptions& options, bool play, bool asks) {
  const std::uint64_t state = new_state();
  const bool from_state = is_state_file(options.scene);
  enqueue_request(from_state ? "The state could not be opened" : "The scene could not be loaded", [this, options, play,
                                                                                                   asks, state] {
    const std::string name = std::filesystem::path(options.scene).stem().string();
    be_busy("loading " + name, Busy::Start, name);
    long_opening_.reset();
    SceneOptions wanted = options;
    // A scene that is too large for the GPU in use is refused: on the CPU it would be unbearably slow.
    if (playback_ && playback_->simulation().device().is_cuda() && wanted.device == DeviceRequest::Auto)
      wanted.device = DeviceRequest::Cuda;
    const auto progress = [this](const StartPoint& point) { return tell_start(point); };
    const auto ask = [&](const scenes::Scene& scene) {
      if (!asks) return;
      const double then = playback_ ? playback_->simulation().particle_count() : 0;
      const double estimate = scenes::particle_estimate(scene.simulation);
      if (long_start(then, estimate).empty()) return;
      // The estimate leaves out what shapes have in common, and what is cut out of them.
      const auto count = static_cast<double>(count_particles(scene.simulation, progress));
      if (const std::string why = long_start(then, std::min(estimate, count)); !why.empty()) throw LongStart(why);
    };
    const auto make = [&] { return std::make_unique<Playback>(wanted, software_gl_, progress, ask); };
    std::optional<KeptRun> left;
    if (playback_) left = present_run();
    std::unique_ptr<Playback> next;
    try {
      try {
        next = make();
      } catch (const Unavailable&) {  // the device may be too small for both scenes
        if (!playback_) throw;
        playback_->set_aside([&] { next = make(); });
      }
    } catch (const LongStart& why) {
      long_opening_ = std::make_shared<const LongOpening>(LongOpening{++openings_asked_, why.what(), options, play});
      return;
    }
    movie_.reset();
    if (playback_) next->measure_all_rows(playback_->row_stride().measures_all());
    playback_ = std::move(next);
    last_edit_.reset();
    ++scene_version_;
    if (left)
      leave_for(state, std::move(*left));
    else
      state_ = state;
    opened_ = ++openings_;
    playing_ = play && !at_end();
    pace_ = {};
    pacing_.set_speed(usual_speed(playback_->scene()), wall(), playback_->simulation().latest().time);
    leap();
  });
  return state;
}

/// What is kept when another run begins.
KeptRun Worker::present_run() {
  KeptRun run = playback_->keep(kept_.has_room_for(playback_->keep_bytes()));
  run.opened = opened_;
  run.age = wall() - run_began_;
  run.ended = ended_;
  run.end_note = end_note_;
  return run;
}

/// Another run is there. @param left the one before it
void Worker::leave_for(std::uint64_t state, KeptRun left) {
  state_before_ = state_;
  kept_.put(state_, std::move(left));
  kept_.forget(state);
  return_freed_memory();
  state_ = state;
  run_began_ = wall();
}

void Worker::resume(std::uint64_t state) {
  const KeptRun run = *kept_.find(state);
  KeptRun left = present_run();
  playback_->resume(run);
  leave_for(state, std::move(left));
  last_edit_.reset();
  if (run.opened != opened_) {
    movie_.reset();
    ++scene_version_;
    opened_ = run.opened;
    pacing_.set_speed(usual_speed(playback_->scene()), wall(), playback_->simulation().latest().time);
  } else {
    ++edits_;
  }
  leap();
  if (!run.now) return;
  run_began_ = wall() - run.age;
  ended_ = run.ended;
  end_note_ = end_note_ && run.end_note;
  playing_ = playing_ && !ended_;
  if (!playback_->has_later_moments()) return;
  playing_ = false;  // a step would leave it again
  branches_ = !ended_;
}

void Worker::bring_back(std::uint64_t state) {
  enqueue_request("That run could not be brought back", [this, state] {
    if (!playback_ || state == state_) return;
    if (!kept_.find(state)) throw Unavailable("its memory was needed");
    be_busy("bringing the run back", Busy::Rest);
    resume(state);
  });
}

void Worker::forget(std::vector<std::uint64_t> states) {
  enqueue("", [this, states = std::move(states)] {
    for (const std::uint64_t state : states) kept_.forget(state);
    return_freed_memory();
  });
}

/// @param start_of  a scene that is loaded
void Worker::be_busy(const std::string& with, Busy kind, const std::string& start_of) {
  give_up_start_ = false;
  start_of_ = start_of;
  cancelled_.clear();
  change_status([&](WorkerStatus& status) {
    status.busy = with;
    status.can_cancel = kind == Busy::Start;
    status.start.reset();
    status.cancelled.clear();
    status.long_opening.reset();
  });
}

bool Worker::tell_start(const StartPoint& point) {
  const std::optional<StartPoint> told = status()->start;
  if (!told || told->stage != point.stage || Clock::now() - last_status_ > kStatusEvery) {
    last_status_ = Clock::now();
    change_status([&](WorkerStatus& status) {
      status.can_cancel = true;
      status.start = point;
    });
  }
  return !stop_ && !give_up_start_;
}

void Worker::give_up_start() { give_up_start_ = true; }

void Worker::play(bool playing) {
  enqueue("", [this, playing] {
    playing_ = playing;
    if (playing && at_end()) go_past_end();
    achieved_.restart();
    if (playback_) restart_pace();
  });
}

void Worker::step(int count) {
  enqueue("", [this, count] {
    playing_ = false;
    single_steps_ += count;
    if (at_end()) go_past_end();
  });
}

void Worker::close_end_note() {
  enqueue("", [this] { end_note_ = false; });
}

std::uint64_t Worker::reset() {
  const std::uint64_t state = new_state();
  enqueue_request("The scene could not be started again", [this, state] {
    if (!playback_) return;
    if (!ended_) playback_->keep_newest(wall());
    KeptRun left = present_run();
    if (!playback_->state_file().empty()) be_busy("starting again", Busy::Start);
    playback_->reset();
    leave_for(state, std::move(left));
    leap_back();
  });
  return state;
}

/// Before a way back. @throws Unavailable where memory does not hold the present moment beside the first one
void Worker::keep_present() {
  if (ended_) return;
  playback_->keep_newest(wall());
  if (playback_->history().last_time() < playback_->simulation().latest().time)
    throw Unavailable("memory does not hold the present moment beside the first one. Save a state before you go back");
}

void Worker::seek(double time) {
  enqueue("That moment could not be brought back", [this, time] {
    if (!playback_) return;
    playing_ = false;
    keep_present();
    playback_->seek(time);
    leap_back();
    branches_ = true;
  });
}

void Worker::step_back() {
  enqueue("That moment could not be brought back", [this] {
    if (!playback_) return;
    playing_ = false;
    keep_present();
    const auto moment = playback_->history().before(playback_->simulation().finish().time);
    if (!moment) return;
    playback_->seek(moment->clock.time);
    leap_back();
    branches_ = true;
  });
}

/// The last saved moment before the fault, or before now where no fault is known. Not after a change that is blamed, nor
/// after the last check that found nothing to warn of, if a moment before these is saved. nullptr if there is none.
std::shared_ptr<const SimulationState> Worker::last_good() const {
  const std::optional<Fault> fault = playback_->simulation().fault();
  const SnapshotHistory& history = playback_->history();
  const auto latest = history.before(fault ? fault->time : playback_->simulation().latest().time);
  double sound = blamed_time_;
  if (std::ranges::any_of(warnings_, [](const scenes::Warning& w) { return w.kind != scenes::WarningKind::Unstable; }))
    sound = std::min(sound, sound_time_);
  if (!latest || latest->clock.time <= sound) return latest;
  const auto earlier = history.at(sound);
  return earlier && earlier->clock.time <= sound ? earlier : latest;
}

/// Whether the next step forgets moments that undo could not bring back.
bool Worker::would_forget_later() const {
  return branches_ && playback_->has_later_moments() && !kept_.has_room_for(playback_->keep_bytes());
}

bool Worker::would_ask_about_later() const { return playback_ && !ended_ && !damaged_later_ && would_forget_later(); }

/// Steps that would forget moments for good wait until the user has said so.
void Worker::wait_for_answer() {
  if (!(playing_ || single_steps_ > 0) || !would_ask_about_later()) return;
  unanswered_ = Steps{playing_, single_steps_, ++questions_};
  playing_ = false;
  single_steps_ = 0;
  publish_status();
}

void Worker::answer_about_later(bool go_on) {
  enqueue("", [this, go_on] {
    const std::optional<Steps> steps = std::exchange(unanswered_, {});
    if (!steps || !go_on) return;
    branches_ = false;
    playback_->leave_later_work();
    playing_ = steps->playing;
    single_steps_ = steps->single;
    achieved_.restart();
    restart_pace();
  });
}

/// Steps after a moment before the last saved one begin a run of their own: undo brings back the one with those moments.
void Worker::branch() {
  const bool forgets = would_forget_later();
  if (!std::exchange(branches_, false) || !playback_->has_later_moments() || forgets) return;
  const double began = run_began_;
  leave_for(new_state(), present_run());
  playback_->leave_later_work();
  run_began_ = began;
  branched_ = state_;
  last_status_ = {};  // the editor is told at once
}

void Worker::back_to_good() {
  enqueue("That moment could not be brought back", [this] {
    if (!playback_ || !ended_) return;
    const auto moment = last_good();
    if (!moment) return;
    playback_->seek(moment->clock.time);
    leap_back();
    branches_ = damaged_later_ = true;
  });
}

bool Worker::at_end() const {
  return playback_ && playback_->simulation().latest().time >= playback_->scene().run.end_time;
}

/// The simulation stands at another moment than the last step led to: no rate, wish or verdict of before holds there.
void Worker::leap() {
  ended_ = false;
  const double time = playback_->simulation().latest().time, end = playback_->scene().run.end_time;
  branches_ = damaged_later_ = false;
  unanswered_.reset();
  sound_time_ = time;
  blamed_time_ = INFINITY;
  past_end_ = time > end;
  end_note_ = time == end;
  last_check_ = {};
  forget_warnings();
  contact_known_ = false;
  single_steps_ = 0;
  steps_made_ = 0;
  steps_before_ = playback_->simulation().latest().step;
  achieved_.restart();
  restart_pace();
  changed_ = true;
}

/// Playing begins here: neither the speed nor the pace looks at what was before.
void Worker::restart_pace() {
  const double simulated = playback_->simulation().latest().time;
  pacing_.restart(wall(), simulated);
  pace_.restart(wall(), simulated);
}

/// The last edit is in force at the moment that the run goes back to.
void Worker::leap_back() {
  leap();
  if (!last_edit_) return;
  const StepReport now = playback_->simulation().latest();
  if (last_edit_->taken_back) {
    if (now.step <= last_edit_->step) last_edit_.reset();  // it is in force nowhere any more
    return;
  }
  last_edit_->step = now.step, last_edit_->time = now.time, last_edit_->wall = wall();
}

/// Of edits that a state can blow up by.
void Worker::note_edit(const SceneEdit& edit) {
  const StepReport now = playback_->simulation().latest();
  const bool restart = edit.effect == scenes::Effect::Restart;
  if (edit.takes_back) {
    // What it has done stays in the particles.
    if (!restart && last_edit_ && !last_edit_->restarted && !last_edit_->taken_back)
      last_edit_->taken_back = now.step, last_edit_->wall = wall();
    else
      last_edit_.reset();
    return;
  }
  if (edit.goes_on && last_edit_ && !last_edit_->taken_back)
    last_edit_->what = edit.what, last_edit_->wall = wall();
  else
    last_edit_ = LastEdit{edit.what, restart, now.step, now.time, wall()};
}

void Worker::set_speed(double speed) {
  enqueue("", [this, speed] {
    const double simulated = playback_ ? playback_->simulation().latest().time : 0;
    pacing_.set_speed(speed, wall(), simulated);
    pace_.restart(wall(), simulated);
  });
}

void Worker::edit(SceneEdit edit) {
  const std::lock_guard lock(mutex_);
  if (edit.to == 0) edit.to = new_state();
  ++asked_;
  // A change of the run that another one brings back waits for that run: merged with it, it would make a new one.
  const auto starts = [](const SceneEdit& of) { return of.effect == scenes::Effect::Restart; };
  if (!commands_.empty() && commands_.back().edit && (starts(edit) || !starts(*commands_.back().edit))) {
    Command& waiting = commands_.back();
    edit.effect = std::min(edit.effect, waiting.edit->effect);
    edit.from = waiting.edit->from;
    edit.changes = joined(std::move(waiting.edit->changes), edit.changes);
    edit.goes_on = waiting.edit->goes_on;
    waiting.request = asked_;
    *waiting.edit = std::move(edit);
    return;
  }
  commands_.push_back({"The change is taken back", {}, asked_, std::make_shared<SceneEdit>(std::move(edit))});
  wake_.notify_all();
}

void Worker::carry_out(SceneEdit& edit) {
  if (!playback_ || (edit.from != 0 && edit.from != state_)) return;
  // Merged with the edit that took it back.
  if (edit.to == state_ && edit.effect == scenes::Effect::Restart) edit.effect = scenes::Effect::Picture;
  // Another solver starts a run that has made no step as it starts the scene, and undo brings the run before back.
  if (edit.effect == scenes::Effect::Live && (playback_->starts_over(edit) || (edit.takes_back && kept_.find(edit.to))))
    edit.effect = scenes::Effect::Restart;
  const bool restart = edit.effect == scenes::Effect::Restart;
  const bool known = restart && kept_.find(edit.to);
  if (restart) known ? be_busy("bringing the run back", Busy::Rest) : be_busy("starting again", Busy::Start);
  try {
    if (known) {
      resume(edit.to);
      SceneEdit renamed{edit.scene, scenes::Effect::Picture};  // its name may be another since
      renamed.document = edit.document;
      playback_->edit(renamed);
      return;
    }
    std::optional<KeptRun> left;
    if (restart) left = present_run();
    playback_->edit(edit);
    if (left)
      leave_for(edit.to, std::move(*left));
    else
      state_ = edit.to;
  } catch (...) {
    const std::lock_guard lock(mutex_);
    ++refused_edits_;
    throw;
  }
  ++edits_;
  if (!at_end()) past_end_ = false;            // the end may be a later one now
  if (edit.effect < scenes::Effect::Search) {  // the others cannot make the state blow up
    forget_warnings();
    contact_known_ = false;
    const bool nothing = edit.takes_back && edit.changes.empty();  // merged with the edit that it takes back
    if (!nothing) note_edit(edit);
  }
  if (restart) leap();
  changed_ = true;
}

void Worker::follow(std::uint32_t id) {
  post("No particle can be looked at", [id](Playback& playback) { playback.follow(id); });
}

void Worker::unpick() {
  post("", [](Playback& playback) { playback.unpick(); });
}

void Worker::show_cells(bool shown) {
  enqueue("", [this, shown] {
    cells_ = shown;
    changed_ = true;
  });
}

void Worker::stir(const Ray& ray, std::optional<StirringKind> kind, const HandSetup& hand, std::optional<Vec3> at) {
  post("The fluid cannot be stirred", [=](Playback& playback) { playback.stir(ray, kind, hand, at); });
}

void Worker::grip(const Ray& ray, const std::optional<HeldPoint>& point) {
  post("The solid cannot be held", [=](Playback& playback) { playback.grip(ray, point); });
}

void Worker::let_go() {
  post("", [](Playback& playback) { playback.let_go(); });
}

void Worker::set_device(DeviceRequest request) {
  post("The device stays as it is", [request](Playback& playback) { playback.set_device(request); });
}

void Worker::compare_searches() {
  post("The searches cannot be compared",
       [](Playback& playback) { playback.instruments().compare(playback.simulation()); });
}

void Worker::set_audit(const AuditSettings& settings) {
  post("The audit stays as it is", [settings](Playback& playback) { playback.instruments().set_audit(settings); });
}

void Worker::show_profile(std::optional<Quantity> quantity, LayerAxis axis) {
  post("The profile stays as it is",
       [quantity, axis](Playback& playback) { playback.instruments().show_profile(quantity, axis); });
}

void Worker::show_means(std::optional<MeanSpan> span) {
  post("The means stay as they are", [span](Playback& playback) { playback.instruments().means().show(span); });
}

void Worker::show_distribution(bool shown) {
  post("g(r) stays as it is", [shown](Playback& playback) { playback.instruments().distribution().show(shown); });
}

void Worker::begin_distribution_again() {
  post("g(r) stays as it is", [](Playback& playback) { playback.instruments().distribution().begin_again(); });
}

void Worker::start_movie(std::uint64_t movie, double interval) {
  post("The movie is not recorded", [this, movie, interval](Playback& playback) {
    const StepReport now = playback.simulation().latest();
    movie_ = Movie{movie, MovieClock(interval, now.time), now.step};
  });
}

void Worker::stop_movie() {
  enqueue("", [this] { movie_.reset(); });
}

const ParticleFrame* Worker::movie_frame() {
  if (movie_frames_.consumed()) return nullptr;
  const ParticleFrame* frame = movie_frames_.read();
  const std::lock_guard lock(mutex_);
  wake_.notify_all();
  return frame;
}

void Worker::on_change(std::function<void()> tell) {
  const std::lock_guard lock(mutex_);
  tell_ = std::move(tell);
}

void Worker::tell() {
  std::function<void()> tell;
  {
    const std::lock_guard lock(mutex_);
    tell = tell_;
  }
  if (tell && !stop_) tell();
}

std::shared_ptr<const WorkerStatus> Worker::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::deque<Notice> Worker::take_notices() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

void Worker::notice(std::string title, std::string text, bool leads_back) {
  log::error("{}: {}", title, text);
  const std::lock_guard lock(mutex_);
  notices_.push_back({std::move(title), std::move(text), leads_back});
}

void Worker::warn(const std::optional<scenes::Warning>& warning) {
  if (!warning) return;
  log::warn("{}", warning->message());
  warnings_.push_back(*warning);
}

/// The run stands at another state, or goes on by other rules: what still holds is found again.
void Worker::forget_warnings() {
  watch_.forget();
  warnings_.clear();
}

double Worker::wall() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Worker::end_with(const std::string& why, bool leads_back) {
  playing_ = false;
  ended_ = true;
  notice("The simulation has ended", why, leads_back);
}

void Worker::end_with(const BlowUp& why) {
  const std::string text = why.remedy.empty() ? why.what : why.what + ": " + why.remedy;
  const bool blamed = is_blamed();
  if (blamed && !last_edit_->restarted) blamed_time_ = last_edit_->time;
  const bool leads_back = last_good() != nullptr;
  warnings_.push_back({scenes::WarningKind::Unstable, "", "", text});
  changed_ = true;  // the culprits are marked
  end_with(blamed ? blame_text() + "\n\n" + why.what + "." : text, leads_back);
}

/// An edit made shortly before is a likelier cause than the scene itself.
bool Worker::is_blamed() const {
  if (!last_edit_) return false;
  const std::uint64_t in_force_until = last_edit_->taken_back.value_or(last_edit_->step);
  return wall() - last_edit_->wall < kBlamed || playback_->simulation().latest().step < in_force_until + kBlamedSteps;
}

std::string Worker::blame_text() const {
  const LastEdit& edit = *last_edit_;
  const std::string changed = "You changed " + edit.what;
  if (edit.restarted) return changed + ", and the scene started again. Undo it (Ctrl+Z).";
  const std::string at = changed + " at step " + std::to_string(edit.step);
  if (edit.taken_back)
    return at + " and took it back at step " + std::to_string(*edit.taken_back) +
           ". What it did is still in the particles: go back on the timeline to step " + std::to_string(edit.step) +
           " or an earlier one, and play on.";
  return at + ". Undo it (Ctrl+Z), go back on the timeline to that step or an earlier one, and play on.";
}

bool Worker::run_commands() {
  std::deque<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (Command& command : commands) {
    if (stop_) return false;
    try {
      command.edit ? carry_out(*command.edit) : command.action();
    } catch (const StartGivenUp&) {  // the user wanted that
      if (!start_of_.empty()) cancelled_ = "the start of " + start_of_;
    } catch (const std::bad_alloc&) {
      notice(command.title, "out of memory");
    } catch (const std::exception& failure) {
      notice(command.title, failure.what());
    }
    handled_ = std::max(handled_, command.request);
  }
  return !commands.empty();
}

void Worker::step_once() {
  try {
    end_note_ = false;
    branch();
    playback_->step(past_end_ ? INFINITY : playback_->scene().run.end_time);
    ++steps_made_;
    changed_ = true;
    if (const auto failure = playback_->take_surface_failure())
      notice("The surface is not saved any further", *failure);
    playback_->remember(wall());
    keep_pace();
    warn(watch_.after_step(playback_->simulation().latest(), playback_->simulation()));
    const bool at_last_step = !past_end_ && at_end();
    if (at_last_step || playback_->simulation().latest().faulty || Clock::now() - last_check_ > kCheckEvery) {
      last_check_ = Clock::now();
      std::optional<scenes::Warning> warning;
      const auto wrong = playback_->what_is_wrong(watch_, warning);
      warn(warning);
      if (wrong) {
        end_with(*wrong);
      } else {
        note_sound();
        end_if_stuck();
      }
    } else if (is_stopped(playback_->simulation().latest())) {
      end_if_stuck();
    }
    if (at_last_step) stop_at_end();
  } catch (const std::bad_alloc&) {
    end_with("out of memory");
  } catch (const std::exception& failure) {
    end_with(failure.what());
  }
}

void Worker::note_sound() {
  if (warnings_.empty()) sound_time_ = playback_->simulation().latest().time;
}

/// Eases the simulation so that it keeps up with the speed that it plays at, where the scene wants that.
void Worker::keep_pace() {
  Simulation& simulation = playback_->simulation();
  const bool real = playback_->scene().run.pace == scenes::PaceChoice::Real;
  const double now = simulation.latest().time;
  if (!real || movie_)  // steps wait for the frames of a movie
    pace_.restart(wall(), now);
  else if (playing_)
    pace_.follow(wall(), now, pacing_.speed());
  simulation.ease(real ? pace_.share() : 0);
}

void Worker::go_past_end() {
  past_end_ = true;
  end_note_ = false;
}

/// The run pauses, as that of the command line ends. Steps that were enqueued after the last one had no length.
void Worker::stop_at_end() {
  playing_ = false;
  single_steps_ = std::min(single_steps_, 1);  // the present one
  steps_made_ = playback_->simulation().finish().step - steps_before_;
  end_note_ = true;
  contact_known_ = false;
}

/// Ends a run whose steps have no length any more, as the command line does. Waits.
void Worker::end_if_stuck() {
  const Simulation& simulation = playback_->simulation();
  const StepReport clock = playback_->simulation().finish();
  if (!past_end_ && at_end()) return;
  // The clock does not count a step of length 0.
  if (!is_stopped(clock) && clock.step >= steps_before_ + steps_made_) return;
  const double end = playback_->scene().run.end_time;
  end_with(BlowUp{why_stuck(clock, simulation,
                            clock.time < end ? fmt::format("{:g} {}", end, units_of(simulation.setup()).time) : ""),
                  ""});
}

/// What the note at the run's end says of the present state. Waits. @return whether it was found now
bool Worker::find_contact() {
  if (!end_note_ || contact_known_) return false;
  contact_known_ = true;
  contact_ = contact_text(playback_->contact());
  return true;
}

bool Worker::measure(bool stepping) {
  if (!playback_ || ended_) return false;
  try {
    const bool paused = !playing_ && single_steps_ == 0;
    const bool found = find_contact() | (paused && playback_->show_present());
    const Instruments::Look look =
        playback_->instruments().look(playback_->simulation(), wall(), stepping, &playback_->series());
    if (look.fault) notice("The neighbour search is wrong", *look.fault);
    return look.done || found;
  } catch (const std::bad_alloc&) {
    end_with("out of memory");
  } catch (const std::exception& failure) {
    end_with(failure.what());
  }
  return true;
}

void Worker::publish_frame(bool even_if_unread) {
  if (!playback_ || !changed_ || (!even_if_unread && !frames_.consumed())) return;
  ParticleFrame& frame = frames_.begin_write();
  try {
    playback_->fill(frame, cells_);
  } catch (const std::exception& failure) {
    end_with(failure.what());
    changed_ = false;
    return;
  }
  if (const auto failure = playback_->take_color_failure())
    notice(std::string("The colours cannot show the ") + quantity_info(*playback_->scene().picture.color_by).name,
           *failure);
  frame.scene = scene_version_;
  frames_.end_write();
  changed_ = false;
  tell();
}

void Worker::publish_movie_frame() {
  if (!movie_ || !playback_) return;
  const StepReport known = playback_->simulation().latest();
  if (known.step < movie_->step || known.step > movie_->step + kLeap) movie_->clock.restart(known.time);
  movie_->step = known.step;
  if (!movie_frames_.consumed() || movie_->clock.due(known.time) < 1) return;
  try {
    const StepReport now = playback_->simulation().finish();
    const auto earlier = movie_->clock.take_one(now.time, MovieClock::kMostSteps * now.last_dt);
    if (!earlier) return;
    ParticleFrame& frame = movie_frames_.begin_write();
    playback_->fill(frame, cells_, *earlier);
    frame.scene = scene_version_;
    frame.movie = movie_->number;
  } catch (const std::exception& failure) {
    end_with(failure.what());
    movie_.reset();
    return;
  }
  movie_frames_.end_write();
  tell();
}

/// Whether steps wait for frames of the movie: it must not lose one.
bool Worker::movie_waits() const {
  return movie_ &&
         (!movie_frames_.consumed() || movie_->clock.due(playback_ ? playback_->simulation().latest().time : NAN) >= 1);
}

/// Publishes the last status with a change.
void Worker::change_status(const std::function<void(WorkerStatus&)>& change) {
  auto next = std::make_shared<WorkerStatus>(*status());
  change(*next);
  {
    const std::lock_guard lock(mutex_);
    status_ = std::move(next);
  }
  tell();
}

void Worker::publish_status() {
  last_status_ = Clock::now();
  auto next = std::make_shared<WorkerStatus>();
  next->scene_version = scene_version_;
  next->edits = edits_;
  next->playing = playing_;
  next->at_end = at_end();
  next->end_note = end_note_ && contact_known_ && next->at_end && !ended_;
  if (next->end_note) next->contact = contact_;
  next->ended = ended_;
  next->state = state_;
  next->state_before = state_before_;
  next->branched = branched_ != 0 && branched_ == state_;
  next->later_question = unanswered_ ? unanswered_->question : 0;
  next->handled = handled_;
  if (!playback_) next->cancelled = cancelled_;
  next->long_opening = long_opening_;
  next->kept_runs = kept_.size();
  for (const KeptRuns::Entry& entry : kept_.all()) next->kept.push_back(status_of(entry));
  next->kept_bytes = kept_.bytes() + kept_.row_bytes();
  next->speed = pacing_.speed();
  if (playback_) {
    const double now = wall();
    describe(*playback_, now, *next);
    next->can_keep = kept_.has_room_for(playback_->keep_bytes());
    next->asks_about_later = would_ask_about_later();
    next->age = now - run_began_;
    next->work = playback_->work();
    next->run_warnings = warnings_;
    if (const auto& of_device = playback_->device_warning()) next->run_warnings.push_back(*of_device);
    const double achieved = achieved_.at(now, next->clock.time, next->clock.step);
    if (playing_) next->achieved_speed = achieved;
    if (playback_->scene().run.pace == scenes::PaceChoice::Real)
      next->pace = {true, pace_.behind(), ease_text(playback_->scene().simulation, playback_->simulation().eased())};
    next->density_error = playback_->density_error();
  }
  {
    const std::lock_guard lock(mutex_);
    next->refused_edits = refused_edits_;
    status_ = std::move(next);
  }
  tell();
}

void Worker::run() {
  while (!stop_) {
    if (run_commands()) {
      measure(false);  // the first state of a scene is measured as well
      publish_frame(true);
      publish_status();
    }
    wait_for_answer();
    publish_movie_frame();
    const bool held = movie_waits();
    const bool stepping = playback_ && !ended_ && !held && (playing_ || single_steps_ > 0);
    double wait = stepping ? 0 : std::chrono::duration<double>(kIdle).count();
    if (stepping && single_steps_ == 0) wait = pacing_.wait(wall(), playback_->simulation().latest().time);
    if (stepping && wait <= 0) {
      const double begin = wall();
      step_once();
      measure(true);
      if (single_steps_ > 0) --single_steps_;
      publish_frame(single_steps_ == 0 && !playing_);
      playback_->work().add(wall() - begin);
      if (Clock::now() - last_status_ > kStatusEvery || !playing_) publish_status();
      continue;
    }
    const bool measured = measure(stepping);
    publish_frame(false);
    if ((measured && !playing_) || (playing_ && Clock::now() - last_status_ > kStatusEvery)) publish_status();
    if (playback_ && playback_->instruments().busy()) wait = std::min(wait, kBusy);
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, std::chrono::duration<double>(wait),
                   [&] { return stop_ || !commands_.empty() || (held && movie_frames_.consumed()); });
  }
  playback_.reset();
}

}  // namespace riffle::desktop
