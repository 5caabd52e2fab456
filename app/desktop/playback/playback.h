#pragma once
/// A scene that is played: its simulation, and everything that a user may do to it between two steps. For one thread.

#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command/scene_options.h"
#include "app/desktop/playback/frame_exchange.h"
#include "app/desktop/playback/hand.h"
#include "app/desktop/playback/instruments.h"
#include "app/desktop/playback/kept/kept_runs.h"
#include "app/desktop/playback/kept/run_work.h"
#include "app/desktop/playback/kept/snapshot_history.h"
#include "app/desktop/playback/row_stride.h"
#include "app/desktop/playback/run_track.h"
#include "app/desktop/playback/saved_files.h"
#include "app/desktop/playback/scene_edit.h"
#include "app/desktop/scene/orbit_camera.h"
#include "app/desktop/timings/machine_load.h"
#include "app/desktop/timings/stage_history.h"
#include "app/desktop/timings/step_window.h"
#include "app/report/contact_text.h"
#include "app/report/parameter_changes.h"
#include "app/run/numbered_files.h"
#include "app/run/particle_export.h"
#include "app/run/particle_series.h"
#include "app/run/run_series.h"
#include "app/run/run_watch.h"
#include "app/run/stability.h"
#include "app/state/state_file.h"
#include "core/error.h"
#include "scenes/load.h"
#include "sim/measure/inspect.h"
#include "sim/measure/quantity_values.h"
#include "sim/measure/unwrapped_positions.h"
#include "sim/simulation.h"

namespace riffle::desktop {

class Playback {
 public:
  /// @param options its scene may be a state file: the run then goes on from that state
  /// @param software_gl the processor draws (settle_picture)
  /// @param progress called while a scene is brought to time 0, here and after edits; it may end that with StartGivenUp
  /// @param before_start called with a scene that begins at time 0, before anything that takes long; it may throw
  /// @throws as loading a scene and making its simulation
  explicit Playback(const SceneOptions& options, bool software_gl = true, StartProgress progress = {},
                    const std::function<void(const scenes::Scene&)>& before_start = {});
  ~Playback();

  /// With a settled picture, and with what the events so far have changed.
  const scenes::Scene& scene() const { return *scene_; }
  const std::shared_ptr<const scenes::Scene>& shared_scene() const { return scene_; }  ///< the same; never changes
  RunPlace place() const;  ///< where the run stands, and how it came there
  const std::shared_ptr<const scenes::SceneSource>& source() const { return source_; }  ///< as it was loaded
  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

  /// One step of the simulation. Forgets the moments of later times. @throws as Simulation::step
  /// @param end [s] where the run ends: the step that would pass it ends there, and later ones have no length
  void step(double end = INFINITY);

  /// Saves the present moment if that is due. @param wall [s] on a clock that only runs forward
  void remember(double wall);

  /// Saves the present moment if it is later than all that are saved, so that seek() can lead back to it.
  void keep_newest(double wall);

  /// Goes to the saved moment at or before that time. Parameters and search stay as they are now.
  void seek(double time);

  /// Goes to time 0; edits stay in force. A run that goes on from a state starts its scene, which takes as long as loading
  /// it. @throws as edit()
  void reset();

  /// The state file from which the run goes on, as it was given; "" for none.
  const std::string& state_file() const { return state_file_; }

  /// How the run that wrote that state kept states. The window keeps none by itself; a state that it saves hands this on.
  const std::optional<SavedKeeping>& keeping() const { return keeping_; }

  /// What a state file of the present moment has. Waits. @param scene the present one
  /// @throws RuntimeFailure if the run cannot go on from here
  SavedRun saved_run(const SavedScene& scene);

  /// Time that the run took on the host so far. Whoever calls step() adds what the step took.
  RunWork& work() { return work_; }

  /// The run goes on from an earlier moment as one of its own: the work after that moment is not its own.
  void leave_later_work();

  const SnapshotHistory& history() const { return history_; }
  bool has_later_moments() const;  ///< than the present one; the next step forgets them

  /// Whether the edit chooses another solver for a run that has made no step.
  bool starts_over(const SceneEdit& edit) const;

  /// Continues with that scene: from time 0 or from the present state, according to the edit's effect.
  /// @throws as Simulation's constructors; then nothing has changed
  void edit(const SceneEdit& edit);

  /// The present run, to be resumed later. @param with_states false: only the scene
  KeptRun keep(bool with_states);
  /// [bytes] about what keep() takes without the moments on the way: the first, the present one, and the last if it is later.
  std::size_t keep_bytes() const;

  /// Continues with a run that was kept. @throws as Simulation's constructors; then nothing has changed
  void resume(const KeptRun& run);

  /// Continues from the present state on another device. @throws as edit()
  void set_device(DeviceRequest request);

  /// As files of particles have them. Waits.
  ParticleTable particle_table();

  /// Follows that particle from now on, or none if no particle has the id.
  void follow(std::uint32_t id);
  void unpick();

