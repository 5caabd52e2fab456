#include "app/desktop/recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "app/desktop/recording/recording_text.h"
#include "core/text/log.h"

namespace riffle::desktop {

namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // of pictures that wait for the encoder

/// As seen: how many pictures may wait.
std::size_t most_waiting(const RecordingPlan& plan) {
  const auto bytes = std::size_t{3} * static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height);
  return std::max<std::size_t>(8, kMostBytes / bytes);
}

}  // namespace

bool Recording::has_room() const {
  return movie_->reading() < render::PixelReadback::kSlots && (plan_.as_seen || movie_->waiting() == 0);
}

Recording::~Recording() {
  stop();
  check_finished(true);
  for (const Notice& notice : notices_) log::error("{}: {}", notice.title, notice.text);
}

void Recording::start(const RecordingPlan& plan, std::shared_ptr<const scenes::Scene> scene,
                      std::uint64_t scene_version) {
  stop();
  check_finished(true);
  auto movie = std::make_unique<MovieFrames>(
      plan.pictures ? make_picture_sink(plan.file)
                    : make_movie_sink(plan.file, plan.width, plan.height, plan.frames_per_second));
  if (plan.panels)
    capture_ = std::make_unique<WindowCapture>(plan.width, plan.height);
  else
    painter_ = std::make_unique<FramePainter>();
  movie_ = std::move(movie);
  plan_ = plan;
  scene_ = std::move(scene);
  scene_version_ = scene_version;
  window_frames_ = 0;
  jumps_ = 0;
  last_time_ = -std::numeric_limits<double>::infinity();
  ++number_;
  begin_ = Clock::now();
  if (plan.as_seen) {
    wall_ = MovieClock(1 / plan.frames_per_second);
  } else {
    worker_.start_movie(number_, plan.interval);
  }
  state_ = State::Running;
}

void Recording::let_go() {
  worker_.stop_movie();
  worker_.movie_frame();  // the worker may be waiting for this one to be taken
  painter_.reset();
  capture_.reset();
  movie_.reset();
}

void Recording::fail(const std::string& why) {
  let_go();
  state_ = State::Idle;
  notices_.push_back({plan_.pictures ? "The recording ended early" : "The movie is given up",
                      plan_.pictures ? why + "\nThe pictures before it are whole." : why});
}

void Recording::stop() {
  if (state_ != State::Running) return;
  try {
    if (plan_.as_seen) movie_->extend(due_by_the_wall());
    pass_on(true);
  } catch (const std::exception& failure) {
    return fail(failure.what());
  }
  frames_ = movie_->frames();
  pictures_ = movie_->pictures();
  sink_ = movie_->shared_sink();
  finished_ = std::async(std::launch::async, [movie = std::move(movie_)] {
    movie->pass_on(true);
    movie->sink().finish();
  });
  let_go();
  state_ = State::Finishing;
}

void Recording::end_early() {
  if (state_ == State::Finishing) sink_->end_early();
}

void Recording::check_finished(bool wait) {
  if (state_ != State::Finishing) return;
  if (!wait && finished_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  state_ = State::Idle;
  const std::shared_ptr<FrameSink> sink = std::exchange(sink_, nullptr);
  try {
    finished_.get();
    const int wanted = std::exchange(frames_, sink->written());
    saved_ = recording_result(plan_, frames_, std::min(pictures_, frames_));
    if (jumps_ > 0) saved_ += "; " + jumps_text(jumps_);
    if (frames_ < wanted) saved_ += fmt::format("; it was ended early, {} more are missing", wanted - frames_);
    log::info("recorded {}", saved_);
  } catch (const std::exception& failure) {
    fail(failure.what());
  }
}

int Recording::written() const { return movie_ ? movie_->sink().written() : sink_ ? sink_->written() : 0; }

std::uintmax_t Recording::bytes() const { return movie_ ? movie_->sink().bytes() : 0; }

/// Counts a picture that is being read back, when `frames` of the movie are due. As seen, all of them but one show the
/// picture before it, which was on the screen until now.
void Recording::add(int frames) {
  if (plan_.as_seen && frames > 1 && movie_->extend(frames - 1)) frames = 1;
  movie_->add(frames);
}

/// Passes pictures from the readers to the sink, as far as possible without waiting for the sink. `wait`: for all
/// pictures that are being read. As seen, the newest picture stays: the next one shows how long it was on the screen.
void Recording::pass_on(bool wait) {
  movie_->collect(
      [&](bool wait_for_it) {
        return capture_ ? capture_->next(wait_for_it) : painter_->renderer().next_image(wait_for_it);
      },
      wait);
  movie_->pass_on(false, kept());
  if (plan_.as_seen) movie_->thin_out(most_waiting(plan_));
}

double Recording::wall() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

int Recording::due_by_the_wall() {
  const double now = wall();
  int due = 0;
  while (const int more = wall_.take(now)) due += more;  // after a long minimised time all frames are due
  return due;
}

void Recording::note_time(double time) {
  if (time < last_time_) ++jumps_;
  last_time_ = time;
}

/// @param frames gets the number of frames of the movie that it stands for
const ParticleFrame* Recording::next_frame(int* frames) {
  if (plan_.as_seen) {
    const ParticleFrame* frame = worker_.frames().read();
    if (!frame || frame->scene != scene_version_) return nullptr;
    *frames = due_by_the_wall();
    if (*frames > 0) note_time(frame->time);
    return *frames > 0 ? frame : nullptr;
  }
  while (const ParticleFrame* frame = worker_.movie_frame()) {
    if (frame->movie != number_) continue;  // of a recording before this one
    *frames = 1;
    note_time(frame->time);
    return frame;
  }
  return nullptr;
}

bool Recording::advance(const PictureLook& look) {
  check_finished(false);
  if (state_ != State::Running) return false;
  try {
    pass_on(false);
    if (plan_.panels || !has_room()) return false;
    int frames = 0;
    const ParticleFrame* frame = next_frame(&frames);
    if (!frame) return false;
    if (painter_->will_restart(*frame)) pass_on(true);
    painter_->prepare(*frame, plan_.width, plan_.height, look.options);
    painter_->draw(*frame, *scene_, look);
    painter_->wait();
    painter_->renderer().start_read();
    add(frames);
    pass_on(false);
    return true;
  } catch (const std::exception& failure) {
    fail(failure.what());
    return false;
  }
}

void Recording::follow(const WorkerStatus& status) {
  if (state_ != State::Running) return;
  if (status.loaded && status.edits != edits_) {
    edits_ = status.edits;
    scene_ = status.scene;
  }
  if (plan_.as_seen && plan_.panels && status.loaded) note_time(status.clock.time);
  if ((status.loaded && status.scene_version != scene_version_) || status.ended) stop();
}

const ParticleFrame* Recording::frame_for_window() {
  window_frames_ = 0;
  if (state_ != State::Running || !plan_.panels || !has_room()) return nullptr;
  if (!plan_.as_seen) return next_frame(&window_frames_);
  window_frames_ = due_by_the_wall();
  return nullptr;
}

void Recording::window_drawn(int width, int height) {
  if (state_ != State::Running || window_frames_ == 0 || width <= 0 || height <= 0) return;
  try {
    capture_->begin(width, height);
    add(std::exchange(window_frames_, 0));
    pass_on(false);
  } catch (const std::exception& failure) {
    fail(failure.what());
  }
}

}  // namespace riffle::desktop
