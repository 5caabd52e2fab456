#include "desktop_session.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "picture_difference.h"
#include "program_end.h"
#include "render/media/png.h"

namespace riffle::test {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

namespace {

constexpr auto kGlance = std::chrono::milliseconds(10);
constexpr int kMargin = 14;  // [pixel] in which the panels' edge may hide half of a widget

const char* const kDrop =
    "description: a block of a thousand particles that falls apart\n"
    "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
    "particles: {spacing: 0.05}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n"
    "time: {end: 1000}\n";
const char* const kPool =
    "description: a shallow pool in two dimensions\n"
    "dimension: 2\n"
    "domain: {min: [0, 0], max: [1, 1]}\n"
    "particles: {spacing: 0.05}\n"
    "bodies:\n  - box: {min: [0, 0], max: [1, 0.3]}\n"
    "time: {end: 1000}\n";

/// A small window, so that a software OpenGL has little to draw.
const char* const kSettings = R"({"x": 40, "y": 60, "width": 800, "height": 520, "appearance": "dark"})";

std::map<std::string, std::string> environment(const XDisplay& screen, const fs::path& folder, const fs::path& trace,
                                               std::map<std::string, std::string> more = {}) {
  more.merge(
      std::map<std::string, std::string>{{"DISPLAY", screen.name()},
                                         {"XDG_CONFIG_HOME", (folder / "config").string()},
                                         {"HOME", folder.string()},  // no ~/Videos there: exports go to the folder
                                         {"RIFFLE_INTERFACE_TRACE", trace.string()},
                                         {"LIBGL_ALWAYS_SOFTWARE", "1"},
                                         {"ASAN_OPTIONS", "detect_leaks=1"}});
  return more;
}

fs::path end_file(const fs::path& trace) { return trace.string() + ".end"; }

bool required() {
  const char* value = std::getenv("RIFFLE_REQUIRE_DISPLAY_TESTS");
  return value && std::string(value) == "1";
}

std::string& why_no_screen() {
  static std::string text;
  return text;
}
std::unique_ptr<XDisplay>& the_screen() {
  static std::unique_ptr<XDisplay> screen;
  return screen;
}

/// LeakSanitizer's own thread crashes once in thousands of runs. If it crashes more often than this within one process, the
/// test fails, because leaks would not be seen.
constexpr int kLeakChecksLost = 2;

int& leak_checks_lost() {
  static int count = 0;
  return count;
}

/// The screen is closed with the last test, before main() returns.
class ScreenEnvironment : public ::testing::Environment {
  void TearDown() override { the_screen().reset(); }
};
const auto* const registered = ::testing::AddGlobalTestEnvironment(new ScreenEnvironment);

}  // namespace

DesktopSession::DesktopSession(XDisplay& screen, const fs::path& folder, const std::vector<std::string>& arguments,
                               const std::map<std::string, std::string>& more)
    : screen_(screen),
      trace_file_(folder / "trace.json"),
      program_((fs::remove(trace_file_), fs::remove(end_file(trace_file_)), arguments), folder, false,
               environment(screen, folder, trace_file_, more)) {}

const json& TraceFile::read(const fs::path& file) {
  struct stat now {};
  if (stat(file.c_str(), &now) != 0) return content_ = empty();
  const std::array<std::int64_t, 3> version{static_cast<std::int64_t>(now.st_ino), now.st_mtim.tv_sec,
                                            now.st_mtim.tv_nsec};
  if (version == version_) return content_;
  std::ifstream in(file);  // perhaps of a newer picture, which is then read once more
  content_ = json::parse(in);
  version_ = version;
  return content_;
}

const json& DesktopSession::trace() { return trace_.read(trace_file_); }

json DesktopSession::values() { return trace()["values"]; }

AssertionResult DesktopSession::until(const std::string& what, const std::function<bool()>& condition) {
  const auto begin = std::chrono::steady_clock::now();
  while (!condition()) {
    if (!program_.running())
      return AssertionFailure() << "the program has ended before: " << what << "\n" << program_.wait().err;
    if (std::chrono::steady_clock::now() - begin > kPatience)
      return AssertionFailure() << "never: " << what << "\n" << values().dump();
    std::this_thread::sleep_for(kGlance);
  }
  return AssertionSuccess();
}

AssertionResult DesktopSession::wait_until(const std::string& what, const std::function<bool(const json&)>& condition) {
  return until(what, [&] {
    if (!window_) window_ = screen_.window_of(process());
    const json now = values();
    return window_ && !now.empty() && condition(now);
  });
}

AssertionResult DesktopSession::soon(const std::string& what, const std::function<bool(const json&)>& condition) {
  return wait_until(what, [&](const json& now) {
    screen_.wake(window_);
    return condition(now);
  });
}

AssertionResult DesktopSession::wait_for(const std::string& key, const json& value) {
  return wait_until(key + " is " + value.dump(),
                    [&](const json& now) { return now.contains(key) && now[key] == value; });
}

AssertionResult DesktopSession::wait_for_steps(std::uint64_t more) {
  const std::uint64_t goal = step() + more;
  return wait_until("step " + std::to_string(goal), [&](const json& now) { return now["step"] >= goal; });
}

AssertionResult DesktopSession::wait_for_pictures(int count) {
  const std::uint64_t goal = values().value("frame", std::uint64_t{0}) + static_cast<std::uint64_t>(count);
  return wait_until("picture " + std::to_string(goal), [&](const json& now) { return now["frame"] >= goal; });
}

bool DesktopSession::has_widget(const std::string& name) { return trace()["items"].contains(name); }

float DesktopSession::distance(const std::string& upper, const std::string& lower) {
  const json& items = trace()["items"];
  return items.at(lower).at("y").get<float>() - items.at(upper).at("y").get<float>();
}

std::optional<Point> DesktopSession::find(const std::string& widget, float across) {
  json before;
  std::optional<Point> found;
  float scrolled_from = 0, by_a_click = 0;  // [pixel]
  const AssertionResult there = until("the widget " + widget + " lies still", [&] {
    const json now = trace();
    screen_.wake(window_);  // where nothing happens the next picture comes late
    if (!now["items"].contains(widget)) return false;
    const json& item = now["items"][widget];
    const int x = static_cast<int>(item["x"].get<float>() + across * item["width"].get<float>());
    const int y = static_cast<int>(item["y"].get<float>() + 0.5f * item["height"].get<float>());
    const bool still = !before.is_null() && before["values"]["frame"] != now["values"]["frame"] &&
                       before["items"].contains(widget) && before["items"][widget] == item;
    if (before.is_null() || before["values"]["frame"] != now["values"]["frame"]) before = now;
    if (!still) return false;
    const WindowArea area = screen_.area(window_);
    // An entry at a list's edge is visible in part: where its middle is beyond the edge, a click would close the list.
    int top = std::max(kMargin, static_cast<int>(std::ceil(item["room"][1].get<float>())));
    int bottom = std::min(area.height - kMargin, static_cast<int>(std::floor(item["room"][3].get<float>())));
    if (top >= bottom)
      top = kMargin, bottom = area.height - kMargin;  // a list that is beyond a panel's edge as a whole
    if (!item["visible"] || y < top || y >= bottom) {
      const int middle = (top + bottom) / 2;
      screen_.move_mouse({area.corner.x + x, area.corner.y + middle});
      const int wheel = y > middle ? 5 : 4;
      // One click first, which shows how far one goes; then as many as lead there, and not beyond.
      const auto at = static_cast<float>(y);
      if (scrolled_from != 0 && by_a_click == 0) by_a_click = std::abs(at - scrolled_from);
      const float way = std::abs(at - static_cast<float>(middle));
      const int clicks = by_a_click >= 1 ? std::max(1, static_cast<int>(way / by_a_click)) : 1;
      scrolled_from = at;
      for (int k = 0; k < clicks; ++k) {
        screen_.press_button(wheel, true);
        screen_.press_button(wheel, false);
      }
      // The wheel shows in the second picture after.
      const std::uint64_t goal = now["values"]["frame"].get<std::uint64_t>() + 3;
      if (!soon("the wheel has turned", [&](const json& values) { return values["frame"] >= goal; })) return false;
      before = nullptr;
      return false;
    }
    found = Point{area.corner.x + x, area.corner.y + y};
    return true;
  });
  EXPECT_TRUE(there);
  return found;
}

namespace {

bool same_place(const json& now, const json& before, const std::string& widget) {
  if (!now.contains(widget)) return false;
  for (const char* side : {"x", "y", "width", "height"})
    if (now[widget][side] != before[widget][side]) return false;
  return true;
}

}  // namespace

std::optional<Point> DesktopSession::aim_at(const std::string& widget, float across) {
  std::optional<Point> at;
  const AssertionResult aimed = until("the mouse is on the widget " + widget, [&] {
    at = find(widget, across);
    if (!at) return true;
    screen_.move_mouse(*at);
    // The program gets events in their order: once it sees the mouse there, it has seen the wheel's turns too.
    const json before = trace()["items"];
    if (!before.contains(widget)) return false;
    const AssertionResult seen = until("the program sees the mouse on " + widget, [&] {
      const json now = trace()["items"];
      return !same_place(now, before, widget) || now[widget]["mouse"];
    });
    return bool(seen) && same_place(trace()["items"], before, widget);
  });
  EXPECT_TRUE(aimed);
  return at;
}

AssertionResult DesktopSession::click(const std::string& widget, float across) {
  if (!aim_at(widget, across)) return AssertionFailure() << "no widget " << widget;
  screen_.click();
  // A hand is slower than pictures. Two clicks between two pictures would count as one, at the place of the second.
  return wait_for_pictures(2);
}

AssertionResult DesktopSession::click_to_end(const std::string& widget) {
  if (!aim_at(widget)) return AssertionFailure() << "no widget " << widget;
  screen_.click();
  return AssertionSuccess();
}

AssertionResult DesktopSession::flick(const std::string& widget) {
  const std::optional<Point> at = aim_at(widget);
  if (!at) return AssertionFailure() << "no widget " << widget;
  screen_.click();
  screen_.move_mouse({at->x, at->y - 200});
  return wait_for_pictures(2);
}

AssertionResult DesktopSession::rest_on(const std::string& widget) {
  if (!aim_at(widget)) return AssertionFailure() << "no widget " << widget;
  return wait_for_pictures(2);
}

AssertionResult DesktopSession::slide(const std::string& widget, int pixels) {
  const std::optional<Point> at = aim_at(widget);
  if (!at) return AssertionFailure() << "no widget " << widget;
  if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
  screen_.press_button(1, true);
  for (int part = 1; part <= 4; ++part) {
    if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
    screen_.move_mouse({at->x + part * pixels / 4, at->y});
  }
  if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
  screen_.press_button(1, false);
  return wait_for_pictures(2);
}

AssertionResult DesktopSession::choose(const std::string& list, const std::string& entry) {
  if (const AssertionResult opened = click(list); !opened) return opened;
  return click(list + "." + entry);
}

AssertionResult DesktopSession::look_through(const std::string& list) {
  if (const AssertionResult opened = click(list); !opened) return opened;
  const auto entries = [&](const json& items) {
    std::set<std::string> names;
    for (const auto& [name, item] : items.items())
      if (name.starts_with(list + ".")) names.insert(name);
    return names;
  };
  const auto is_open = [&](const json&) { return !entries(widgets()).empty(); };
  if (const AssertionResult open = soon("the list " + list + " is open", is_open); !open) return open;
  std::set<std::string> left = entries(widgets());
  while (!left.empty()) {
    // Entries that the wheel passed between two pictures were not drawn. They stay in `left`.
    const std::string next = *left.begin();
    if (const AssertionResult seen = rest_on(next); !seen) return seen;
    const json now = widgets();
    std::erase_if(left,
                  [&](const std::string& name) { return now.contains(name) && now[name]["visible"].get<bool>(); });
    if (left.contains(next)) return AssertionFailure() << "the list " << list << " does not stay at " << next;
  }
  if (const AssertionResult pressed = press("Escape"); !pressed) return pressed;
  return soon("the list " + list + " is closed", [&](const json& now) { return !is_open(now); });
}

AssertionResult DesktopSession::press(const std::string& key) {
  if (!screen_.has_focus(window_)) {
    screen_.activate(window_);
    if (const AssertionResult focused =
            until("the window has the keyboard", [&] { return screen_.has_focus(window_); });
        !focused)
      return focused;
  }
  screen_.press_key(key);
  return AssertionSuccess();
}

AssertionResult DesktopSession::type(const std::string& field, const std::string& text) {
  if (const AssertionResult clicked = click(field); !clicked) return clicked;
  return type_on(text);
}

AssertionResult DesktopSession::type_on(const std::string& text) {
  const auto types = [](const json& now) { return now.value("typing", false); };
  if (const AssertionResult ready = soon("a field takes the keys", types); !ready) return ready;
  for (const char c : text) {
    const std::string key = c == '.'   ? "period"
                            : c == ',' ? "comma"
                            : c == '-' ? "minus"
                            : c == '/' ? "slash"
                                       : std::string(1, c);
    if (const AssertionResult pressed = press(key); !pressed) return pressed;
    if (const AssertionResult drawn = wait_for_pictures(1); !drawn) return drawn;
  }
  return wait_for_pictures(2);
}

Point DesktopSession::in_viewport(float x, float y) {
  const json area = values()["viewport"];
  const Point corner = screen_.area(window_).corner;
  return {corner.x + static_cast<int>(area[0].get<float>() + x * area[2].get<float>()),
          corner.y + static_cast<int>(area[1].get<float>() + y * area[3].get<float>())};
}

AssertionResult DesktopSession::drag(float from_x, float from_y, float to_x, float to_y) {
  screen_.move_mouse(in_viewport(from_x, from_y));
  if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
  screen_.press_button(1, true);
  for (const float part : {0.25f, 0.5f, 0.75f, 1.0f}) {
    if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
    screen_.move_mouse(in_viewport(from_x + part * (to_x - from_x), from_y + part * (to_y - from_y)));
  }
  if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
  screen_.press_button(1, false);
  return wait_for_pictures(2);
}

AssertionResult DesktopSession::press_at(const json& place, int button) {
  if (!place.is_array()) return AssertionFailure() << "no such place in the picture";
  const Point corner = screen_.area(window_).corner;
  mouse_ = {corner.x + static_cast<int>(std::lround(place[0].get<float>())),
            corner.y + static_cast<int>(std::lround(place[1].get<float>()))};
  screen_.move_mouse(mouse_);
  if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
  screen_.press_button(button, true);
  return wait_for_pictures(2);
}

AssertionResult DesktopSession::carry(int right, int down) {
  const Point from = mouse_;
  for (int part = 1; part <= 4; ++part) {
    mouse_ = {from.x + part * right / 4, from.y + part * down / 4};
    screen_.move_mouse(mouse_);
    if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
  }
  return AssertionSuccess();
}

AssertionResult DesktopSession::let_go(int button) {
  screen_.press_button(button, false);
  return wait_for_pictures(2);
}

AssertionResult DesktopSession::click_at(const json& place) {
  if (const AssertionResult pressed = press_at(place); !pressed) return pressed;
  return let_go();
}

AssertionResult DesktopSession::turn_wheel(int clicks) {
  screen_.move_mouse(in_viewport(0.5f, 0.5f));
  if (const AssertionResult drawn = wait_for_pictures(2); !drawn) return drawn;
  for (int i = 0; i < std::abs(clicks); ++i) {
    screen_.press_button(clicks > 0 ? 4 : 5, true);
    screen_.press_button(clicks > 0 ? 4 : 5, false);
  }
  return wait_for_pictures(2);
}

render::Image DesktopSession::picture() { return screen_.picture(window_); }

void DesktopSession::write_picture(const std::string& name) {
  const char* folder = std::getenv("RIFFLE_WRITE_PICTURES");
  if (!folder) return;
  const render::Image image = picture();
  render::write_png(std::string(folder) + "/" + name + ".png", image.width, image.height, image.rgb);
}

Outcome DesktopSession::close() {
  const auto asks = [&](const char* question) { return values().value(question, false); };
  const auto asked = [&] { return asks("asks_about_changes") || asks("asks_about_unsaved_run"); };
  // The answer to a question that still stands may be on its way. Without it, the question would be taken for the one about
  // this close.
  for (int k = 0; k < 60 && asked() && program_.running(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  screen_.close(window_);
  EXPECT_TRUE(until("it ends or asks", [&] { return asked() || !program_.running(); }) || !program_.running());
  if (program_.running() && asks("asks_about_changes")) {
    EXPECT_TRUE(click_to_end("unsaved.discard"));
    until("it ends or asks about the run", [&] { return asks("asks_about_unsaved_run") || !program_.running(); });
  }
  if (program_.running() && asks("asks_about_unsaved_run")) {
    EXPECT_TRUE(click_to_end("unsaved_run.close"));
  }
  return program_.wait();
}

std::optional<int> DesktopSession::own_exit_code() const {
  std::ifstream in(end_file(trace_file_));
  int code = 0;
  return in >> code ? std::optional(code) : std::nullopt;
}

XDisplay& InterfaceTest::screen() { return *the_screen(); }

void InterfaceTest::SetUpTestSuite() {
  if (!the_screen()) the_screen() = XDisplay::start(&why_no_screen());
}

void InterfaceTest::SetUp() {
  if (!the_screen()) {
    if (required()) FAIL() << why_no_screen();
    GTEST_SKIP() << "THE WINDOW IS NOT TESTED: " << why_no_screen();
  }
  std::string name = (fs::temp_directory_path() / "riffle-window-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  folder_ = name;
  write("scenes/drop.yaml", kDrop);
  write("scenes/pool.yaml", kPool);
  write("config/riffle/settings.json", kSettings);
}

void InterfaceTest::TearDown() {
  if (!judged_) session().running() ? close() : expect_end(0);  // a crash after the last wait is one, too
  session_.reset();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

fs::path InterfaceTest::write(const std::string& name, const std::string& text) {
  const fs::path file = folder_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

std::string InterfaceTest::read(const std::string& name) {
  std::ifstream in(folder_ / name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void InterfaceTest::start(const std::vector<std::string>& arguments) {
  ASSERT_TRUE(judged_) << "close the session before it first";
  session_.emplace(screen(), folder_, arguments, more_environment());
  judged_ = false;
}

void InterfaceTest::open(const std::vector<std::string>& arguments) {
  ASSERT_NO_FATAL_FAILURE(start(arguments));
  ASSERT_TRUE(session().wait_for("loaded", true));
  ASSERT_TRUE(session().wait_until("particles are drawn", [](const json& now) { return now.contains("drawn_step"); }));
}

std::map<std::string, std::string> InterfaceTest::program_environment() {
  return environment(screen(), folder_, folder_ / "trace.json");
}

void InterfaceTest::close() {
  EXPECT_EQ(session().values().value("gl_errors", 0), 0);
  judge(session().close(), 0);
}

void InterfaceTest::expect_end(int exit_code) { judge(session().wait(), exit_code); }

void InterfaceTest::judge(const Outcome& outcome, int exit_code) {
  judged_ = true;
  const End end = judge_end(outcome, session().own_exit_code(), exit_code);
  EXPECT_EQ(end.fault, "") << outcome.err;
  if (!end.leaks_unknown) return;
  std::printf("LEAKS WERE NOT LOOKED FOR: LeakSanitizer itself failed after the program had ended.\n%s\n",
              outcome.err.c_str());
  EXPECT_LE(++leak_checks_lost(), kLeakChecksLost) << "LeakSanitizer fails so often that it checks nothing";
}

}  // namespace riffle::test