  /// Puts a hand into the fluid, or moves it. A new hand is at the depth of `at` and keeps that depth while it moves.
  /// @param kind nullopt: the hand is taken out @param at [m] of a new hand; nullopt: the middle of the domain
  void stir(const Ray& ray, std::optional<StirringKind> kind, const HandSetup& hand, std::optional<Vec3> at = {});
  /// Takes hold of a point of a free solid, or moves the hand that holds one. The hand keeps the point's depth in the picture.
  /// @param point  of a new hand; nullopt: of the one that is there, if there is one
  void grip(const Ray& ray, const std::optional<HeldPoint>& point = {});
  void let_go();
  /// The followed particle now; before the first step with the density and pressure of that step. Waits for the device.
  std::optional<ParticleReport> picked();

  /// Diagnostics since time 0, which the plots show: a row for each of the scene's frame intervals, or for every second,
  /// fourth ... of them if rows take more than 2 % of the time.
  const RunSeries& series() const { return *series_; }
  const RowStride& row_stride() const { return stride_; }
  void measure_all_rows(bool all) { stride_.measure_all(all); }
  std::size_t rows_left_out() const;  ///< frame intervals between the first row and the last one that have none
  RunSeries series_with_present();    ///< and a row of the present state. Waits
  /// The parameters that were changed along its rows.
  std::vector<ParameterChange> parameter_changes() const;
  std::vector<ParameterChange> table_changes() const;  ///< and how far its rows are apart from then on
  /// Has the diagnostics show the same. Call it while no steps are made. Waits if it is not done yet. @return whether it
  /// was not
  bool show_present();

  /// Writes a file, or has it written. May wait. @param is_list of the files before it; small
  using WriteFile = std::function<void(const std::filesystem::path& file,
                                       std::function<void(const std::filesystem::path&)> write, bool is_list)>;
  /// From now on the particles are saved at every interval of the series, until finish_particles(). It ends by itself when
  /// the run goes back or another one begins: its times would not ascend.
  void start_particles(ParticleSeries series, WriteFile write);
  void finish_particles();
  std::optional<SavedFiles> particle_files() const;                                         ///< while they are saved
  const std::optional<SavedFiles>& last_particle_files() const { return last_particles_; }  ///< of the last that ended

  /// The same with the surface of the fluids. It also ends where memory is short later. @throws as SimulationSurface
  void start_surfaces(NumberedFiles files, WriteFile write);
  void finish_surfaces();
  /// Why the surfaces ended by themselves, once; otherwise nothing.
  std::optional<std::string> take_surface_failure() { return std::exchange(surface_failure_, {}); }
  std::optional<SavedFiles> surface_files() const;                                        ///< while they are saved
  const std::optional<SavedFiles>& last_surface_files() const { return last_surfaces_; }  ///< of the last that ended

  /// Frees the simulation's device memory, with its state kept in the host's memory, and runs `meanwhile`. If that
  /// throws, makes the simulation again as it was and rethrows. @throws also as Simulation's constructors
  template <class Action>
  void set_aside(const Action& meanwhile) {
    const SimulationState state = simulation_->save_state();
    const SimulationSetup setup = simulation_->setup();
    const Device device = simulation_->device();
    simulation_.reset();
    try {
      meanwhile();
    } catch (...) {
      simulation_ = std::make_unique<Simulation>(setup, device, state);
      restart_timings();
      throw;
    }
  }

  /// Why the state is no longer a fluid's; otherwise nothing. Reads all particles: not for every step.
  /// @param watch looks at the same numbers @param warning gets what it finds
  std::optional<BlowUp> what_is_wrong(RunWatch& watch, std::optional<scenes::Warning>& warning);

  /// The contact between particles at the first moment and now. Waits.
  ContactHistory contact();

  /// Why the scene does not run on the device that it was meant for; otherwise nothing.
  const std::optional<scenes::Warning>& device_warning() const { return device_warning_; }

  /// Writes the present particles, coloured as the scene says, into the frame. Waits for the device. Where memory is
  /// too short for the colours, all have the value 0.
  /// @param cells also the cells of the search
  /// @param earlier [s] the particles, and the frame's time, as they were so long before the end of the last step: on the
  /// straight lines along which that step moved them
  void fill(ParticleFrame& frame, bool cells = false, double earlier = 0);

  /// Diagnostics::density_error_mean when what_is_wrong() last looked; NaN: not yet in this run, or not with its solver.
  double density_error() const { return density_error_; }

  /// Why the last frame's colours show nothing, once; otherwise nothing.
  std::optional<std::string> take_color_failure() { return std::exchange(color_failure_, {}); }

  /// Adds a column for the steps since the last call. Waits for the device. @param wall as of remember()
  /// @return what the last steps took
  StepStatistics sample_timings(double wall);
  const StageHistory& stages() const { return stages_; }
  Instruments& instruments() { return instruments_; }

