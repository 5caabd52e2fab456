/// Gravity over time and moving tanks, as scenes write them, and what is refused.

#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string tank_scene(const std::string& domain, const std::string& rest = "") {
  return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]" + domain +
         "}\nparticles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0], max: [2, 0.5]}\ntime: {end: 1}\n" + rest;
}

std::string tank_that(const std::string& motion) { return tank_scene(", motion: {" + motion + "}"); }

std::string change_by(const std::string& change) { return tank_scene("", "gravity_change: {" + change + "}\n"); }

}  // namespace

TEST(MovingTankScenes, EveryKeyIsRead) {
  const SimulationSetup setup =
      scenes::parse_scene(
          tank_scene(", motion: {velocity: [0.5, 0], sway: {amplitude: [0.1, 0.2], period: 2, phase: 30}, rotation: "
                     "{about: [1, 0.5], swing: {angle: 4, period: 1.5}}, from: 0.1, until: 5, ramp: 3}",
                     "gravity_change: {amplitude: [1, -2], period: 0.7, phase: 90, from: 0.2, until: 9, ramp: 0.4}\n"),
          "s.yaml")
          .simulation;
  const SolidDrive& tank = setup.tank;
  EXPECT_TRUE(tank.given);
  EXPECT_EQ(tank.velocity, (Vec3{0.5f, 0, 0}));
  EXPECT_EQ(tank.sway_amplitude, (Vec3{0.1f, 0.2f, 0}));
  EXPECT_EQ(tank.sway, (Oscillation{2, 30}));
  EXPECT_TRUE(tank.rotates);
  EXPECT_EQ(tank.about, (Vec3{1, 0.5f, 0}));
  EXPECT_EQ(tank.axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(tank.swing_angle, 4);
  EXPECT_EQ(tank.swing, (Oscillation{1.5f, 0}));
  EXPECT_EQ(tank.from, 0.1f);
  EXPECT_EQ(tank.until, 5);
  EXPECT_EQ(tank.ramp, 3);
  const GravityChange& change = setup.gravity_change;
  EXPECT_EQ(change.amplitude, (Vec3{1, -2, 0}));
  EXPECT_EQ(change.oscillation, (Oscillation{0.7f, 90}));
  EXPECT_EQ(change.from, 0.2f);
  EXPECT_EQ(change.until, 9);
  EXPECT_EQ(change.ramp, 0.4f);
}

TEST(MovingTankScenes, AreStillWithoutTheKeys) {
  const SimulationSetup setup =
      scenes::parse_scene(tank_scene(", motion: none", "gravity_change: none\n"), "s.yaml").simulation;
  EXPECT_FALSE(setup.tank.given);
  EXPECT_FALSE(setup.gravity_change.given);
}

TEST(MovingTankScenes, AreWrittenAsTheyAreRead) {
  for (const std::string& text : {tank_that("sway: {amplitude: [0.1, 0], period: 2}, ramp: 1"),
                                  tank_that("rotation: {about: [1, 0], swing: {angle: 4, period: 1.5}}"),
                                  change_by("amplitude: [1, 0], period: 0.7, phase: 90, until: 3")}) {
    const scenes::Scene scene = scenes::parse_scene(text, "s.yaml");
    expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "s.yaml"), scene);
  }
}

