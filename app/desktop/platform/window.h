#pragma once
/// A window with an OpenGL 4.5 core context, through GLFW.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "render/gl/gl_debug.h"

struct GLFWwindow;

namespace riffle::desktop {

/// There is no display, or no OpenGL 4.5 on it.
class NoWindow : public Unavailable {
 public:
  using Unavailable::Unavailable;
};

/// A key that went down.
struct KeyPress {
  int key = 0;              ///< GLFW_KEY_..., by the letter on the key (key_on_layout)
  int mods = 0;             ///< GLFW_MOD_... that were held down
  std::uint64_t order = 0;  ///< among all events of the window
};

/// A character that a key wrote.
struct TypedCharacter {
  unsigned code = 0;        ///< Unicode
  std::uint64_t order = 0;  ///< among all events of the window
};

/// A mouse button that went down or up.
struct ButtonChange {
  int button = 0;  ///< GLFW_MOUSE_BUTTON_...
  bool down = false;
  double x = 0, y = 0;      ///< where the mouse was then, in the window's screen coordinates
  std::uint64_t order = 0;  ///< among all events of the window
};

/// GLFW names a key by its place on an American keyboard: if a layout swaps Y and Z, undo would be on the wrong key.
/// @param name of the key in the keyboard's layout; nullptr: none
/// @return GLFW_KEY_... of the key's character if it or the American one is a Latin letter; else `key`
int key_on_layout(int key, const char* name);

/// Position and size of a window, in screen coordinates. On some systems these are not pixels.
struct WindowPlace {
  int x = -1, y = -1;  ///< -1: the system chooses
  int width = 1280, height = 720;
  bool maximized = false;
  bool remembered = false;  ///< from an earlier window; otherwise the size is for a content scale of 1
};

enum class Visibility { Shown, Hidden };

/// Its context is current on the thread that made it. There is at most one window at a time.
class Window {
 public:
  /// @throws NoWindow with GLFW's reason
  Window(const std::string& title, const WindowPlace& place, Visibility visibility = Visibility::Shown);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  const render::GlInfo& gl() const { return gl_; }

  bool should_close() const;
  void set_should_close(bool should);
  void restore();  ///< from being minimised
  void set_title(const std::string& title);
  void swap();
  void set_vsync(bool on);
  void poll();                ///< handles the events so far
  void wait(double seconds);  ///< waits at most that long for the next event, and handles the events
  static void wake();         ///< ends another thread's wait()

  void framebuffer_size(int* width, int* height) const;  ///< [pixel]; 0 while minimised
  float content_scale() const;                           ///< 2 on a HiDPI screen
  bool minimized() const;
  bool focused() const;
  WindowPlace place() const;  ///< where it is, or would be if it were neither maximised nor minimised
  const WindowPlace& settled_place() const { return settled_; }  ///< the last place and size that it kept for a moment

  bool has_dropped_files() const { return !dropped_.empty(); }
  std::vector<std::string> take_dropped_files();

  /// The presses since the last call. Dear ImGui before 1.87 sees only the keys that are down when a picture begins,
  /// and misses a tap between two slow pictures.
  std::vector<KeyPress> take_key_presses();
  std::vector<TypedCharacter> take_characters();  ///< since the last call, in their order

  /// The changes since the last call, in their order. Dear ImGui before 1.87 would see a click at the place where the
  /// mouse is when the next picture begins.
  std::vector<ButtonChange> take_button_changes();

 private:
  GLFWwindow* window_ = nullptr;
  render::GlInfo gl_;
  std::vector<std::string> dropped_;
  std::vector<KeyPress> pressed_;
  std::vector<TypedCharacter> characters_;
  std::vector<ButtonChange> buttons_;
  std::uint64_t events_ = 0;          ///< keys, characters and buttons so far
  double mouse_x_ = 0, mouse_y_ = 0;  ///< after the events so far; the mouse may have moved on

  // Some window managers change the size before they report that the window is maximised. Only a size that the window
  // has kept for a moment is therefore remembered.
  void note_place();
  WindowPlace newest_, settled_;
  double newest_since_ = 0;  ///< [s] of GLFW's clock
};

}  // namespace riffle::desktop
