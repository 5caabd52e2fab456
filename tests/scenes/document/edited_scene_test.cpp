#include "scenes/document/edited_scene.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "same_scene.h"
#include "scenes/document/yaml_writer.h"
#include "tests/scenes/document/example_scenes.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string refusal(scenes::EditedScene& scene, const std::string& path, const std::string& value) {
  try {
    scene.set(path, value);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(EditedScene, EditsReachTheSceneAlsoInSectionsThatTheFileLacks) {
  scenes::EditedScene scene = good_scene();
  scene.set("particles.spacing", "0.05");
  scene.set("solver.artificial_viscosity", "0.2");
  scene.set("bodies.0.jitter", "0.25");
  EXPECT_FLOAT_EQ(scene.scene().simulation.spacing, 0.05f);
  EXPECT_FLOAT_EQ(scene.scene().simulation.wcsph.artificial_viscosity, 0.2f);
  EXPECT_FLOAT_EQ(scene.scene().simulation.bodies[0].jitter, 0.25f);
  EXPECT_EQ(scene.edits(),
            (std::vector<scenes::Edit>{
                {"particles.spacing", "0.05"}, {"solver.artificial_viscosity", "0.2"}, {"bodies[0].jitter", "0.25"}}));
  EXPECT_TRUE(scene.is_edited("solver"));
  EXPECT_FALSE(scene.is_edited("gravity"));
  EXPECT_FALSE(scene.is_edited("bodies[0].velocity"));
}

TEST(EditedScene, WrongValueIsRefusedWithTheLoadersWordsAndChangesNothing) {
  scenes::EditedScene scene = good_scene();
  scene.set("time.end", "7");
  const std::string before = scene.to_yaml();
  EXPECT_EQ(refusal(scene, "particles.spacing", "-1"), "particles.spacing: found '-1', allowed: a number above 0 in m");
  EXPECT_EQ(refusal(scene, "time.ent", "3").substr(0, 53), "time.ent: unknown key 'ent'; did you mean 'end'? Allo");
  EXPECT_TRUE(contains(refusal(scene, "gravity", "[1, 2"), "gravity: '[1, 2' is not a YAML value"));
  EXPECT_TRUE(contains(refusal(scene, "gravity", ""), "gravity: found nothing"));
  EXPECT_TRUE(contains(refusal(scene, "bodies[3].jitter", "0"), "bodies[3].jitter: found '3' as an index"));
  EXPECT_TRUE(contains(refusal(scene, "a..b", "0"), "a..b: is not a key path"));
  EXPECT_TRUE(contains(refusal(scene, "", "0"), "is not a key path"));
  EXPECT_TRUE(contains(refusal(scene, "bodies[0].box.min", "[2, 2, 2]"), "bodies[0].box: "));
  EXPECT_EQ(scene.to_yaml(), before);
  EXPECT_EQ(scene.edits().size(), 1u);
  scene.undo();
  EXPECT_FALSE(scene.can_undo()) << "a refused edit is no step to undo";
}

TEST(EditedScene, SceneWithMistakesIsRefusedAtOnce) {
  EXPECT_THROW(scenes::EditedScene(scenes::parse_source(spoiled("0.1", "-1"), "s.yaml")), InputError);
}

TEST(EditedScene, ComponentOfAVectorIsPartOfIt) {
  scenes::EditedScene scene = good_scene();
  scene.set("domain.max[1]", "2");
  EXPECT_FLOAT_EQ(scene.scene().simulation.domain.max.y, 2);
  EXPECT_TRUE(scene.is_edited("domain.max"));
  scene.reset("domain.max");
  EXPECT_FLOAT_EQ(scene.scene().simulation.domain.max.y, 1);
}

// The panel names gravity[1]; the file does not write the default, so the item has no list yet to belong to.
TEST(EditedScene, ComponentOfADefaultVectorCanBeEdited) {
  scenes::EditedScene scene = good_scene();
  scene.set("gravity[1]", "-3");
  EXPECT_EQ(scene.scene().simulation.gravity, (Vec3{0, -3, 0}));
  scene.reset("gravity");
  EXPECT_EQ(scene.scene().simulation.gravity, (Vec3{0, -9.81f, 0}));
}

TEST(EditedScene, ResetTakesBackOneKeyAndLeavesTheOthers) {
  scenes::EditedScene scene = good_scene();
  scene.set("time.end", "7");
  scene.set("solver.tait_exponent", "3");
  scene.set("solver.artificial_viscosity", "0.2");
  scene.reset("solver");
  EXPECT_EQ(scene.edits(), (std::vector<scenes::Edit>{{"time.end", "7"}}));
  scene.reset("gravity");
  EXPECT_EQ(scene.edits().size(), 1u);
  scene.undo();
  EXPECT_EQ(scene.edits().size(), 3u);
  scene.reset_all();
  EXPECT_TRUE(scene.edits().empty());
  expect_same_scene(scene.scene(), scenes::parse_scene(kGoodScene, "s.yaml"));
}

TEST(EditedScene, ResetWithinASectionThatWasEditedAsAWhole) {
  scenes::EditedScene scene = shipped("rayleigh_taylor_sph");
  scene.set("picture.camera", "{position: [0, 0, 9], target: [1, 1, 1], up: [1, 0, 0]}");
  scene.reset("picture.camera.target");
  EXPECT_EQ(scene.scene().picture.camera.target, (Vec3{16, 10.3f, 4}));
  EXPECT_EQ(scene.scene().picture.camera.position, (Vec3{0, 0, 9}));
  scene.reset("picture.camera.up");
  EXPECT_EQ(scene.scene().picture.camera.up, (Vec3{0, 1, 0}));
  EXPECT_FALSE(scene.is_edited("picture.camera.up"));
  EXPECT_TRUE(scene.is_edited("picture.camera"));
  scene.reset("picture.camera");
  EXPECT_TRUE(scene.edits().empty());
}

TEST(EditedScene, ResetThatOtherEditsForbidIsRefused) {
  scenes::EditedScene scene = good_scene();
  scene.set("domain.max", "[9, 9, 9]");
  scene.set("bodies[0].box", "{min: [5, 5, 5], max: [6, 6, 6]}");
  EXPECT_THROW(scene.reset("domain.max"), InputError);
  EXPECT_EQ(scene.edits().size(), 2u);
  EXPECT_FLOAT_EQ(scene.scene().simulation.domain.max.x, 9);
}

TEST(EditedScene, ValueOfTheFileIsNoEdit) {
  scenes::EditedScene scene = good_scene();
  scene.set("particles.spacing", "0.05");
  scene.set("particles.spacing", "0.1");
  EXPECT_TRUE(scene.edits().empty());
  EXPECT_FALSE(scene.is_edited("particles.spacing"));
  scene.undo();
  EXPECT_FLOAT_EQ(scene.scene().simulation.spacing, 0.05f);
}

TEST(EditedScene, ANumberThatIsTypedBackInAnotherSpellingIsNoEdit) {
  scenes::EditedScene scene(scenes::parse_source(std::string(kGoodScene) + "gravity: [0, -1.0, 0]\n", "s.yaml"));
  scene.set("gravity", "[0, -2, 0]");
  EXPECT_TRUE(scene.anything_edited());
  scene.set("gravity", "[0, -1, 0.0]");
  EXPECT_FALSE(scene.anything_edited());
  scene.set("gravity", "[0, -1, 0.1]");
  EXPECT_TRUE(scene.anything_edited());
}

TEST(EditedScene, ASwitchThatIsTurnedOffAndOnAgainIsNoEdit) {
  scenes::EditedScene scene = good_scene();
  scene.set("picture.caption", "false");
  EXPECT_TRUE(scene.is_edited("picture.caption"));
  scene.set("picture.caption", "true");
  EXPECT_FALSE(scene.anything_edited()) << "the file leaves it out, and it is the default";
}

TEST(EditedScene, UndoAndRedoWalkThroughTheEdits) {
  scenes::EditedScene scene = good_scene();
  scene.undo();
  scene.redo();
  scene.set("time.end", "7");
  scene.set("time.end", "8");
  scene.set("seed", "5");
  scene.undo();
  EXPECT_EQ(scene.scene().simulation.seed, 1u);
  scene.undo();
  EXPECT_DOUBLE_EQ(scene.scene().run.end_time, 7);
  scene.redo();
  EXPECT_DOUBLE_EQ(scene.scene().run.end_time, 8);
  EXPECT_TRUE(scene.can_redo());
  scene.set("seed", "6");
  EXPECT_FALSE(scene.can_redo()) << "a new edit ends what could be redone";
  scene.undo();
  scene.undo();
  scene.undo();
  EXPECT_FALSE(scene.can_undo());
  expect_same_scene(scene.scene(), scenes::parse_scene(kGoodScene, "s.yaml"));
}

TEST(EditedScene, OneMovementOfASliderIsUndoneAtOnce) {
  scenes::EditedScene scene = good_scene();
  scene.set("time.end", "3");
  scene.set("time.end", "4");
  for (const char* end : {"5", "6", "7"}) scene.set("time.end", end, true);
  scene.set("seed", "5", true);  // another key: a step of its own, whatever the caller says
  scene.undo();
  EXPECT_DOUBLE_EQ(scene.scene().run.end_time, 7);
  scene.undo();
  EXPECT_DOUBLE_EQ(scene.scene().run.end_time, 3);
  scene.set("time.end", "9", true);  // after an undo it is a new movement
  scene.undo();
  EXPECT_DOUBLE_EQ(scene.scene().run.end_time, 3);
}

TEST(EditedScene, AlternativesTakeEachOthersPlace) {
  scenes::EditedScene scene = good_scene();
  scene.set("particles.number_density", "8000");
  EXPECT_FLOAT_EQ(scene.scene().simulation.spacing, 0.05f);
  scene.set("bodies[0].sphere", "{center: [0.5, 0.5, 0.5], radius: 0.3}");
  EXPECT_EQ(scene.scene().simulation.bodies[0].shape, Shape::Sphere);
  scene.set("bodies[0].sphere.radius", "0.4");
  EXPECT_FLOAT_EQ(scene.scene().simulation.bodies[0].radius, 0.4f);
  scene.reset("bodies[0].sphere");
  EXPECT_EQ(scene.scene().simulation.bodies[0].shape, Shape::Box);
}

TEST(EditedScene, AnotherSolverLeavesOutWhatMeansNothingWithItAndBringsItBack) {
  scenes::EditedScene scene = shipped("rayleigh_taylor_sph");
  scene.set("solver.tait_exponent", "3");
  scene.set("solver.type", "pbf");
  EXPECT_EQ(scene.scene().simulation.solver, SolverKind::Pbf);
  EXPECT_EQ(scene.left_out(), (std::vector<std::string>{"solver.walls", "solver.artificial_viscosity",
                                                        "solver.shifting", "solver.tait_exponent"}));
  EXPECT_EQ(scene.to_yaml().find("shifting"), std::string::npos);
  EXPECT_TRUE(contains(refusal(scene, "solver.shifting", "3"), "solver.shifting: means nothing with solver.type pbf"));
  EXPECT_TRUE(contains(refusal(scene, "solver", "{type: pbf, shifting: 3}"), "means nothing with solver.type pbf"));
  scene.reset("solver.walls");
  scene.set("solver.iterations", "7");
  scene.undo();
  EXPECT_FALSE(scene.is_edited("solver.iterations")) << "to reset what is left out is no step";
  scene.redo();
  scene.reset("solver.type");
  EXPECT_EQ(scene.left_out(), std::vector<std::string>{"solver.iterations"});
  EXPECT_EQ(scene.scene().simulation.solver, SolverKind::Wcsph);
  EXPECT_FLOAT_EQ(scene.scene().simulation.wcsph.shifting, 5);
  EXPECT_FLOAT_EQ(scene.scene().simulation.wcsph.tait_exponent, 3);
}

TEST(EditedScene, ASolverWithOtherUnitsIsRefusedAndNothingChanges) {
  scenes::EditedScene water = shipped("dam_break");
  const std::string why = refusal(water, "solver.type", "dpd");
  EXPECT_TRUE(contains(why,
                       "solver.type: found 'dpd', which has other units: the 0.02 m between particles would become "
                       "0.02 r_c"));
  EXPECT_TRUE(contains(why, "allowed in this scene: wcsph, pbf"));
  EXPECT_TRUE(contains(why, "open a scene of dpd"));
  EXPECT_TRUE(contains(refusal(water, "solver", "{type: dpd}"), "found 'dpd', which has other units"));
  EXPECT_FALSE(water.anything_edited());
  EXPECT_FALSE(water.can_undo());
  scenes::EditedScene soup = shipped("phase_separation");
  EXPECT_TRUE(contains(refusal(soup, "solver.type", "wcsph"), "found 'wcsph', which has other units"));
  EXPECT_TRUE(contains(refusal(soup, "solver.type", "pbf"), "allowed in this scene: dpd."));
}

TEST(EditedScene, TheFluidThatTheFileDoesNotWriteDownCanBeEdited) {
  scenes::EditedScene scene = good_scene();
  scene.set("fluids[0].viscosity", "0.01");
  ASSERT_EQ(scene.scene().simulation.fluids.size(), 1u);
  EXPECT_FLOAT_EQ(scene.scene().simulation.fluids[0].viscosity, 0.01f);
  EXPECT_EQ(scene.scene().simulation.fluids[0].name, "water");
}

TEST(EditedScene, SavedFileHoldsTheEdits) {
  const auto folder = std::filesystem::temp_directory_path() / ("riffle-edits-" + std::to_string(getpid()));
  const std::string file = (folder / "deeper" / "wave.yaml").string();
  scenes::EditedScene scene = shipped("dam_break");
  scene.set("gravity", "[1, -9.81, 0]");
  scene.set("description", scenes::string_text("two words: \"quoted\" # and more"));
  scene.set("name", scenes::string_text("2"));
  EXPECT_THROW(scene.save(file), RuntimeFailure);
  EXPECT_FALSE(std::filesystem::exists(folder)) << "no folder is made unasked";
  std::filesystem::create_directories(folder / "deeper");
  scene.save(file);
  expect_same_scene(scenes::load_scene(file), scene.scene());
  scene.set("seed", "9");
  scene.save(file);
  EXPECT_EQ(scenes::load_scene(file).simulation.seed, 9u);
  EXPECT_EQ(scenes::read_scene_text(file).substr(0, 45), "# Riffle scene, written from dam_break.yaml\nn");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder / "deeper")) ++files;
  EXPECT_EQ(files, 1) << "a half-written file stayed behind";
  std::filesystem::remove_all(folder);
}