TEST(MovingTankScenes, WhatCannotBeIsRefused) {
  EXPECT_EQ(complaint(tank_that("sway: {amplitude: [0.1, 0], period: 2}")), "");
  EXPECT_TRUE(contains(complaint(tank_that("from: 1")), "domain.motion: moves nothing"));
  EXPECT_TRUE(contains(complaint(tank_that("velocity: [1, 0], from: 2, until: 1")),
                       "domain.motion.until: found 1 s; allowed: a time after `from`, 2 s"));
  EXPECT_TRUE(contains(complaint(tank_that("wave: {height: 0.1, period: 1, depth: 0.5}")), "wave"));
  EXPECT_TRUE(
      contains(complaint(tank_scene(", axes: [periodic, walled], motion: {rotation: {about: [1, 0], rate: 1}}")),
               "domain.motion.rotation: turns a domain that is periodic along x"));
  EXPECT_EQ(complaint(tank_scene(", axes: [periodic, walled], motion: {sway: {amplitude: [0.1, 0], period: 2}}")), "");
  EXPECT_TRUE(contains(complaint(change_by("amplitude: [0, 0], period: 1")),
                       "gravity_change: has a period without an amplitude above 0"));
  EXPECT_TRUE(contains(complaint(change_by("amplitude: [1, 0], period: 0")), "gravity_change.period"));
  EXPECT_TRUE(contains(complaint(change_by("amplitude: [1, 0], period: 1, from: 3, until: 3")),
                       "gravity_change.until: found 3 s; allowed: a time after `from`, 3 s"));
  EXPECT_TRUE(contains(complaint(change_by("period: 1")), "gravity_change: has a period without an amplitude"));
  EXPECT_TRUE(contains(complaint(change_by("amplitude: [1, 0]")), "gravity_change: has an amplitude without a period"));
  EXPECT_TRUE(contains(complaint(change_by("from: 1")), "gravity_change: changes nothing"));
}

TEST(MovingTankScenes, WhatWouldTearTheFluidApartIsRefused) {
  EXPECT_TRUE(contains(complaint(tank_that("sway: {amplitude: [0.1, 0], period: 1e-20}")),
                       "domain.motion: makes an apparent gravity of up to "));
  EXPECT_TRUE(contains(complaint(tank_that("rotation: {about: [0, 0], rate: 1e5}")),
                       "domain.motion: makes an apparent gravity of up to 2.24e+10 m/s^2; allowed: up to 1e+06 m/s^2"));
  EXPECT_TRUE(contains(complaint(change_by("amplitude: [1000000, 1000000], period: 1")),
                       "gravity_change: makes an apparent gravity of up to 1.41e+06 m/s^2"));
}

TEST(MovingTankScenes, WavemakersNeedConstantGravity) {
  const std::string piston =
      "solids:\n  - box: {min: [-1, 0], max: [0, 1]}\n    motion: {wave: {height: 0.1, period: 1, depth: 0.5}}\n";
  EXPECT_TRUE(contains(complaint(tank_scene("", piston + "gravity_change: {amplitude: [1, 0], period: 1}\n")),
                       "solids[0].motion.wave: stands beside `gravity_change`"));
  EXPECT_TRUE(contains(complaint(tank_scene(", motion: {velocity: [1, 0], ramp: 1}", piston)),
                       "solids[0].motion.wave: stands beside `domain.motion`"));
}

TEST(MovingTankScenes, SuddenStartsAndStopsAreSaid) {
  const auto warned = [](const std::string& motion) {
    const scenes::Scene scene = scenes::parse_scene(tank_that(motion), "s.yaml");
    std::vector<std::string> jolts;
    for (const scenes::Warning& warning : scene.warnings)
      if (warning.kind == scenes::WarningKind::TankJolts) jolts.push_back(warning.message());
    return jolts;
  };
  ASSERT_EQ(warned("rotation: {about: [0, 0], rate: 2}, from: 0.25, until: 0.5").size(), 2u);
  const std::string start = warned("rotation: {about: [0, 0], rate: 2}, from: 0.25")[0];
  // The corner that is farthest from the axis: 2 sqrt(2^2 + 1).
  EXPECT_TRUE(contains(start, "domain.motion.from: starts the tank at once at 0.25 s, by up to 4.47 m/s")) << start;
  EXPECT_TRUE(warned("rotation: {about: [0, 0], rate: 2}, from: 0.25, ramp: 0.2").empty());
  EXPECT_TRUE(warned("rotation: {about: [0, 0], rate: 2}").empty()) << "the fluid moves with it from time 0 on";
  EXPECT_TRUE(warned("rotation: {about: [0, 0], rate: 2}, until: 2").empty()) << "after the end";
}

TEST(MovingTankScenes, OtherWordsForThemLeadToTheKey) {
  EXPECT_TRUE(
      contains(complaint(tank_scene("", "gravity_over_time: {amplitude: [1, 0], period: 1}\n")), "'gravity_change'"));
}

}  // namespace riffle
