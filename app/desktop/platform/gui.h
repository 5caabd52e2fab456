#pragma once
/// Dear ImGui on a window: context, font, colours, and one frame after the other.

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "app/desktop/platform/window.h"

namespace riffle {

inline constexpr float kFontSize = 15;  ///< [pixel] of the panels' text, at a content scale of 1

enum class Appearance { Dark, Light };

class Gui {
 public:
  /// @param layout_file where positions of windows are remembered; "": nowhere
  Gui(Window& window, const std::string& layout_file, Appearance appearance);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// @param pressed keys that went down since the last frame, however short
  void begin_frame(const std::vector<KeyPress>& pressed);
  void end_frame();  ///< draws into the bound framebuffer

  void set_appearance(Appearance appearance);
  Appearance appearance() const { return appearance_; }

  bool has_clicks_waiting() const { return !changes_.empty(); }  ///< for the next frames, one each
  bool wants_keyboard() const;                                   ///< text is being typed

 private:
  void scale_to(float content_scale);
  void hold_tapped_keys(const std::vector<KeyPress>& pressed);
  void replay_buttons();

  Window& window_;
  std::string layout_file_;
  Appearance appearance_;
  float scale_ = 0;                       ///< that fonts and sizes were made for
  std::vector<KeyPress> waiting_;         ///< keys that were tapped, until a frame has had them down
  std::vector<int> tapped_;               ///< those of this frame
  std::deque<ButtonChange> changes_;      ///< that no frame has seen yet
  std::array<bool, 5> held_{};            ///< buttons, as frames have seen them
  bool control_ = false, shift_ = false;  ///< as they really are, while a tapped key has its own
};

}  // namespace riffle
