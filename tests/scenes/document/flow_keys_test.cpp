/// How much an inlet lets in, by one of three keys.

#include "scenes/document/flow_keys.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "scenes/document/edited_scene.h"
#include "scenes/scene_events.h"
#include "sim/openings/nozzle.h"
#include "tests/sim/meshes/example_meshes.h"

namespace riffle {
namespace {

/// Spacing 0.05, a mouth that is 0.2 m wide: four particles, 0.2 m.
scenes::EditedScene tap(const std::string& flow, const std::string& path = "s.yaml") {
  return scenes::EditedScene(
      scenes::parse_source("dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
                           "bodies:\n  - box: {min: [0, 0], max: [1, 0.2]}\n"
                           "inlets:\n  - {rectangle: {center: [0.5, 1], width: 0.2}, " +
                               flow + "}\n",
                           path));
}
const InletSetup& inlet(const scenes::EditedScene& scene) { return scene.scene().simulation.inlets[0]; }
double by(const std::string& key, const scenes::EditedScene& scene) {
  return scenes::flow_by(key, scene.scene().simulation, inlet(scene)).value_or(-1);
}

TEST(FlowKeys, SpeedAndRateTakeEachOthersPlaceInOneEdit) {
  scenes::EditedScene scene = tap("speed: 1.5");
  EXPECT_NEAR(by("rate", scene), 0.3, 1e-6);
  EXPECT_NEAR(by("speed", scene), 1.5, 1e-6);
  scene.set("inlets[0].rate", scenes::flow_number(by("rate", scene)));
  EXPECT_EQ(inlet(scene).speed, 0);
  EXPECT_FLOAT_EQ(inlet(scene).rate, 0.3f);
  EXPECT_NEAR(by("speed", scene), 1.5, 1e-6);
  EXPECT_EQ(scenes::flow_key_of(inlet(scene)), "rate");
  EXPECT_NE(scene.note_of_change("inlets[0].rate").find("takes the place of speed"), std::string::npos);
  EXPECT_EQ(scene.undo_count(), 1u);
  scene.set("inlets[0].speed", scenes::flow_number(by("speed", scene)));
  EXPECT_FALSE(scene.anything_edited()) << scene.to_yaml();
  scene.undo();
  EXPECT_FLOAT_EQ(inlet(scene).rate, 0.3f);
  scene.undo();
  EXPECT_EQ(inlet(scene).speed, 1.5f);
  EXPECT_EQ(inlet(scene).rate, 0);
}

TEST(FlowKeys, AKeyThatGoesBackToTheFileBringsTheOther) {
  for (const char* key : {"rate", "speed"}) {
    scenes::EditedScene scene = tap("speed: 1.5");
    scene.set("inlets[0].rate", "0.3");
    scene.reset(std::string("inlets[0].") + key);
    EXPECT_FALSE(scene.anything_edited()) << key;
    EXPECT_EQ(inlet(scene).speed, 1.5f);
  }
}

// As a run that was edited in the window is saved.
TEST(FlowKeys, AnEventSetsOneInPlaceOfTheOther) {
  scenes::EditedScene scene = tap("speed: 1.5");
  const scenes::SceneSource start = scene.document();
  scene.set("inlets[0].rate", "0.3");
  const scenes::SceneSource rate = scene.document();
  scene.set("inlets[0].speed", "2");
  const scenes::KeyValues there = scenes::changed_values(start, rate),
                          back = scenes::changed_values(rate, scene.document());
  EXPECT_EQ(there, (scenes::KeyValues{{"inlets[0].rate", "0.3"}}));
  EXPECT_EQ(back, (scenes::KeyValues{{"inlets[0].speed", "2"}}));
  const scenes::SceneSource run = scenes::with_changes(start, scene.document(), {{10, there}, {20, back}}, 0);
  const scenes::Scene played = scenes::build_scene(run);
  ASSERT_EQ(played.events.size(), 2u);
  EXPECT_EQ(scenes::setup_after(played, 1).inlets[0].speed, 0);
  EXPECT_FLOAT_EQ(scenes::setup_after(played, 1).inlets[0].rate, 0.3f);
  EXPECT_EQ(scenes::setup_after(played, 2).inlets[0].speed, 2);
  EXPECT_EQ(scenes::setup_after(played, 2).inlets[0].rate, 0);
}

TEST(FlowKeys, OfATableTheMeanIsTheSpeed) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "flow_keys";
  std::filesystem::create_directories(folder);
  test::write_text(folder / "flow.csv", "t,rate\n0,0.1\n1,0.3\n2,0.5\n");
  scenes::EditedScene scene = tap("speed: 1", (folder / "s.yaml").string());
  scene.set("inlets[0].table", "flow.csv");
  EXPECT_EQ(inlet(scene).speed, 0);
  EXPECT_EQ(scenes::flow_key_of(inlet(scene)), "table");
  EXPECT_NEAR(by("rate", scene), 0.3, 1e-6);
  EXPECT_NEAR(by("speed", scene), 1.5, 1e-6);
  scene.set("inlets[0].rate", "0.2");
  EXPECT_EQ(inlet(scene).file, "");
  EXPECT_THROW(scene.set("inlets[0].table", "''"), InputError) << "no flow at all";
  EXPECT_FLOAT_EQ(inlet(scene).rate, 0.2f);
  std::filesystem::remove_all(folder);
}

TEST(FlowKeys, NumbersHaveTheDigitsThatTheyNeed) {
  EXPECT_EQ(scenes::flow_number(0.3 * (1 + 1e-8)), "0.3");
  EXPECT_EQ(std::stof(scenes::flow_number(0.0031415927)), 0.0031415927f);
}

}  // namespace
}  // namespace riffle
