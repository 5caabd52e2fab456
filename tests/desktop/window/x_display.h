#pragma once
/// A screen of the test's own: Xvfb, a window manager, a mouse and a keyboard.

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "render/view.h"

namespace riffle::test {

/// [pixel] of the screen.
struct Point {
  int x = 0, y = 0;
};

struct WindowArea {
  Point corner;  ///< of the program's drawing area, without the frame
  int width = 0, height = 0;
};

using XWindow = unsigned long;

/// Everything goes through the X server, as a user's hand and the window manager's buttons do.
class XDisplay {
 public:
  /// Xvfb on a free display number, with openbox. nullptr with a reason if one of them is not installed.
  static std::unique_ptr<XDisplay> start(std::string* why_not);
  ~XDisplay();

  const std::string& name() const { return name_; }  ///< ":17", for DISPLAY

  XWindow window_of(pid_t process) const;  ///< the shown window of a program; 0: none
  std::string title(XWindow window) const;
  std::string class_name(XWindow window) const;  ///< of WM_CLASS, by which desktops find the entry of a program
  WindowArea area(XWindow window) const;
  bool has_focus(XWindow window) const;
  bool is_shown(XWindow window) const;  ///< neither minimised nor gone
  bool is_maximized(XWindow window) const;

  // The actions of a window manager's buttons, borders and task bars. They return at once.
  void activate(XWindow window);  ///< to the front, with the keyboard; restores it from being minimised
  void close(XWindow window);
  void minimize(XWindow window);
  void maximize(XWindow window, bool on);
  void resize(XWindow window, int width, int height);

  void wake(XWindow window);  ///< an event that says nothing: a program that waits for one goes on
  void move_mouse(Point point);
  void press_button(int button, bool down);  ///< 1 left, 2 middle, 3 right, 4 and 5 the wheel up and down
  void click();
  void press_key(const std::string& key);            ///< a keysym's name: "space", "F1"; down and up again
  void hold_key(const std::string& key, bool down);  ///< "Control_L", until it is let go
  void press_with_control(int key_code);             ///< a place on the keyboard, whatever is written on it
  void set_content_scale(float scale);               ///< of windows that open from now on; 1 is 96 dots per inch
  bool set_layout(const std::string& layout);        ///< "us", "de"; false where setxkbmap is not installed or fails

  /// Drops files on the middle of a window, by the protocol XDND. @return "" or the step that the window did not make
  std::string drop_files(XWindow window, const std::vector<std::filesystem::path>& files);

  render::Image picture(XWindow window) const;  ///< the screen's content where the window is

 private:
  XDisplay() = default;
  struct Connection;
  void tell_manager(XWindow window, const char* message, long a, long b = 0, long c = 0);

  std::unique_ptr<Connection> x_;
  std::string name_;
  std::filesystem::path folder_;  ///< the window manager's home
  pid_t server_ = -1, manager_ = -1;
};

}  // namespace riffle::test
