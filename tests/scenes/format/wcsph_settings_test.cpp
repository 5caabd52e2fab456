/// Settings of WCSPH for walls, two fluids, shifting and surface tension.

#include "tests/scenes/scene_text.h"

namespace riffle {
namespace {

const std::string kTwoFluids =
    "dimension: 3\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1, support_ratio: 3}\n"
    "fluids:\n  - {name: water, surface_tension: 0.07}\n  - {name: oil, rest_density: 900}\n"
    "bodies:\n  - {fluid: water, box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}}\n"
    "  - {fluid: oil, box: {min: [0.5, 0, 0], max: [1, 0.5, 0.5]}}\n";

TEST(WcsphSettings, ReachTheSetup) {
  const scenes::Scene scene = scenes::parse_scene(
      kTwoFluids +
          "solver: {walls: free_slip, wall_velocity: {y_max: [1, 0, 2]}, interface_tension: [[0, 0.03], [0.03, 0]], "
          "tension_model: akinci, shifting: 4, density: summation}\n",
      "s.yaml");
  const SimulationSetup& setup = scene.simulation;
  EXPECT_EQ(setup.wcsph.walls, WallSlip::FreeSlip);
  EXPECT_EQ(setup.wcsph.wall_velocity[1][1], (Vec3{1, 0, 2}));
  EXPECT_FLOAT_EQ(setup.wcsph.interface_tension.value[0][1], 0.03f);
  EXPECT_EQ(setup.wcsph.tension_model, TensionModel::Akinci);
  EXPECT_FLOAT_EQ(setup.wcsph.shifting, 4);
  EXPECT_EQ(setup.wcsph.density, DensityScheme::Summation);
  EXPECT_FLOAT_EQ(setup.fluids[0].surface_tension, 0.07f);
  EXPECT_TRUE(contains(warnings_of(kTwoFluids + "solver: {walls: free_slip, wall_velocity: {y_max: [1, 0, 2]}}\n"),
                       "solver.wall_velocity: has no effect: with solver.walls free_slip"));
}

TEST(WcsphSettings, OneInterfaceTensionIsOfAllPairsAndNotOfAFluidWithItself) {
  const scenes::Scene scene = scenes::parse_scene(kTwoFluids + "solver: {interface_tension: 0.02}\n", "s.yaml");
  EXPECT_FLOAT_EQ(scene.simulation.wcsph.interface_tension.value[1][0], 0.02f);
  EXPECT_EQ(scene.simulation.wcsph.interface_tension.value[1][1], 0);
}

TEST(WcsphSettings, AFaceThatIsNoWallOrMovesAcrossItselfIsRefused) {
  const std::string good = kGoodScene;
  EXPECT_TRUE(contains(complaint(good + "solver: {wall_velocity: {y_max: [1, 1, 0]}}\n"),
                       "solver.wall_velocity.y_max: found 1 m/s across the face; allowed: along it"));
  EXPECT_TRUE(contains(complaint(good + "solver: {wall_velocity: {x_min: [0, 1, 0]}}\n", {"domain.axes=periodic"}),
                       "solver.wall_velocity.x_min: there is no wall: the axis x is not walled"));
  EXPECT_EQ(complaint(good + "solver: {wall_velocity: {y_max: [1, 0, 0]}}\n"), "");
}

TEST(WcsphSettings, InterfaceTensionsThatAreNotSymmetricAreRefused) {
  EXPECT_TRUE(
      contains(complaint(kTwoFluids + "solver: {interface_tension: [[0, 1], [2, 0]]}\n"), "the other way round"));
  EXPECT_TRUE(contains(complaint(kTwoFluids + "solver: {interface_tension: [[1, 2], [2, 0]]}\n"), "against itself"));
  EXPECT_TRUE(contains(complaint(kTwoFluids + "solver: {interface_tension: [[0, 1]]}\n"), "a row for every fluid"));
}

TEST(WcsphSettings, ATensionThatCannotActOrWouldShedParticlesIsWarnedOf) {
  EXPECT_TRUE(contains(warnings_of(kTwoFluids), "solver.negative_pressure: is false"));
  EXPECT_TRUE(contains(warnings_of(kTwoFluids + "solver: {negative_pressure: true}\n"),
                       "solver.negative_pressure: is true, and fluid fills"));
  EXPECT_EQ(warnings_of(kTwoFluids + "gravity: [0, 0, 0]\nsolver: {negative_pressure: true, speed_of_sound: 10}\n"),
            "");
  EXPECT_FALSE(contains(warnings_of(kTwoFluids + "solver: {density: continuity}\n"), "solver.density"));
  EXPECT_TRUE(
      contains(warnings_of(kTwoFluids + "solver: {tension_model: akinci}\n"), "solver.tension_model: is akinci"));
  EXPECT_TRUE(contains(warnings_of(kTwoFluids + "solver: {interface_tension: 0.02}\n"),
                       "solver.interface_tension: is not exact"));
  EXPECT_FALSE(contains(warnings_of(good_scene_with("solver: {density: continuity}\n")), "solver.density"));
  EXPECT_TRUE(contains(warnings_of(good_scene_with("solver: {tension_model: akinci}\n")),
                       "solver.tension_model: has no effect"));
  EXPECT_TRUE(contains(warnings_of(good_scene_with("solver: {interface_tension: 1}\n")),
                       "solver.interface_tension: has no effect"));
  EXPECT_TRUE(contains(warnings_of(good_scene_with("solver: {shifting: 1}\n"), {"particles.support_ratio=2"}),
                       "particles.support_ratio"));
  EXPECT_FALSE(contains(warnings_of(good_scene_with("solver: {shifting: 1}\n")), "particles.support_ratio"));
}

TEST(WcsphSettings, AreRefusedWithAnotherSolver) {
  EXPECT_TRUE(contains(complaint(good_scene_with("solver: {type: pbf, walls: no_slip}\n")),
                       "solver.walls: means nothing with solver.type pbf"));
  EXPECT_TRUE(contains(complaint(good_scene_with("solver: {type: pbf, density: continuity}\n")),
                       "solver.density: means nothing with solver.type pbf"));
}

}  // namespace
}  // namespace riffle
