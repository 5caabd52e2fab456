// A request comes while a number is being typed: the number is finished first.

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;

constexpr int kLabelledQ = 24, kLabelledS = 39, kLabelledZ = 52;

class Typing : public InterfaceTest {
 protected:
  void SetUp() override {
    InterfaceTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    write("scenes/soup.yaml",
          "domain: {min: [0, 0, 0], max: [4, 4, 4], axes: periodic}\n"
          "gravity: [0, 0, 0]\n"
          "particles: {number_density: 3}\n"
          "bodies:\n  - box: {min: [0, 0, 0], max: [4, 4, 4]}\n"
          "solver: {type: dpd}\n"
          "time: {step: 0.01, end: 1e5}\n");
    open({"scenes/soup.yaml", "--device", "cpu"});
    ASSERT_TRUE(session().click("section.physics"));
    ASSERT_TRUE(session().click("keys.solver"));
  }
  /// The keys arrive as fast as the screen takes them, perhaps all within one picture.
  void type_fast(const std::string& last) {
    ASSERT_TRUE(session().type("key.solver.temperature", "0."));
    for (const char c : last) screen().press_key(std::string(1, c));
  }
  ::testing::AssertionResult saved(const std::string& words) {
    return session().wait_until("the file has " + words, [&](const json&) {
      return std::filesystem::exists(folder_ / "scenes/soup-edited.yaml") &&
             read("scenes/soup-edited.yaml").find(words) != std::string::npos;
    });
  }
};

TEST_F(Typing, ClosingTheWindowAsksAboutTheNumber) {
  type_fast("25");
  screen().close(session().window());
  ASSERT_TRUE(session().wait_for("asks_about_changes", true));
  ASSERT_TRUE(session().wait_for("edits", 1));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("asks_about_typed_number");
  ASSERT_TRUE(session().click("unsaved.stay"));
  ASSERT_TRUE(session().wait_for("asks_about_changes", false));

  type_fast("75");
  screen().press_with_control(kLabelledQ);
  ASSERT_TRUE(session().wait_for("asks_about_changes", true));
  ASSERT_TRUE(session().wait_for("edits", 2));
  ASSERT_TRUE(session().click("unsaved.save"));
  ASSERT_TRUE(session().click_to_end("save_scene.do"));
  expect_end(0);
  EXPECT_NE(read("scenes/soup-edited.yaml").find("solver.temperature: 0.75"), std::string::npos)
      << read("scenes/soup-edited.yaml");
}

TEST_F(Typing, ControlSSavesTheNumber) {
  type_fast("25");
  screen().press_with_control(kLabelledS);
  ASSERT_TRUE(session().click("save_scene.do"));
  EXPECT_TRUE(saved("solver.temperature: 0.25"));
}

TEST_F(Typing, ANumberThatIsRefusedIsSeenBeforeAnythingElseIsDone) {
  ASSERT_TRUE(session().type("key.solver.temperature", "-5"));
  screen().press_with_control(kLabelledS);
  const auto refused = [](const json& now) {
    return now["edit_error"].get<std::string>().find("-5") != std::string::npos;
  };
  ASSERT_TRUE(session().wait_until("the refusal", refused));
  ASSERT_TRUE(session().wait_for("typing", false));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_FALSE(session().has_widget("save_scene.do"));

  ASSERT_TRUE(session().type("key.solver.temperature", "-6"));
  screen().close(session().window());
  ASSERT_TRUE(session().wait_until("the other refusal", [](const json& now) {
    return now["edit_error"].get<std::string>().find("-6") != std::string::npos;
  }));
  ASSERT_TRUE(session().wait_for_pictures(5));
  EXPECT_TRUE(session().running()) << "the user has to see the refusal";
  screen().press_with_control(kLabelledS);
  ASSERT_TRUE(session().click("save_scene.cancel"));
  screen().close(session().window());
  expect_end(0);
}

TEST_F(Typing, TheIntervalOfTheComparisonIsFinishedLikeANumberOfTheScene) {
  if (!session().has_widget("audit.every")) {
    ASSERT_TRUE(session().click("section.neighbors"));
  }
  ASSERT_TRUE(session().type("audit.every", "50"));
  screen().press_with_control(kLabelledS);
  ASSERT_TRUE(session().wait_until("it counts", [](const json& now) { return now["audit"]["every"] == 50; }));
  ASSERT_TRUE(session().click("save_scene.cancel"));
}

// The click and the letters wait for a picture that takes as long as a slow machine's. Its first letter started the run
// again.
TEST_F(Typing, LettersRightAfterAClickOnAFieldAreTheFields) {
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().wait_until("a step", [](const json& now) { return now["step"] > 5; }));
  const std::uint64_t step = session().step();
  const auto click_and_type = [&](const std::string& field, const std::vector<std::string>& keys) {
    ASSERT_TRUE(session().rest_on(field));
    session().send(SIGSTOP);
    screen().click();
    // The window manager looks at a click first, and passes it on. Nothing tells that it has; keys do not wait for it.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    for (const std::string& key : keys) screen().press_key(key);
    session().send(SIGCONT);
  };
  click_and_type("keys.search", {"r", "o", "p", "e", "s"});
  ASSERT_TRUE(session().wait_for("keys.search.words", "ropes"));
  EXPECT_GE(session().step(), step) << "r is the field's, and starts nothing";
  ASSERT_TRUE(session().click("keys.search.clear"));
  ASSERT_TRUE(session().wait_for("keys.search.words", ""));

  click_and_type("key.solver.temperature", {"0", "period", "2", "5", "Return"});
  ASSERT_TRUE(session().wait_for("edits", 1)) << "a number opens by the end of the click";
  EXPECT_GE(session().step(), step);
  screen().press_with_control(kLabelledS);
  ASSERT_TRUE(session().click("save_scene.do"));
  EXPECT_TRUE(saved("solver.temperature: 0.25"));
}

TEST_F(Typing, UndoStaysWithTheTextThatIsBeingTyped) {
  ASSERT_TRUE(session().type("key.solver.temperature", "0.5"));
  screen().press_with_control(kLabelledZ);
  ASSERT_TRUE(session().wait_for_pictures(5));
  EXPECT_EQ(session().values()["typing"], true);
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("typing", false));
  EXPECT_EQ(session().values()["edits"], 0);
}

}  // namespace
}  // namespace riffle::test
