#pragma once
/// The simulation's thread: makes steps, carries out the window's wishes between two steps, and publishes its status.

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/playback/hand.h"
#include "app/desktop/playback/kept/kept_runs.h"
#include "app/desktop/playback/pacing.h"
#include "app/desktop/playback/sampled/column_means.h"
#include "app/desktop/playback/worker_status.h"
#include "app/desktop/scene/orbit_camera.h"
#include "app/run/movie_clock.h"
#include "app/run/pace.h"
#include "app/run/run_watch.h"
#include "sim/measure/layers.h"

namespace riffle {
struct BlowUp;
struct SceneOptions;
}  // namespace riffle

namespace riffle::desktop {

class Playback;
struct SceneEdit;

class Worker {
 public:
  /// @param software_gl the processor draws (settle_picture)
  /// @param kept_bytes for runs that were left; nullopt: an eighth of the free memory, at most 2 GiB
  explicit Worker(bool software_gl = true, std::optional<std::size_t> kept_bytes = {});
  ~Worker();  ///< waits for the present step or loading; gives an equilibration up
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Everything below is for the window's thread, and returns at once.

  bool software_gl() const { return software_gl_; }

  /// Loads a scene, or goes on from a state file, in place of the present one. If that fails, a notice says why and the present scene stays as it was.
  /// @param play the new scene runs at once; otherwise it waits at time 0
  /// @param asks a scene whose start takes long is not loaded: WorkerStatus::long_opening has it
  /// @return the WorkerStatus::state that it leads to
  std::uint64_t load(const SceneOptions& options, bool play = false, bool asks = false);
  void give_up_start();  ///< ends what WorkerStatus::can_cancel says; what was there before continues
  bool gives_up() const { return give_up_start_; }  ///< it was told to end, and does soon
  void play(bool playing);
  void step(int count = 1);  ///< makes that many steps and pauses; those before the scene's end do not pass it
  std::uint64_t reset();     ///< starts again from time 0. @return the state that it leads to
  void seek(double time);    ///< goes to the saved moment at or before that time and pauses
  void step_back();          ///< goes to the saved moment before the present one and pauses
  void back_to_good();       ///< after the run has ended: goes to the last saved moment before the fault and pauses
  /// The answer to WorkerStatus::later_question. @param go_on the steps are made, and later moments are forgotten
  void answer_about_later(bool go_on);
  void set_speed(double speed);
  void close_end_note();  ///< WorkerStatus::end_note is false until the run comes to its end again

  /// Continues with another scene. Edits that arrive while one is in progress are merged: the newest scene, the
  /// strongest effect. If the simulation refuses an edit, a notice says why and WorkerStatus::refused_edits grows.
  void edit(SceneEdit edit);

  void follow(std::uint32_t id);  ///< as Playback
  /// Goes on with the run that was left in that state: load(), reset() and edits that start again keep the run before
  /// them. An edit that starts again and leads to a state that was left does so, too.
  void bring_back(std::uint64_t state);
  void forget(std::vector<std::uint64_t> states);  ///< frees the memory of runs that nothing leads back to any more
  std::uint64_t new_state() { return ++states_; }
  std::uint64_t asked() const { return asked_; }  ///< requests so far that WorkerStatus::handled counts

  void unpick();
  void show_cells(bool shown);  ///< whether frames carry the cells of the neighbour search
  void stir(const Ray& ray, std::optional<StirringKind> kind, const HandSetup& hand,
            std::optional<Vec3> at = {});                                                   ///< as Playback
  void grip(const Ray& ray, const std::optional<HeldPoint>& point = {});                    ///< as Playback
  void let_go();                                                                            ///< as Playback
  void set_device(DeviceRequest request);                                                   ///< as Playback
  void compare_searches();                                                                  ///< as Instruments
  void set_audit(const AuditSettings& settings);                                            ///< as Instruments
  void show_profile(std::optional<Quantity> quantity, LayerAxis axis = LayerAxis::Height);  ///< as Instruments
  void show_means(std::optional<MeanSpan> span);                                            ///< as ColumnMeans
  void show_distribution(bool shown);                                                       ///< as PairDistribution
  void begin_distribution_again();                                                          ///< likewise

  /// Runs an action between two steps. If it throws, a notice under that title says why.
  void post(std::string title, std::function<void(Playback&)> action);
  /// The same for what holds only in that WorkerStatus::state: in another one, the notice says so.
  void post_in(std::uint64_t state, std::string title, std::function<void(Playback&)> action);

  /// From now on movie_frame() gives a frame for every interval [s] of simulated time, the present state first. Steps
  /// wait until each frame is taken, so that none is lost. Ends with stop_movie() or another scene.
  /// @param movie number that its frames carry, > 0
  void start_movie(std::uint64_t movie, double interval);
  void stop_movie();
  /// The next frame of the movie, valid until the next call; nullptr if there is none yet.
  const ParticleFrame* movie_frame();

  /// `tell` is called on the worker's thread after every new frame or status.
  void on_change(std::function<void()> tell);

