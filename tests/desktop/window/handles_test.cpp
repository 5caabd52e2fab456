// Things of the scene are selected in the picture, and moved, turned and resized by their handles.

#include <cmath>

#include "desktop_session.h"
#include "picture_difference.h"

namespace riffle::test {
namespace {

using nlohmann::json;

const char* const kRoom =
    "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [0.3, 0.2, 1]}\n"
    "solids:\n  - {name: post, box: {min: [0.5, 0.3, 0.4], max: [0.7, 0.6, 0.6]}}\n"
    "probes:\n  - {point: [0.8, 0.7, 0.5]}\n  - {point: [0.9, 0.2, 0.9]}\n"
    "inlets:\n  - {name: tap, disc: {center: [0.2, 0.9, 0.3], radius: 0.1}, speed: 0.1}\n"
    "time: {end: 1000}\n";

class Handles : public InterfaceTest {
 protected:
  void open_room(const std::vector<std::string>& more = {}) {
    write("scenes/room.yaml", kRoom);
    std::vector<std::string> arguments{"scenes/room.yaml", "--device", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    open(arguments);
    ASSERT_TRUE(session().click("section.physics"));
  }
  json handle(const std::string& name) { return session().values()["handles"].value(name, json()); }
  ::testing::AssertionResult selected(const std::string& entry) { return session().wait_for("selected", entry); }
  ::testing::AssertionResult select(const std::string& entry) {
    if (const auto clicked = session().click("keys." + entry); !clicked) return clicked;
    return selected(entry);
  }
  ::testing::AssertionResult words(const std::string& wanted) {
    return session().wait_until("the words have " + wanted, [&](const json& now) {
      return now.value("handle_words", "").find(wanted) != std::string::npos;
    });
  }
  std::string undone() { return session().values().value("undo_takes", ""); }
  ::testing::AssertionResult at_time_0() {
    if (const auto pressed = session().press("space"); !pressed) return pressed;
    if (const auto paused = session().wait_for("playing", false); !paused) return paused;
    if (const auto pressed = session().press("r"); !pressed) return pressed;
    return session().wait_for("drawn_step", 0);
  }
};

TEST_F(Handles, ASolidIsClickedMovedByAnArrowAndOneUndoTakesItBack) {
  open_room();
  ASSERT_TRUE(select("solids[0]"));
  const json middle = handle("move");
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(selected(""));
  ASSERT_TRUE(session().click_at(middle));
  ASSERT_TRUE(selected("solids[0]"));
  EXPECT_FALSE(session().values()["can_undo"]);
  ASSERT_TRUE(session().press_at(handle("move.y")));
  ASSERT_TRUE(session().carry(0, -60));
  ASSERT_TRUE(words("box.min [0.5, 0."));
  ASSERT_TRUE(words("The scene starts again."));
  session().write_picture("handles_drag");
  EXPECT_FALSE(session().values()["can_undo"]) << "before it is let go nothing is changed";
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_for("can_undo", true));
  ASSERT_TRUE(session().wait_until("both corners are one step", [&](const json&) {
    return undone().find("solids[0].box.min from [0.5, 0.3, 0.4] to [0.5, 0.") != std::string::npos &&
           undone().find("solids[0].box.max") != std::string::npos;
  }));
  session().write_picture("handles_moved");
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("can_undo", false));
  EXPECT_EQ(session().values()["selected"], "solids[0]");
}

TEST_F(Handles, TheNameOfASolidLiesBelowADialogAndIsDimmed) {
  open_room();
  ASSERT_TRUE(at_time_0());
  ASSERT_TRUE(select("solids[0]"));
  const auto name = [&] {  // below and to the right of the middle
    const json middle = handle("move");
    EXPECT_TRUE(session().wait_for_pictures(3));
    return crop(session().picture(), middle[0].get<int>() + 18, middle[1].get<int>() + 20, 24, 10);
  };
  ASSERT_TRUE(session().rest_on("section.physics"));
  const render::Image before = name();
  constexpr int kLabelledS = 39;
  screen().press_with_control(kLabelledS);
  ASSERT_TRUE(session().wait_until("the dialog", [&](const json&) { return session().has_widget("save_scene.do"); }));
  const render::Image behind = name();
  session().write_picture("handles_dialog");
  EXPECT_GT(difference(before, behind), 5);
}

TEST_F(Handles, EscDuringADragLetsTheThingGoBack) {
  open_room();
  ASSERT_TRUE(select("solids[0]"));
  const json before = handle("move");
  ASSERT_TRUE(session().press_at(handle("move.x")));
  ASSERT_TRUE(session().carry(50, 10));
  EXPECT_NE(handle("move"), before) << "it shows the new place";
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("handle_words", ""));
  ASSERT_TRUE(session().let_go());
  EXPECT_EQ(handle("move"), before);
  EXPECT_FALSE(session().values()["can_undo"]);
  EXPECT_EQ(session().values()["selected"], "solids[0]") << "Esc let go, and no more";
}

