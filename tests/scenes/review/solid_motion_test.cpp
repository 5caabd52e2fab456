/// Motions of solids, as scenes write them, and what is said about them.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "scenes/document/edited_scene.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "sim/motion/apparent_gravity.h"
#include "sim/motion/wavemaker.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"
#include "tests/support/scratch.h"

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

namespace {

std::string wave_tank(const std::string& wave, const std::string& gravity = "[0, -9.81]",
                      const std::string& beside = "") {
  return "dimension: 2\ndomain: {min: [-0.5, 0], max: [3, 1]}\nparticles: {spacing: 0.05}\ngravity: " + gravity +
         "\nbodies:\n  - box: {min: [0, 0], max: [3, 0.4]}\nsolids:\n  - box: {min: [-0.5, 0], max: [0, 1]}\n"
         "    motion: {" +
         beside + "wave: {" + wave + "}}\ntime: {end: 1}\n";
}

}  // namespace

TEST(WavemakerScenes, AreMotionsByTheirStrokes) {
  const scenes::Scene piston =
      scenes::parse_scene(wave_tank("height: 0.05, period: 1.5, depth: 0.4, direction: [-2, 0]"), "s.yaml");
  const SolidDrive drive = piston.simulation.solid_regions[0].drive;
  EXPECT_EQ(drive.wave.kind, WavemakerKind::Piston);
  EXPECT_EQ(drive.wave.height, 0.05f);
  EXPECT_EQ(drive.wave.period, 1.5f);
  EXPECT_EQ(drive.wave.depth, 0.4f);
  EXPECT_NEAR(drive.sway_amplitude.x, -0.5 * wavemaker::stroke(drive.wave, double{9.81f}), 1e-7);
  EXPECT_EQ(drive.sway, (Oscillation{1.5f, 0}));
  EXPECT_FALSE(drive.rotates);
  const scenes::Scene flap =
      scenes::parse_scene(wave_tank("kind: flap, height: 0.05, period: 1.5, depth: 0.4, hinge: [0, 0.1]"), "s.yaml");
  const SolidDrive swing = flap.simulation.solid_regions[0].drive;
  EXPECT_TRUE(swing.rotates);
  EXPECT_EQ(swing.about, (Vec3{0, 0.1f, 0}));
  EXPECT_NEAR(std::tan(swing.swing_angle * 3.14159265 / 180) * 0.4, 0.5 * wavemaker::stroke(swing.wave, double{9.81f}),
              1e-7);
  EXPECT_EQ(swing.swing, (Oscillation{1.5f, 0}));
}

TEST(WavemakerScenes, AreWrittenAsTheyAreRead) {
  for (const char* wave : {"height: 0.05, period: 1.5, depth: 0.4, direction: [-2, 0]",
                           "kind: flap, height: 0.05, period: 1.5, depth: 0.4, hinge: [0, 0]"}) {
    const scenes::Scene scene = scenes::parse_scene(wave_tank(wave), "s.yaml");
    const std::string text = scenes::to_yaml(scenes::document_of(scene), "a test");
    EXPECT_FALSE(contains(text, "sway")) << text;
    EXPECT_FALSE(contains(text, "rotation")) << text;
    const scenes::Scene again = scenes::parse_scene(text, "again.yaml");
    EXPECT_EQ(fields(again.simulation.solid_regions[0]), fields(scene.simulation.solid_regions[0])) << wave;
  }
}

TEST(WavemakerReview, ADepthThatIsNotTheWatersIsWarnedOfWithBoth) {
  EXPECT_EQ(warnings_of(wave_tank("height: 0.05, period: 1.5, depth: 0.4")), "");
  EXPECT_EQ(warnings_of(wave_tank("height: 0.05, period: 1.5, depth: 0.42")), "") << "less than a spacing";
  const std::string warned = warnings_of(wave_tank("height: 0.05, period: 1.5, depth: 0.2"));
  EXPECT_TRUE(contains(warned,
                       "solids[0].motion.wave.depth: 0.2 m is not the depth of the water at the start, 0.4 m: the "
                       "waves become about "))
      << warned;
  EXPECT_TRUE(contains(warned, " m high instead of 0.05 m")) << warned;
  const std::string stepped = "  - box: {min: [2, 0.4], max: [3, 0.7]}\n";
  std::string layered = wave_tank("height: 0.05, period: 1.5, depth: 0.4");
  layered.insert(layered.find("solids:"), stepped);
  EXPECT_TRUE(contains(warnings_of(layered), "the water at the start, 0.7 m")) << "a layer on it belongs to it";
}

namespace {

std::string standing(const std::string& flow, const std::string& axes = "walled") {
  return "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], axes: [" + axes +
         ", walled]}\nparticles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0], max: [1, 0.5]}\n"
         "    flow: {standing_wave: {speed: 0.1, center: [0, 0.5], " +
         flow + "}}\ntime: {end: 1}\n";
}

}  // namespace

