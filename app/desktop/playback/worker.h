#pragma once
/// The simulation's thread: steps while it may, does what the window asks for between two steps, and says how it stands.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/playback/pacing.h"
#include "app/desktop/playback/playback.h"
#include "app/run/movie_clock.h"
#include "scenes/document/edited_scene.h"

namespace riffle {

/// Something the user has to be told: it failed, and what is true now.
struct Notice {
  std::string title;  ///< "The scene could not be loaded"
  std::string text;   ///< the loader's lines
};

/// How the simulation stood when the window last looked. A copy: nothing in it changes under the reader.
struct WorkerStatus {
  bool loaded = false;  ///< there is a simulation; everything below is of it
  std::string busy;     ///< "loading dam_break", while the thread does something long; "" otherwise
  std::uint64_t start_done = 0, start_steps = 0;  ///< meanwhile, of the steps before time 0; 0 of 0: there are none
  std::uint64_t scene_version = 0;                ///< grows with every scene that was loaded
  std::optional<Scene> scene;
  std::shared_ptr<const SceneSource> source;   ///< as it was loaded
  std::uint64_t edits = 0, refused_edits = 0;  ///< of the scene, carried out and refused so far
  Device device;
  std::string device_name;
  int particles = 0, wall_particles = 0;
  std::size_t memory_bytes = 0;
  bool playing = false;
  bool ended = false;                        ///< the state is no fluid's any more: nothing but a reset goes on from it
  double first_moment = 0, last_moment = 0;  ///< [s] simulated, that seek() reaches
  std::size_t moments = 0, moments_bytes = 0;
  double speed = 1;           ///< asked for: simulated per wall second; infinity
  double achieved_speed = 0;  ///< over the last second
  double steps_per_second = 0;
  StepReport clock;
  NeighborSetup neighbors;  ///< in use
  std::size_t search_bytes = 0;
  std::string search_structure;  ///< NeighborSearch::structure()
  std::optional<TuningReport> tuning;
  StepStatistics timings;                ///< of the last steps
  std::vector<std::string> stage_names;  ///< of the history's columns
  std::deque<StageHistory::Column> history;
  std::size_t series_rows = 0;  ///< of the diagnostics' table that is being made; 0: none is
  std::size_t device_free = 0;  ///< [bytes] of the GPU's memory; 0 on the CPU
  InstrumentsStatus instruments;
};

class Worker {
 public:
  /// @param software_gl the processor draws what it makes (settle_picture)
  explicit Worker(bool software_gl = true);
  ~Worker();  ///< after the step or the loading that is under way; an equilibration is given up
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Everything from here on is for the window's thread, and returns at once.

  /// Loads and replaces what is there; where that fails, a notice says why and the old scene lives on as it was.
  /// @param play  the new scene runs at once; otherwise it waits at time 0
  void load(const SceneOptions& options, bool play = false);
  void give_up_start();  ///< of a scene that is being equilibrated: what was there before goes on
  void play(bool playing);
  void step(int count = 1);  ///< and pause
  void reset();
  void seek(double time);  ///< to the remembered moment at or before it; and pause
  void set_speed(double speed);

  /// Goes on with another scene. Of edits that come while one is under way only the last is carried out. What the
  /// simulation refuses becomes a notice, and counts in WorkerStatus::refused_edits.
  void edit(SceneEdit edit);

  void pick(const Ray& ray);  ///< the first particle on it is followed from now on
  void unpick();
  void show_cells(bool shown);  ///< frames shall have the cells of the neighbour search, or not
  void stir(const Ray& ray, std::optional<StirringKind> kind, const HandSetup& hand);  ///< as Playback

  /// Goes on on another device.
  void set_device(DeviceRequest request);

  /// Does something to the scene between two steps. What it throws becomes a notice under that title.
  void post(std::string title, std::function<void(Playback&)> action);

  /// From now on every interval [s] of simulated time becomes a frame of movie_frame(), the present state first. Steps wait
  /// until it is taken, so that none is missed. Ends with stop_movie() or another scene. @param movie > 0, told on the frames
  void start_movie(std::uint64_t movie, double interval);
  void stop_movie();
  /// The next one, until the call after; nullptr when there is none yet.
  const ParticleFrame* movie_frame();

  /// Called on the worker's thread after every new frame or status.
  void on_change(std::function<void()> tell);

  WorkerStatus status() const;
  std::deque<Notice> take_notices();
  FrameExchange& frames() { return frames_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Command {
    std::string title;
    std::function<void()> action;
  };

  void enqueue(std::string title, std::function<void()> action);
  void run();
  bool run_commands();
  void carry_out_edit();
  void step_once();
  bool measure(bool stepping);  ///< @return whether something was due
  void publish_frame(bool even_if_unread);
  void publish_movie_frame();
  void publish_status();
  void tell();
  void save_series();
  void notice(std::string title, std::string text);
  double wall() const;
  void be_busy(const std::string& with);
  bool tell_start(std::uint64_t done, std::uint64_t steps);  ///< a StartProgress
  void note_leap();
  void end_with(const std::string& why);
  void end_with(const BlowUp& why);

  FrameExchange frames_;
  FrameExchange movie_frames_;  ///< apart from the others, of which the newest wins
  std::atomic<bool> stop_ = false;
  std::atomic<bool> give_up_start_ = false;

  mutable std::mutex mutex_;  // of what follows, up to the blank line
  std::condition_variable wake_;
  std::deque<Command> commands_;
  std::deque<Notice> notices_;
  WorkerStatus status_;
  std::function<void()> tell_;
  std::optional<SceneEdit> pending_edit_;
  std::uint64_t refused_edits_ = 0;

  // The thread's own.
  bool software_gl_;
  std::unique_ptr<Playback> playback_;
  Pacing pacing_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_status_{}, last_check_{};
  bool playing_ = false, ended_ = false;
  bool changed_ = false;  ///< since the last frame
  bool cells_ = false;    ///< show_cells()
  int single_steps_ = 0;
  std::uint64_t scene_version_ = 0, edits_ = 0;
  struct LastEdit {
    std::string what;
    bool restarted = false;
    std::uint64_t step = 0;  ///< that it was made at, or that the run went back to since
    double wall = 0;         ///< [s]
  };
  std::optional<LastEdit> last_edit_;
  struct Movie {
    std::uint64_t number = 0;
    MovieClock clock{1};
    std::uint64_t step = 0;  ///< at the last look
  };
  std::optional<Movie> movie_;
  struct Rate {
    double wall = 0, time = 0;
    std::uint64_t step = 0;
  };
  std::deque<Rate> rates_;  ///< over the last second

  std::thread thread_;  ///< last: it uses all the others
};

}  // namespace riffle
