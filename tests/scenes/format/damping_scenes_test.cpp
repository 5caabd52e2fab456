/// Damping zones, as scenes write them, and what is refused.

#include "scenes/document/edited_scene.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string damped_tank(const std::string& zones) {
  return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
         "bodies:\n  - box: {min: [0, 0], max: [2, 0.5]}\ndamping:\n" +
         zones;
}

std::string zone_with(const std::string& rest, const std::string& box = "{min: [1.5, 0], max: [2, 1]}") {
  return damped_tank("  - {box: " + box + ", " + rest + "}\n");
}

}  // namespace

TEST(DampingScenes, EveryKeyIsRead) {
  const std::vector<DampingZone> zones =
      scenes::parse_scene(damped_tank("  - {box: {min: [1.5, 0], max: [2, 1]}, strength: 7}\n"
                                      "  - {box: {min: [0, 0.8], max: [2, 1]}, strength: 0.5, towards: y_min}\n"),
                          "s.yaml")
          .simulation.damping;
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_EQ(zones[0].min, (Vec3{1.5f, 0, 0}));
  EXPECT_EQ(zones[0].max, (Vec3{2, 1, 0}));
  EXPECT_EQ(zones[0].strength, 7);
  EXPECT_EQ(zones[0].outer, BoxFace::XMax);
  EXPECT_EQ(zones[1].outer, BoxFace::YMin);
}

TEST(DampingScenes, AreWrittenAsTheyAreRead) {
  const scenes::Scene scene = scenes::parse_scene(zone_with("strength: 7, towards: x_min"), "s.yaml");
  expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "s.yaml"), scene);
}

TEST(DampingScenes, WhatCannotBeIsRefused) {
  EXPECT_EQ(complaint(zone_with("strength: 7")), "");
  EXPECT_TRUE(contains(complaint(zone_with("strength: 7, towards: z_max")),
                       "damping[0].towards: found z_max; allowed in 2-D: x_min, x_max, y_min or y_max"));
  EXPECT_TRUE(contains(complaint(zone_with("strength: 0")), "damping[0].strength"));
  EXPECT_TRUE(contains(complaint(zone_with("towards: x_max")), "strength"));
  EXPECT_TRUE(contains(complaint(zone_with("strength: 7", "{min: [2, 0], max: [1.5, 1]}")),
                       "damping[0].box: found x from 2 to 1.5 m; max.x must be above min.x"));
  EXPECT_TRUE(contains(complaint(zone_with("strength: 7", "{min: [1.5, 1], max: [2, 2]}")),
                       "damping[0].box: lies outside the domain: y from 1 to 2 m, the domain has 0 to 1 m"));
}

TEST(DampingScenes, OtherWordsForThemLeadToTheKey) {
  std::string text = zone_with("strength: 7");
  text.replace(text.find("damping:"), 8, "sponge:");
  EXPECT_TRUE(contains(complaint(text), "'damping'")) << complaint(text);
}

TEST(DampingScenes, AChangeIsTakenOverByTheRun) {
  scenes::EditedScene scene(scenes::parse_source(zone_with("strength: 7"), "s.yaml"));
  int found = 0;
  for (const auto& parameter : scene.parameters())
    if (parameter.path.starts_with("damping")) {
      EXPECT_EQ(parameter.effect, scenes::Effect::Live) << parameter.path;
      ++found;
    }
  EXPECT_EQ(found, 4);
}

TEST(DampingScenes, ZonesAreAddedCopiedAndRemoved) {
  scenes::EditedScene scene(scenes::parse_source(zone_with("strength: 7"), "s.yaml"));
  scene.add_entry("damping");
  ASSERT_EQ(scene.scene().simulation.damping.size(), 2u);
  EXPECT_EQ(scene.scene().simulation.damping[1].min, (Vec3{1.6f, 0, 0}));
  EXPECT_EQ(scene.scene().simulation.damping[1].max, (Vec3{2, 1, 0}));
  scene.copy_entry("damping[0]");
  ASSERT_EQ(scene.scene().simulation.damping.size(), 3u);
  EXPECT_EQ(scene.scene().simulation.damping[1], scene.scene().simulation.damping[0]);
  for (int k = 0; k < 3; ++k) scene.remove_entry("damping[0]");
  EXPECT_TRUE(scene.scene().simulation.damping.empty());
}

TEST(DampingScenes, InThreeDimensionsTheyReachThroughTheDepth) {
  scenes::EditedScene scene(scenes::parse_source(zone_with("strength: 7"), "s.yaml"));
  scene.set("dimension", "3");
  ASSERT_EQ(scene.scene().simulation.damping.size(), 1u);
  EXPECT_EQ(scene.scene().simulation.damping[0].min.z, scene.scene().simulation.domain.min.z);
  EXPECT_EQ(scene.scene().simulation.damping[0].max.z, scene.scene().simulation.domain.max.z);
}

}  // namespace riffle
