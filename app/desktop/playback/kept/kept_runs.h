#pragma once
/// Runs that the window has left, so that undo can bring them back with their saved moments.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "app/command/scene_options.h"
#include "app/desktop/playback/diagnostics_record.h"
#include "app/desktop/playback/kept/run_work.h"
#include "app/desktop/playback/kept/snapshot_history.h"
#include "app/desktop/playback/row_stride.h"
#include "app/desktop/playback/run_track.h"
#include "app/run/run_series.h"
#include "app/state/state_file.h"
#include "core/device/device.h"
#include "sim/state.h"

namespace riffle::desktop {

/// A run as it was when it was left. The states are shared with other runs that passed through them.
struct KeptRun {
  SceneOptions options;
  std::string state_file;               ///< as Playback's
  std::optional<SavedKeeping> keeping;  ///< likewise
  std::shared_ptr<const scenes::SceneSource> source;
  std::shared_ptr<const scenes::Scene> scene;
  std::shared_ptr<const scenes::Scene> whole;           ///< as Playback's
  std::shared_ptr<const scenes::SceneSource> document;  ///< likewise
  std::shared_ptr<const RunTrack> track;                ///< likewise
  bool track_is_old = false;                            ///< likewise
  std::size_t played = 0;                               ///< likewise
  Device device;
  std::shared_ptr<const SimulationState> now;          ///< nullptr: its memory was needed; the scene starts from time 0
  std::shared_ptr<const SimulationState> edited_from;  ///< as Playback's
  SnapshotHistory history{0};
  DiagnosticsRecord diagnostics;
  std::shared_ptr<const RunSeries> series;
  RowStride stride;  ///< of the series
  RunWork work;
  std::uint64_t opened = 0;  ///< number of the opened scene that it belongs to
  double age = 0;            ///< [s] on the wall
  bool ended = false;
  bool end_note = false;  ///< the note at its end was shown
};

/// By the number of the state in which the run was left. Over the budget, the oldest run first loses its moments between
/// the first, the one in which it was left and the last; then its state before the last edits, then its states with the rows of
/// its table. Rows have the budget a second time: over it, the oldest run without states loses its plots, then the oldest one but
/// the newest its states with all its rows. The scene itself always stays.
class KeptRuns {
 public:
  /// @param budget [bytes]; nullopt: an eighth of the free memory, at most 2 GiB
  explicit KeptRuns(std::optional<std::size_t> budget = {}) : budget_(budget) {}

  void put(std::uint64_t state, KeptRun run);
  const KeptRun* find(std::uint64_t state) const;  ///< nullptr if there is none
  void forget(std::uint64_t state);

  bool has_room_for(std::size_t bytes) const { return bytes <= budget(); }
  std::size_t size() const { return runs_.size(); }
  std::size_t bytes() const;      ///< of all distinct states
  std::size_t row_bytes() const;  ///< of the rows of their tables and plots

  struct Entry {
    std::uint64_t state = 0;
    KeptRun run;
  };
  const std::deque<Entry>& all() const { return runs_; }  ///< the oldest first

 private:
  std::size_t budget() const;
  bool release_something();
  bool release_rows();
  static void release_run(KeptRun& run);

  std::optional<std::size_t> budget_;
  std::deque<Entry> runs_;  ///< the oldest first
};

}  // namespace riffle::desktop