  std::shared_ptr<const WorkerStatus> status() const;  ///< the newest; never nullptr
  std::deque<Notice> take_notices();
  FrameExchange& frames() { return frames_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Command {
    std::string title;
    std::function<void()> action;
    std::uint64_t request = 0;  ///< its number, if WorkerStatus::handled counts it
    std::shared_ptr<SceneEdit> edit = {};
  };

  void enqueue(std::string title, std::function<void()> action);
  void enqueue_request(std::string title, std::function<void()> action);
  void run();
  bool run_commands();
  void carry_out(SceneEdit& edit);
  KeptRun present_run();
  void leave_for(std::uint64_t state, KeptRun left);
  void resume(std::uint64_t state);
  void step_once();
  void keep_pace();
  void restart_pace();
  void go_past_end();
  void stop_at_end();
  bool find_contact();
  bool measure(bool stepping);  ///< @return whether a measurement was made
  void publish_frame(bool even_if_unread);
  void publish_movie_frame();
  bool movie_waits() const;
  void publish_status();
  void change_status(const std::function<void(WorkerStatus&)>& change);
  void tell();
  void notice(std::string title, std::string text, bool leads_back = false);
  double wall() const;
  enum class Busy { Start, Rest };  ///< Start: it can be cancelled
  void be_busy(const std::string& with, Busy kind, const std::string& start_of = "");
  bool tell_start(const StartPoint& point);  ///< a StartProgress
  bool at_end() const;                       ///< the scene's time.end is reached
  void leap();
  void leap_back();
  void warn(const std::optional<scenes::Warning>& warning);
  void forget_warnings();
  void end_with(const std::string& why, bool leads_back = false);
  void end_with(const BlowUp& why);
  void end_if_stuck();
  std::shared_ptr<const SimulationState> last_good() const;

  FrameExchange frames_;
  FrameExchange movie_frames_;  ///< unlike the others, none of these may be skipped
  std::atomic<bool> stop_ = false;
  std::atomic<bool> give_up_start_ = false;

  mutable std::mutex mutex_;  // guards what follows, up to the blank line
  std::condition_variable wake_;
  std::deque<Command> commands_;
  std::deque<Notice> notices_;
  std::shared_ptr<const WorkerStatus> status_;
  std::function<void()> tell_;
  std::uint64_t refused_edits_ = 0;

  // Only for the window's thread.
  std::uint64_t states_ = 0, asked_ = 0;

  // Only for the thread itself.
  bool software_gl_;
  std::string start_of_, cancelled_;  ///< the scene whose start is under way; as in the status
  std::shared_ptr<const LongOpening> long_opening_;
  std::uint64_t openings_asked_ = 0;
  std::unique_ptr<Playback> playback_;
  Pacing pacing_;
  PaceGovernor pace_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_status_{}, last_check_{};
  bool playing_ = false, ended_ = false;
  bool past_end_ = false;  ///< told to go on past the scene's time.end
  bool end_note_ = false;  ///< as in the status
  RunWatch watch_;
  std::vector<scenes::Warning> warnings_;  ///< of the run
  std::string contact_;                    ///< as in the status
  bool contact_known_ = false;             ///< contact_ is of the present state
  bool changed_ = false;                   ///< since the last frame
  bool cells_ = false;                     ///< show_cells()
  bool branches_ = false;                  ///< the run went back to an earlier moment, and no step was made since
  bool damaged_later_ = false;             ///< after back_to_good(): nobody is asked about the later moments
  struct Steps {
    bool playing = false;
    int single = 0;
    std::uint64_t question = 0;
  };
  std::optional<Steps> unanswered_;  ///< steps that wait for answer_about_later()
  std::uint64_t branched_ = 0;       ///< state that began as a branch; 0: none
  double blamed_time_ = INFINITY;    ///< [s] simulated: of the edit that the run's end is put down to; INFINITY: none
  double sound_time_ = 0;            ///< [s] simulated: of the last check without a fault or a warning
  int single_steps_ = 0;
  std::uint64_t steps_made_ = 0, steps_before_ = 0;  ///< since the last leap, and the clock's count at that moment
  std::uint64_t scene_version_ = 0, edits_ = 0;
  std::uint64_t state_ = 0, state_before_ = 0, handled_ = 0, questions_ = 0;  ///< as in the status
  std::uint64_t opened_ = 0, openings_ = 0;  ///< KeptRun::opened of the present scene; of the last
  double run_began_ = 0;                     ///< [s] on the wall
  KeptRuns kept_;
  struct LastEdit {
    std::string what;
    bool restarted = false;
    std::uint64_t step = 0;  ///< of the edit's first movement, or the one that the run went back to since
    double time = 0;         ///< [s] simulated: of that step
    double wall = 0;         ///< [s]
    std::optional<std::uint64_t> taken_back = {};  ///< step at which it was undone
  };
  bool is_blamed() const;
  void note_edit(const SceneEdit& edit);
  std::string blame_text() const;
  void branch();
  bool would_forget_later() const;
  bool would_ask_about_later() const;
  void keep_present();
  void wait_for_answer();
  void note_sound();
  std::optional<LastEdit> last_edit_;
  struct Movie {
    std::uint64_t number = 0;
    MovieClock clock{1};
    std::uint64_t step = 0;  ///< at the last look
  };
  std::optional<Movie> movie_;
  AchievedSpeed achieved_;

  std::thread thread_;  ///< last: it uses all the others
};

}  // namespace riffle::desktop