TEST(EditedScene, ASceneSavedUnderAnotherNameIsCalledAfterItsFile) {
  const auto folder = std::filesystem::temp_directory_path() / ("riffle-names-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  scenes::EditedScene scene = shipped("dam_break");
  const std::string name = scene.scene().name;
  ASSERT_NE(name, "dam_break") << "it has a name of its own";
  scene.save(folder / "mine.yaml");
  EXPECT_EQ(scenes::load_scene(folder / "mine.yaml").name, "mine");
  scene.save(folder / "dam_break.yaml");
  EXPECT_EQ(scenes::load_scene(folder / "dam_break.yaml").name, name) << "its file has the same name";
  scene.set("name", scenes::string_text("chosen"));
  scene.save(folder / "mine.yaml");
  EXPECT_EQ(scenes::load_scene(folder / "mine.yaml").name, "chosen");
  std::filesystem::remove_all(folder);
}

// A folder with a scene and all that belongs to it can be moved.
TEST(EditedScene, ANewSceneHasNoFileEvenIfThereIsOneOfItsName) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "riffle_new_scene";
  std::filesystem::create_directories(folder);
  const std::string there = (folder / "tank.yaml").string(), other = (folder / "other.yaml").string();
  std::ofstream(there) << kGoodScene;
  scenes::SceneSource source = scenes::parse_source(kGoodScene, there);
  source.is_new = true;
  const scenes::EditedScene scene(source);
  EXPECT_TRUE(scene.scene().is_new);
  scene.save(other);
  std::ifstream in(other);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "# Riffle scene, written from a new scene");
  std::filesystem::remove_all(folder);
}

