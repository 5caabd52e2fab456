// A particle that is looked at: which one a click finds, and the box with its numbers.

#include <algorithm>
#include <utility>

#include "desktop_session.h"
#include "scenes/load.h"

namespace riffle::test {
namespace {

using nlohmann::json;

constexpr int kZ = 2;

class Particles : public InterfaceTest {
 protected:
  /// A tank that is full, so that every line of sight through it meets fluid. It waits at its first step.
  void open_full_tank(const std::string& picture) {
    write("scenes/tank.yaml",
          "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
          "bodies:\n  - box: {min: [0, 0, 0], max: [1, 1, 1]}\npicture: {" +
              picture + "}\n");
    open({"scenes/tank.yaml", "--device", "cpu"});
    ASSERT_TRUE(session().click("play"));
    ASSERT_TRUE(session().wait_for("playing", false));
  }
  /// Chooses the cut z in the middle of the tank.
  void cut_z() {
    if (!session().has_widget("cut")) {  // the last window may have left the section open
      ASSERT_TRUE(session().click("section.picture"));
    }
    ASSERT_TRUE(session().wait_until("it is open", [&](const json&) { return session().has_widget("cut"); }));
    ASSERT_TRUE(session().choose("cut", "z"));
    ASSERT_TRUE(session().wait_until("the cut", [&](const json&) { return session().has_widget("cut_at"); }));
    ASSERT_TRUE(session().wait_for_pictures(3));
  }
  /// Opens the section of the picked particle.
  void open_section() {
    if (!session().has_widget("hand.size")) {
      ASSERT_TRUE(session().click("section.particle"));
    }
    ASSERT_TRUE(session().wait_until("it is open", [&](const json&) { return session().has_widget("hand.size"); }));
    ASSERT_TRUE(session().wait_for_pictures(3));
  }
  /// How far the last field of that section, and the heading below it, are from the section's own. [pixel]
  std::pair<float, float> places_below() {
    return {session().distance("section.particle", "hand.strength"), session().distance("section.particle", below_)};
  }
  static constexpr const char* below_ = "section.picture";
  void click_picture(float x, float y) {
    ASSERT_TRUE(session().drag(x, y, x, y));
    ASSERT_TRUE(session().wait_for_pictures(3));
  }
};

TEST_F(Particles, AClickOnACutFaceFindsAParticleOfThatFace) {
  for (const std::string look : {"spheres", "fluid"}) {
    open_full_tank("look: " + look);
    cut_z();
    open_section();
    const auto places = places_below();
    json last;
    for (const float x : {0.45f, 0.5f, 0.55f}) {
      click_picture(x, 0.55f);
      ASSERT_TRUE(session().wait_until("another is looked at", [&](const json& now) {
        return !now["picked"].is_null() && now["picked"] != last;
      })) << look;
      const json now = session().values();
      last = now["picked"];
      EXPECT_LE(now["picked_at"][kZ], 0.51) << look;
      EXPECT_GE(now["picked_at"][kZ], 0.4) << look;
      EXPECT_EQ(now["particle_cut_away"], false);
      EXPECT_EQ(places_below(), places) << "rows for neighbours that are cut away are there before";
    }
    session().write_picture("picked_" + look);
    ASSERT_TRUE(session().click("cut_flipped"));
    ASSERT_TRUE(session().wait_for("particle_cut_away", true)) << "it says so, as the other side is drawn now";
    EXPECT_EQ(places_below(), places);
    session().write_picture("cut_away_" + look);
    close();
  }
}

TEST_F(Particles, ACutEndsWithItsScene) {
  open_full_tank("look: spheres");
  cut_z();
  ASSERT_TRUE(session().choose("scene", "pool"));
  ASSERT_TRUE(session().wait_for("scene", "pool"));
  ASSERT_TRUE(session().choose("scene", "drop"));
  ASSERT_TRUE(session().wait_for("scene", "drop"));
  ASSERT_TRUE(session().wait_until("a picture without a cut", [&](const json&) {
    return session().has_widget("cut") && !session().has_widget("cut_at");
  }));
}

TEST_F(Particles, TheCutIsOneOfTheScene) {
  open_full_tank("look: spheres, cut: {axis: x, at: 0.25, other_side: true}");
  ASSERT_TRUE(session().click("section.physics"));  // where undo is
  if (!session().has_widget("cut")) {
    ASSERT_TRUE(session().click("section.picture"));
  }
  ASSERT_TRUE(session().wait_for("cut_plane", {0, 0.25, true}));
  ASSERT_TRUE(session().wait_for_pictures(3));
  session().write_picture("cut_of_scene");
  ASSERT_TRUE(session().choose("cut", "z"));
  ASSERT_TRUE(session().wait_for("cut_plane", {2, 0.25, true})) << "at the same part of the tank";
  ASSERT_TRUE(session().slide("cut_at", 10));
  ASSERT_TRUE(session().wait_until("it moves", [](const json& now) { return now["cut_plane"][1] > 0.3; }));
  const json moved = session().values()["cut_plane"];
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("cut_plane", {2, 0.25, true})) << "a whole movement is one change";
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_for("cut_plane", {0, 0.25, true}));
  ASSERT_TRUE(session().click("redo"));
  ASSERT_TRUE(session().click("redo"));
  ASSERT_TRUE(session().wait_for("cut_plane", moved));
  ASSERT_TRUE(session().click("legend"));
  ASSERT_TRUE(session().wait_for("legend", false));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().click("save_scene.do"));
  ASSERT_TRUE(session().wait_until("the file", [&](const json&) {
    return std::filesystem::exists(std::filesystem::path(folder_ / "scenes/tank-edited.yaml"));
  }));
  const scenes::PictureSetup saved = scenes::load_scene(folder_ / "scenes/tank-edited.yaml").picture;
  EXPECT_EQ(saved.cut.axis, 2);
  EXPECT_NEAR(saved.cut.at, moved[1].get<float>(), 1e-6f);
  EXPECT_TRUE(saved.cut.other_side);
  EXPECT_FALSE(saved.legend);
}

