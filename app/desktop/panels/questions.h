#pragma once
/// Questions that are asked before something is lost, and what the program does before it ends.

#include <string>

namespace riffle::desktop {

/// The user wants to close the window, and changes are not saved.
struct ClosingQuestion {
  bool asked = false;
  bool close = false;   ///< the answer: changes may be lost, or are saved
  bool saving = false;  ///< the window closes once the scene is saved
};

/// The window is closed, and files are being completed.
struct Leaving {
  std::string doing;  ///< Exports::unfinished(); "": nothing
  bool early = false;
  bool asks_early = false;  ///< the user does not want to wait
  bool stays = false;       ///< the user wants to stay after all
};

}  // namespace riffle::desktop
