#include "x_display.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <thread>

#include "x_connection.h"

namespace riffle::test {

namespace fs = std::filesystem;

namespace {

constexpr int kScreenWidth = 1400, kScreenHeight = 900;

bool installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    if (access((folders.substr(begin, end - begin) + "/" + program).c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

/// @param prepare  in the new process, before the program
pid_t start_program(std::vector<std::string> arguments, const std::function<void()>& prepare) {
  const pid_t process = fork();
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // a test that is killed leaves no screen behind
  const int nowhere = open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; ++descriptor) dup2(nowhere, descriptor);
  prepare();
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

void end_program(pid_t process) {
  if (process <= 0) return;
  kill(process, SIGTERM);
  waitpid(process, nullptr, 0);
}

/// A line from the descriptor; "" if none arrives.
std::string read_line(int descriptor) {
  std::string line;
  for (char c = 0; c != '\n'; line += c) {
    pollfd ready{descriptor, POLLIN, 0};
    if (poll(&ready, 1, 60000) <= 0 || read(descriptor, &c, 1) != 1) return "";
  }
  line.pop_back();
  return line;
}

/// A window that is gone is a normal answer here, not a reason to end.
int ignore_error(Display*, XErrorEvent*) { return 0; }

constexpr long kToManager = SubstructureRedirectMask | SubstructureNotifyMask;

}  // namespace

XDisplay::Connection::Connection(const std::string& name) : display(XOpenDisplay(name.c_str())) {
  if (!display) throw std::runtime_error("no connection to the X server " + name);
  XSetErrorHandler(ignore_error);
  root = DefaultRootWindow(display);
}

XDisplay::Connection::~Connection() { XCloseDisplay(display); }

std::vector<long> XDisplay::Connection::property(Window window, const char* name) const {
  Atom type = 0;
  int format = 0;
  unsigned long count = 0, left = 0;
  unsigned char* data = nullptr;
  std::vector<long> items;
  if (XGetWindowProperty(display, window, atom(name), 0, 1024, False, AnyPropertyType, &type, &format, &count, &left,
                         &data) == Success &&
      data && format == 32)
    items.assign(reinterpret_cast<long*>(data), reinterpret_cast<long*>(data) + count);
  if (data) XFree(data);
  return items;
}

void XDisplay::Connection::send(Window to, Window about, const char* message, const long (&data)[5], long mask) const {
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = about;
  event.xclient.message_type = atom(message);
  event.xclient.format = 32;
  std::copy(std::begin(data), std::end(data), event.xclient.data.l);
  XSendEvent(display, to, False, mask, &event);
  XFlush(display);
}

std::unique_ptr<XDisplay> XDisplay::start(std::string* why_not) {
  for (const char* program : {"Xvfb", "openbox"})
    if (!installed(program)) {
      *why_not = std::string(program) + " is not installed";
      return nullptr;
    }
  std::unique_ptr<XDisplay> display(new XDisplay);
  std::string folder = (fs::temp_directory_path() / "riffle-screen-XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("no folder for the window manager");
  display->folder_ = folder;

  int number[2];
  if (pipe2(number, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  const std::string size = std::to_string(kScreenWidth) + "x" + std::to_string(kScreenHeight) + "x24";
  display->server_ = start_program({"Xvfb", "-displayfd", "3", "-screen", "0", size, "-dpi", "96", "-nolisten", "tcp",
                                    "-noreset", "+extension", "GLX"},
                                   [&] { dup2(number[1], 3); });
  ::close(number[1]);
  const std::string found = read_line(number[0]);
  ::close(number[0]);
  if (found.empty()) throw std::runtime_error("Xvfb did not start");
  display->name_ = ":" + found;
  display->x_ = std::make_unique<Connection>(display->name_);

  display->manager_ = start_program({"openbox", "--sm-disable"}, [&] {
    setenv("DISPLAY", display->name_.c_str(), 1);
    for (const char* home : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
      setenv(home, display->folder_.c_str(), 1);
  });
  const auto begin = std::chrono::steady_clock::now();
  while (display->x_->property(display->x_->root, "_NET_SUPPORTING_WM_CHECK").empty()) {
    if (std::chrono::steady_clock::now() - begin > std::chrono::minutes(1))
      throw std::runtime_error("openbox did not start");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return display;
}

XDisplay::~XDisplay() {
  end_program(manager_);
  x_.reset();
  end_program(server_);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

XWindow XDisplay::window_of(pid_t process) const {
  for (const long client : x_->property(x_->root, "_NET_CLIENT_LIST")) {
    const auto window = static_cast<XWindow>(client);
    const std::vector<long> owner = x_->property(window, "_NET_WM_PID");
    if (!owner.empty() && owner[0] == process) return window;
  }
  return 0;
}

std::string XDisplay::title(XWindow window) const {
  XTextProperty text{};
  if (!XGetTextProperty(x_->display, window, &text, x_->atom("_NET_WM_NAME")) || !text.value) return "";
  const std::string title(reinterpret_cast<char*>(text.value), text.nitems);
  XFree(text.value);
  return title;
}

std::string XDisplay::class_name(XWindow window) const {
  XClassHint hint{};
  if (!XGetClassHint(x_->display, window, &hint)) return "";
  const std::string name = hint.res_class;
  XFree(hint.res_name);
  XFree(hint.res_class);
  return name;
}

WindowArea XDisplay::area(XWindow window) const {
  XWindowAttributes attributes{};
  WindowArea area;
  if (!XGetWindowAttributes(x_->display, window, &attributes)) return area;
  area.width = attributes.width;
  area.height = attributes.height;
  Window child = 0;
  XTranslateCoordinates(x_->display, window, x_->root, 0, 0, &area.corner.x, &area.corner.y, &child);
  return area;
}

void XDisplay::set_content_scale(float scale) {
  const std::string resources = "Xft.dpi:\t" + std::to_string(std::lround(96 * scale)) + "\n";
  XChangeProperty(x_->display, x_->root, XA_RESOURCE_MANAGER, XA_STRING, 8, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(resources.data()), static_cast<int>(resources.size()));
  XSync(x_->display, False);
}

bool XDisplay::has_focus(XWindow window) const {
  Window focused = 0;
  int revert = 0;
  XGetInputFocus(x_->display, &focused, &revert);
  return focused == window;
}

bool XDisplay::is_shown(XWindow window) const {
  XWindowAttributes attributes{};
  return XGetWindowAttributes(x_->display, window, &attributes) && attributes.map_state == IsViewable;
}

bool XDisplay::is_maximized(XWindow window) const {
  for (const long state : x_->property(window, "_NET_WM_STATE"))
    if (static_cast<Atom>(state) == x_->atom("_NET_WM_STATE_MAXIMIZED_VERT")) return true;
  return false;
}

void XDisplay::tell_manager(XWindow window, const char* message, long a, long b, long c) {
  x_->send(x_->root, window, message, {a, b, c, 2 /* a pager's request */, 0}, kToManager);
}

void XDisplay::activate(XWindow window) {
  x_->send(x_->root, window, "_NET_ACTIVE_WINDOW", {2 /* a pager's request */, CurrentTime, 0, 0, 0}, kToManager);
}

void XDisplay::close(XWindow window) {
  x_->send(x_->root, window, "_NET_CLOSE_WINDOW", {CurrentTime, 2, 0, 0, 0}, kToManager);
}

void XDisplay::minimize(XWindow window) {
  XIconifyWindow(x_->display, window, DefaultScreen(x_->display));
  XFlush(x_->display);
}

void XDisplay::maximize(XWindow window, bool on) {
  tell_manager(window, "_NET_WM_STATE", on, static_cast<long>(x_->atom("_NET_WM_STATE_MAXIMIZED_VERT")),
               static_cast<long>(x_->atom("_NET_WM_STATE_MAXIMIZED_HORZ")));
}

void XDisplay::resize(XWindow window, int width, int height) {
  XResizeWindow(x_->display, window, static_cast<unsigned>(width), static_cast<unsigned>(height));
  XFlush(x_->display);
}

void XDisplay::wake(XWindow window) { x_->send(window, window, "_RIFFLE_TEST_WAKE", {0, 0, 0, 0, 0}, NoEventMask); }

void XDisplay::move_mouse(Point point) {
  XTestFakeMotionEvent(x_->display, -1, point.x, point.y, CurrentTime);
  XFlush(x_->display);
}

void XDisplay::press_button(int button, bool down) {
  XTestFakeButtonEvent(x_->display, static_cast<unsigned>(button), down, CurrentTime);
  XFlush(x_->display);
}

void XDisplay::click() {
  press_button(1, true);
  press_button(1, false);
}

void XDisplay::press_key(const std::string& key) {
  const KeySym symbol = XStringToKeysym(key.c_str());
  const KeyCode code = XKeysymToKeycode(x_->display, symbol);
  if (code == 0) throw std::runtime_error("no key " + key);
  XTestFakeKeyEvent(x_->display, code, True, CurrentTime);
  XTestFakeKeyEvent(x_->display, code, False, CurrentTime);
  XFlush(x_->display);
}

void XDisplay::hold_key(const std::string& key, bool down) {
  XTestFakeKeyEvent(x_->display, XKeysymToKeycode(x_->display, XStringToKeysym(key.c_str())), down, CurrentTime);
  XFlush(x_->display);
}

void XDisplay::press_with_control(int key_code) {
  const KeyCode control = XKeysymToKeycode(x_->display, XStringToKeysym("Control_L"));
  XTestFakeKeyEvent(x_->display, control, True, CurrentTime);
  XTestFakeKeyEvent(x_->display, static_cast<unsigned>(key_code), True, CurrentTime);
  XTestFakeKeyEvent(x_->display, static_cast<unsigned>(key_code), False, CurrentTime);
  XTestFakeKeyEvent(x_->display, control, False, CurrentTime);
  XFlush(x_->display);
}

bool XDisplay::set_layout(const std::string& layout) {
  int status = -1;
  waitpid(start_program({"setxkbmap", "-display", name_, layout}, [] {}), &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

render::Image XDisplay::picture(XWindow window) const {
  const WindowArea at = area(window);
  render::Image image;
  XImage* pixels = XGetImage(x_->display, window, 0, 0, static_cast<unsigned>(at.width),
                             static_cast<unsigned>(at.height), AllPlanes, ZPixmap);
  if (!pixels) return image;
  image.width = at.width;
  image.height = at.height;
  for (int y = 0; y < at.height; ++y)
    for (int x = 0; x < at.width; ++x) {
      const unsigned long pixel = XGetPixel(pixels, x, y);
      for (const int shift : {16, 8, 0}) image.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift & 255));
    }
  XDestroyImage(pixels);
  return image;
}

}  // namespace riffle::test
