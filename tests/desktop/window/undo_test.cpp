// Runs that were left by a key or a click, and come back.

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Undo : public InterfaceTest {
 protected:
  /// Runs until a few moments are saved, and pauses.
  void run() {
    ASSERT_TRUE(session().choose("speed", "fastest"));
    ASSERT_TRUE(session().wait_until("moments", [](const json& now) { return now["moments"] >= 5; }));
    ASSERT_TRUE(session().click("play"));
    ASSERT_TRUE(session().wait_for("playing", false));
  }
  static constexpr int kLabelledZ = 52;  // on the American keyboard
};

TEST_F(Undo, StartedAgainTheRunComesBackWithItsMoments) {
  open();
  ASSERT_NO_FATAL_FAILURE(run());
  const json left = session().values();
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_for("step", 0));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const json other = session().values();
  ASSERT_LT(other["step"], left["step"]);
  screen().press_with_control(kLabelledZ);
  ASSERT_TRUE(session().wait_for("drawn_step", left["step"]));
  ASSERT_TRUE(session().wait_for("step", left["step"]));
  EXPECT_GE(session().values()["moments"], left["moments"]);
  EXPECT_LE(session().values()["moments"], left["moments"].get<int>() + 1) << "the one that was left";
  ASSERT_TRUE(session().click("scrub", 0.5f));
  ASSERT_TRUE(session().wait_until("it is an earlier moment", [&](const json& now) {
    return now["time"] < 0.7 * left["time"].get<double>() && now["time"] > 0.2 * left["time"].get<double>();
  }));
}

TEST_F(Undo, AnotherSceneAndAnotherBodyAreTakenBackWithTheirRuns) {
  open();
  ASSERT_NO_FATAL_FAILURE(run());
  const json drop = session().values();
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const json pool = session().values();
  ASSERT_TRUE(session().click("add.bodies.box"));
  ASSERT_TRUE(
      session().wait_until("more particles", [&](const json& now) { return now["particles"] > pool["particles"]; }));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("particles", pool["particles"]));
  ASSERT_TRUE(session().wait_for("step", pool["step"]));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  ASSERT_TRUE(session().wait_for("drawn_step", drop["step"]));
  EXPECT_EQ(session().values()["moments"], drop["moments"]);
  ASSERT_TRUE(session().click("redo"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().wait_for("step", pool["step"]));
  EXPECT_EQ(session().values()["notices"], 0);
}

class UndoWithoutMemory : public Undo {
 protected:
  std::map<std::string, std::string> more_environment() override { return {{"RIFFLE_KEPT_BYTES", "0"}}; }
};

TEST_F(UndoWithoutMemory, ARunThatCannotBeKeptIsAskedAbout) {
  open();
  ASSERT_NO_FATAL_FAILURE(run());
  const json left = session().values();
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_for("asks_about_run", true));
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("lost_run");
  ASSERT_TRUE(session().click("lost_run.stay"));
  ASSERT_TRUE(session().wait_for("asks_about_run", false));
  EXPECT_EQ(session().step(), left["step"]);
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().click("lost_run.leave"));
  ASSERT_TRUE(session().wait_for("step", 0));
}

TEST_F(UndoWithoutMemory, LaterMomentsThatCannotBeKeptAreAskedAbout) {
  open();
  ASSERT_NO_FATAL_FAILURE(run());
  const double end = session().values()["last_moment"];
  ASSERT_TRUE(session().click("scrub", 0.5f));
  ASSERT_TRUE(session().wait_until("an earlier moment", [&](const json& now) { return now["time"] < 0.8 * end; }));
  const json earlier = session().values();
  ASSERT_TRUE(session().wait_for("playing_on", "playing on asks first: later moments would be lost"));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("asks_about_later", true));
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("lost_later");
  ASSERT_TRUE(session().click("lost_later.stay"));
  ASSERT_TRUE(session().wait_for("asks_about_later", false));
  EXPECT_EQ(session().step(), earlier["step"]);
  EXPECT_GE(session().values()["last_moment"], end);
  ASSERT_TRUE(session().click("step"));
  ASSERT_TRUE(session().click("lost_later.go_on"));
  ASSERT_TRUE(session().wait_for("step", earlier["step"].get<int>() + 1));
  EXPECT_LT(session().values()["last_moment"], end);
}

}  // namespace
}  // namespace riffle::test