TEST_F(Handles, WhatTheSceneRefusesGoesBackAndTheMessageSaysWhy) {
  open_room();
  ASSERT_TRUE(select("solids[0]"));
  const json before = handle("move");
  const json lower = handle("size.max y");
  ASSERT_TRUE(session().press_at(lower));
  ASSERT_TRUE(session().carry(0, 230));  // below its other face
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_until("the reason", [](const json& now) {
    return now["messages"].contains("refusal") &&
           now["messages"]["refusal"].get<std::string>().find("solids[0].box") != std::string::npos;
  }));
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("handles_refused");
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_until("it is gone", [](const json& now) { return !now["messages"].contains("refusal"); }));
  EXPECT_EQ(handle("move"), before);
  EXPECT_FALSE(session().values()["can_undo"]);
}

TEST_F(Handles, ABoxIsResizedAtAFace) {
  open_room();
  ASSERT_TRUE(select("solids[0]"));
  session().write_picture("handles_box");
  ASSERT_TRUE(session().press_at(handle("size.max y")));
  ASSERT_TRUE(session().carry(0, -40));
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_until("one key is another", [&](const json&) {
    return undone().starts_with("solids[0].box.max from [0.7, 0.6, 0.6] to [0.7, 0.") &&
           undone().find("box.min") == std::string::npos;
  })) << undone();
}

TEST_F(Handles, HiddenSolidsAreNotPicked) {
  open_room({"--set", "picture.solids=false"});
  ASSERT_TRUE(select("solids[0]"));
  const json middle = handle("move");
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(selected(""));
  ASSERT_TRUE(session().click_at(middle));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(session().values()["selected"], "");
}

TEST_F(Handles, AParticleIsLookedAtAndAtTimeZeroItsBodyIsSelectedToo) {
  open_room();
  ASSERT_TRUE(select("bodies[0]"));
  const json middle = handle("move");
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(selected(""));
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().click_at(middle));
  ASSERT_TRUE(session().wait_until("a particle", [](const json& now) { return !now["picked"].is_null(); }));
  EXPECT_EQ(session().values()["selected"], "") << "the fluid is no body any more";
  ASSERT_TRUE(at_time_0());
  ASSERT_TRUE(session().click_at(middle));
  ASSERT_TRUE(selected("bodies[0]"));
  ASSERT_TRUE(session().wait_until("a particle", [](const json& now) { return !now["picked"].is_null(); }));
  session().write_picture("handles_body");
  ASSERT_TRUE(session().press_at(handle("size.max y")));
  ASSERT_TRUE(session().carry(0, -40));
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_until("more fluid", [](const json& now) { return now["particles"] > 480; }));
}

TEST_F(Handles, AProbeIsMovedWhileTheRunGoesOn) {
  open_room();
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().wait_until("its mark", [](const json& now) { return now["probe_marks"].is_object(); }));
  ASSERT_TRUE(session().click_at(session().values()["probe_marks"]["probe_1"]));
  ASSERT_TRUE(selected("probes[0]"));
  const std::uint64_t step = session().step();
  ASSERT_TRUE(session().press_at(handle("move.x")));
  ASSERT_TRUE(session().carry(-40, -8));
  ASSERT_TRUE(words("The run goes on."));
  session().write_picture("handles_probe");
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_until(
      "the change", [&](const json&) { return undone().starts_with("probes[0].point from [0.8, 0.7, 0.5] to [0."); }));
  ASSERT_TRUE(session().wait_for_steps(3));
  EXPECT_GT(session().step(), step) << "it did not start again";
}

