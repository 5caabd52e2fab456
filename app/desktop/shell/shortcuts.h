#pragma once
/// The actions of the keyboard, and the list of keys and mouse gestures.

#include <vector>

#include "app/desktop/platform/window.h"

namespace riffle::desktop {

struct PanelContext;
class TypingGuard;

/// Closes the popup or list that was opened last, unless it is a dialog, which has buttons for that. @return whether it did
bool close_top_popup();

bool pressed_escape(const std::vector<KeyPress>& keys);
bool pressed_quit(const std::vector<KeyPress>& keys);  ///< Ctrl+Q

/// Whether a text field leaves the press to the window: Ctrl+S and the like, but not Ctrl+Z, which takes back typing.
bool is_for_window(const KeyPress& press);

/// Play, pause and the like, but not while text is typed or a dialog waits for an answer.
/// @param keys that went down since the last picture
void handle_shortcuts(PanelContext& context, TypingGuard& guard, const std::vector<KeyPress>& keys);

void draw_shortcuts(bool* open);  ///< the list, in a window of its own

}  // namespace riffle::desktop
