/// Joints, as scenes write them, and what is refused.

#include "core/error.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/same_scene.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string scene_with_joint(const std::string& joint, int dimension = 2) {
  const std::string z = dimension == 3 ? ", 0" : "", high = dimension == 3 ? ", 1" : "",
                    mid = dimension == 3 ? ", 0.5" : "";
  return "dimension: " + std::to_string(dimension) + "\ndomain: {min: [0, 0" + z + "], max: [2, 1" + high +
         "]}\nparticles: {spacing: 0.05}\nbodies:\n  - box: {min: [0, 0" + z + "], max: [0.4, 0.5" + high +
         "]}\nsolids:\n"
         "  - {name: gate, motion: free, density: 600, box: {min: [1, 0.1" +
         z + "], max: [1.1, 0.6" + high +
         "]}}\n"
         "  - {name: post, box: {min: [1, 0.7" +
         z + "], max: [1.1, 0.9" + high +
         "]}}\n"
         "joints:\n  - {at: [1.05, 0.6" +
         mid + "], " + joint + "}\n";
}

scenes::Scene with_joint(const std::string& joint, int dimension = 2) {
  return scenes::parse_scene(scene_with_joint(joint, dimension), "s.yaml");
}
scenes::EditedScene edited(const std::string& joint) {
  return scenes::EditedScene(scenes::parse_source(scene_with_joint(joint), "s.yaml"));
}

