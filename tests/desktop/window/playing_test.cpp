// Playing, pausing, stepping, speed, scenes and neighbour searches, by mouse and keyboard.

#include <cctype>
#include <filesystem>

#include "desktop_session.h"
#include "neighbors/method.h"

namespace riffle::test {
namespace {

using nlohmann::json;

class Playing : public InterfaceTest {};

TEST_F(Playing, ButtonsPlayPauseStepAndReset) {
  open();
  ASSERT_TRUE(session().wait_for("playing", true)) << "a scene that was opened plays";
  ASSERT_TRUE(session().wait_for_steps(5));
  EXPECT_EQ(screen().title(session().window()), "drop - Riffle");

  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const std::uint64_t paused = session().step();
  ASSERT_TRUE(session().wait_for("drawn_step", paused)) << "the last state is on the screen";
  ASSERT_TRUE(session().wait_for_pictures(5));
  EXPECT_EQ(session().step(), paused);

  for (std::uint64_t n = 1; n <= 3; ++n) {
    ASSERT_TRUE(session().click("step"));
    ASSERT_TRUE(session().wait_for("drawn_step", paused + n));
    ASSERT_TRUE(session().wait_for("step", paused + n)) << "the numbers follow their picture";
    ASSERT_TRUE(session().wait_for_pictures(3));
    EXPECT_EQ(session().step(), paused + n) << "one click is one step";
  }

  ASSERT_TRUE(session().click("reset"));
  ASSERT_TRUE(session().wait_for("drawn_step", 0));
  ASSERT_TRUE(session().wait_for("time", 0));
  EXPECT_EQ(session().values()["playing"], false);

  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for_steps(5));
}

TEST_F(Playing, StepsBackToTheMomentBefore) {
  open();
  ASSERT_TRUE(session().wait_until("moments", [](const json& now) { return now["moments"] >= 4; }));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const json end = session().values();
  ASSERT_TRUE(session().click("step_back"));
  ASSERT_TRUE(session().wait_until("it is earlier", [&](const json& now) { return now["step"] < end["step"]; }));
  const json once = session().values();
  EXPECT_GT(once["step"], 0);
  EXPECT_GE(once["moments"], end["moments"]) << "nothing is forgotten";
  ASSERT_TRUE(session().press("comma"));
  ASSERT_TRUE(session().wait_until("it is still earlier", [&](const json& now) { return now["step"] < once["step"]; }));
  for (std::uint64_t before = session().step(); before > 0; before = session().step()) {
    ASSERT_TRUE(session().press("comma"));
    ASSERT_TRUE(session().wait_until("it is earlier", [&](const json& now) { return now["step"] < before; }));
  }
  ASSERT_TRUE(session().press("comma")) << "nothing is before";
  EXPECT_EQ(session().values()["notices"], 0);
}

TEST_F(Playing, OneClickLeadsBackFromAFault) {
  open({"scenes/drop.yaml", "--device", "cpu", "--set", "time.step=1000", "--set", "time.end=1e9"});
  ASSERT_TRUE(session().wait_for("ended", true));
  ASSERT_TRUE(session().wait_until("the message", [](const json& now) { return now["notices"] == 1; }));
  EXPECT_TRUE(session().values()["warnings"].contains("unstable"));
  session().write_picture("fault");
  ASSERT_TRUE(session().click("notice.back"));
  ASSERT_TRUE(session().wait_for("ended", false));
  ASSERT_TRUE(session().wait_until("nothing is wrong", [](const json& now) {
    return now["notices"] == 0 && !now["warnings"].contains("unstable") && now["playing"] == false;
  }));
}

TEST_F(Playing, TheEndOfTheTimelineIsTheMomentAtWhichTheRunWas) {
  // Times of less than a millisecond, which the timeline's numbers round to 0.
  open({"scenes/drop.yaml", "--device", "cpu", "--set", "solver.speed_of_sound=3000"});
  ASSERT_TRUE(session().wait_for_steps(10));
  ASSERT_TRUE(session().click("play"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const std::uint64_t newest = session().step();
  ASSERT_TRUE(session().click("scrub", 0.01f));
  ASSERT_TRUE(session().wait_for("step", 0));
  ASSERT_TRUE(session().click("scrub", 0.99f));
  ASSERT_TRUE(session().wait_for("step", newest));
}

TEST_F(Playing, EscapeClosesWhatIsOpenFromTheTop) {
  write("config/riffle/settings.json",
        R"({"x": 0, "y": 20, "width": 1200, "height": 720})");  // the list of keys is long
  open();
  const auto gone = [&](const std::string& widget) {
    return session().wait_until(widget + " is gone",
                                [&, widget](const json&) { return !session().has_widget(widget); });
  };
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", true));
  ASSERT_TRUE(session().click("speed"));
  ASSERT_TRUE(session().wait_until("the list", [&](const json&) { return session().has_widget("speed.fastest"); }));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(gone("speed.fastest"));
  EXPECT_EQ(session().values()["shortcuts"], true) << "only the list was on top";
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("shortcuts", false));
  for (const auto& [button, entry] : {std::pair{"export_menu", "menu.export.picture"}, {"scene", "scene.pool"}}) {
    ASSERT_TRUE(session().click(button));
    ASSERT_TRUE(session().wait_until("it is open", [&](const json&) { return session().has_widget(entry); }));
    ASSERT_TRUE(session().press("Escape"));
    ASSERT_TRUE(gone(entry));
  }
}

TEST_F(Playing, EscapeClosesTheMessageOfAFieldBeforeAnythingElse) {
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solver"));
  ASSERT_TRUE(session().type("key.solver.artificial_viscosity", "-5"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("refused", [](const json& now) { return now["messages"].contains("refusal"); }));
  ASSERT_TRUE(session().wait_for("typing", false));
  ASSERT_TRUE(session().wait_for_pictures(2));  // the field gives the keyboard back one picture after its text
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", true));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("shortcuts", false));
  EXPECT_TRUE(session().values()["messages"].contains("refusal")) << "one thing at a time";
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("messages", json::object()));
  EXPECT_EQ(session().values()["edit_error"], "");
}

TEST_F(Playing, AClickCountsWhereItWasThoughTheMouseHasMovedOn) {
  open();
  ASSERT_TRUE(session().wait_for("playing", true));
  for (const bool playing : {false, true, false, true}) {
    ASSERT_TRUE(session().flick("play"));
    ASSERT_TRUE(session().wait_for("playing", playing));
  }
}

TEST_F(Playing, KeysDoWhatTheirListSays) {
  open();
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const std::uint64_t paused = session().step();
  ASSERT_TRUE(session().press("period"));
  ASSERT_TRUE(session().wait_for("step", paused + 1));
  ASSERT_TRUE(session().press("r"));
  ASSERT_TRUE(session().wait_for("step", 0));
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for_steps(2));

  ASSERT_TRUE(session().press("l"));
  ASSERT_TRUE(session().wait_for("legend", false));
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", true));
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", false));

  const float with_panels = session().values()["viewport"][2];
  ASSERT_TRUE(session().press("Tab"));
  ASSERT_TRUE(session().wait_for("panels", false));
  EXPECT_GT(session().values()["viewport"][2].get<float>(), with_panels + 100);
  EXPECT_FALSE(session().has_widget("play"));
  ASSERT_TRUE(session().press("Tab"));
  ASSERT_TRUE(session().wait_for("panels", true));
  EXPECT_TRUE(session().has_widget("play"));
}

/// Restores the screen's keyboard, however the test ends.
class Layout {
 public:
  Layout(XDisplay& screen, const std::string& layout) : screen_(screen), set_(screen.set_layout(layout)) {}
  ~Layout() { screen_.set_layout("us"); }
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;
  bool is_set() const { return set_; }