TEST(StandingWaveReview, AWavelengthThatDoesNotFitTheTankIsWarnedOf) {
  for (const char* fits : {"2", "1", "0.6667", "0.5"})
    EXPECT_EQ(warnings_of(standing(std::string("depth: 0.5, wavelength: ") + fits)), "") << fits;
  const std::string warned = warnings_of(standing("depth: 0.5, wavelength: 1.4"));
  EXPECT_TRUE(contains(warned,
                       "bodies[0].flow.standing_wave.wavelength: 1.4 m does not fit into the tank along x, 1 m long, "
                       "where whole numbers of half waves stand: it holds 1.43 of them. 2 m fits"))
      << warned;
  EXPECT_EQ(warnings_of(standing("depth: 0.5, wavelength: 1", "periodic")), "");
  EXPECT_TRUE(contains(warnings_of(standing("depth: 0.5, wavelength: 2", "periodic")), "it holds 0.5 of them. 1 m"));
  EXPECT_EQ(warnings_of(standing("depth: 0.5, wavelength: 1.4", "open")), "") << "nothing closes it";
}

TEST(StandingWaveReview, ADepthThatIsNotTheWatersIsWarnedOf) {
  EXPECT_TRUE(contains(warnings_of(standing("depth: 1, wavelength: 1")),
                       "bodies[0].flow.standing_wave.depth: 1 m is not the depth of the water, 0.5 m"));
}

TEST(WavemakerReview, WhatCannotBeIsRefused) {
  const std::string wave = "height: 0.05, period: 1.5, depth: 0.4";
  EXPECT_EQ(complaint(wave_tank(wave)), "");
  for (const char* gravity : {"[0, 0]", "[0, 9.81]", "[1, -9.81]"})
    EXPECT_TRUE(contains(complaint(wave_tank(wave, gravity)), "solids[0].motion.wave: found a gravity of")) << gravity;
  EXPECT_TRUE(contains(complaint(wave_tank(wave, "[0, -9.81]", "sway: {amplitude: [0.1, 0], period: 1}, ")),
                       "solids[0].motion.wave: stands beside `sway`"));
  EXPECT_TRUE(contains(complaint(wave_tank(wave, "[0, -9.81]", "rotation: {about: [0, 0], rate: 1}, ")),
                       "solids[0].motion.wave: stands beside `rotation`"));
  EXPECT_EQ(complaint(wave_tank(wave, "[0, -9.81]", "velocity: [0.01, 0], ")), "");
  EXPECT_TRUE(contains(complaint(wave_tank(wave + ", direction: [1, 0.1]")),
                       "solids[0].motion.wave.direction: found [1, 0.1]; allowed: a level direction"));
  EXPECT_TRUE(contains(complaint(wave_tank(wave + ", direction: [0, 0]")), "solids[0].motion.wave.direction: found"));
  EXPECT_TRUE(contains(complaint(wave_tank(wave + ", kind: flap")), "solids[0].motion.wave.hinge: found none"));
  EXPECT_TRUE(contains(complaint(wave_tank(wave + ", hinge: [0, 0]")), "solids[0].motion.wave.hinge: found one"));
  EXPECT_TRUE(contains(complaint(wave_tank("height: 2, period: 1e6, depth: 0.4")), "needs a stroke of"));
}

TEST(WavemakerReview, WavesThatWouldBreakAreWarnedOf) {
  EXPECT_EQ(warnings_of(wave_tank("height: 0.16, period: 1.5, depth: 0.4")), "");
  EXPECT_TRUE(contains(warnings_of(wave_tank("height: 0.07, period: 0.5, depth: 0.4")),
                       "solids[0].motion.wave.height: 0.07 m is more than waves 0.39 m long in water 0.4 m deep"));
  EXPECT_TRUE(contains(warnings_of(wave_tank("height: 0.02, period: 3, depth: 0.02")), "deep can be high, 0.0156 m"));
}