TEST_F(Handles, TheWordsSayThatAProbeMayNotLieInASolid) {
  write("scenes/room.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [0.3, 0.2, 1]}\n"
        "solids:\n  - {name: post, box: {min: [0.5, 0.3, 0.4], max: [0.7, 0.6, 0.6]}}\n"
        "probes:\n  - {point: [0.85, 0.45, 0.5]}\ntime: {end: 1000}\n");
  open({"scenes/room.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(select("solids[0]"));
  const json left = handle("size.min x"), right = handle("size.max x");  // 0.2 m apart
  ASSERT_TRUE(select("probes[0]"));
  const std::uint64_t step = session().step();
  ASSERT_TRUE(session().press_at(handle("move.x")));
  ASSERT_TRUE(session().carry(-5, 0));
  ASSERT_TRUE(words("The run goes on."));
  const int across = static_cast<int>(1.25 * (left[0].get<double>() - right[0].get<double>())),
            down = static_cast<int>(1.25 * (left[1].get<double>() - right[1].get<double>()));
  ASSERT_TRUE(session().carry(across, down));
  ASSERT_TRUE(words("Not allowed: probes[0]"));
  EXPECT_EQ(session().values()["handle_words"].get<std::string>().find("The run goes on."), std::string::npos);
  ASSERT_TRUE(session().wait_for_pictures(2));
  session().write_picture("handles_probe_in_solid");
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_until("the reason", [](const json& now) {
    return now["messages"].value("refusal", "").find("probes[0]") != std::string::npos;
  }));
  EXPECT_EQ(undone(), "");
  ASSERT_TRUE(session().wait_for_steps(1));
  EXPECT_GT(session().step(), step);
}

// A pyramid, whose bounds are others when it is turned.
TEST_F(Handles, AMeshIsTurnedByARingAboutItsMiddle) {
  write("scenes/pyramid.obj",
        "v 0 0 0\nv 0.3 0 0\nv 0.3 0.3 0\nv 0 0.3 0\nv 0.15 0.15 0.4\n"
        "f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n");
  write("scenes/room.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [0.3, 0.2, 1]}\n"
        "solids:\n  - {mesh: {file: pyramid.obj, rotation: [-90, 0, 0], at: [0.4, 0.3, 0.7]}}\ntime: {end: 1000}\n");
  open({"scenes/room.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(select("solids[0]"));
  const json middle = handle("move");
  ASSERT_TRUE(session().press_at(handle("turn.z")));
  ASSERT_TRUE(session().carry(-60, 40));
  ASSERT_TRUE(words("mesh.at ["));
  session().write_picture("handles_mesh");
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_until("the change", [&](const json&) {
    return undone().find("solids[0].mesh.rotation from [-90, 0, 0] to [-90, 0, ") != std::string::npos;
  })) << undone();
  ASSERT_TRUE(session().wait_for("selected", "solids[0]"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_NEAR(handle("move")[0].get<double>(), middle[0].get<double>(), 1);
  EXPECT_NEAR(handle("move")[1].get<double>(), middle[1].get<double>(), 1);
  // "to [0.5123, 0.4001, 0.7]": to a ten-thousandth, at or below a hundredth of the spacing.
  const std::string change = undone(), at = change.substr(change.find(" to ", change.find("mesh.at")));
  int digits = -1;
  for (const char c : at) {
    digits = c == '.' ? 0 : digits >= 0 && c >= '0' && c <= '9' ? digits + 1 : -1;
    EXPECT_LE(digits, 4) << change;
  }
}

TEST_F(Handles, ANozzleIsTurnedByARing) {
  open_room();
  ASSERT_TRUE(session().wait_until("its mark", [](const json& now) { return now["opening_marks"].is_object(); }));
  ASSERT_TRUE(session().click_at(session().values()["opening_marks"]["tap"]));
  ASSERT_TRUE(selected("inlets[0]"));
  session().write_picture("handles_nozzle");
  ASSERT_TRUE(session().press_at(handle("turn.z")));
  ASSERT_TRUE(session().carry(-30, 30));
  ASSERT_TRUE(words("direction ["));
  ASSERT_TRUE(session().let_go());
  ASSERT_TRUE(session().wait_until("the change", [&](const json&) {
    return undone().starts_with("inlets[0].direction from [0, -1, 0] to [");
  })) << undone();
  EXPECT_EQ(undone().find("center"), std::string::npos) << undone();
}

TEST_F(Handles, InTwoDimensionsThereAreTwoArrowsAndCtrlSnapsToWholeSpacings) {
  write("scenes/flat.yaml",
        "dimension: 2\ndomain: {min: [0.01, 0], max: [1.01, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - box: {min: [0.01, 0], max: [1.01, 0.3]}\n"
        "solids:\n  - {sphere: {center: [0.513, 0.6], radius: 0.1}}\ntime: {end: 1000}\n");
  open({"scenes/flat.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(select("solids[0]"));
  const json middle = handle("move");
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(selected(""));
  ASSERT_TRUE(session().click_at(middle));
  ASSERT_TRUE(selected("solids[0]")) << "the disc is drawn there";
  EXPECT_TRUE(handle("move.x").is_array());
  EXPECT_TRUE(handle("move.y").is_array());
  EXPECT_TRUE(handle("move.z").is_null());
  EXPECT_TRUE(handle("turn.z").is_null()) << "a disc looks the same";
  session().write_picture("handles_flat");
  session().hold_key("Control_L", true);
  const auto moved = session().press_at(handle("move.x")) && session().carry(33, 0) && session().let_go();
  session().hold_key("Control_L", false);
  ASSERT_TRUE(moved);
  ASSERT_TRUE(session().wait_until("the change", [&](const json&) {
    return undone().starts_with("solids[0].sphere.center from [0.513, 0.6] to [0.");
  })) << undone();
  const std::string to = undone().substr(undone().find("to [") + 4);
  const double x = std::stod(to), spacings = (x - 0.01) / 0.05;
  EXPECT_NEAR(spacings, std::round(spacings), 1e-4) << undone();
  EXPECT_GT(x, 0.513);
  EXPECT_NE(to.find(", 0.6]"), std::string::npos) << "the other coordinate stays as it is: " << undone();
}

// The next one then has its number.
TEST_F(Handles, ARemovedThingIsSelectedNoMore) {
  open_room();
  ASSERT_TRUE(select("probes[0]"));
  ASSERT_TRUE(session().click("remove.probes[0]"));
  ASSERT_TRUE(selected(""));
  EXPECT_TRUE(session().values()["handles"].empty());
}

class Grips : public Handles {};

// A box that lies on the floor is lifted. The fluid is behind a wall, and stays there.
TEST_F(Grips, AFreeSolidIsPulledByTheRightButtonAndLetGo) {
  write("scenes/bricks.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
        "bodies:\n  - box: {min: [0, 0], max: [0.3, 0.2]}\n"
        "solids:\n  - {box: {min: [0.3, 0], max: [0.45, 1]}}\n"
        "  - {box: {min: [0.6, 0.05], max: [0.8, 0.25]}, motion: free, density: 2000}\ntime: {end: 1000}\n");
  open({"scenes/bricks.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().wait_for_steps(50));
  ASSERT_TRUE(select("solids[1]"));
  const json middle = handle("move");
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(selected(""));
  ASSERT_TRUE(session().press_at(middle, 3));
  ASSERT_TRUE(session().wait_until("it is held", [](const json& now) { return now["held"].is_array(); }));
  const double before = session().values()["held"][1];
  ASSERT_TRUE(session().carry(0, -100));
  ASSERT_TRUE(session().wait_until("it is lifted", [&](const json& now) {
    return now["held"].is_array() && now["held"][1].get<double>() > before + 0.15;
  }));
  session().write_picture("grip");
  ASSERT_TRUE(session().let_go(3));
  ASSERT_TRUE(session().wait_until("it is let go", [](const json& now) { return now["held"].is_null(); }));
  EXPECT_FALSE(session().values()["can_undo"]);
  EXPECT_EQ(session().values()["notices"], 0);
  ASSERT_TRUE(session().press_at({middle[0].get<float>() - 150, middle[1]}, 3));  // the wall is not free
  EXPECT_TRUE(session().values()["held"].is_null());
  ASSERT_TRUE(session().let_go(3));
}

}  // namespace
}  // namespace riffle::test
