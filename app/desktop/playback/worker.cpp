#include "app/desktop/playback/worker.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "core/error.h"
#include "core/text/log.h"
#include "sim/solver_info.h"

namespace riffle {

namespace {

using namespace std::chrono_literals;

constexpr auto kStatusEvery = 100ms;
constexpr auto kCheckEvery = 2s;  // reads all particles
constexpr auto kIdle = 250ms;
constexpr double kBlamed = 15;                // [s] in which what blows up is put down to the last edit,
constexpr std::uint64_t kBlamedSteps = 1000;  // or so many steps: a slow machine takes longer
constexpr std::uint64_t kLeap =
    8;  // [steps] more at once were not simulated, but leapt over (a GPU's clock is a few late)
constexpr double kBusy = 0.005;  // [s] until the next look, while something is measured that needs no step

/// Real time, or the pace of the scene's movie where that is faster. Reduced units have no real time.
double usual_speed(const Scene& scene) {
  return solver_info(scene.simulation).si() ? std::max(1.0, scene.run.time_scale) : INFINITY;
}

}  // namespace

Worker::Worker(bool software_gl) : software_gl_(software_gl), thread_([this] { run(); }) {}

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

void Worker::post(std::string title, std::function<void(Playback&)> action) {
  enqueue(std::move(title), [this, action = std::move(action)] {
    if (!playback_) return;
    action(*playback_);
    changed_ = true;
  });
}

void Worker::load(const SceneOptions& options, bool play) {
  enqueue("The scene could not be loaded", [this, options, play] {
    be_busy("loading " + std::filesystem::path(options.scene).stem().string());
    save_series();
    SceneOptions wanted = options;
    // A scene that is too much for the GPU in use is refused; on the CPU it would creep where another one ran.
    if (playback_ && playback_->simulation().device().is_cuda() && wanted.device == DeviceRequest::Auto)
      wanted.device = DeviceRequest::Cuda;
    const auto make = [&] {
      return std::make_unique<Playback>(
          wanted, software_gl_, [this](std::uint64_t done, std::uint64_t steps) { return tell_start(done, steps); });
    };
    std::unique_ptr<Playback> next;
    try {
      next = make();
    } catch (const Unavailable&) {  // both may be more than the device holds
      if (!playback_) throw;
      playback_->set_aside([&] { next = make(); });
    }
    movie_.reset();
    playback_ = std::move(next);
    last_edit_.reset();
    ++scene_version_;
    playing_ = play;
    ended_ = false;
    single_steps_ = 0;
    rates_.clear();
    pacing_.set_speed(usual_speed(playback_->scene()), wall(), 0);
    changed_ = true;
  });
}

void Worker::be_busy(const std::string& with) {
  give_up_start_ = false;
  {
    const std::lock_guard lock(mutex_);
    status_.busy = with;
    status_.start_done = status_.start_steps = 0;
  }
  tell();
}

bool Worker::tell_start(std::uint64_t done, std::uint64_t steps) {
  {
    const std::lock_guard lock(mutex_);
    status_.start_done = done;
    status_.start_steps = steps;
  }
  if (Clock::now() - last_status_ > kStatusEvery) {
    last_status_ = Clock::now();
    tell();
  }
  return !stop_ && !give_up_start_;
}

void Worker::give_up_start() { give_up_start_ = true; }

void Worker::play(bool playing) {
  enqueue("", [this, playing] {
    playing_ = playing;
    rates_.clear();
    if (playback_) pacing_.restart(wall(), playback_->simulation().latest().time);
  });
}

void Worker::step(int count) {
  enqueue("", [this, count] {
    playing_ = false;
    single_steps_ += count;
  });
}

void Worker::reset() {
  enqueue("The scene could not be started again", [this] {
    if (!playback_) return;
    save_series();
    playback_->reset();
    note_leap();
    ended_ = false;
    single_steps_ = 0;
    rates_.clear();
    pacing_.restart(wall(), 0);
    changed_ = true;
  });
}

void Worker::seek(double time) {
  enqueue("That moment could not be brought back", [this, time] {
    if (!playback_) return;
    playing_ = false;
    save_series();
    playback_->seek(time);
    note_leap();
    ended_ = false;
    single_steps_ = 0;
    rates_.clear();
    changed_ = true;
  });
}

/// What was changed is in force there too.
void Worker::note_leap() {
  if (last_edit_) last_edit_->step = playback_->simulation().latest().step, last_edit_->wall = wall();
}

void Worker::set_speed(double speed) {
  enqueue("",
          [this, speed] { pacing_.set_speed(speed, wall(), playback_ ? playback_->simulation().latest().time : 0); });
}

void Worker::edit(SceneEdit edit) {
  {
    const std::lock_guard lock(mutex_);
    if (pending_edit_) {  // merge with it: the newer scene, the stronger effect
      edit.effect = std::min(edit.effect, pending_edit_->effect);
      pending_edit_ = std::move(edit);
      return;
    }
    pending_edit_ = std::move(edit);
  }
  enqueue("The change is taken back", [this] { carry_out_edit(); });
}

void Worker::carry_out_edit() {
  SceneEdit edit;
  {
    const std::lock_guard lock(mutex_);
    edit = std::move(*pending_edit_);
    pending_edit_.reset();
  }
  if (!playback_) return;
  if (edit.effect == Effect::Restart) be_busy("starting again");
  if (edit.effect != Effect::Search) save_series();  // the table's columns are of the solver and the fluids
  try {
    playback_->edit(edit);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    ++refused_edits_;
    throw;
  }
  ++edits_;
  if (edit.effect < Effect::Search)  // only these can be the reason of a blow-up
    last_edit_ = LastEdit{edit.what, edit.effect == Effect::Restart, playback_->simulation().latest().step, wall()};
  if (edit.effect == Effect::Restart) {
    ended_ = false;
    single_steps_ = 0;
    rates_.clear();
    pacing_.restart(wall(), 0);
  }
  changed_ = true;
}

void Worker::pick(const Ray& ray) {
  post("No particle can be looked at", [ray](Playback& playback) { playback.pick(ray); });
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

void Worker::stir(const Ray& ray, std::optional<StirringKind> kind, const HandSetup& hand) {
  post("The fluid cannot be stirred", [=](Playback& playback) { playback.stir(ray, kind, hand); });
}

void Worker::set_device(DeviceRequest request) {
  post("The device stays as it is", [request](Playback& playback) { playback.set_device(request); });
}

/// Its rows are of one scene and go forward in time: where the simulation does not, the table ends.
void Worker::save_series() {
  if (!playback_) return;
  try {
    playback_->finish_series();
  } catch (const std::exception& failure) {
    notice("The diagnostics are not saved", failure.what());
  }
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

WorkerStatus Worker::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::deque<Notice> Worker::take_notices() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

void Worker::notice(std::string title, std::string text) {
  log::error("{}: {}", title, text);
  const std::lock_guard lock(mutex_);
  notices_.push_back({std::move(title), std::move(text)});
}

double Worker::wall() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Worker::end_with(const std::string& why) {
  playing_ = false;
  ended_ = true;
  notice("The simulation has ended", why);
}

/// A change made shortly before is likelier to blame than the scene is.
void Worker::end_with(const BlowUp& why) {
  const std::uint64_t step = playback_->simulation().latest().step;
  const bool blamed = last_edit_ && (wall() - last_edit_->wall < kBlamed || step < last_edit_->step + kBlamedSteps);
  if (!blamed) {
    end_with(why.what + ": " + why.remedy);
    return;
  }
  end_with("You changed " + last_edit_->what +
           (last_edit_->restarted
                ? ", with which the scene began again. Undo it (Ctrl+Z).\n\n"
                : " at step " + std::to_string(last_edit_->step) +
                      ". Undo it (Ctrl+Z), go back on the timeline to that step or an earlier one, and play on."
                      "\n\n") +
           why.what + ".");
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
      command.action();
    } catch (const StartGivenUp&) {  // as the user wanted
    } catch (const std::bad_alloc&) {
      notice(command.title, "out of memory");
    } catch (const std::exception& failure) {
      notice(command.title, failure.what());
    }
  }
  return !commands.empty();
}

void Worker::step_once() {
  try {
    playback_->step();
    changed_ = true;
    playback_->remember(wall());
    if (Clock::now() - last_check_ > kCheckEvery) {
      last_check_ = Clock::now();
      if (const auto wrong = playback_->what_is_wrong()) end_with(*wrong);
    }
  } catch (const std::bad_alloc&) {
    end_with("out of memory");
  } catch (const std::exception& failure) {
    end_with(failure.what());
  }
}

bool Worker::measure(bool stepping) {
  if (!playback_ || ended_) return false;
  try {
    const Instruments::Look look = playback_->instruments().look(playback_->simulation(), wall(), stepping);
    if (look.fault) notice("The neighbour search is wrong", *look.fault);
    return look.done;
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
  frame.scene = scene_version_;
  frames_.end_write();
  changed_ = false;
  tell();
}

void Worker::publish_movie_frame() {
  if (!movie_ || !playback_ || !movie_frames_.consumed()) return;
  const StepReport now = playback_->simulation().latest();
  if (now.step < movie_->step || now.step > movie_->step + kLeap) movie_->clock.restart(now.time);
  movie_->step = now.step;
  const int due = movie_->clock.take(now.time);
  if (due == 0) return;
  ParticleFrame& frame = movie_frames_.begin_write();
  try {
    playback_->fill(frame, cells_);
  } catch (const std::exception& failure) {
    end_with(failure.what());
    movie_.reset();
    return;
  }
  frame.scene = scene_version_;
  frame.movie = movie_->number;
  frame.movie_frames = due;
  movie_frames_.end_write();
  tell();
}

void Worker::publish_status() {
  last_status_ = Clock::now();
  WorkerStatus next;
  next.scene_version = scene_version_;
  next.edits = edits_;
  next.playing = playing_;
  next.ended = ended_;
  next.speed = pacing_.speed();
  if (playback_) {
    Simulation& simulation = playback_->simulation();
    next.loaded = true;
    next.scene = playback_->scene();
    next.source = playback_->source();
    next.device = simulation.device();
    next.device_name = device_name(simulation.device());
    next.particles = simulation.particle_count();
    next.wall_particles = simulation.boundary_count();
    next.memory_bytes = simulation.memory_bytes();
    next.search_bytes = simulation.neighbor_search().memory_bytes();
    next.search_structure = simulation.neighbor_search().structure();
    next.clock = simulation.latest();
    next.first_moment = playback_->history().first_time();
    next.last_moment = playback_->history().last_time();
    next.moments = playback_->history().size();
    next.moments_bytes = playback_->history().bytes();
    next.neighbors = simulation.setup().neighbors;
    if (const TuningReport* tuning = simulation.tuning()) next.tuning = *tuning;
    next.timings = playback_->sample_timings();
    if (next.device.is_cuda()) next.device_free = free_memory(next.device);
    next.instruments = playback_->instruments().status();
    next.stage_names = playback_->stages().stages();
    next.history = playback_->stages().columns();
    next.series_rows = playback_->series_rows();
    const double now = wall();
    if (!rates_.empty() && next.clock.step < rates_.back().step) rates_.clear();
    rates_.push_back({now, next.clock.time, next.clock.step});
    while (rates_.size() > 2 && rates_.front().wall < now - 1) rates_.pop_front();
    const Rate& then = rates_.front();
    if (playing_ && now > then.wall) {
      next.steps_per_second = static_cast<double>(next.clock.step - then.step) / (now - then.wall);
      next.achieved_speed = (next.clock.time - then.time) / (now - then.wall);
    }
  }
  {
    const std::lock_guard lock(mutex_);
    next.refused_edits = refused_edits_;
    status_ = std::move(next);
  }
  tell();
}

void Worker::run() {
  while (!stop_) {
    if (run_commands()) {
      measure(false);  // a scene's first state too
      publish_frame(true);
      publish_status();
    }
    publish_movie_frame();
    const bool held = movie_ && !movie_frames_.consumed();  // the movie must not miss what comes next
    const bool stepping = playback_ && !ended_ && !held && (playing_ || single_steps_ > 0);
    double wait = stepping ? 0 : std::chrono::duration<double>(kIdle).count();
    if (stepping && single_steps_ == 0) wait = pacing_.wait(wall(), playback_->simulation().latest().time);
    if (stepping && wait <= 0) {
      step_once();
      measure(true);
      if (single_steps_ > 0) --single_steps_;
      publish_frame(single_steps_ == 0 && !playing_);
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
  save_series();
  playback_.reset();
}

}  // namespace riffle
