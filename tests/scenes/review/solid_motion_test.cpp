/// Motions of solids, as scenes write them, and what is said about them.

#include <cmath>

#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string driven_tank(const std::string& motion, const std::string& axes = "walled", const std::string& rest = "") {
  return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], axes: " + axes +
         "}\nparticles: {spacing: 0.05}\ngravity: [0, 0]\nbodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\n"
         "solids:\n  - box: {min: [1, 0.3], max: [1.2, 0.5]}\n    motion: " +
         motion + "\n" + rest + "time: {end: 1}\n";
}

SolidDrive drive_of(const std::string& motion) {
  return scenes::parse_scene(driven_tank(motion), "s.yaml").simulation.solid_regions[0].drive;
}

}  // namespace

TEST(SolidMotionScenes, EveryKeyIsRead) {
  const SolidDrive drive = drive_of(
      "{velocity: [0.1, 0.2], sway: {amplitude: [0.1, 0], period: 2, phase: 90}, rotation: {about: [1.1, 0.4], "
      "swing: {angle: 30, period: 3, phase: 10}}, from: 0.5, until: 4, ramp: 0.2}");
  EXPECT_TRUE(drive.given);
  EXPECT_EQ(drive.velocity, (Vec3{0.1f, 0.2f, 0}));
  EXPECT_EQ(drive.sway_amplitude, (Vec3{0.1f, 0, 0}));
  EXPECT_EQ(drive.sway, (Oscillation{2, 90}));
  EXPECT_TRUE(drive.rotates);
  EXPECT_EQ(drive.about, (Vec3{1.1f, 0.4f, 0}));
  EXPECT_EQ(drive.axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(drive.swing_angle, 30);
  EXPECT_EQ(drive.swing, (Oscillation{3, 10}));
  EXPECT_EQ(drive.from, 0.5f);
  EXPECT_EQ(drive.until, 4);
  EXPECT_EQ(drive.ramp, 0.2f);
  EXPECT_EQ(drive_of("{rotation: {about: [1.1, 0.4], turns: 2}}").turns, 2);
  EXPECT_EQ(drive_of("{rotation: {about: [1.1, 0.4], rate: -3}}").rate, -3);
  EXPECT_EQ(drive_of("none"), SolidDrive{});
}

TEST(SolidMotionScenes, AreWrittenAsTheyAreRead) {
  for (const char* motion :
       {"{velocity: [0.1, 0.2], ramp: 0.3}", "{sway: {amplitude: [0.1, 0], period: 2, phase: 90}, from: 0.1}",
        "{rotation: {about: [1.1, 0.4], rate: 0.2}, until: 0.7}", "{rotation: {about: [1.1, 0.4], turns: 0.1}}",
        "{rotation: {about: [1.1, 0.4], swing: {angle: 10, period: 3}}}", "none"}) {
    const scenes::Scene scene = scenes::parse_scene(driven_tank(motion), "s.yaml");
    const scenes::Scene again =
        scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "again.yaml");
    EXPECT_EQ(fields(again.simulation.solid_regions[0]), fields(scene.simulation.solid_regions[0])) << motion;
  }
}

TEST(SolidMotionReview, WhatCannotBeIsRefused) {
  EXPECT_TRUE(contains(complaint(driven_tank("{from: 1}")), "solids[0].motion: moves nothing"));
  EXPECT_TRUE(contains(complaint(driven_tank("{velocity: [0.1, 0], from: 2, until: 1}")),
                       "solids[0].motion.until: found 1 s; allowed: a time after `from`, 2 s"));
  EXPECT_TRUE(contains(complaint(driven_tank("{rotation: {about: [0, 0], rate: 1, turns: 2}}")),
                       "has both rate and turns; allowed: one of them"));
  EXPECT_TRUE(contains(complaint(driven_tank("{rotation: {about: [0, 0]}}")), "it needs rate or turns or swing"));
  EXPECT_TRUE(contains(complaint(driven_tank("{velocity: [3, 0]}")),
                       "solids[0].motion: takes the solid wholly out of the domain: at 0.3"));
  EXPECT_EQ(complaint(driven_tank("{velocity: [3, 0]}", "periodic")), "");
}

TEST(SolidMotionReview, WhereAMotionLeadsIsLookedAt) {
  EXPECT_EQ(warnings_of(driven_tank("{velocity: [0.5, 0]}")), "");
  EXPECT_TRUE(contains(warnings_of(driven_tank("{velocity: [0.9, 0]}")), "through the face x_max from 0.8"));
  EXPECT_EQ(warnings_of(driven_tank("{velocity: [0.9, 0], until: 0.5}")), "");
  const std::string post = "  - box: {min: [1.5, 0.3], max: [1.7, 0.5]}\n";
  EXPECT_TRUE(contains(warnings_of(driven_tank("{velocity: [0.5, 0]}", "walled", post)),
                       "solids[0].motion: drives the solid into solids[1], first seen at 0.6"));
  EXPECT_EQ(warnings_of(driven_tank("{velocity: [0, 0.3]}", "walled", post)), "");
  EXPECT_EQ(warnings_of(driven_tank("{rotation: {about: [1.1, 0.4], turns: 1}}", "walled", post)), "");
}

TEST(SolidMotionReview, AMeetingAcrossAPeriodicFaceIsSeen) {
  const std::string post = "  - box: {min: [0.05, 0.3], max: [0.3, 0.5]}\n";
  EXPECT_TRUE(contains(warnings_of(driven_tank("{velocity: [0.9, 0]}", "periodic", post)),
                       "solids[0].motion: drives the solid into solids[1], first seen at "));
  EXPECT_EQ(warnings_of(driven_tank("{velocity: [0.3, 0]}", "periodic", post)), "");
}

TEST(SolidMotionReview, ASolidInAHollowOneMeetsItsWall) {
  const std::string vessel =
      "  - box: {min: [0.7, 0], max: [1.5, 0.8]}\n    without: [sphere: {center: [1.1, 0.4], radius: 0.3}]\n";
  EXPECT_EQ(warnings_of(driven_tank("{velocity: [0.1, 0]}", "walled", vessel)), "");
  EXPECT_EQ(warnings_of(driven_tank("{rotation: {about: [1.1, 0.4], turns: 1}}", "walled", vessel)), "");
  EXPECT_TRUE(contains(warnings_of(driven_tank("{velocity: [0.3, 0]}", "walled", vessel)),
                       "solids[0].motion: drives the solid into solids[1], first seen at 0.6"));
  const std::string driven_vessel = vessel + "    motion: {velocity: [-0.3, 0]}\n";
  EXPECT_TRUE(contains(warnings_of(driven_tank("{rotation: {about: [1.1, 0.4], turns: 1}}", "walled", driven_vessel)),
                       "solids[0].motion: drives the solid into solids[1], first seen at 0."));
}

}  // namespace riffle
