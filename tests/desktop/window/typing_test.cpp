// A request comes while a number is being typed: the number is finished first.

#include <filesystem>
#include <string>

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
  EXPECT_NE(read("scenes/soup-edited.yaml").find("temperature: 0.75\n"), std::string::npos) << read("scenes/soup-edited.yaml");
}

TEST_F(Typing, ControlSSavesTheNumber) {
  type_fast("25");
  screen().press_with_control(kLabelledS);
  ASSERT_TRUE(session().click("save_scene.do"));
  EXPECT_TRUE(saved("temperature: 0.25\n"));
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
