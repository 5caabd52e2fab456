/// A scene that was 2-D becomes 3-D.

#include "same_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/example_scenes.h"

namespace riffle {

namespace {

scenes::EditedScene edited(const std::string& text) {
  return scenes::EditedScene(scenes::parse_source(text, "s.yaml"));
}

const char* const kFlatScene =
    "dimension: 2\n"
    "domain: {min: [-0.5, 0], max: [1, 1], axes: [periodic, walled]}\n"
    "gravity: [0, -3]\n"
    "particles: {spacing: 0.05}\n"
    "bodies:\n"
    "  - {box: {min: [-0.5, 0], max: [1, 0.3]}, velocity: [1, 0], without: [{sphere: {center: [0, 0.2], radius: "
    "0.1}}]}\n"
    "  - polygon: {corners: [[0, 0.5], [0.3, 0.5], [0, 0.9]]}\n";

}  // namespace

TEST(ThirdAxis, EditsInTwoDimensionsKeepTheThirdNumbersOfTheScene) {
  scenes::EditedScene scene = shipped("dam_break");
  scene.set("dimension", "2");
  scene.set("domain.max", "[2, 1]");
  scene.set("bodies[0].box.max", "[0.5, 0.6]");
  scene.set("gravity", "[1, -5]");
  EXPECT_EQ(scene.scene().simulation.domain.max, (Vec3{2, 1, 0}));
  scene.set("dimension", "3");
  const SimulationSetup& setup = scene.scene().simulation;
  EXPECT_EQ(setup.domain.max, (Vec3{2, 1, 0.4f}));
  EXPECT_EQ(setup.bodies[0].max, (Vec3{0.5f, 0.6f, 0.4f}));
  EXPECT_EQ(setup.gravity, (Vec3{1, -5, 0}));
  EXPECT_TRUE(scene.is_edited("domain.max"));
  EXPECT_FALSE(scene.is_edited("dimension"));
  scene.reset("domain.max");
  EXPECT_EQ(scene.scene().simulation.domain.max, (Vec3{1.6f, 0.9f, 0.4f}));
}

TEST(ThirdAxis, LengthsEditedInThreeDimensionsComeBack) {
  scenes::EditedScene scene = shipped("dam_break");
  scene.set("domain.max", "[1.6, 0.9, 0.5]");
  scene.set("bodies[0].box.min", "[0, 0, 0.1]");
  scene.set("dimension", "2");
  scene.set("bodies[0].box.min", "[0.1, 0]");
  scene.set("dimension", "3");
  EXPECT_EQ(scene.scene().simulation.domain.max, (Vec3{1.6f, 0.9f, 0.5f}));
  EXPECT_EQ(scene.scene().simulation.bodies[0].min, (Vec3{0.1f, 0, 0.1f}));
  EXPECT_EQ(scene.third_axis_note(), "") << "nothing was chosen";
}

TEST(ThirdAxis, SavedFlatSceneKeepsThem) {
  scenes::EditedScene scene = shipped("dam_break");
  scene.set("dimension", "2");
  scene.set("domain.max", "[2, 1]");
  scenes::EditedScene again = edited(scene.to_yaml());
  EXPECT_EQ(again.scene().simulation.domain.dimension, 2);
  again.set("dimension", "3");
  EXPECT_EQ(again.scene().simulation.domain.max, (Vec3{2, 1, 0.4f}));
}

TEST(ThirdAxis, SolidsAreExtrudedAsBodiesAre) {
  scenes::EditedScene scene = edited(std::string(kFlatScene) +
                                     "solids:\n"
                                     "  - {box: {min: [0.5, 0.4], max: [0.7, 0.6]}, without: [{box: {min: [0.5, 0.4], "
                                     "max: [0.6, 0.5]}}]}\n"
                                     "  - sphere: {center: [0.6, 0.8], radius: 0.1}\n");
  scene.set("dimension", "3");
  const SimulationSetup& setup = scene.scene().simulation;
  ASSERT_EQ(setup.solid_regions.size(), 2u);
  EXPECT_EQ(setup.solid_regions[0].max, (Vec3{0.7f, 0.6f, 1}));
  EXPECT_EQ(setup.solid_regions[0].without[0].max, (Vec3{0.6f, 0.5f, 1}));
  EXPECT_EQ(setup.solid_regions[1].center, (Vec3{0.6f, 0.8f, 0.5f}));
}

TEST(ThirdAxis, PlanesStandUprightInItAndUnionsAreExtrudedShapeByShape) {
  scenes::EditedScene scene = edited(
      "dimension: 2\ndomain: {min: [0, 0], max: [4, 2]}\nparticles: {spacing: 0.05}\n"
      "bodies: [{box: {min: [0, 0], max: [1, 1]}}]\n"
      "solids: [{plane: {point: [2, 0.5], normal: [-0.5, 1]}, with: [{box: {min: [1, 0], max: [1.5, 1]}}, "
      "{sphere: {center: [3, 1.5], radius: 0.2}}]}]\n");
  scene.set("dimension", "3");
  const SolidRegion& solid = scene.scene().simulation.solid_regions[0];
  const float depth = scene.scene().simulation.domain.max.z;
  EXPECT_EQ(solid.normal, (Vec3{-0.5f, 1, 0}));
  EXPECT_EQ(solid.point, (Vec3{2, 0.5f, 0.5f * depth}));
  EXPECT_EQ(solid.with[0].max, (Vec3{1.5f, 1, depth}));
  EXPECT_EQ(solid.with[1].center, (Vec3{3, 1.5f, 0.5f * depth}));
  scene.undo();
  EXPECT_EQ(scene.scene().simulation.domain.dimension, 2);
}

TEST(ThirdAxis, ASolidThatIsWiderThanTheDepthMakesRoomForItself) {
  scenes::EditedScene scene = edited(
      "dimension: 2\ndomain: {min: [0, 0], max: [4, 4]}\nparticles: {spacing: 0.05}\n"
      "bodies: [{box: {min: [0, 0], max: [4, 0.5]}}]\nsolids: [{sphere: {center: [2, 2], radius: 1}}]\n");
  scene.set("dimension", "3");
  EXPECT_EQ(scene.scene().simulation.domain.max.z, 2);
}

TEST(ThirdAxis, SceneThatNeverHadOneIsExtruded) {
  scenes::EditedScene scene = edited(kFlatScene);
  scene.set("domain.max", "[1.5, 1]");
  const std::string flat = scene.to_yaml();
  scene.set("dimension", "3");
  const SimulationSetup& setup = scene.scene().simulation;
  EXPECT_EQ(setup.domain.min, (Vec3{-0.5f, 0, 0}));
  EXPECT_EQ(setup.domain.max, (Vec3{1.5f, 1, 1})) << "20 spacings";
  EXPECT_TRUE(setup.domain.periodic(2)) << "as x";
  EXPECT_EQ(setup.gravity, (Vec3{0, -3, 0}));
  ASSERT_EQ(setup.bodies.size(), 2u);
  EXPECT_EQ(setup.bodies[0].min, (Vec3{-0.5f, 0, 0}));
  EXPECT_EQ(setup.bodies[0].max, (Vec3{1, 0.3f, 1}));
  EXPECT_EQ(setup.bodies[0].velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(setup.bodies[0].without[0].center, (Vec3{0, 0.2f, 0.5f}));
  EXPECT_FLOAT_EQ(setup.bodies[1].low, 0);
  EXPECT_FLOAT_EQ(setup.bodies[1].high, 1);
  EXPECT_TRUE(contains(scene.third_axis_note(), "z goes from 0 to 1 m, 20 particle spacings"));
  EXPECT_EQ(scene.to_yaml(), scenes::EditedScene(scenes::parse_source(scene.to_yaml(), "s.yaml")).to_yaml());
  scene.set("time.end", "3");
  EXPECT_NE(scene.third_axis_note(), "") << "it holds as long as the scene is 3-D";
  scene.undo();
  scene.undo();
  EXPECT_EQ(scene.to_yaml(), flat);
  EXPECT_EQ(scene.third_axis_note(), "");
  scene.redo();
  scene.set("dimension", "2");
  EXPECT_EQ(scene.scene().simulation.domain.dimension, 2);
  EXPECT_EQ(scene.third_axis_note(), "");
  scene.set("dimension", "3");
  EXPECT_EQ(scene.scene().simulation.domain.max, (Vec3{1.5f, 1, 1}));
}

// The button beside an edited key takes the same way.
TEST(ThirdAxis, TakingBackTheDimensionWorksLikeChangingIt) {
  scenes::EditedScene scene = shipped("dam_break");
  scene.set("dimension", "2");
  scene.add_entry("bodies", "sphere");
  scene.copy_entry("bodies[0]");
  scene.set("bodies[1].box.max[0]", "1.5");
  scene.reset("dimension");
  const SimulationSetup& setup = scene.scene().simulation;
  EXPECT_EQ(setup.domain.dimension, 3);
  EXPECT_EQ(setup.domain.max, (Vec3{1.6f, 0.9f, 0.4f}));
  EXPECT_FLOAT_EQ(setup.bodies[1].max.z, 0.4f);
  EXPECT_FLOAT_EQ(setup.bodies[1].max.x, 1.5f);
  EXPECT_FLOAT_EQ(setup.bodies[2].center.z, 0.2f);
  EXPECT_TRUE(contains(scene.third_axis_note(), "z goes from 0 to 0.4 m as before. New in it: bodies[2].sphere."));
}

TEST(ThirdAxis, CopyKeepsTheDepthOfItsOriginal) {
  scenes::EditedScene scene = shipped("dam_break");
  scene.set("bodies[0].box.min", "[0, 0, 0.1]");
  scene.set("dimension", "2");
  scene.copy_entry("bodies[0]");
  scene.set("dimension", "3");
  EXPECT_FLOAT_EQ(scene.scene().simulation.bodies[1].min.z, 0.1f);
  EXPECT_FLOAT_EQ(scene.scene().simulation.bodies[1].max.z, 0.4f);
}

TEST(ThirdAxis, RoundBodyGetsTheDepthThatItNeeds) {
  const std::string ball =
      "domain: {min: [0, 0], max: [4, 4], axes: periodic}\nparticles: {spacing: 0.05}\n"
      "bodies: [{sphere: {center: [2, 2], radius: 0.81}}]\n";
  scenes::EditedScene scene = edited("dimension: 2\n" + ball);
  scene.set("dimension", "3");
  EXPECT_FLOAT_EQ(scene.scene().simulation.domain.max.z, 1.65f);
  EXPECT_FLOAT_EQ(scene.scene().simulation.bodies[0].center.z, 0.825f);

  scenes::EditedScene known = edited(
      "domain: {min: [0, 0, 0], max: [4, 4, 1], axes: periodic}\nparticles: {spacing: 0.05}\n"
      "bodies: [{sphere: {center: [2, 2, 0.5], radius: 0.4}}]\n");
  known.set("dimension", "2");
  known.set("bodies[0].sphere.radius", "1");
  known.set("dimension", "3");
  EXPECT_FLOAT_EQ(known.scene().simulation.domain.max.z, 2);
  EXPECT_TRUE(contains(known.third_axis_note(), "because a round body needs that depth"));
}

TEST(ThirdAxis, NumbersThatCannotBeAreReplaced) {
  scenes::EditedScene scene = edited(
      "dimension: 2\ndomain: {min: [0, 0, 0], max: [1, 1, 0]}\nparticles: {spacing: 0.1}\n"
      "bodies: [{box: {min: [0, 0, 5], max: [0.5, 0.5, 5]}}]\n");
  scene.set("dimension", "3");
  EXPECT_FLOAT_EQ(scene.scene().simulation.domain.max.z, 2);
  EXPECT_FLOAT_EQ(scene.scene().simulation.bodies[0].min.z, 0);
  EXPECT_FLOAT_EQ(scene.scene().simulation.bodies[0].max.z, 2);
}

TEST(ThirdAxis, EditOfAWholeSectionIsCompletedToo) {
  scenes::EditedScene scene = shipped("dam_break");
  scene.set("dimension", "2");
  scene.set("domain", "{min: [0, 0], max: [2, 1]}");
  scene.set("dimension", "3");
  EXPECT_EQ(scene.scene().simulation.domain.dimension, 3);
  EXPECT_GT(scene.scene().simulation.domain.max.z, 0);
}

// Two numbers of a key that has nothing to do with the axes are still a mistake.
TEST(ThirdAxis, OtherListsGetNoThirdNumber) {
  scenes::EditedScene scene = shipped("folding_sheet");
  scene.set("fluids[0].color", "[0.1, 0.2, 0.3]");
  EXPECT_THROW(scene.set("fluids[0].color", "[0.1, 0.2]"), InputError);
  scenes::EditedScene deep = shipped("dam_break");
  EXPECT_THROW(deep.set("domain.max", "[2, 1]"), InputError) << "a 3-D scene needs three";
}

class EveryScene : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryScene, BecomesFlatAndDeepAgain) {
  scenes::EditedScene scene = shipped(GetParam());
  const bool flat = scene.scene().simulation.domain.dimension == 2;
  const std::string first = scene.to_yaml();
  scene.set("dimension", flat ? "3" : "2");
  EXPECT_EQ(scene.scene().simulation.domain.dimension, flat ? 3 : 2);
  scene.set("dimension", flat ? "2" : "3");
  EXPECT_EQ(scene.scene().simulation.domain.dimension, flat ? 2 : 3);
  if (!flat) expect_same_scene(scene.scene(), scenes::build_scene(scene.source()));
  scene.reset_all();
  EXPECT_EQ(scene.to_yaml(), first);
}

INSTANTIATE_TEST_SUITE_P(Library, EveryScene,
                         ::testing::Values("dam_break", "folding_sheet", "splash", "rayleigh_taylor_sph",
                                           "rayleigh_taylor_dpd", "phase_separation", "dpd_box"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace riffle