template <class Change>
std::string why_not(const Change& change) {
  try {
    change();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(JointScenes, EveryKeyIsRead) {
  const std::vector<JointSetup> joints =
      with_joint(("type: hinge, solid: gate, other: post, axis: [0, 0, 2], range: [-0.5, 1], motor_speed: 3, "
                  "motor_force: 20, stiffness: 4, damping: 5"))
          .simulation.joints;
  ASSERT_EQ(joints.size(), 1u);
  const JointSetup& joint = joints[0];
  EXPECT_EQ(joint.kind, JointKind::Hinge);
  EXPECT_EQ(joint.solid, "gate");
  EXPECT_EQ(joint.other, "post");
  EXPECT_EQ(joint.at, (Vec3{1.05f, 0.6f, 0}));
  EXPECT_EQ(joint.axis, (Vec3{0, 0, 2}));
  EXPECT_TRUE(joint.limited);
  EXPECT_EQ(joint.low, -0.5f);
  EXPECT_EQ(joint.high, 1);
  EXPECT_EQ(joint.motor_speed, 3);
  EXPECT_EQ(joint.motor_force, 20);
  EXPECT_EQ(joint.stiffness, 4);
  EXPECT_EQ(joint.damping, 5);
  EXPECT_EQ(joint.length, -1);
  const JointSetup spring =
      with_joint(("type: spring, solid: gate, to: [1.5, 0.6], stiffness: 4, length: 0.25")).simulation.joints[0];
  EXPECT_EQ(spring.kind, JointKind::Spring);
  EXPECT_EQ(spring.other, "");
  EXPECT_EQ(spring.to, (Vec3{1.5f, 0.6f, 0}));
  EXPECT_EQ(spring.length, 0.25f);
}

TEST(JointScenes, AreWrittenAsTheyAreRead) {
  for (const char* joint :
       {"type: hinge, solid: gate, range: [-1, 0]", "type: slider, solid: gate, axis: [0, 1, 0], motor_force: 3",
        "type: ball, solid: gate, other: post", "type: fixed, solid: gate",
        "type: spring, solid: gate, to: [1.5, 0.6], stiffness: 4, damping: 0.5, length: 0.25"}) {
    SCOPED_TRACE(joint);
    const scenes::Scene scene = with_joint(joint);
    expect_same_scene(scenes::parse_scene(scenes::to_yaml(scenes::document_of(scene), "a test"), "s.yaml"), scene);
  }
}

TEST(JointScenes, WhatCannotBeIsRefused) {
  const struct {
    const char* joint;
    const char* complaint;
  } kRows[] = {
      {"type: hinge, solid: gaet",
       "joints[0].solid: found 'gaet', which is the name of no free solid; did you mean 'gate'?"},
      {"type: hinge, solid: post",
       "joints[0].solid: found 'post', which stands still; allowed: a solid with `motion: free`"},
      {"type: hinge, solid: gate, other: pots",
       "joints[0].other: found 'pots', which is the name of no solid; did you mean 'post'?"},
      {"type: hinge, solid: gate, other: gate", "joints[0].other: found 'gate', the solid itself"},
      {"type: hinge, solid: gate, axis: [1, 0, 0]", "joints[0].axis: found [1, 0, 0]; allowed in 2-D: [0, 0, 1]"},
      {"type: slider, solid: gate", "joints[0].axis: found [0, 0, 1]; allowed for a slider in 2-D"},
      {"type: slider, solid: gate, axis: [0, 0, 0]", "joints[0].axis: found [0, 0, 0]; allowed for a slider in 2-D"},
      {"type: ball, solid: gate, range: [-1, 1]",
       "joints[0].range: belongs to a hinge or a slider; allowed: none for a ball"},
      {"type: hinge, solid: gate, range: [0.5, 1]", "joints[0].range: found [0.5, 1]; allowed: from 0 or less"},
      {"type: hinge, solid: gate, range: [-4, 0]", "joints[0].range: found [-4, 0]; allowed for a hinge: from -3.1416"},
      {"type: hinge, solid: gate, range: [-3.14, 3.14]", "joints[0].range: found [-3.14, 3.14], 6.2800 rad wide"},
      {"type: ball, solid: gate, axis: [0, 1, 0]", "joints[0].axis: found [0, 1, 0]; belongs to a hinge or a slider"},
      {"type: fixed, solid: gate, motor_force: 2", "joints[0].motor_force: belongs to a hinge or a slider"},
      {"type: hinge, solid: gate, motor_speed: 2", "joints[0].motor_speed: found 2, and `motor_force` is 0"},
      {"type: fixed, solid: gate, damping: 2", "joints[0].damping: belongs to a spring, a hinge or a slider"},
      {"type: hinge, solid: gate, to: [1, 1]", "joints[0].to: belongs to a spring; allowed: none for a hinge"},
      {"type: hinge, solid: gate, length: 1", "joints[0].length: belongs to a spring; allowed: none for a hinge"},
      {"type: spring, solid: gate, to: [1, 1]", "joints[0].stiffness: found 0, and no damping"},
      {"type: spring, solid: gate, stiffness: 1", "joints[0].to: is missing; allowed: where the spring ends"},
      {"type: spring, solid: gate, other: post, stiffness: 1", "at the start, on 'post'"},
      {"type: ball, solid: gate, to: [0, 0]", "joints[0].to: belongs to a spring; allowed: none for a ball"},
      {"type: spring, solid: gate, to: [1.05, 0.6], stiffness: 1, length: 0.5", "joints[0].to: is where `at` is"},
      {"type: rope, solid: gate", "joints[0].type: found 'rope'"},
      {"solid: gate", "joints[0].type"},
      {"type: hinge", "joints[0].solid"},
      {"type: hinge, solid: gate, stiffness: -1", "joints[0].stiffness: found '-1'"},
      {"type: hinge, solid: gate, stiffness: .nan", "joints[0].stiffness"},
  };
  for (const auto& row : kRows) {
    const std::string found = complaint(scene_with_joint(row.joint));
    EXPECT_TRUE(contains(found, row.complaint)) << row.joint << "\n" << found;
  }
  EXPECT_TRUE(contains(complaint(scene_with_joint("type: hinge, solid: gate, axis: [0, 0, 0]", 3)),
                       "joints[0].axis: found [0, 0, 0]; allowed: a direction"));
  EXPECT_EQ(with_joint("type: slider, solid: gate", 3).simulation.joints[0].axis, (Vec3{0, 0, 1}));
}

TEST(JointScenes, JointsAreAddedCopiedAndRemoved) {
  scenes::EditedScene scene = edited(("type: ball, solid: gate"));
  scene.add_entry("joints");
  ASSERT_EQ(scene.scene().simulation.joints.size(), 2u);
  const JointSetup& added = scene.scene().simulation.joints[1];
  EXPECT_EQ(added.kind, JointKind::Hinge);
  EXPECT_EQ(added.solid, "gate");
  EXPECT_EQ(added.at, (Vec3{1.05f, 0.35f, 0}));
  scene.copy_entry("joints[0]");
  ASSERT_EQ(scene.scene().simulation.joints.size(), 3u);
  EXPECT_EQ(scene.scene().simulation.joints[1], scene.scene().simulation.joints[0]);
  for (int k = 0; k < 3; ++k) scene.remove_entry("joints[0]");
  EXPECT_TRUE(scene.scene().simulation.joints.empty());
}

TEST(JointScenes, ASpringMayEndAtTheOrigin) {
  EXPECT_EQ(with_joint("type: spring, solid: gate, to: [0, 0], stiffness: 1").simulation.joints[0].to, (Vec3{}));
}

std::string unnamed_solids(const std::string& joints) {
  return "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\nbodies:\n"
         "  - box: {min: [0, 0], max: [0.4, 0.5]}\nsolids:\n"
         "  - {box: {min: [0.6, 0.1], max: [0.7, 0.2]}}\n"
         "  - {box: {min: [0.8, 0.1], max: [0.9, 0.2]}}\n"
         "  - {motion: free, density: 600, box: {min: [1, 0.1], max: [1.1, 0.2]}}\n"
         "  - {name: post, box: {min: [1.2, 0.1], max: [1.3, 0.2]}}\njoints:\n" +
         joints;
}

TEST(JointScenes, NamesOfUnnamedSolidsFollowThem) {
  scenes::EditedScene scene(
      scenes::parse_source(unnamed_solids("  - {type: ball, solid: solid_3, other: solid_2, at: [1, 0.15]}\n"
                                          "  - {type: ball, solid: solid_3, other: post, at: [1, 0.15]}\n"),
                           "s.yaml"));
  const auto joints = [&]() -> const std::vector<JointSetup>& { return scene.scene().simulation.joints; };
  scene.set("joints[1].other", "solid_2");
  scene.remove_entry("solids[0]");
  for (const JointSetup& joint : joints()) {
    EXPECT_EQ(joint.solid, "solid_2");
    EXPECT_EQ(joint.other, "solid_1");
  }
  EXPECT_TRUE(scene.is_edited("joints[1].other"));
  EXPECT_FALSE(scene.is_edited("joints[0].other"));
  EXPECT_TRUE(contains(why_not([&] { scene.remove_entry("solids[0]"); }),
                       "solids[0]: found joints[0], which joins 'solid_1'; allowed: take the joint out first"));
  EXPECT_TRUE(contains(why_not([&] { scene.remove_entry("solids[1]"); }), "which joins 'solid_2'"));
  scene.remove_entry("solids[2]");  // the post, which no joint has any more
  scene.copy_entry("solids[0]");
  EXPECT_EQ(joints()[0].solid, "solid_3");
  EXPECT_EQ(joints()[0].other, "solid_1");
  scene.undo();
  EXPECT_EQ(joints()[0].solid, "solid_2");
  scene.undo();
  scene.undo();
  EXPECT_EQ(joints()[0].solid, "solid_3");
  EXPECT_EQ(joints()[0].other, "solid_2");
}

// A whole joint that was edited names its solids too.
TEST(JointScenes, AnEditedJointFollowsItsSolid) {
  scenes::EditedScene scene(
      scenes::parse_source(unnamed_solids("  - {type: ball, solid: solid_3, at: [1, 0.15]}\n"), "s.yaml"));
  scene.set("joints[0]", "{type: fixed, solid: solid_3, other: solid_1, at: [1, 0.1]}");
  scene.remove_entry("solids[1]");
  ASSERT_EQ(scene.scene().simulation.joints.size(), 1u);
  EXPECT_EQ(scene.scene().simulation.joints[0].solid, "solid_2");
  EXPECT_EQ(scene.scene().simulation.joints[0].other, "solid_1");
}

// In 2-D a hinge turns about z and a slider moves in the plane. No edit of one key alone would lead from one to the other.
TEST(JointScenes, AnotherTypeBringsAnAxisThatItCanHave) {
  scenes::EditedScene scene = edited("type: hinge, solid: gate");
  const auto joint = [&]() -> const JointSetup& { return scene.scene().simulation.joints[0]; };
  EXPECT_TRUE(contains(why_not([&] { scene.set("joints[0].axis", "[0.5, 0, 1]"); }),
                       "joints[0].axis: found [0.5, 0, 1]; allowed in 2-D: [0, 0, 1], about which a hinge turns"));
  EXPECT_FALSE(scene.anything_edited());
  scene.set("joints[0].type", "slider");
  EXPECT_EQ(joint().axis, (Vec3{1, 0, 0}));
  EXPECT_TRUE(contains(scene.note_of_change("joints[0].type"), "joints[0].axis is [1, 0, 0] now"));
  EXPECT_TRUE(contains(why_not([&] { scene.set("joints[0].axis", "[0, 0, 0]"); }), "allowed for a slider in 2-D"));
  EXPECT_TRUE(contains(why_not([&] { scene.set("joints[0].axis", "[1, 0, 2]"); }), "allowed for a slider in 2-D"));
  scene.set("joints[0].axis", "[1, 2, 0]");
  EXPECT_EQ(joint().axis, (Vec3{1, 2, 0}));
  EXPECT_EQ(scene.note_of_change("joints[0].type"), "");
  scene.set("joints[0].type", "ball");
  EXPECT_EQ(joint().kind, JointKind::Ball);
  EXPECT_EQ(joint().axis, (Vec3{0, 0, 1})) << "it has none";
  scene.undo();
  EXPECT_EQ(joint().axis, (Vec3{1, 2, 0}));
  scene.set("joints[0].type", "hinge");
  EXPECT_EQ(joint().axis, (Vec3{0, 0, 1}));
  EXPECT_FALSE(scene.anything_edited());

  scene = edited("type: slider, solid: gate, axis: [0, 1, 0]");
  scene.set("joints[0].type", "hinge");
  EXPECT_EQ(joint().axis, (Vec3{0, 0, 1}));
  scene.set("joints[0].type", "slider");
  EXPECT_EQ(joint().axis, (Vec3{0, 1, 0})) << "that of the file";
  EXPECT_FALSE(scene.anything_edited());

  // In 3-D both take any direction, and keep it.
  scenes::EditedScene deep(
      scenes::parse_source(scene_with_joint("type: hinge, solid: gate, axis: [0, 1, 1]", 3), "s.yaml"));
  deep.set("joints[0].type", "slider");
  EXPECT_EQ(deep.scene().simulation.joints[0].axis, (Vec3{0, 1, 1}));
  EXPECT_EQ(deep.note_of_change("joints[0].type"), "");
  deep.set("joints[0].type", "fixed");
  EXPECT_EQ(deep.scene().simulation.joints[0].axis, (Vec3{0, 0, 1}));
}

// A 2-D scene has forces and masses per metre of depth.
TEST(JointScenes, InThreeDimensionsForcesAreThoseOfTheDepth) {
  const std::string hinge =
      "type: hinge, solid: gate, motor_force: 3, motor_speed: 2, stiffness: 4, damping: 5, range: [-1, 1]";
  std::string text = scene_with_joint(hinge);
  text.replace(text.find("density: 600"), 12, "mass: 30");
  text.replace(text.find("spacing: 0.05"), 13, "spacing: 0.04");  // the depth is not 1
  scenes::EditedScene scene(scenes::parse_source(text, "s.yaml"));
  scene.set("joints[0].damping", "6");
  scene.set("dimension", "3");
  const SimulationSetup& deep = scene.scene().simulation;
  const float depth = deep.domain.extent().z;
  ASSERT_GT(depth, 0);
  ASSERT_NE(depth, 1);
  EXPECT_FLOAT_EQ(deep.joints[0].motor_force, 3 * depth);
  EXPECT_FLOAT_EQ(deep.joints[0].stiffness, 4 * depth);
  EXPECT_FLOAT_EQ(deep.joints[0].damping, 6 * depth);
  EXPECT_EQ(deep.joints[0].motor_speed, 2);
  EXPECT_FLOAT_EQ(deep.solid_regions[0].free.mass, 30 * depth);
  scene.undo();
  EXPECT_EQ(scene.scene().simulation.joints[0].stiffness, 4);
  // One that was 3-D before has the numbers of the whole depth.
  scenes::EditedScene was(scenes::parse_source(scene_with_joint(hinge, 3), "s.yaml"));
  was.set("dimension", "2");
  was.set("dimension", "3");
  EXPECT_EQ(was.scene().simulation.joints[0].stiffness, 4);
}

TEST(JointScenes, InThreeDimensionsTheyLieInTheMiddle) {
  scenes::EditedScene scene = edited(("type: hinge, solid: gate"));
  scene.set("dimension", "3");
  ASSERT_EQ(scene.scene().simulation.joints.size(), 1u);
  const Domain& domain = scene.scene().simulation.domain;
  EXPECT_FLOAT_EQ(scene.scene().simulation.joints[0].at.z, 0.5f * (domain.min.z + domain.max.z));
}

}  // namespace riffle
