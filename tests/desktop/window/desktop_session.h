#pragma once
/// The program with its window open, and a user in front of it.

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "support/program.h"
#include "x_display.h"

namespace riffle::test {

/// Nothing here waits for a time: only for a condition, and with long limits for slow machines.
constexpr auto kPatience = std::chrono::seconds(100);

/// Reads the report as often as it changes, and not at every glance: it has some hundred widgets.
class TraceFile {
 public:
  const nlohmann::json& read(const std::filesystem::path& file);

 private:
  nlohmann::json content_ = empty();
  std::array<std::int64_t, 3> version_{};  ///< of the file: its number and when it was written

  static nlohmann::json empty() { return {{"items", nlohmann::json::object()}, {"values", nlohmann::json::object()}}; }
};

class DesktopSession {
 public:
  /// @param folder  where the program runs: it looks in ./scenes and keeps its settings in ./config
  /// @param more of its environment
  DesktopSession(XDisplay& screen, const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& more = {});

  /// The program's latest report about itself (app/desktop/widgets/interface_trace.h).
  nlohmann::json values();
  std::uint64_t step() { return values().value("step", std::uint64_t{0}); }

  /// Waits until it is true of the values, the program has ended, or the time limit has passed.
  ::testing::AssertionResult wait_until(const std::string& what,
                                        const std::function<bool(const nlohmann::json&)>& condition);
  ::testing::AssertionResult wait_for(const std::string& key, const nlohmann::json& value);
  ::testing::AssertionResult wait_for_steps(std::uint64_t more);  ///< beyond the present count

  /// Waits until this many pictures have been drawn; the screen then shows all earlier requests.
  ::testing::AssertionResult wait_for_pictures(int count);

  // Actions by mouse and keyboard. Each waits until the widget exists and stays in place.
  ::testing::AssertionResult click(const std::string& widget, float across = 0.5f);  ///< 0: its left edge, 1: the right
  ::testing::AssertionResult click_to_end(const std::string& widget);                ///< a widget that ends the program
  ::testing::AssertionResult flick(const std::string& widget);    ///< clicks, and is elsewhere before the next picture
  ::testing::AssertionResult rest_on(const std::string& widget);  ///< moves the mouse there
  ::testing::AssertionResult slide(const std::string& widget, int pixels);  ///< grabs it and moves to the right
  ::testing::AssertionResult choose(const std::string& list, const std::string& entry);  ///< an entry of a drop-down
  /// Opens a drop-down, has each of its entries drawn, and closes it with Esc.
  ::testing::AssertionResult look_through(const std::string& list);
  ::testing::AssertionResult press(const std::string& key);
  /// Digits, small letters, points, commas, slashes and a minus, one key after the other, without Enter.
  ::testing::AssertionResult type(const std::string& field, const std::string& text);
  ::testing::AssertionResult type_on(const std::string& text);  ///< into the field that has the keyboard
  ::testing::AssertionResult drag(float from_x, float from_y, float to_x, float to_y);  ///< 0..1 of the viewport
  /// The parts of a drag. Places are pixels of the window, as the report has them: [x, y].
  ::testing::AssertionResult press_at(const nlohmann::json& place, int button = 1);
  ::testing::AssertionResult carry(int right, int down);  ///< [pixel] from where the mouse is now, with its button down
  ::testing::AssertionResult let_go(int button = 1);
  ::testing::AssertionResult click_at(const nlohmann::json& place);
  void hold_key(const std::string& key, bool down) { screen_.hold_key(key, down); }
  ::testing::AssertionResult turn_wheel(int clicks);  ///< over the viewport's middle; positive: up

  bool has_widget(const std::string& name);              ///< in the last picture
  nlohmann::json widgets() { return trace()["items"]; }  ///< of the last picture
  nlohmann::json widget(const std::string& name) { return trace()["items"].value(name, nlohmann::json()); }
  float distance(const std::string& upper, const std::string& lower);  ///< [pixel] between the tops of two widgets
  XWindow window() const { return window_; }
  pid_t process() const { return program_.process(); }
  render::Image picture();
  void write_picture(
      const std::string& name);  ///< into the folder RIFFLE_WRITE_PICTURES, if that is set, as <name>.png

  void send(int signal) { program_.send(signal); }
  bool running() { return program_.running(); }
  Outcome close();  ///< as the window's close button does; changes and a run that are not saved are lost
  Outcome wait() { return program_.wait(); }
  /// The code with which the program itself ended, whatever a sanitizer did after it. Nothing if it did not come so far.
  std::optional<int> own_exit_code() const;

 private:
  const nlohmann::json& trace();                                                ///< the newest
  std::optional<Point> find(const std::string& widget, float across = 0.5f);    ///< on the screen, at half its height
  std::optional<Point> aim_at(const std::string& widget, float across = 0.5f);  ///< moves the mouse there
  Point in_viewport(float x, float y);
  ::testing::AssertionResult until(const std::string& what, const std::function<bool()>& condition);
  /// Where nothing happens pictures come late: here the program gets events until it is so.
  ::testing::AssertionResult soon(const std::string& what, const std::function<bool(const nlohmann::json&)>& condition);

  XDisplay& screen_;
  std::filesystem::path trace_file_;
  TraceFile trace_;
  Point mouse_;  ///< where press_at() and carry() have left it
  Program program_;
  XWindow window_ = 0;
};

/// A screen, a folder with scenes, and at most one session, which must end without a complaint from OpenGL or a
/// sanitizer.
class InterfaceTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  void SetUp() override;
  void TearDown() override;

  /// Starts the program. Its end is judged, at the latest when the test is over.
  void start(const std::vector<std::string>& arguments);
  /// Starts the program and waits for its scene.
  void open(const std::vector<std::string>& arguments = {"scenes/drop.yaml", "--device", "cpu"});
  DesktopSession& session() { return *session_; }
  std::map<std::string, std::string> program_environment();  ///< the environment in which open() starts the program
  void close();                                              ///< and checks how it ended
  void expect_end(int exit_code);                            ///< waits for it, without closing the window

  /// Environment variables of the program, besides those that all cases need.
  virtual std::map<std::string, std::string> more_environment() { return {}; }

  std::filesystem::path write(const std::string& name, const std::string& text);
  std::string read(const std::string& name);  ///< a file of folder_

  static XDisplay& screen();
  std::filesystem::path folder_;
  std::optional<DesktopSession> session_;

 private:
  void judge(const Outcome& outcome, int exit_code);
  bool judged_ = true;  ///< the end of the session
};

}  // namespace riffle::test
