#pragma once
/// The memory of the widgets from frame to frame.

#include <imgui.h>

#include <map>
#include <string>
#include <vector>

#include "app/desktop/widgets/side_message.h"

namespace riffle::desktop::ui {

/// A message of this picture.
struct AskedMessage {
  SideMessage message;
  bool at_item = false;
  float middle = 0;  ///< [pixel] of its item's height
};

/// One for each Dear ImGui context, on the context's thread. The context lives longer.
struct WidgetState {
  WidgetState();  ///< becomes the current context's
  ~WidgetState();
  WidgetState(const WidgetState&) = delete;
  WidgetState& operator=(const WidgetState&) = delete;

  /// By section()'s name. Dear ImGui remembers this only while the program runs; UserSettings keeps it.
  std::map<std::string, bool> open_sections;
  /// What is chosen in lists, by name, if it is to be chosen in later runs of the program too. UserSettings keeps it.
  std::map<std::string, std::string> choices;
  std::string section_to_reveal;  ///< "" for none

  /// The text that is being typed: at most one, as there is one keyboard.
  struct Typing {
    ImGuiID field = 0;
    int frame = 0;  ///< in which the field was last drawn
    std::string before, text;
  } typing;
  Typing
      left;  ///< a text whose field has lost the keyboard in this frame, and is drawn only after the one that has it now

  /// The number field that is a text field at present.
  struct Opened {
    ImGuiID field = 0;
    int frame = 0;        ///< in which it was opened
    bool ask = false;     ///< it must still request the keyboard, after the click that opened it
    bool active = false;  ///< it has had the keyboard
  } opened;

  /// The number that is being dragged.
  struct Dragging {
    ImGuiID field = 0;
    double value = 0;
    bool moved = false;
  } dragging;

  /// The last press of the left button.
  struct Press {
    ImVec2 at;
    bool still = false;  ///< the mouse has not moved since
  } press;

  /// The item under the mouse.
  struct Place {
    ImVec2 corner{-1, -1};
    double since = 0;  ///< [s]
    bool is(ImVec2 other) const { return corner.x == other.x && corner.y == other.y; }
  };
  Place resting, topmost;  ///< in the last frame; in this one, so far
  int frame = 0;           ///< of topmost

  std::vector<AskedMessage> messages;                  ///< that are not drawn yet
  std::vector<std::function<void()>> message_closers;  ///< of those that were drawn last
  Rectangle messages_place{};                          ///< likewise
};

WidgetState& widget_state();  ///< the current context's; there must be one

}  // namespace riffle::desktop::ui
