#pragma once
/// A movie of what the worker simulates, made while the window is used.

#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/desktop/picture/frame_painter.h"
#include "app/desktop/platform/window_capture.h"
#include "app/desktop/playback/worker.h"
#include "app/run/movie_clock.h"
#include "app/run/movie_frames.h"

namespace riffle::scenes {
struct Scene;
}  // namespace riffle::scenes

namespace riffle::desktop {

struct RecordingPlan {
  std::filesystem::path file;      ///< the movie, or the folder of pictures
  bool pictures = false;           ///< PNG files instead of a movie
  int width = 1280, height = 720;  ///< [pixel], both even
  double frames_per_second = 30;   ///< of the movie
  double interval = 1.0 / 30;      ///< [s] simulated, from frame to frame
  bool as_seen = false;            ///< frames follow wall time instead of simulated time
  bool panels = false;             ///< record the whole window
  bool automatic = false;          ///< as_seen was chosen by the speed
  double speed = 0;                ///< simulated per second by which it was chosen; 0: unknown
};

/// For the window's thread, with its context current. Only start() waits for the encoder or the disk. If those are slow
/// the simulation waits: a frame is taken only when there is room for it. As seen nothing waits: pictures are kept for
/// the encoder, and when they take too much memory every second one is dropped, so that the rest are of the whole time.
class Recording {
 public:
  explicit Recording(Worker& worker) : worker_(worker) {}
  ~Recording();  ///< completes the file and waits for it
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// @throws as make_movie_sink() and make_picture_sink(); then nothing is recorded
  void start(const RecordingPlan& plan, std::shared_ptr<const scenes::Scene> scene, std::uint64_t scene_version);
  void stop();       ///< completes the file in the background
  void end_early();  ///< while finishing(): the file gets no more than the frames that are written, at least one

  bool running() const { return state_ == State::Running; }
  bool finishing() const { return state_ == State::Finishing; }
  bool ends_early() const { return finishing() && sink_->ended_early(); }
  const RecordingPlan& plan() const { return plan_; }
  int frames() const { return movie_ ? movie_->frames() : frames_; }  ///< so far
  int written() const;                                                ///< of these frames, so far
  int jumps() const { return jumps_; }                                ///< times that the run went back, so far
  double wall() const;                                                ///< [s] of wall time since start()
  std::uintmax_t bytes() const;                                       ///< written so far, while running
  const std::string& last_saved() const { return saved_; }            ///< "wave.mp4: 120 pictures"; "" before the first

  /// Call this often: draws a frame if one is due, and passes on the pictures that were read back. At most one frame a
  /// call, so that the window can draw its own picture in between.
  /// @return whether a frame was drawn; more may be due
  bool advance(const PictureLook& look);

  /// Call this with every status. Stops when the simulation has ended or another scene is loaded.
  void follow(const WorkerStatus& status);

  /// Of a recording with panels: the frame that the window must draw next, nullptr for any; and the work after drawing.
  const ParticleFrame* frame_for_window();
  void window_drawn(int width, int height);

  std::deque<Notice> take_notices() { return std::exchange(notices_, {}); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { Idle, Running, Finishing };

  const ParticleFrame* next_frame(int* frames);
  int due_by_the_wall();
  std::size_t kept() const { return plan_.as_seen && state_ == State::Running ? 1 : 0; }  ///< pictures; see pass_on()
  bool has_room() const;
  void add(int frames);
  void pass_on(bool wait);
  void check_finished(bool wait);
  void let_go();
  void fail(const std::string& why);

  Worker& worker_;
  State state_ = State::Idle;
  RecordingPlan plan_;
  std::shared_ptr<const scenes::Scene> scene_;
  std::uint64_t scene_version_ = 0;
  std::uint64_t edits_ = 0;             ///< of scene_
  std::uint64_t number_ = 0;            ///< for Worker::start_movie
  std::unique_ptr<MovieFrames> movie_;  ///< while running
  std::unique_ptr<FramePainter> painter_;
  std::unique_ptr<WindowCapture> capture_;
  void note_time(double time);

  double last_time_ = 0;  ///< [s] simulated, of the last frame
  int jumps_ = 0;
  int window_frames_ = 0;          ///< frames of the movie that the window is about to draw
  int frames_ = 0, pictures_ = 0;  ///< of the last movie; pictures_ without repetitions
  MovieClock wall_{1};
  Clock::time_point begin_{};
  std::shared_ptr<FrameSink> sink_;  ///< while finishing
  std::future<void> finished_;
  std::string saved_;
  std::deque<Notice> notices_;
};

}  // namespace riffle::desktop
