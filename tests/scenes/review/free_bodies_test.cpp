/// Solids that forces move, as scenes write them, and what is said about them.

#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "sim/viscosity/viscosity_choice.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string floating(const std::string& solid, const std::string& rest = "", const std::string& axes = "walled") {
  return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], axes: " + axes +
         "}\nparticles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0], max: [2, 0.4]}\n"
         "solids:\n  - {name: crate, box: {min: [1, 0.5], max: [1.2, 0.6]}, " +
         solid + "}\n" + rest + "time: {end: 1}\n";
}

}  // namespace

TEST(FreeBodyScenes, EveryKeyIsReadAndWrittenAgain) {
  const std::string all =
      "motion: free, density: 400, velocity: [0.1, -0.2], angular_velocity: [0, 0, 3], force: [-5, 7.5], "
      "friction: 0.7, restitution: 0.25";
  for (const std::string& keys :
       {all, std::string("motion: free, mass: 8"), std::string("motion: none, friction: 0.1")}) {
    SCOPED_TRACE(keys);
    const scenes::Scene scene = scenes::parse_scene(floating(keys), "s.yaml");
    const scenes::Scene again =
        scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "again.yaml");
    EXPECT_EQ(fields(again.simulation.solid_regions[0]), fields(scene.simulation.solid_regions[0]));
  }
  const SolidRegion solid = scenes::parse_scene(floating(all), "s.yaml").simulation.solid_regions[0];
  EXPECT_TRUE(solid.free.given);
  EXPECT_FALSE(solid.drive.given);
  EXPECT_EQ(solid.free.density, 400);
  EXPECT_EQ(solid.free.velocity, (Vec3{0.1f, -0.2f, 0}));
  EXPECT_EQ(solid.free.angular_velocity, (Vec3{0, 0, 3}));
  EXPECT_EQ(solid.free.force, (Vec3{-5, 7.5f, 0}));
  EXPECT_EQ(solid.contact.friction, 0.7f);
  EXPECT_EQ(solid.contact.restitution, 0.25f);
}

TEST(FreeBodyReview, WhatCannotBeIsRefusedWithPlaceAndWhatIsAllowed) {
  const struct {
    std::string scene;
    const char* says;
  } cases[] = {
      {floating("motion: free"),
       "solids[0].motion: moves a solid without a mass; allowed: exactly one of `density` and `mass`"},
      {floating("motion: free, density: 400, mass: 3"), "solids[0].mass: stands beside `density`"},
      {floating("density: 400"),
       "solids[0].density: belongs to a solid that forces move; allowed: beside `motion: free`"},
      {floating("motion: {velocity: [1, 0]}, mass: 4"), "solids[0].mass: belongs to a solid that forces move"},
      {floating("motion: {velocity: [1, 0]}, force: [0, 2]"),
       "solids[0].force: belongs to a solid that forces move; allowed: beside `motion: free`, and this solid is "
       "driven"},
      {floating("motion: free, density: 400, force: [0, 2e9]"), "solids[0].force"},
      {floating("motion: free, density: 19"), "allowed: 20 kg/m^3 or more, a fiftieth of the densest fluid"},
      {floating("motion: free, density: 0"),
       "above 0, a density of 20 kg/m^3 or more, a fiftieth of the densest fluid"},
      {floating("motion: free, density: .nan"), "solids[0].density"},
      {floating("motion: free, density: -1"), "solids[0].density"},
      {floating("motion: free, density: 1e9"), "solids[0].density"},
      {floating("motion: free, density: 400, angular_velocity: [1, 0, 0]"), "allowed in 2-D: about z alone"},
      {floating("motion: free, density: 400, restitution: 1.5"), "solids[0].restitution"},
      {floating("motion: free, density: 400", "solver: {viscosity: implicit}\n"),
       "allowed: with `solver.viscosity: explicit`"},
      {"dimension: 2\ndomain: {min: [0, 0], max: [2, 1], axes: walled}\nparticles: {spacing: 0.05}\nbodies:\n  - box: "
       "{min: "
       "[0, 0], max: [1, 0.4]}\nsolids:\n  - {box: {min: [1.9, 0.5], max: [2.2, 0.6]}, motion: free, density: 400}\n",
       "frees a solid that reaches through a face of the domain: along x from 1.9 to 2.2 m; allowed: from 0 to 2 m"},
      {"dimension: 2\ndomain: {min: [0, 0], max: [2, 1], axes: [periodic, walled]}\nparticles: {spacing: "
       "0.05}\nbodies:\n  - "
       "box: {min: [0, 0], max: [1, 0.4]}\nsolids:\n  - {box: {min: [0.02, 0.5], max: [1.98, 0.6]}, motion: free, "
       "density: "
       "400}\n",
       "along the periodic axis x; allowed: 1.9 m"},
  };
  for (const auto& c : cases)
    EXPECT_TRUE(contains(complaint(c.scene), c.says)) << complaint(c.scene) << "\nnot: " << c.says;
}

// Its diagonal would not: a ball is as long as it is wide, however it turns.
TEST(FreeBodyReview, ABallThatFitsIntoAPeriodicDomainIsNotRefused) {
  const auto ball = [](const std::string& radius) {
    return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1], axes: periodic}\nparticles: {spacing: 0.05}\nbodies:\n  - "
           "box: "
           "{min: [0, 0], max: [2, 1]}\nsolids:\n  - {sphere: {center: [1, 0.5], radius: " +
           radius + "}, motion: free, density: 400}\ntime: {end: 1}\n";
  };
  EXPECT_EQ(complaint(ball("0.44")), "");
  EXPECT_TRUE(contains(complaint(ball("0.46")), "up to 0.92 m long along the periodic axis y; allowed: 0.9 m"))
      << complaint(ball("0.46"));
}

TEST(FreeBodyReview, ATankThatTurnsIsRefusedAndOneThatSwaysIsNot) {
  const auto moved = [](const std::string& motion) {
    std::string scene = floating("motion: free, density: 400");
    scene.replace(scene.find("axes: walled"), 12, "axes: walled, motion: " + motion);
    return scene;
  };
  EXPECT_TRUE(contains(complaint(moved("{rotation: {about: [1, 0], swing: {angle: 2, period: 2}}}")),
                       "found free in a domain that turns"));
  EXPECT_NO_THROW(scenes::parse_scene(moved("{sway: {amplitude: [0.01, 0], period: 2}}"), "s.yaml"));
}

TEST(FreeBodyScenes, EverySolverOfWaterHasThemAndAsksForAMass) {
  for (const char* solver : {"wcsph", "pbf", "dfsph"}) {
    const std::string type = std::string("solver: {type: ") + solver + "}\n";
    EXPECT_EQ(complaint(floating("motion: free, density: 400", type)), "") << solver;
    EXPECT_TRUE(contains(complaint(floating("motion: free", type)), "moves a solid without a mass")) << solver;
  }
}

// The drag of implicit viscosity on a free solid is not known: what the solver chooses by itself must not be that.
TEST(FreeBodyScenes, ViscosityIsExplicitByItself) {
  const std::string honey = "fluids: [{name: honey, viscosity: 5}]\nsolver: {type: dfsph}\n";
  EXPECT_EQ(complaint(floating("motion: free, density: 400", honey)), "");
  EXPECT_TRUE(viscosity::is_implicit(scenes::parse_scene(floating("motion: none", honey), "s.yaml").simulation));
  EXPECT_FALSE(
      viscosity::is_implicit(scenes::parse_scene(floating("motion: free, density: 400", honey), "s.yaml").simulation));
}

}  // namespace riffle
