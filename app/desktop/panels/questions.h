#pragma once
/// Questions that are asked before something is lost, and what the program does before it ends.

#include <optional>
#include <string>
#include <vector>

#include "app/desktop/recording/state_wish.h"

namespace riffle::desktop {

struct KeptStatus;
struct WorkerStatus;

/// The user wants to close the window, and something is not saved: changes of scenes first, then runs.
struct ClosingQuestion {
  bool asked = false;       ///< about changes
  bool close = false;       ///< the answer: changes may be lost, or are saved
  bool saving = false;      ///< the window closes once the scene is saved
  bool asked_run = false;   ///< about runs
  bool leave_run = false;   ///< the answer: the present run may be lost, or its state is being written
  bool leave_kept = false;  ///< the answer: the runs that undo leads to may be lost
  bool saving_run = false;  ///< the window closes once a state of the run is saved
  /// Exports::states_asked() before the user was asked for the state's file.
  int states_asked = 0;
  /// The state that is being written, for which the end waits: unless it is written, the window stays open.
  std::optional<StateWish> state;
  bool answered = false;  ///< an answer is new: the window is closed again
};

/// A run that was computed for longer, with no state saved since, is not left without a question.
struct RunLimit {
  double seconds = 300;
  bool exceeded_by(const WorkerStatus& status) const;                     ///< by the present run
  std::vector<KeptStatus> kept_beyond(const WorkerStatus& status) const;  ///< the longest first
};

/// The window is closed, and files are being completed.
struct Leaving {
  std::string doing;  ///< Exports::unfinished(); "": nothing
  bool early = false;
  bool asks_early = false;  ///< the user does not want to wait
  bool stays = false;       ///< the user wants to stay after all
};

}  // namespace riffle::desktop
