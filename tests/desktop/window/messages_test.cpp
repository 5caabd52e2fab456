// What the window says about a field: it stands beside the field, moves nothing, and goes when it is no longer true.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "desktop_session.h"

namespace riffle::test {
namespace {

using nlohmann::json;

const char* const kRaft =
    "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: walled}\nparticles: {spacing: 0.05}\n"
    "bodies:\n  - box: {min: [0, 0], max: [1, 0.3]}\n"
    "solids:\n  - {name: raft, motion: free, density: 400, box: {min: [0.4, 0.5], max: [0.6, 0.65]}}\n"
    "time: {end: 1000}\n";

class Messages : public InterfaceTest {
 protected:
  void open_solver_keys() {
    open();
    ASSERT_TRUE(session().press("space"));  // numbers of a run would come and go meanwhile
    ASSERT_TRUE(session().wait_for("playing", false));
    ASSERT_TRUE(session().click("section.physics"));
    ASSERT_TRUE(session().click("keys.solver"));
    ASSERT_TRUE(session().wait_for_pictures(3));
  }
  /// Of all fields and headings, from the first one: the panel is scrolled to where one clicks. [pixel]
  std::map<std::string, std::pair<float, float>> places() {
    std::map<std::string, std::pair<float, float>> all;
    const json widgets = session().widgets();
    for (const auto& [name, item] : widgets.items())
      if (name.starts_with("key") || name.starts_with("section.") || name.starts_with("add."))
        all[name] = {item["x"].get<float>(),
                     std::round(item["y"].get<float>() - widgets["section.physics"]["y"].get<float>())};
    return all;
  }
  ::testing::AssertionResult refused(const std::string& words) {
    return session().wait_until("the refusal " + words, [&](const json& now) {
      return now["messages"].value("refusal", "").find(words) != std::string::npos;
    });
  }
  ::testing::AssertionResult nothing_said() { return session().wait_for("messages", json::object()); }
  void enter(const std::string& field, const std::string& text) {
    ASSERT_TRUE(session().type(field, text));
    ASSERT_TRUE(session().press("Return"));
  }
};

TEST_F(Messages, ARefusalMovesNothingAndStandsBesideItsField) {
  open_solver_keys();
  const auto before = places();
  ASSERT_GT(before.size(), 10u);
  const std::string field = "key.solver.artificial_viscosity";
  ASSERT_TRUE(before.contains(field));
  enter(field, "-5");
  ASSERT_TRUE(refused("-5"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("refused_beside");
  EXPECT_EQ(places(), before);
  const json message = session().widget("message.refusal"), at = session().widget(field);
  EXPECT_GE(message["x"], at["room"][2]) << "over the picture";
  const json picture = session().values()["viewport"];
  const float lowest = picture[1].get<float>() + picture[3].get<float>();
  EXPECT_LE(message["y"].get<float>() + message["height"].get<float>(), lowest);
  EXPECT_GE(message["y"].get<float>() + message["height"].get<float>(), std::min(at["y"].get<float>(), lowest) - 60)
      << "at the height of its field";
  // One with buttons in it, at another field.
  ASSERT_TRUE(session().choose("key.solver.type", "dpd"));
  ASSERT_TRUE(refused("would become 0.05 r_c"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(places(), before);
  // Its field is closed, and cannot be pointed at.
  ASSERT_TRUE(session().click("keys.solver"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_TRUE(session().values()["messages"].contains("refusal"));
  ASSERT_TRUE(session().click("message.refusal.close"));
  ASSERT_TRUE(nothing_said());
}

// Both are in the upper left corner of the picture.
TEST_F(Messages, ARefusalStandsBelowTheNoteOfASavedFile) {
  open_solver_keys();
  ASSERT_TRUE(session().click("save_state"));
  ASSERT_TRUE(session().type_on("run"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("the note", [&](const json&) { return session().has_widget("recording.saved"); }));
  enter("key.solver.artificial_viscosity", "-5");
  ASSERT_TRUE(refused("-5"));
  ASSERT_TRUE(session().click("keys.solver"));  // without its field it stands at the top
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("refused_below_note");
  const json message = session().widget("message.refusal");
  ASSERT_TRUE(message.is_object());
  EXPECT_GE(message["y"], session().values()["recording_note_ends"]);
}

TEST_F(Messages, ARefusalGoesWithItsCause) {
  open_solver_keys();
  const std::string field = "key.solver.artificial_viscosity";
  enter(field, "-5");
  ASSERT_TRUE(refused("-5"));
  enter(field, "0.02");
  ASSERT_TRUE(session().wait_for("edits", 1));
  ASSERT_TRUE(nothing_said()) << "another value is accepted";
  enter(field, "-6");
  ASSERT_TRUE(refused("-6"));
  enter(field, "0.02");
  ASSERT_TRUE(nothing_said()) << "the value that the field has was typed again";
  enter(field, "-7");
  ASSERT_TRUE(refused("-7"));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(nothing_said());
  EXPECT_EQ(session().values()["edits"], 1) << "the refused one alone was taken back";
  enter(field, "-8");
  ASSERT_TRUE(refused("-8"));
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(nothing_said()) << "it was about another scene";
}

// In a list "9,81" is two numbers, and in 2-D the second one would be the ignored third.
TEST_F(Messages, ADecimalCommaIsAnsweredWithThePoint) {
  open({"scenes/pool.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.scene"));
  enter("key.gravity.1", "-3,81");
  ASSERT_TRUE(refused("decimals have a point: write -3.81"));
  EXPECT_EQ(session().values()["edits"], 0);
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("section.export"));
  enter("export.particles.every", "0,25");
  ASSERT_TRUE(session().wait_until("the reason", [](const json& now) {
    return now["messages"].value("export.particles.every", "").find("write 0.25") != std::string::npos;
  }));
  enter("export.particles.every", "0.25");
  ASSERT_TRUE(session().wait_until(
      "it is gone", [](const json& now) { return !now["messages"].contains("export.particles.every"); }));
}

TEST_F(Messages, UnitsAreWholeInTheSmallestWindow) {
  open();
  screen().resize(session().window(), 640, 400);
  ASSERT_TRUE(session().wait_for("framebuffer", json{640, 400}));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().type("keys.search", "e"));
  ASSERT_TRUE(session().wait_until("many keys", [&](const json&) { return session().has_widget("key.time.end"); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("units_small");
  int units = 0;
  const json widgets = session().widgets();
  for (const auto& [name, item] : widgets.items()) {
    if (!name.starts_with("unit.")) continue;
    ++units;
    EXPECT_LE(item["x"].get<float>() + item["width"].get<float>(), item["room"][2].get<float>() + 1) << name;
  }
  EXPECT_GT(units, 20);
}

// A number that is typed next went into another field.
TEST_F(Messages, FieldsStayWhereTheyAreWhateverTheirDigits) {
  write("scenes/raft.yaml", kRaft);
  open({"scenes/raft.yaml", "--device", "cpu"});
  screen().resize(session().window(), 1280, 720);
  ASSERT_TRUE(session().wait_for("framebuffer", json{1280, 720}));
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().type("keys.search", "solids"));
  const std::string field = "key.solids[0].box.min.0";
  ASSERT_TRUE(session().wait_until("its field", [&](const json&) { return session().has_widget(field); }));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("typing", false));
  ASSERT_TRUE(session().wait_for_pictures(3));
  const auto keys = [&] {
    std::map<std::string, std::pair<float, float>> all;
    const json widgets = session().widgets();
    for (const auto& [name, item] : widgets.items())
      if (name.starts_with("key.solids[0].box")) all[name] = {item["x"].get<float>(), item["y"].get<float>()};
    // The panel may have scrolled to the field that has the keyboard.
    const auto first = all[field];
    for (auto& [name, place] : all) place.first -= first.first, place.second -= first.second;
    return all;
  };
  const auto before = keys();
  ASSERT_GT(before.size(), 4u);
  session().write_picture("few_digits");
  enter(field, "0.25123");
  ASSERT_TRUE(session().wait_for("edits", 1));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("many_digits");
  EXPECT_EQ(session().values()["edit_error"], "");
  EXPECT_EQ(keys(), before);
}

// A spin is about z. So is a hinge's axis, and a slider's lies in the plane.
TEST_F(Messages, InTwoDimensionsASpinIsOneNumberAndAJointHasAnAxisThatItCanHave) {
  write("scenes/raft.yaml", kRaft + std::string("joints:\n  - {type: hinge, solid: raft, at: [0.5, 0.6]}\n"));
  open({"scenes/raft.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().type("keys.search", "angular"));
  const std::string key = "key.solids[0].angular_velocity";
  ASSERT_TRUE(session().wait_until("its field", [&](const json&) { return session().has_widget(key + ".2"); }));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("typing", false));
  EXPECT_FALSE(session().has_widget(key + ".0") || session().has_widget(key + ".1"));
  enter(key + ".2", "2");
  ASSERT_TRUE(session().wait_for("edits", 1));
  EXPECT_EQ(session().values()["edit_error"], "");
  ASSERT_TRUE(session().rest_on("reset_scene"));
  ASSERT_TRUE(session().wait_until("what goes back", [](const json& now) {
    const std::string tip = now["tip"];
    return tip.find("raft.yaml had them when it was opened") != std::string::npos &&
           tip.find("solids[0].angular_velocity from [0, 0, 0] to [0, 0, 2") != std::string::npos;
  })) << session().values()["tip"];
  ASSERT_TRUE(session().click("keys.search.clear"));
  ASSERT_TRUE(session().type("keys.search", "joints"));
  ASSERT_TRUE(
      session().wait_until("its fields", [&](const json&) { return session().has_widget("key.joints[0].axis"); }));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("typing", false));
  EXPECT_FALSE(session().has_widget("key.joints[0].axis.0")) << "a hinge turns about z";
  enter("key.joints[0].axis.2", "0");
  ASSERT_TRUE(refused("joints[0].axis: found [0, 0, 0]; allowed: a direction"));
  EXPECT_EQ(session().values()["edits"], 1);
  ASSERT_TRUE(session().choose("key.joints[0].type", "slider"));
  ASSERT_TRUE(session().wait_until("its axis", [](const json& now) {
    return now.value("note_of_change", "").find("joints[0].axis is [1, 0, 0] now") != std::string::npos;
  }));
  EXPECT_EQ(session().values()["edit_error"], "");
  ASSERT_TRUE(session().wait_until("its fields", [&](const json&) {
    return session().has_widget("key.joints[0].axis.1") && !session().has_widget("key.joints[0].axis.2");
  })) << "a slider moves in the plane";
}

TEST_F(Messages, AFreeSolidStaysFreeWithEverySolverOfItsUnits) {
  write("scenes/raft.yaml", kRaft);
  open({"scenes/raft.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solver"));
  for (const char* solver : {"dfsph", "pbf"}) {
    ASSERT_TRUE(session().choose("key.solver.type", solver));
    ASSERT_TRUE(session().wait_for("solver", solver));
    EXPECT_EQ(session().values()["edit_error"], "");
    const int step = session().values()["step"];
    ASSERT_TRUE(session().wait_until("it steps", [&](const json& now) { return now["step"] > step; }));
  }
  ASSERT_TRUE(session().choose("key.solver.type", "dpd"));
  ASSERT_TRUE(refused("solver.type: found 'dpd', which has other units"));
  ASSERT_TRUE(session().wait_for_pictures(5));
  session().write_picture("dpd_refused");
  EXPECT_EQ(session().values()["solver"], "pbf");
}

TEST_F(Messages, ANewSceneStandsFirstAndWaits) {
  open();
  ASSERT_TRUE(session().click("scene"));
  ASSERT_TRUE(session().wait_until("the list", [&](const json&) { return session().has_widget("new tank"); }));
  ASSERT_TRUE(session().wait_for_pictures(2));
  EXPECT_GT(session().distance("new empty", "scene.drop"), 0);
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().click("new_scene"));
  ASSERT_TRUE(session().click("new.new tank"));
  ASSERT_TRUE(session().wait_for("scene", "tank"));
  ASSERT_TRUE(session().wait_for_pictures(5));
  EXPECT_EQ(session().values()["playing"], false);
  EXPECT_EQ(session().step(), 0u);
  session().write_picture("new_tank");
}

// The button of the answer was not where the one before it was.
TEST_F(Messages, AnObstacleToSavingMovesNoButton) {
  write("scenes/there.yaml", "x");
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().type_on("there.yaml"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  const json before = session().widget("save_scene.do");
  ASSERT_TRUE(session().click("save_scene.do"));
  ASSERT_TRUE(
      session().wait_until("the question", [&](const json&) { return session().has_widget("save_scene.replace"); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(session().widget("save_scene.do")["y"], before["y"]);
  ASSERT_TRUE(session().click("save_scene.cancel"));
}

}  // namespace
}  // namespace riffle::test
