/// The body force and the forces on faces, as scenes write them, and what is refused.

#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string forced_by(const std::string& force) {
  return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], axes: periodic}\nparticles: {spacing: 0.05}\nbodies:\n"
         "  - box: {min: [0, 0], max: [2, 1]}\ngravity: [0, 0]\ntime: {end: 1}\nbody_force: " +
         force + "\n";
}

}  // namespace

TEST(BodyForceScenes, EveryKeyIsRead) {
  const BodyForceSetup force =
      scenes::parse_scene(forced_by("{acceleration: [0.5, -1], across: x, profile: sine, waves: 3}"), "s.yaml")
          .simulation.body_force;
  EXPECT_TRUE(force.given);
  EXPECT_EQ(force.acceleration, (Vec3{0.5f, -1, 0}));
  EXPECT_EQ(force.across, 0);
  EXPECT_EQ(force.profile, ForceProfile::Sine);
  EXPECT_EQ(force.waves, 3);
  const BodyForceSetup usual = scenes::parse_scene(forced_by("{acceleration: [1, 0]}"), "s.yaml").simulation.body_force;
  EXPECT_EQ(usual.across, 1);
  EXPECT_EQ(usual.profile, ForceProfile::Halves);
  EXPECT_EQ(usual.waves, 1);
  EXPECT_FALSE(scenes::parse_scene(forced_by("none"), "s.yaml").simulation.body_force.given);
}

TEST(BodyForceScenes, AreWrittenAsTheyAreRead) {
  for (const std::string text : {"none", "{acceleration: [1, 0]}", "{acceleration: [0, 2], across: x, waves: 2}"}) {
    const scenes::Scene scene = scenes::parse_scene(forced_by(text), "s.yaml");
    expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "s.yaml"), scene);
  }
}

TEST(BodyForceScenes, WhatCannotBeIsRefused) {
  EXPECT_EQ(complaint(forced_by("{acceleration: [1, 0]}")), "");
  EXPECT_TRUE(contains(complaint(forced_by("{acceleration: [1, 0], across: z}")),
                       "body_force.across: found z; allowed in 2-D: x or y"));
  EXPECT_TRUE(contains(complaint(forced_by("{acceleration: [0, 0]}")),
                       "body_force.acceleration: is 0 along every axis; allowed: a force, or no body_force"));
  EXPECT_TRUE(contains(complaint(forced_by("{acceleration: [0, 0, 1]}")), "body_force.acceleration: is 0"))
      << "in 2-D the third number does not count";
  EXPECT_TRUE(contains(complaint(forced_by("{acceleration: [1, 0], waves: 0}")), "body_force.waves"));
  EXPECT_TRUE(contains(complaint(forced_by("{acceleration: [1, 0], profile: square}")), "halves"));
  EXPECT_TRUE(contains(complaint(forced_by("{across: y}")), "acceleration"));
  EXPECT_TRUE(contains(complaint(forced_by("{acceleration: [1000000, 1000000]}")),
                       "body_force: makes an apparent gravity of up to 1.41e+06 m/s^2"));
}

TEST(BodyForceScenes, OtherWordsForItLeadToTheKey) {
  EXPECT_TRUE(contains(complaint(forced_by("none") + "forcing: {acceleration: [1, 0]}\n"), "'body_force'"));
}

TEST(FaceForceScenes, NeedWallsAndNamesOfTheirOwn) {
  const auto tank = [](const std::string& domain, const std::string& rest = "") {
    return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], " + domain +
           "}\nparticles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0], max: [2, 0.5]}\ntime: {end: 1}\n" + rest;
  };
  EXPECT_FALSE(scenes::parse_scene(tank("axes: walled"), "s.yaml").simulation.face_forces);
  EXPECT_TRUE(scenes::parse_scene(tank("face_forces: true"), "s.yaml").simulation.face_forces);
  const scenes::Scene scene = scenes::parse_scene(tank("face_forces: true"), "s.yaml");
  expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "s.yaml"), scene);
  EXPECT_TRUE(contains(complaint(tank("axes: periodic, face_forces: true", "gravity: [0, 0]\n")),
                       "domain.face_forces: is true, but no face is walled"));
  const std::string ball = "    sphere: {center: [1, 0.7], radius: 0.1}\n";
  EXPECT_TRUE(contains(complaint(tank("face_forces: true", "solids:\n  - name: face_y_min\n" + ball)),
                       "solids[0].name: found 'face_y_min', which is the name of a face"));
  EXPECT_EQ(complaint(tank("axes: walled", "solids:\n  - name: face_y_min\n" + ball)), "");
}

}  // namespace riffle
