#pragma once
/// The messages of the simulation's thread to the window.

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/desktop/playback/instruments_status.h"
#include "app/desktop/playback/kept/run_work.h"
#include "app/desktop/playback/long_start.h"
#include "app/desktop/playback/run_track.h"
#include "app/desktop/playback/saved_files.h"
#include "app/desktop/timings/step_window.h"
#include "core/device/device.h"
#include "scenes/warning.h"
#include "sim/simulation.h"
#include "sim/start_progress.h"

namespace riffle::scenes {
struct Scene;
struct SceneSource;
}  // namespace riffle::scenes

namespace riffle {
struct Units;
}

namespace riffle::desktop {

/// A failure that the user must be told about, and the resulting state.
struct Notice {
  std::string title;        ///< "The scene could not be loaded"
  std::string text;         ///< the loader's lines
  bool leads_back = false;  ///< Worker::back_to_good() leads to a moment before it
};

/// A run that undo or redo leads to.
struct KeptStatus {
  std::uint64_t state = 0;  ///< WorkerStatus::state in which it was left
  std::shared_ptr<const scenes::Scene> scene;
  std::string name;        ///< "dam_break up to t = 1.250 s"
  bool has_states = true;  ///< false: its memory was needed, and its scene starts from time 0
  RunWork work;
  std::shared_ptr<const DiagnosticsView> diagnostics;  ///< nullptr: they were not kept
};

/// The state of the simulation at one moment. The worker publishes a new one about ten times a second and never changes
/// one that it has published.
struct WorkerStatus {
  bool loaded = false;              ///< there is a simulation; everything below belongs to it
  std::string busy;                 ///< "loading dam_break" while the thread does something long; "" otherwise
  bool can_cancel = false;          ///< while busy: Worker::give_up_start() ends it
  std::optional<StartPoint> start;  ///< how far the start is; nothing: it has not begun, or there is none
  std::string cancelled;  ///< without a scene: "the start of dam_break" if the last start was cancelled; "" otherwise
  std::shared_ptr<const LongOpening> long_opening;    ///< the last scene that waits to be opened or not; nullptr: none
  std::uint64_t scene_version = 0;                    ///< grows with every scene that is loaded
  std::shared_ptr<const scenes::Scene> scene;         ///< nullptr before the first
  std::shared_ptr<const scenes::SceneSource> source;  ///< the scene as it was loaded
  RunPlace place;                                     ///< what has changed along the run
  std::string state_file;                             ///< from which the run goes on; "": it began at time 0
  std::string keeping;  ///< how the run kept states that wrote it, "every 0.1 s in state.h5"; "": at no interval
  std::uint64_t edits = 0, refused_edits = 0;  ///< of the scene, carried out and refused so far
  std::uint64_t state = 0;                     ///< number of what runs: of the scene with its edits, and of the start
  std::uint64_t state_before = 0;              ///< the state that was left when the present run began; 0: none
  bool branched = false;                       ///< the present run went on from an earlier moment of the one before it
  std::uint64_t later_question = 0;            ///< number of what Worker::answer_about_later() answers; 0: nothing
  std::uint64_t handled = 0;                  ///< Worker::asked() of the newest request that was carried out or refused
  std::size_t kept_runs = 0, kept_bytes = 0;  ///< runs that Worker::bring_back() knows
  std::vector<KeptStatus> kept;               ///< the same, the oldest first
  bool can_keep = true;                       ///< the present run would be kept if another began
  bool asks_about_later = false;              ///< the next step waits for Worker::answer_about_later()
  double age = 0;                             ///< [s] on the wall since this run began
  RunWork work;                               ///< of the present run
  Device device;
  std::string device_name;
  int particles = 0, wall_particles = 0;
  std::size_t memory_bytes = 0;
  bool playing = false;
  bool at_end = false;    ///< the scene's time.end is reached: the run pauses there once
  bool end_note = false;  ///< the run has just come to its end, or back to it, and waits to be told how to go on
  std::string contact;    ///< with the note: what became of the contact between particles; "" for nothing
  bool ended = false;     ///< the state is no longer a fluid's: only going back leads on from it
  double first_moment = 0, last_moment = 0;  ///< [s] simulated: the range of seek()
  std::size_t moments = 0, moments_bytes = 0;
  double speed = 1;           ///< requested: simulated per wall second; infinity: as fast as possible
  double achieved_speed = 0;  ///< over the last second at least, as AchievedSpeed says
  struct Pace {
    bool real = false;    ///< the scene wants it to keep up with `speed`
    bool behind = false;  ///< although it is eased as far as it can be
    std::string eased;    ///< in words
  };
  Pace pace;
  /// Diagnostics::density_error_mean when it was last looked at, about every two seconds; NaN: not yet, or not with this
  /// solver
  double density_error = std::numeric_limits<double>::quiet_NaN();
  StepReport clock;
  NeighborSetup neighbors;  ///< in use
  ListStats lists;          ///< of the last step
  std::size_t search_bytes = 0;
  std::string search_structure;  ///< NeighborSearch::structure()
  std::optional<TuningReport> tuning;
  StepStatistics timings;                ///< of the last steps
  std::vector<std::string> stage_names;  ///< of the history's columns
  std::deque<StageHistory::Column> history;
  std::uint64_t history_run = 0;              ///< StageHistory::run(): columns of other runs are older
  std::vector<scenes::Warning> run_warnings;  ///< of this run since it began, or went back, or was changed
  std::size_t series_rows = 0;                ///< of the table of diagnostics
  std::size_t rows_left_out = 0;              ///< as Playback's
  double row_interval = 0;                    ///< [s] simulated between rows now
  bool all_rows = false;                      ///< RowStride::measures_all()
  using Files = SavedFiles;
  std::optional<Files> particle_series, surface_series;  ///< while they are saved
  /// Of the last series that ended: all of its files.
  std::optional<Files> last_particle_series, last_surface_series;
  std::size_t device_free = 0;  ///< [bytes] free memory of the GPU; 0 on the CPU
  InstrumentsStatus instruments;
};

const Units& units_of(const WorkerStatus& status);  ///< of the scene that runs; SI if there is none

}  // namespace riffle::desktop
