#include "app/desktop/platform/window.h"

#include <glad/gl.h>
// After glad, which must come first.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "core/error.h"
#include "core/text/log.h"
#include "render/gl/driver_leaks.h"

namespace riffle::desktop {

namespace {

constexpr double kSettled = 0.5;  // [s]

std::string last_error;

void on_error(int code, const char* text) {
  last_error = text;
  log::debug("GLFW: {} ({:#x})", text, code);
}

std::string reason() { return last_error.empty() ? "GLFW gives no reason" : last_error; }

/// @throws NoWindow with the reason
void start_glfw() {
  last_error.clear();
  glfwSetErrorCallback(on_error);
  if (!glfwInit()) throw NoWindow("no window: " + reason());
}

/// The OpenGL version of a display without 4.5: "4.1 ...", or "none" if it has no core context at all.
std::string older_version() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* window = glfwCreateWindow(64, 64, "", nullptr, nullptr);
  if (!window) return "none";
  glfwMakeContextCurrent(window);
  const auto get_string = reinterpret_cast<PFNGLGETSTRINGPROC>(glfwGetProcAddress("glGetString"));
  const auto* version = get_string ? reinterpret_cast<const char*>(get_string(GL_VERSION)) : nullptr;
  const std::string found = version ? version : "none";
  glfwDestroyWindow(window);
  return found;
}

}  // namespace

int key_on_layout(int key, const char* name) {
  const auto is_letter = [](int k) { return k >= GLFW_KEY_A && k <= GLFW_KEY_Z; };
  // Other keys belong to the keypad and the like. Letters of other scripts do not move a key.
  if (key < GLFW_KEY_SPACE || key > GLFW_KEY_WORLD_2 || !name || !name[0] || name[1]) return key;
  const int on_it = std::toupper(static_cast<unsigned char>(name[0]));  // ASCII, as GLFW's numbers are
  return is_letter(on_it) || (is_letter(key) && on_it > ' ' && on_it < 127) ? on_it : key;
}

Window::Window(const std::string& title, const WindowPlace& place, Visibility visibility)
    : newest_(place), settled_(place) {
  start_glfw();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
  glfwWindowHint(GLFW_MAXIMIZED, place.maximized ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, place.remembered ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);  // the picture has its own depth buffer
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "riffle");  // StartupWMClass in packaging/riffle.desktop
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "riffle");
  window_ = glfwCreateWindow(place.width, place.height, title.c_str(), nullptr, nullptr);
  if (!window_) {
    const std::string why = reason(), found = older_version();
    glfwTerminate();
    throw NoWindow(fmt::format("no window: OpenGL 4.5 is needed, found {} ({})", found, why));
  }
  glfwMakeContextCurrent(window_);
  if (!gladLoadGL(glfwGetProcAddress)) {
    glfwDestroyWindow(window_);
    glfwTerminate();
    throw NoWindow("no window: OpenGL's functions could not be loaded");
  }
  render::install_gl_debug_output();
  gl_ = render::current_gl_info();
  glfwGetWindowSize(window_, &newest_.width, &newest_.height);
  newest_.remembered = true;
  settled_ = newest_;
  glfwSetWindowSizeLimits(window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  // After the limits: setting them would replace the position's hints to the window manager.
  if (place.x >= 0 && place.y >= 0 && !place.maximized) glfwSetWindowPos(window_, place.x, place.y);
  glfwSetWindowUserPointer(window_, this);
  glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
    auto& dropped = static_cast<Window*>(glfwGetWindowUserPointer(window))->dropped_;
    dropped.insert(dropped.end(), paths, paths + count);
  });
  // Before Gui sets its own callback, which then calls this one.
  glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int code, int action, int mods) {
    if (action != GLFW_PRESS) return;
    const int meant = key_on_layout(key, glfwGetKeyName(key, code));
    auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
    self.pressed_.push_back({meant, mods, ++self.events_});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned code) {
    auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
    self.characters_.push_back({code, ++self.events_});
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) {
    auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
    self.mouse_x_ = x;
    self.mouse_y_ = y;
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
    auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
    self.buttons_.push_back({button, action == GLFW_PRESS, self.mouse_x_, self.mouse_y_, ++self.events_});
  });
  if (visibility == Visibility::Shown) glfwShowWindow(window_);
}

Window::~Window() {
  render::keep_drivers_loaded();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::should_close() const { return glfwWindowShouldClose(window_); }
void Window::set_should_close(bool should) { glfwSetWindowShouldClose(window_, should ? GLFW_TRUE : GLFW_FALSE); }
void Window::restore() { glfwRestoreWindow(window_); }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
void Window::swap() { glfwSwapBuffers(window_); }
void Window::set_vsync(bool on) { glfwSwapInterval(on ? 1 : 0); }
void Window::poll() {
  glfwPollEvents();
  note_place();
}
void Window::wait(double seconds) {
  glfwWaitEventsTimeout(seconds);
  note_place();
}
void Window::wake() { glfwPostEmptyEvent(); }

void Window::framebuffer_size(int* width, int* height) const { glfwGetFramebufferSize(window_, width, height); }

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return y > 0 ? y : 1;
}

bool Window::minimized() const { return glfwGetWindowAttrib(window_, GLFW_ICONIFIED); }
bool Window::focused() const { return glfwGetWindowAttrib(window_, GLFW_FOCUSED); }

void Window::note_place() {
  if (minimized() || glfwGetWindowAttrib(window_, GLFW_MAXIMIZED)) return;
  WindowPlace now;
  now.remembered = true;
  glfwGetWindowPos(window_, &now.x, &now.y);
  glfwGetWindowSize(window_, &now.width, &now.height);
  if (now.x != newest_.x || now.y != newest_.y || now.width != newest_.width || now.height != newest_.height) {
    newest_ = now;
    newest_since_ = glfwGetTime();
  } else if (glfwGetTime() - newest_since_ > kSettled) {
    settled_ = newest_;
  }
}

WindowPlace Window::place() const {
  const bool maximized = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED);
  WindowPlace place = maximized || minimized() ? settled_ : newest_;
  place.maximized = maximized;
  return place;
}

std::vector<std::string> Window::take_dropped_files() { return std::exchange(dropped_, {}); }
std::vector<ButtonChange> Window::take_button_changes() { return std::exchange(buttons_, {}); }
std::vector<KeyPress> Window::take_key_presses() { return std::exchange(pressed_, {}); }
std::vector<TypedCharacter> Window::take_characters() { return std::exchange(characters_, {}); }

}  // namespace riffle::desktop
