#pragma once
/// Dear ImGui on a window: context, font, colours and frames.

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "app/desktop/platform/window.h"

namespace riffle::desktop {

inline constexpr float kFontSize = 15;  ///< [pixel] of the panels' text, at a content scale of 1

enum class Appearance { Dark, Light };

class Gui {
 public:
  /// @param layout_file remembers the positions of windows; "": they are not remembered
  Gui(Window& window, const std::string& layout_file, Appearance appearance);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// The presses for the next frame, those of keys that are up again too. What follows a mouse press over a panel stays
  /// back until a field that the press opens has the keyboard, and what follows a key that edits a text until that key
  /// has done so.
  std::vector<KeyPress> take_keys();

  /// @param pressed  of take_keys()
  void begin_frame(const std::vector<KeyPress>& pressed);
  void end_frame();  ///< draws into the bound framebuffer

  void set_appearance(Appearance appearance);
  Appearance appearance() const { return appearance_; }

  bool has_clicks_waiting() const { return !changes_.empty(); }  ///< for the next frames, one click each
  bool has_keys_waiting() const {                                ///< for the next frames
    return !waiting_.empty() || !late_keys_.empty() || !late_characters_.empty();
  }
  bool wants_keyboard() const;  ///< text is being typed
  void release_keyboard();      ///< in a frame: a text field that is drawn after this finishes its text, as after Enter

 private:
  void scale_to(float content_scale);
  void hold_tapped_keys(const std::vector<KeyPress>& pressed);
  bool replay_buttons();

  Window& window_;
  std::string layout_file_;
  Appearance appearance_;
  float scale_ = 0;                  ///< content scale of the present fonts and sizes
  std::vector<KeyPress> waiting_;    ///< tapped keys that no frame has seen yet
  std::vector<int> tapped_;          ///< tapped keys of this frame
  std::vector<int> hidden_;          ///< keys that are down, which the next frame sees first
  std::vector<KeyPress> late_keys_;  ///< after a mouse press whose field is not open yet
  std::vector<TypedCharacter> late_characters_;
  std::vector<unsigned> characters_;      ///< of the next frame
  std::deque<ButtonChange> changes_;      ///< not yet seen by a frame
  bool text_first_ = false;               ///< the next frame has the text before the next change
  bool over_panel_ = false;               ///< where the last press was
  int opening_ = 0;                       ///< [frame] in which a field may still get the keyboard by the last change
  std::array<bool, 5> held_{};            ///< buttons, as the last frame saw them
  bool control_ = false, shift_ = false;  ///< their real state, while a frame sees another
};

}  // namespace riffle::desktop
