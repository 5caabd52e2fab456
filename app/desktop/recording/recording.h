#pragma once
/// A movie of what the worker simulates, made while the window is used.

#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/desktop/platform/window_capture.h"
#include "app/desktop/playback/worker.h"
#include "app/desktop/recording/frame_painter.h"
#include "app/run/frame_sink.h"
#include "app/run/movie_clock.h"

namespace riffle {

struct RecordingPlan {
  std::filesystem::path file;      ///< the movie, or the folder of pictures
  bool pictures = false;           ///< PNG files in place of a movie
  int width = 1280, height = 720;  ///< [pixel], both even
  double frames_per_second = 30;   ///< of the movie
  double interval = 1.0 / 30;      ///< [s] simulated, of each frame
  bool as_seen = false;            ///< frames follow the clock on the wall in place of simulated time
  bool panels = false;             ///< the whole window
};

/// Everything is called on the window's thread, with its context current, and waits for neither encoder nor disk, stopping
/// and starting apart. Where they are slow the simulation waits: a frame is not taken until there is room for it.
class Recording {
 public:
  explicit Recording(Worker& worker) : worker_(worker) {}
  ~Recording();  ///< completes the file, and waits for that
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// @throws as FrameSink's makers; nothing is recorded then
  void start(const RecordingPlan& plan, const Scene& scene, std::uint64_t scene_version);
  void stop();  ///< completes the file in the background

  bool running() const { return state_ == State::Running; }
  bool finishing() const { return state_ == State::Finishing; }
  const RecordingPlan& plan() const { return plan_; }
  int frames() const { return frames_; }                    ///< so far
  double wall() const;                                      ///< [s] on the wall since it was started
  std::uintmax_t bytes() const;                             ///< written so far, while running
  const std::string& last_saved() const { return saved_; }  ///< "wave.mp4: 120 pictures"; "" before the first

  /// To be called often: draws the frame that is due, passes on what was read back. One frame at a time: where they take
  /// longer to draw than to come, another one is always due, and the window has its own picture to draw.
  /// @return whether one was drawn; there may be more
  bool advance(const PictureLook& look);

  /// Likewise with every status: a simulation that has ended ends it too.
  void follow(const WorkerStatus& status);

  /// With panels: what the window is to draw next, nullptr for what it likes; and after it has drawn.
  const ParticleFrame* frame_for_window();
  void window_drawn(int width, int height);

  std::deque<Notice> take_notices() { return std::exchange(notices_, {}); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { Idle, Running, Finishing };
  struct Picture {
    Image image;
    int frames;  ///< of the movie
  };

  const ParticleFrame* next_frame(int* frames);
  int due_by_the_wall();
  std::size_t kept() const { return plan_.as_seen && state_ == State::Running ? 1 : 0; }  ///< pictures, see pass_on()
  bool has_room() const { return reads_.size() < PixelReadback::kSlots && pictures_.size() <= kept(); }
  void add(int frames);
  bool show_last_for(int frames);
  void pass_on(bool wait);
  void check_finished(bool wait);
  void let_go();
  void fail(const std::string& why);

  Worker& worker_;
  State state_ = State::Idle;
  RecordingPlan plan_;
  std::optional<Scene> scene_;
  std::uint64_t scene_version_ = 0;
  std::uint64_t edits_ = 0;   ///< that scene_ knows of
  std::uint64_t number_ = 0;  ///< of Worker::start_movie
  std::shared_ptr<FrameSink> sink_;
  std::unique_ptr<FramePainter> painter_;
  std::unique_ptr<WindowCapture> capture_;
  std::deque<int> reads_;         ///< pictures that are being read back: how many frames of the movie each is
  std::deque<Picture> pictures_;  ///< read back, and the sink is full or the last
  int window_frames_ = 0;         ///< of the movie, that the window is about to draw
  int frames_ = 0;
  int drawn_ = 0;  ///< of them, that are not the one before once more
  MovieClock wall_{1};
  Clock::time_point begin_{};
  std::future<void> finished_;
  std::string saved_;
  std::deque<Notice> notices_;
};

}  // namespace riffle