 private:
  render::ParticleView colored_view(ParticleFrame& frame);
  void save_moment(double wall);
  bool add_to_series();
  void save_particles();
  void follow_unwrapped(const SimulationState* from);
  SimulationState save_state();  ///< with what `unwrapped_` has counted
  void save_particle_list();
  void save_surface();
  void save_next_surface();
  void give_surfaces_up(const std::string& why);
  void save_surface_list();
  void finish_files();
  /// @param another_run its steps cannot be compared with those before
  void restart_timings(bool another_run = false);
  TimedSetup timed_setup() const;
  /// @param document of the scene; nullptr: nobody knows it
  /// @param from the state that the run goes on from; nullptr: time 0
  /// @param rows  of its diagnostics before that; nullptr: none
  /// @param acts  on the run before that
  void begin(const scenes::Scene& scene, std::shared_ptr<const scenes::SceneSource> document, const Device& device,
             const SimulationState* from = nullptr, const SavedRows* rows = nullptr, const SavedActs& acts = {});
  void take_scene(const SceneEdit& edit, bool acts);
  void begin_track(std::uint64_t step, const SavedActs& acts = {}, const SavedRows* rows = nullptr);
  SavedActs acts_until(std::uint64_t step) const;
  void follow_track();
  void play_events();
  void note_acts();
  void note_shortened_step(double end);
  void note_outside(OutsideAct::Kind kind);
  void change_track(const std::function<void(RunTrack&)>& change);
  /// Runs `change`, which makes another simulation. If the device cannot hold both, frees the old one first.
  template <class Change>
  void make_room_for(const Change& change) {
    try {
      change();
    } catch (const Unavailable&) {
      set_aside(change);
    }
  }
  void show(const scenes::Scene& scene);
  void mark_probes(const SceneEdit& edit);
  bool measure_changed_row();
  void change_search(const NeighborSetup& neighbors);
  void continue_with(const SimulationSetup& setup, const Device& device);

  SceneOptions options_;
  std::string state_file_;
  std::optional<SavedKeeping> keeping_;
  bool software_gl_;
  StartProgress progress_;
  std::shared_ptr<const scenes::SceneSource> source_;
  std::shared_ptr<const scenes::Scene> scene_;
  std::shared_ptr<const scenes::Scene> whole_;           ///< as it is edited; without what events have changed
  std::shared_ptr<const scenes::SceneSource> document_;  ///< of whole_; nullptr: nobody knows it
  std::size_t played_ = 0;                               ///< events of whole_ that have acted
  std::shared_ptr<const RunTrack> track_;                ///< up to the last step; nullptr: without a document
  /// What `track_` would have now, as far as it is known: nothing is compared where no edit was made.
  std::optional<scenes::SceneSource> tracked_;
  bool track_is_old_ = false;   ///< the values may differ since, or the run went back
  bool search_is_new_ = false;  ///< since the last step
  bool starts_again_ = false;   ///< reset() led here, and no step was made since
  bool acting_ = false;         ///< a hand acted in the last step
  std::unique_ptr<Simulation> simulation_;
  std::optional<scenes::Warning> device_warning_;
  StageHistory stages_;
  StepWindow steps_;
  MachineLoad load_;
  double stepped_ms_ = 0;  ///< [ms] of all steps on the host's clock since stages_ restarted
  TimedSetup timed_;       ///< last told to stages_
  Instruments instruments_;
  QuantityValues values_;  ///< of the colours
  /// The time that values_ took, since the quantity, the scene or the device changed.
  struct ColorCost {
    Quantity quantity;
    Device device;
    StageTimer timer;
  };
  std::optional<ColorCost> color_cost_;
  std::optional<std::string> color_failure_;
  static constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
  double density_error_ = kNotMeasured;
  bool colors_fail_ = false;  ///< of the last frame; it is told once
  SnapshotHistory history_;
  RunWork work_;
  /// Edits without a step in between all go on from the state before the first one, so that undoing them leads back to the
  /// last bit. nullptr: a step was made since.
  std::shared_ptr<const SimulationState> edited_from_;
  std::uint64_t edited_moment_ = 0;      ///< Simulation::moment() after the last of them
  bool row_is_old_ = false;              ///< a row of the present moment may be of the parameters before an edit
  std::optional<std::uint32_t> picked_;  ///< id of the followed particle
  struct Grip {
    HeldPoint point;
    Vec3 normal;  ///< of the plane in which the hand moves
  };
  std::optional<Grip> grip_;
  std::optional<Vec3> hand_at_;                  ///< [m] in the plane in which the hand moves
  Vec3 hand_normal_{};                           ///< of that plane
  std::optional<UnwrappedPositions> unwrapped_;  ///< in a periodic box, if there was memory for them
  std::optional<RunSeries> series_;
  std::optional<ParticleSeries> particles_;
  std::optional<SavedFiles> last_particles_, last_surfaces_;
  WriteFile write_particles_;
  std::optional<NumberedFiles> surfaces_;
  WriteFile write_surface_;
  std::optional<std::string> surface_failure_;
  RowStride stride_;                                  ///< of the series
  std::chrono::steady_clock::time_point last_row_{};  ///< when it was complete
};

}  // namespace riffle::desktop