namespace {

/// A scene in a folder with tables.
class WithTables {
 public:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  scenes::Scene read(const std::string& scene) { return scenes::parse_scene(scene, folder_ / "s.yaml"); }
  std::string complaint(const std::string& scene) {
    try {
      read(scene);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string path(const std::string& name) const { return folder_ / name; }

 private:
  test::Scratch folder_;
};

}  // namespace

TEST(MotionTableScenes, AreReadFromTheScenesFolder) {
  WithTables tables;
  tables.write("way.csv", "t,x,angle\n0,1,0\n0.5,1.1,45\n1,1.3,0\n");
  tables.write("pull.csv", "t,y\n0,0\n0.5,2\n1,3\n");
  const scenes::Scene scene = tables.read(driven_tank("{table: way.csv, rotation: {about: [1.1, 0.4], rate: 0}}",
                                                      "walled", "gravity_change: {table: pull.csv}\n"));
  const SolidDrive& drive = scene.simulation.solid_regions[0].drive;
  EXPECT_EQ(drive.file, "way.csv");
  ASSERT_EQ(drive.table.count, 3);
  EXPECT_NEAR(place_of(drive, 1).center[0], 1.1 + 0.3, 1e-6);
  EXPECT_NEAR(place_of(drive, 0.5).angle, std::numbers::pi / 4, 1e-6);
  EXPECT_NEAR(added_gravity(scene.simulation.gravity_change, 0.5).value[1], 2, 1e-9);
  EXPECT_EQ(scene.inputs, (std::vector{tables.path("way.csv"), tables.path("pull.csv")}));
  const scenes::Scene again = tables.read(scenes::to_yaml(scenes::document_of(scene), "a test"));
  EXPECT_EQ(fields(again.simulation.solid_regions[0]), fields(scene.simulation.solid_regions[0]));
  EXPECT_EQ(again.simulation.gravity_change, scene.simulation.gravity_change);
}

TEST(MotionTableScenes, OfATankAreReadToo) {
  WithTables tables;
  tables.write("way.csv", "t,vx\n0,0\n0.5,0.1\n1,0\n");
  const scenes::Scene scene = tables.read(
      "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], motion: {table: way.csv}}\nparticles: {spacing: "
      "0.05}\nbodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\ntime: {end: 1}\n");
  EXPECT_EQ(scene.simulation.tank.table.count, 3);
  EXPECT_NEAR(place_of(scene.simulation.tank, 0.5).velocity[0], 0.1, 1e-6);
}

TEST(MotionTableScenes, AreFoundFromWhereTheSceneIsSaved) {
  WithTables tables;
  tables.write("way.csv", "t,x\n0,0\n1,0.1\n");
  tables.write("pull.csv", "t,y\n0,0\n1,3\n");
  tables.write("s.yaml",
               "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], motion: {table: way.csv}}\nparticles: {spacing: "
               "0.05}\nbodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\nsolids:\n  - {box: {min: [1, 0.3], max: "
               "[1.2, 0.5]}, motion: {table: way.csv}}\ngravity_change: {table: pull.csv}\n");
  std::filesystem::create_directory(tables.path("elsewhere"));
  scenes::EditedScene edited(scenes::load_source(tables.path("s.yaml")));
  edited.save(tables.path("elsewhere/t.yaml"));
  const scenes::Scene scene = scenes::load_scene(tables.path("elsewhere/t.yaml"));
  EXPECT_EQ(scene.simulation.tank.table.count, 2);
  EXPECT_EQ(scene.simulation.solid_regions[0].drive.table.count, 2);
  EXPECT_EQ(scene.simulation.gravity_change.table.count, 2);
}

TEST(MotionTableScenes, WhatCannotBeIsRefused) {
  WithTables tables;
  tables.write("jump.csv", "t,x\n0,0\n0.4,0\n0.5,0.3\n1,0.3\n");
  tables.write("wrapped.csv", "t,angle\n0,340\n0.1,350\n0.2,360\n0.3,10\n0.4,20\n");
  tables.write("turns.csv", "t,angle\n0,0\n0.5,10\n1,20\n");
  tables.write("deep.csv", "t,z\n0,0\n0.5,0.1\n1,0.2\n");
  tables.write("still.csv", "t,x\n0,1\n1,1\n");
  const auto says = [&](const std::string& motion, const std::string& part) {
    EXPECT_TRUE(contains(tables.complaint(driven_tank(motion)), part)) << motion;
  };
  says("{table: none.csv}", "solids[0].motion.table: " + tables.path("none.csv") + ": found no such file");
  says("{table: jump.csv}",
       "solids[0].motion.table: jump.csv: changes x by 0.3 m between 0.4 and 0.5 s, more than ten "
       "times as fast as before and after; allowed: more rows across fast parts");
  says("{table: wrapped.csv, rotation: {about: [1.1, 0.4], rate: 0}}",
       "changes the angle by -350 degrees between 0.2 and 0.3 s, more than ten times as fast as before and after; "
       "allowed: angles that go on beyond 360 degrees");
  says("{table: turns.csv}", "turns.csv: has angles, but there is no axis; allowed: with `rotation`");
  says("{table: deep.csv}", "deep.csv: moves along z in a 2-D scene");
  EXPECT_EQ(tables.complaint(driven_tank("{table: still.csv}")), "");
  EXPECT_TRUE(contains(tables.complaint(driven_tank("none", "walled", "gravity_change: {table: deep.csv}\n")),
                       "gravity_change.table: deep.csv: found 0.1 for z at 0.5 in a 2-D scene"));
}

}  // namespace riffle
