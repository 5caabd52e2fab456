#pragma once
/// Questions that are asked before something is lost.

namespace riffle::desktop {

/// The user wants to close the window, and changes are not saved.
struct ClosingQuestion {
  bool asked = false;
  bool close = false;   ///< the answer: changes may be lost, or are saved
  bool saving = false;  ///< the window closes once the scene is saved
};

}  // namespace riffle::desktop
