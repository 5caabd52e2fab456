#pragma once
/// A window with an OpenGL 4.5 core context, through GLFW.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "render/gl/gl_debug.h"

struct GLFWwindow;

namespace riffle {

/// There is no display, or no OpenGL 4.5 on it.
class NoWindow : public Unavailable {
 public:
  using Unavailable::Unavailable;
};

/// A key that went down.
struct KeyPress {
  int key = 0;   ///< GLFW_KEY_...; of a letter's key the letter that is on it (key_on_layout)
  int mods = 0;  ///< GLFW_MOD_... that were held
};

/// A mouse button that went down or up.
struct ButtonChange {
  int button = 0;  ///< GLFW_MOUSE_BUTTON_...
  bool down = false;
  double x = 0, y = 0;  ///< where the mouse was then, in the window's screen coordinates
};

/// GLFW names a key by its place on an American keyboard: undo would be on Y where that and Z are swapped.
/// @param name that the keyboard's layout has for the key; nullptr: none
/// @return GLFW_KEY_... of what is on the key, where one of the two is a Latin letter; else the key as it is
int key_on_layout(int key, const char* name);

/// Where a window was and how large: in screen coordinates, which on some systems are not pixels.
struct WindowPlace {
  int x = -1, y = -1;  ///< -1: where the system puts it
  int width = 1280, height = 720;
  bool maximized = false;
  bool remembered = false;  ///< of a window that was; a size that is not is for a content scale of 1
};

enum class Visibility { Shown, Hidden };

/// Current on the thread that made it. At most one at a time.
class Window {
 public:
  /// @throws NoWindow with GLFW's reason
  Window(const std::string& title, const WindowPlace& place, Visibility visibility = Visibility::Shown);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  const GlInfo& gl() const { return gl_; }

  bool should_close() const;
  void set_title(const std::string& title);
  void swap();
  void set_vsync(bool on);
  void poll();                ///< handles what has happened
  void wait(double seconds);  ///< the same, after the next event or so long
  static void wake();         ///< ends another thread's wait()

  void framebuffer_size(int* width, int* height) const;  ///< [pixel]; 0 while minimised
  float content_scale() const;                           ///< 2 on a HiDPI screen
  bool minimized() const;
  bool focused() const;
  WindowPlace place() const;  ///< where it is, or would be were it not maximised or minimised
  const WindowPlace& settled_place() const { return settled_; }  ///< where it last stood, and so large, for a moment

  std::vector<std::string> take_dropped_files();

  /// Since the last call. Dear ImGui (before 1.87) sees only what is down when a picture begins: between two slow ones
  /// a key is tapped unnoticed.
  std::vector<KeyPress> take_key_presses();

  /// Since the last call, in their order. It would likewise see a click where the mouse is when the picture begins.
  std::vector<ButtonChange> take_button_changes();

 private:
  GLFWwindow* window_ = nullptr;
  GlInfo gl_;
  std::vector<std::string> dropped_;
  std::vector<KeyPress> pressed_;
  std::vector<ButtonChange> buttons_;
  double mouse_x_ = 0, mouse_y_ = 0;  ///< by the events so far: where it is now may be elsewhere

  // Some window managers change the size before they say that it is by maximising. What has not stood for a moment is
  // therefore no size to go back to.
  void note_place();
  WindowPlace newest_, settled_;
  double newest_since_ = 0;  ///< [s] of GLFW's clock
};

}  // namespace riffle