TEST(EditedScene, AFileBesideTheSavedSceneIsNamedFromThere) {
  const auto folder = std::filesystem::temp_directory_path() / ("riffle-beside-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "meshes");
  std::filesystem::create_directories(folder / "scenes");
  const auto mesh = folder / "meshes" / "knot.obj";
  std::filesystem::copy_file(RIFFLE_SOURCE_DIR "/scenes/library/meshes/knot.obj", mesh);
  scenes::EditedScene scene = shipped("dam_break");
  scene.add_mesh(mesh.string());
  scene.save(folder / "a.yaml");
  EXPECT_NE(scenes::read_scene_text(folder / "a.yaml").find("file: meshes/knot.obj,"), std::string::npos)
      << scenes::read_scene_text(folder / "a.yaml");
  EXPECT_EQ(scenes::load_scene(folder / "a.yaml").simulation.solid_regions.size(), 1u) << "it is found";
  scene.save(folder / "scenes" / "b.yaml");
  EXPECT_NE(scenes::read_scene_text(folder / "scenes" / "b.yaml").find(mesh.string()), std::string::npos)
      << "a file elsewhere stays where it was named";
  std::filesystem::remove_all(folder);
}

TEST(EditedScene, WhatCannotBeSavedIsReported) {
  const scenes::EditedScene scene = shipped("dam_break");
  EXPECT_THROW(scene.save("/dev/full"), RuntimeFailure);
  EXPECT_THROW(scene.save("/"), RuntimeFailure);
  EXPECT_THROW(scene.save("/proc/no/such.yaml"), RuntimeFailure);
}

TEST(EditedScene, EffectOfAChangeIsThatOfItsHeaviestKey) {
  scenes::EditedScene scene = shipped("dam_break");
  const scenes::SceneSource before = scene.document();
  EXPECT_EQ(scenes::effect_of_change(before, before), std::nullopt);
  scene.set("seed", "1");
  EXPECT_EQ(scenes::effect_of_change(before, scene.document()), std::nullopt) << "it was 1 by default";
  scene.set("picture.color_by", "fluid");
  EXPECT_EQ(scenes::effect_of_change(before, scene.document()), scenes::Effect::Picture);
  scene.set("neighbors.method", "fenns");
  EXPECT_EQ(scenes::effect_of_change(before, scene.document()), scenes::Effect::Search);
  scene.set("gravity", "[0, -1, 0]");
  EXPECT_EQ(scenes::effect_of_change(before, scene.document()), scenes::Effect::Live);
  scene.set("solver.type", "pbf");
  EXPECT_EQ(scenes::effect_of_change(before, scene.document()), scenes::Effect::Live);
  scene.set("bodies[0].sphere", "{center: [0.3, 0.3, 0.2], radius: 0.15}");
  EXPECT_EQ(scenes::effect_of_change(before, scene.document()), scenes::Effect::Restart);
  scene.undo();
  EXPECT_EQ(scenes::effect_of_change(before, scene.document()), scenes::Effect::Live);
}

namespace {

constexpr const char* kTwoFluids =
    "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\nfluids: [{name: water}, {name: oil}]\n"
    "bodies:\n  - {fluid: water, box: {min: [0, 0, 0], max: [0.4, 1, 1]}}\n"
    "  - {fluid: oil, box: {min: [0.6, 0, 0], max: [1, 0.5, 1]}}\n"
    "  - {fluid: oil, box: {min: [0.6, 0.5, 0], max: [1, 1, 1]}}\n";

std::string fluids_of_bodies(const scenes::EditedScene& scene) {
  std::string names;
  for (const BodySetup& body : scene.scene().simulation.bodies)
    names += scene.scene().simulation.fluids[static_cast<std::size_t>(body.fluid)].name + " ";
  return names;
}

}  // namespace

// The names by which others refer to it go with it, in one step.
TEST(EditedScene, AFluidIsRenamedWithAllThatNamesIt) {
  scenes::EditedScene scene(scenes::parse_source(kTwoFluids, "s.yaml"));
  scene.set("fluids[1].name", "honey");
  EXPECT_EQ(fluids_of_bodies(scene), "water honey honey ");
  EXPECT_TRUE(contains(scene.to_yaml(), "fluid: honey"));
  EXPECT_EQ(scene.undo_count(), 1u);
  scene.set("bodies[2].fluid", "water");
  scene.set("fluids[1].name", "syrup");
  EXPECT_EQ(fluids_of_bodies(scene), "water syrup water ");
  scene.reset("fluids[1].name");
  EXPECT_EQ(fluids_of_bodies(scene), "water oil water ");
  scene.set("bodies[2].fluid", "oil");
  EXPECT_FALSE(scene.anything_edited()) << scene.to_yaml();
  scene.set("fluids[0].name", "brine");
  scene.set("fluids[0].name", "water");
  EXPECT_FALSE(scene.anything_edited()) << scene.to_yaml();
  EXPECT_TRUE(contains(refusal(scene, "fluids[0].name", "oil"), "already the name"));
  while (scene.can_undo()) scene.undo();
  EXPECT_EQ(fluids_of_bodies(scene), "water oil oil ");
}

// An interface and inlets name fluids, too.
TEST(EditedScene, AFluidIsRenamedAtTheInterface) {
  scenes::EditedScene scene(scenes::parse_source(
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\nfluids: [{name: water}, {name: oil}]\n"
      "bodies: [{box: {min: [0, 0, 0], max: [1, 1, 1]}}]\n"
      "start: {interface: {upper: oil, lower: water, height: 0.5}}\n",
      "s.yaml"));
  scene.set("fluids[1].name", "honey");
  EXPECT_TRUE(contains(scene.to_yaml(), "upper: honey"));
  try {
    scene.remove_entry("fluids[1]");
    FAIL() << "was removed";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "fluids[1]: 'honey' is in use: the interface (start.interface) has it on a side. Give that another "
                 "fluid, or remove it, first");
  }
}