TEST_F(Particles, TheBackgroundIsThatOfTheScene) {
  open_full_tank("look: spheres, background: '#ffffff', box: false, legend: false");
  ASSERT_TRUE(session().click("section.physics"));
  if (!session().has_widget("background")) {
    ASSERT_TRUE(session().click("section.picture"));
  }
  ASSERT_TRUE(session().wait_until("auto", [&](const json&) { return session().has_widget("background_auto"); }));
  session().write_picture("white");
  ASSERT_TRUE(session().click("background_auto"));
  ASSERT_TRUE(session().wait_until("none", [&](const json&) { return !session().has_widget("background_auto"); }));
  ASSERT_TRUE(session().click("undo"));
  ASSERT_TRUE(session().wait_until("it is back", [&](const json&) { return session().has_widget("background_auto"); }));
  ASSERT_TRUE(session().click("background_transparent"));
  ASSERT_TRUE(session().wait_until("the key", [](const json& now) {
    return now["undo_takes"].get<std::string>().find("transparent") != std::string::npos;
  }));
  EXPECT_TRUE(session().has_widget("background_auto")) << "the window keeps the colour";
  ASSERT_TRUE(session().click("background_transparent"));
  ASSERT_TRUE(session().rest_on("cut"));
  session().write_picture("background_panel");
}

