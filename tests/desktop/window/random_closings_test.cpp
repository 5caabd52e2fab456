// The program is ended at random instants: by the window's button or by a signal, while it loads, runs, records or saves.

#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

class LongClosings : public InterfaceTest {
 protected:
  enum class Busy { Loading, Running, Recording, Saving };
  static constexpr const char* kBusyWords[] = {"loading", "running", "recording", "saving particles"};
  static constexpr const char* kBusyKeys[] = {"loading", "running", "recording", "saving"};

  std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

  /// Until the window is there and does that.
  void begin(Busy busy) {
    ASSERT_NO_FATAL_FAILURE(start({below(2) ? "scenes/drop.yaml" : "scenes/pool.yaml", "--device", "cpu"}));
    ASSERT_TRUE(session().wait_until("the first picture", [](const json&) { return true; }));
    if (busy == Busy::Loading) return;
    ASSERT_TRUE(session().wait_for("loaded", true));
    if (busy == Busy::Recording) {
      ASSERT_TRUE(session().click("record"));
    }
    if (busy == Busy::Saving) {
      ASSERT_TRUE(session().click("export_menu"));
      ASSERT_TRUE(session().click("menu.export.particles"));
    }
  }

  void end_at_once() {
    constexpr int kSignals[] = {0, SIGTERM, SIGINT, SIGHUP};  // 0: the button
    const int signal = kSignals[below(2) ? 0 : 1 + below(3)];
    SCOPED_TRACE(signal == 0 ? "by the button" : "by the signal " + std::to_string(signal));
    if (signal == 0)
      screen().close(session().window());
    else
      session().send(signal);
    expect_end(signal == 0 ? 0 : 128 + signal);
  }

  /// Files that are not whole have names with a point in front.
  void expect_no_partial_file() {
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
  }

  std::mt19937 random_{20261128};
};

TEST_F(LongClosings, AtRandomInstantsTheProgramEndsWellAndLeavesWholeFiles) {
  const char* const wanted = std::getenv("RIFFLE_CLOSINGS");  // make reliability: 200
  const int closings = wanted ? std::atoi(wanted) : 20;
  const bool movies = has_tool("ffmpeg");
  int count[4] = {};
  for (int k = 0; k < closings; ++k) {
    auto busy = static_cast<Busy>(below(4));
    if (busy == Busy::Recording && !movies) busy = Busy::Running;
    SCOPED_TRACE("closing " + std::to_string(k) + " while " + kBusyWords[static_cast<int>(busy)]);
    ASSERT_NO_FATAL_FAILURE(begin(busy));
    std::this_thread::sleep_for(std::chrono::milliseconds(below(700)));
    ASSERT_NO_FATAL_FAILURE(end_at_once());
    expect_no_partial_file();
    ASSERT_FALSE(HasFailure());
    ++count[static_cast<int>(busy)];
    for (const auto& entry : fs::directory_iterator(folder_))  // what was exported
      if (entry.path().extension() == ".mp4") {
        EXPECT_EQ(movie_fault(entry.path()), "");
        fs::remove(entry.path());
      }
  }
  RecordProperty("closings", closings);
  for (int k = 0; k < 4; ++k) RecordProperty(std::string("while_") + kBusyKeys[k], count[k]);
}

}  // namespace
}  // namespace riffle::test