// The button beside a changed number must lead to a value.
TEST(EditedScene, AKeyThatCannotBeLeftOutGoesBackToWhatWasOffered) {
  scenes::EditedScene scene(
      scenes::parse_source("domain: {min: [0, 0, 0], max: [2, 1, 1]}\nparticles: {spacing: 0.1}\n"
                           "bodies: [{box: {min: [0.5, 0, 0], max: [2, 0.5, 1]}}]\n"
                           "solids: [{box: {min: [0, 0, 0], max: [0.4, 1, 1]}}]\n",
                           "s.yaml"));
  const std::string height = "solids[0].motion.wave.height";
  scene.set("solids[0].motion", "{wave: {height: 0.05, period: 1, depth: 0.5}}");
  EXPECT_TRUE(scene.is_edited(height));
  EXPECT_FALSE(scene.can_reset(height, true)) << "nothing is before it";
  EXPECT_TRUE(scene.can_reset("solids[0].motion.ramp", false));
  scene.set(height, "0.08");
  ASSERT_TRUE(scene.can_reset(height, true));
  scene.reset(height);
  EXPECT_EQ(scene.scene().simulation.solid_regions[0].drive.wave.height, 0.05f);
  EXPECT_FALSE(scene.can_reset(height, true));
  scene.set("solids[0].motion", "free");
  EXPECT_TRUE(scene.is_edited("solids[0].density"));
  EXPECT_FALSE(scene.can_reset("solids[0].density", false)) << "a free solid needs it";
  scene.set("gravity", "[0, -1, 0]");
  EXPECT_TRUE(scene.can_reset("gravity", false));
  scene.set("particles.spacing", "0.05");
  EXPECT_TRUE(scene.can_reset("particles.spacing", true));
}

TEST(EditedScene, EventsFollowTheEntriesWhoseKeysTheySet) {
  scenes::EditedScene scene(
      scenes::parse_source(good_scene_with("outlets:\n  - {name: a, box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}\n"
                                           "  - {name: b, box: {min: [0.8, 0, 0], max: [0.9, 0.1, 0.1]}}\n"
                                           "events:\n  - {step: 3, set: {outlets.0.from: 1, outlets.1.from: 2}}\n"
                                           "  - {step: 5, set: {outlets.0.from: 3}}\n"),
                           "s.yaml"));
  const std::string before = scene.to_yaml();
  scene.copy_entry("outlets[0]");
  ASSERT_EQ(scene.scene().events.size(), 2u);
  EXPECT_EQ(scene.scene().events[0].after->outlets[2].from, 2);
  EXPECT_EQ(scene.scene().events[0].after->outlets[1].from, 0);
  scene.undo();
  scene.remove_entry("outlets[0]");
  ASSERT_EQ(scene.scene().events.size(), 1u) << "the other one has nothing left to set";
  EXPECT_EQ(scene.scene().events[0].after->outlets[0].from, 2);
  scene.undo();
  EXPECT_EQ(scene.to_yaml(), before);
}

}  // namespace riffle