// Each key that was pressed gave the scene another colour: after "f2" of "f2e3c6" it was nearly black.
TEST_F(Particles, TypedDigitsOfAColourCountWhenTheyAreAll) {
  open_full_tank("look: spheres, background: '#ffffff', box: false, legend: false");
  ASSERT_TRUE(session().click("section.physics"));
  if (!session().has_widget("background")) {
    ASSERT_TRUE(session().click("section.picture"));
  }
  ASSERT_TRUE(session().click("background"));
  ASSERT_TRUE(session().type("background.digits", "f2e3"));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(session().values()["edits"], 0) << "half of a colour";
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_until("why it is none", [](const json& now) {
    return now.value("background.refused", "").find("found 'f2e3', allowed: six digits") != std::string::npos;
  }));
  EXPECT_EQ(session().values()["edits"], 0);
  ASSERT_TRUE(session().type("background.digits", "20c040"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(session().wait_for("edits", 1));
  session().write_picture("color_picker");
  ASSERT_TRUE(session().press("Escape"));
  ASSERT_TRUE(session().wait_until("closed", [&](const json&) { return !session().has_widget("background.digits"); }));
  ASSERT_TRUE(session().click("save_scene"));
  ASSERT_TRUE(session().click("save_scene.do"));
  ASSERT_TRUE(session().wait_until("the file", [&](const json&) {
    return std::filesystem::exists(std::filesystem::path(folder_ / "scenes/tank-edited.yaml"));
  }));
  const Vec3 saved = scenes::load_scene(folder_ / "scenes/tank-edited.yaml").picture.background.value_or(Vec3{});
  EXPECT_NEAR(saved.x, 0x20 / 255.0, 1e-3);
  EXPECT_NEAR(saved.y, 0xc0 / 255.0, 1e-3);
  EXPECT_NEAR(saved.z, 0x40 / 255.0, 1e-3);
}

TEST_F(Particles, AnEmptyPictureSaysThatTheCutHasTakenAll) {
  open_full_tank("look: spheres");
  EXPECT_EQ(session().values()["hint"], "");
  cut_z();
  ASSERT_TRUE(session().click("cut_at", 0.02f));
  ASSERT_TRUE(session().wait_until("all is cut away", [](const json& now) {
    return now["hint"].get<std::string>().starts_with("The cut plane leaves out all");
  }));
  session().write_picture("empty");
}

TEST_F(Particles, OfAFluidThatHasLeftThePictureSaysSo) {
  write("scenes/space.yaml",
        "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: open}\nparticles: {spacing: 0.1}\ngravity: [0, 0]\n"
        "bodies:\n  - box: {min: [0.2, 0.2], max: [0.8, 0.8]}\n    velocity: [50, 0]\n"
        "solver: {type: pbf}\ntime: {step: 0.001}\n");
  open({"scenes/space.yaml", "--device", "cpu"});
  ASSERT_TRUE(session().wait_until("it has left", [](const json& now) {
    return now["hint"].get<std::string>().starts_with("No particle is in view");
  }));
  session().write_picture("left");
}

TEST_F(Particles, TheBoxStandsBesideItsParticleAndClicksGoThroughIt) {
  open_full_tank("look: spheres");
  open_section();
  const auto places = places_below();
  const auto beside = [](const json& now) {
    if (!now["particle_box"].is_array() || now["picked"].is_null()) return false;
    const float left = now["particle_box"][0], top = now["particle_box"][1], x = now["particle_point"][0],
                y = now["particle_point"][1];
    const float right = left + now["particle_box"][2].get<float>(), low = top + now["particle_box"][3].get<float>();
    return x < left || x > right || y < top || y > low;
  };
  click_picture(0.5f, 0.5f);
  ASSERT_TRUE(session().wait_until("the box is beside it", beside));
  const json first = session().values();
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(places_below(), places) << "its numbers stand where dashes were";
  session().write_picture("particle_section");
  const json view = first["viewport"], box = first["particle_box"];
  const auto in_view = [&](float pixel, std::size_t axis) {
    return (pixel - view[axis].get<float>()) / view[axis + 2].get<float>();
  };
  // Where the box is near the particle, but not so near that a click would find it again: behind it is fluid.
  const auto on_box = [&](std::size_t axis) {
    constexpr float kInside = 30;  // [pixel]
    const float least = box[axis].get<float>() + kInside,
                most = box[axis].get<float>() + box[axis + 2].get<float>() - kInside;
    return std::clamp(first["particle_point"][axis].get<float>(), least, most);
  };
  click_picture(in_view(on_box(0), 0), in_view(on_box(1), 1));
  ASSERT_TRUE(session().wait_until("another particle, under the box", [&](const json& now) {
    return !now["picked"].is_null() && now["picked"] != first["picked"] && beside(now);
  }));
  ASSERT_TRUE(session().click("particle.close"));
  ASSERT_TRUE(session().wait_until("the button works", [](const json& now) { return now["picked"].is_null(); }));
  ASSERT_TRUE(session().wait_for_pictures(3));
  EXPECT_EQ(places_below(), places);
  session().write_picture("particle_section_of_none");
}

TEST_F(Particles, NoMessageOfAFieldCoversTheBox) {
  open_full_tank("look: spheres");
  ASSERT_TRUE(session().click("section.physics"));
  ASSERT_TRUE(session().click("keys.solver"));
  ASSERT_TRUE(session().type("key.solver.artificial_viscosity", "-5"));
  ASSERT_TRUE(session().press("Return"));
  ASSERT_TRUE(
      session().wait_until("the message", [&](const json&) { return session().has_widget("message.refusal"); }));
  const json view = session().values()["viewport"], said = session().widget("message.refusal");
  const float height = (said["y"].get<float>() - view[1].get<float>()) / view[3].get<float>();
  click_picture(0.55f, std::clamp(height, 0.35f, 0.65f));  // with more room on the left, where the message is
  ASSERT_TRUE(session().wait_until("they are apart", [&](const json& now) {
    if (!now["particle_box"].is_array() || !session().has_widget("message.refusal")) return false;
    const json box = now["particle_box"], room = session().widget("message.refusal")["room"];
    const float right = box[0].get<float>() + box[2].get<float>(), low = box[1].get<float>() + box[3].get<float>();
    return box[0] >= room[2] || right <= room[0] || box[1] >= room[3] || low <= room[1];
  }));
  session().write_picture("box_and_message");
}

}  // namespace
}  // namespace riffle::test