 private:
  XDisplay& screen_;
  bool set_;
};

TEST_F(Playing, ShortcutsGoByTheLettersOfAGermanKeyboard) {
  const Layout german(screen(), "de");
  ASSERT_TRUE(german.is_set()) << "setxkbmap, which Debian's xvfb brings along, is missing or knows no German";
  open();
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.scene"));
  ASSERT_TRUE(session().slide("key.gravity", 60));
  ASSERT_TRUE(
      session().wait_until("it is changed", [&](const json&) { return session().has_widget("reset_key.gravity"); }));
  constexpr int kLabelledZ = 29, kLabelledY = 52;  // the other way round on an American one
  screen().press_with_control(kLabelledY);
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", true)) << "keys come in order, so the other one was looked at";
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_TRUE(session().has_widget("reset_key.gravity")) << "Y undoes nothing";
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", false));
  screen().press_with_control(kLabelledZ);
  ASSERT_TRUE(
      session().wait_until("it is undone", [&](const json&) { return !session().has_widget("reset_key.gravity"); }));
}

TEST_F(Playing, SpeedIsWhatWasChosen) {
  open();
  EXPECT_EQ(session().values()["asked_speed"], 1);
  ASSERT_TRUE(session().choose("speed", "1/16 x"));
  ASSERT_TRUE(session().wait_for("asked_speed", 0.0625));
  ASSERT_TRUE(session().wait_until("it runs, and not faster than a sixteenth", [](const json& now) {
    const double speed = now["speed"];  // a busy machine stays below it
    return speed > 0 && speed < 0.08;
  }));
  ASSERT_TRUE(session().choose("speed", "fastest"));
  ASSERT_TRUE(session().wait_for("asked_speed", "fastest"));
  ASSERT_TRUE(session().wait_for_steps(20));
}

TEST_F(Playing, EveryMethodTakesOverWhileItRuns) {
  open();
  ASSERT_TRUE(session().choose("speed", "fastest"));
  std::vector<std::string> names{"auto"};
  for (const NeighborMethodInfo& info : neighbor_methods()) names.emplace_back(info.name);
  for (const std::string& name : names) {
    ASSERT_TRUE(session().choose("method", name));
    ASSERT_TRUE(session().wait_for("method", name));
    ASSERT_TRUE(session().wait_for_steps(5)) << name;
    EXPECT_EQ(session().values()["notices"], 0) << session().values().dump();
  }
}

TEST_F(Playing, ScenesAreOpenedFromTheList) {
  open();
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().wait_for_steps(3));
  ASSERT_TRUE(session().wait_until("its title",
                                   [&](const json&) { return screen().title(session().window()) == "pool - Riffle"; }));
  ASSERT_TRUE(session().choose("scene", "drop"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  ASSERT_TRUE(session().wait_for_steps(3));
}

// Dear ImGui alone breaks a line after the comma of 1,200.
TEST_F(Playing, TheListBreaksDescriptionsAtSpacesAndNotWithinNumbers) {
  open();
  ASSERT_TRUE(session().click("scene"));
  ASSERT_TRUE(session().rest_on("new channel"));
  const std::string key = "description of new channel";
  ASSERT_TRUE(session().wait_until(key, [&](const json& values) { return values.contains(key); }));
  const auto description = session().values()[key].get<std::string>();
  EXPECT_NE(description.find('\n'), description.npos) << description;
  EXPECT_NE(description.find("1,200"), description.npos) << description;
  for (std::size_t at = 0; (at = description.find(",\n", at)) != description.npos; ++at)
    EXPECT_FALSE(std::isdigit(static_cast<unsigned char>(description[at - 1]))) << description;
}

TEST_F(Playing, ANewSceneIsMadeFromTheListAndSaved) {
  open();
  ASSERT_TRUE(session().click("scene"));
  ASSERT_TRUE(session().click("new tank"));
  ASSERT_TRUE(session().wait_for("scene", "tank"));
  EXPECT_GT(session().values()["particles"], 1000);
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().wait_for("typing", true));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(
      session().wait_until("the file", [&](const json&) { return std::filesystem::exists(folder_ / "tank.yaml"); }));
  ASSERT_TRUE(session().wait_until("the question is gone",
                                   [&](const json&) { return !session().has_widget("save_scene.do"); }));
  EXPECT_EQ(session().values()["notices"], 0);
}

TEST_F(Playing, MouseMovesTheCameraAndHomeBringsItBack) {
  open();
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const json home = session().values()["camera"];
  const auto differs = [](const json& than) { return [than](const json& now) { return now["camera"] != than; }; };

  ASSERT_TRUE(session().drag(0.4f, 0.5f, 0.6f, 0.4f));
  ASSERT_TRUE(session().wait_until("the camera turns", differs(home)));
  const json turned = session().values()["camera"];
  for (const int target : {3, 4, 5}) EXPECT_EQ(turned[target], home[target]) << "a drag turns around the target";
  ASSERT_TRUE(session().turn_wheel(3));
  ASSERT_TRUE(session().wait_until("the camera comes nearer", differs(turned)));
  ASSERT_TRUE(session().press("Home"));
  ASSERT_TRUE(session().wait_for("camera", home));

  ASSERT_TRUE(session().drag(0.4f, 0.5f, 0.6f, 0.4f));
  ASSERT_TRUE(session().wait_until("the camera turns", differs(home)));
  ASSERT_TRUE(session().click("section.picture"));
  ASSERT_TRUE(session().click("home"));
  ASSERT_TRUE(session().wait_for("camera", home));
}

TEST_F(Playing, AViewThatIsKeptBelongsToTheScene) {
  open();
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  const auto place = [](json camera) {  // position and target
    camera.erase(7);
    camera.erase(6);
    return camera;
  };
  // The angle of view goes through a tangent and back.
  const auto is = [&](const json& wanted) {
    return [&, wanted](const json& now) {
      return place(now["camera"]) == place(wanted) &&
             std::abs(now["camera"][7].get<double>() - wanted[7].get<double>()) < 1e-3 * wanted[7].get<double>();
    };
  };
  const json home = session().values()["camera"];
  const auto differs = [&](const json& from) {
    return [&, from](const json& now) { return place(now["camera"]) != place(from); };
  };
  if (!session().has_widget("home")) {
    ASSERT_TRUE(session().click("section.picture"));
  }
  ASSERT_TRUE(session().drag(0.4f, 0.5f, 0.6f, 0.4f));
  ASSERT_TRUE(session().wait_until("the camera turns", differs(home)));
  const json turned = session().values()["camera"];
  EXPECT_FALSE(session().has_widget("background_auto"));
  ASSERT_TRUE(session().click("keep_view"));
  ASSERT_TRUE(session().wait_until("the studio is kept", [&](const json& now) {
    return now["background"] == "dark" && session().has_widget("background_auto");
  }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  ASSERT_TRUE(session().drag(0.4f, 0.5f, 0.5f, 0.5f));
  ASSERT_TRUE(session().wait_until("it turns again", differs(turned)));
  ASSERT_TRUE(session().press("Home"));
  ASSERT_TRUE(session().wait_until("home is the view that was kept", is(turned)))
      << session().values()["camera"].dump();
  if (!session().has_widget("undo")) {
    ASSERT_TRUE(session().click("section.physics"));
  }
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().press("Home"));
  ASSERT_TRUE(session().wait_until("undo takes it back", is(home))) << session().values()["camera"].dump();
}

TEST_F(Playing, ASceneEndsWithANoticeAndGoesOnIfItIsTold) {
  write("scenes/short.yaml",
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\ntime: {end: 0.3}\n"
        "bodies:\n  - box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}\n");
  open({"scenes/short.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().wait_for("end_note", true));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("end_note");
  EXPECT_EQ(session().values()["playing"], false);
  EXPECT_EQ(session().values()["notices"], 0);
  ASSERT_TRUE(session().click("end_note.go_on"));
  ASSERT_TRUE(session().wait_until("it goes on", [](const json& now) { return now["time"] > 0.6; }));
  EXPECT_EQ(session().values()["end_note"], false);
  ASSERT_TRUE(session().press("space"));
  ASSERT_TRUE(session().wait_for("playing", false));
  ASSERT_TRUE(session().wait_for_pictures(5));
  EXPECT_EQ(session().values()["end_note"], false) << "it is of the end, not of a later pause";
}

TEST_F(Playing, EscapeClosesTheNoteAtTheEndAfterWhatIsAboveIt) {
  open({"scenes/drop.yaml", "--device", "cpu", "--set", "time.end=0.05"});
  ASSERT_TRUE(session().wait_for("end_note", true));
  EXPECT_EQ(session().values()["time"], 0.05) << "the run ends there";
  ASSERT_TRUE(session().press("F1"));
  ASSERT_TRUE(session().wait_for("shortcuts", true));
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("shortcuts", false));
  EXPECT_EQ(session().values()["end_note"], true);
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_for("end_note", false));
  EXPECT_EQ(session().values()["at_end"], true);
}

// The mean of the neighbours would not tell.
TEST_F(Playing, TheNoteAtTheEndSaysThatParticlesHaveLostContact) {
  write("scenes/blobs.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [4, 4], axes: open}\ngravity: [0, 0]\n"
        "particles: {spacing: 0.05}\ntime: {end: 0.3}\nsolver: {speed_of_sound: 20, density: summation}\nbodies:\n"
        "  - sphere: {center: [2, 2], radius: 0.3}\n  - sphere: {center: [2.4, 2.03], radius: 0.3}\n");
  open({"scenes/blobs.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().choose("speed", "fastest"));
  ASSERT_TRUE(session().wait_for("end_note", true));
  ASSERT_TRUE(session().wait_until("the note", [&](const json&) { return session().has_widget("end_note.contact"); }));
  EXPECT_TRUE(contains(session().values()["contact"].get<std::string>(), "have lost contact with the rest"));
  session().write_picture("end_note_contact");
}

TEST_F(Playing, TheNoteAtTheEndIsBelowThatOfARecording) {
  open({"scenes/drop.yaml", "--device", "cpu", "--set", "time.end=0.05"});
  ASSERT_TRUE(session().click("record"));
  ASSERT_TRUE(session().wait_for("recording", true));
  ASSERT_TRUE(session().wait_for("end_note", true));
  ASSERT_TRUE(session().wait_until("the note is below", [](const json& now) {
    const float ends = now.value("recording_note_ends", 0.0f);
    return ends > 100 && now["end_note_begins"].get<float>() > ends;  // all its lines
  })) << session().values().dump();
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("end_note_below_recording");
}

}  // namespace
}  // namespace riffle::test
