/// Adding, copying and removing entries of a scene's lists.

#include <algorithm>
#include <cmath>

#include "same_scene.h"
#include "scenes/document/body_space.h"
#include "scenes/document/edited_scene.h"
#include "scenes/document/nozzle_room.h"
#include "scenes/document/yaml_writer.h"
#include "sim/shapes/distance.h"
#include "sim/simulation.h"
#include "sim/start/sampling.h"
#include "tests/scenes/document/example_scenes.h"

namespace riffle {

namespace {

template <class Change>
std::string refusal(const Change& change) {
  try {
    change();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The entry is inside the domain and free of the others, and the file agrees.
void expect_sound(const scenes::EditedScene& scene) {
  const SimulationSetup& setup = scene.scene().simulation;
  const float slack = 2e-3f * setup.spacing;
  for (std::size_t i = 0; i < setup.bodies.size(); ++i) {
    const auto [min, max] = bounds_of(setup.bodies[i]);
    for (int a = 0; a < setup.domain.dimension; ++a) {
      EXPECT_GE(component(min, a), component(setup.domain.min, a) - slack) << i;
      EXPECT_LE(component(max, a), component(setup.domain.max, a) + slack) << i;
    }
    for (std::size_t j = 0; j < i; ++j) {
      const BodySetup &a = setup.bodies[i], &b = setup.bodies[j];
      std::int64_t visits = 1'000'000;
      if (scenes::overlap_is_exact(a, b))
        EXPECT_LE(scenes::overlap_depth(a, b, setup.domain.dimension), slack) << i << " " << j;
      else
        EXPECT_FALSE(scenes::common_place(a, b, setup.domain.dimension, setup.spacing, visits)) << i << " " << j;
    }
  }
  const std::string text = scene.to_yaml();
  const scenes::SceneSource again = scenes::parse_source(text, scene.source().path);
  expect_same_scene(scenes::build_scene(again), scene.scene());
  EXPECT_EQ(scenes::EditedScene(again).to_yaml(), text);
}

std::size_t bodies_of(const scenes::EditedScene& scene) { return scene.scene().simulation.bodies.size(); }
std::size_t fluids_of(const scenes::EditedScene& scene) { return scene.scene().simulation.fluids.size(); }

}  // namespace

TEST(ListEntries, ABodyIsAddedWhereThereIsRoom) {
  for (const std::string shape : {"", "box", "sphere", "cylinder", "capsule", "polygon"}) {
    SCOPED_TRACE(shape);
    scenes::EditedScene scene = good_scene();
    const std::string before = scene.to_yaml();
    const auto particles = count_particles(scene.scene().simulation);
    scene.add_entry("bodies", shape);
    ASSERT_EQ(bodies_of(scene), 2u);
    EXPECT_EQ(shape_info(scene.scene().simulation.bodies[1].shape).word, shape.empty() ? "box" : shape);
    EXPECT_GT(count_particles(scene.scene().simulation), particles);
    expect_sound(scene);
    EXPECT_TRUE(scene.anything_edited());
    EXPECT_FALSE(scene.is_edited("bodies[1]")) << "there is nothing that its keys could go back to";
    scene.undo();
    EXPECT_EQ(scene.to_yaml(), before);
    EXPECT_FALSE(scene.anything_edited());
    scene.redo();
    EXPECT_EQ(bodies_of(scene), 2u);
    scene.reset_all();
    EXPECT_EQ(scene.to_yaml(), before);
  }
}

TEST(ListEntries, BodiesFillTheDomainUntilThereIsNoRoomLeft) {
  scenes::EditedScene scene(
      scenes::parse_source("dimension: 2\n"
                           "domain: {min: [0, 0], max: [1, 0.4]}\n"
                           "particles: {spacing: 0.1}\n"
                           "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.4]}\n",
                           "s.yaml"));
  std::string no_room;
  while (no_room.empty()) no_room = refusal([&] { scene.add_entry("bodies"); });
  EXPECT_GE(bodies_of(scene), 3u) << "of 0.2 x 0.2 m, in the 0.5 x 0.4 m that are left";
  EXPECT_LE(bodies_of(scene), 5u);
  expect_sound(scene);
  const std::string before = scene.to_yaml();
  EXPECT_EQ(no_room,
            "bodies: found no room for another one inside the domain: every place that is two particle spacings wide "
            "(0.2 m) is taken; allowed: a body that overlaps no other");
  EXPECT_TRUE(contains(refusal([&] { scene.copy_entry("bodies[0]"); }), "bodies[0]: found no room for a copy"));
  EXPECT_EQ(scene.to_yaml(), before);
}

TEST(ListEntries, FluidFillsTheDomainBelowTheOtherBodies) {
  const std::string floating =
      "domain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
      "bodies:\n  - sphere: {center: [0.5, 0.7, 0.5], radius: 0.2}\n";
  scenes::EditedScene scene(scenes::parse_source(floating, "s.yaml"));
  scene.add_entry("bodies", "fill");
  ASSERT_EQ(bodies_of(scene), 2u);
  EXPECT_NEAR(scene.scene().simulation.bodies[1].max.y, 0.2f, 1e-6f) << "half the way to the ball";
  EXPECT_EQ(scene.scene().simulation.bodies[1].max.x, 1);
  expect_sound(scene);
  EXPECT_TRUE(contains(refusal([&] { scene.copy_entry("bodies[1]"); }), "bodies[1]: found a body by `fill`"));
  EXPECT_TRUE(
      contains(refusal([&] { scene.add_entry("bodies", "fill"); }),
               "bodies: found no room to fill the domain up to a level below the other bodies: they leave 0 m"));
  scenes::EditedScene upwards(scenes::parse_source(floating + "gravity: [0, 9.81, 0]\n", "s.yaml"));
  EXPECT_TRUE(contains(refusal([&] { upwards.add_entry("bodies", "fill"); }), "they leave 0.1 m above the floor"));
}

TEST(ListEntries, ACopyTakesItsHolesAlong) {
  scenes::EditedScene scene(
      scenes::parse_source("domain: {min: [0, 0, 0], max: [2, 1, 1]}\nparticles: {spacing: 0.1}\n"
                           "bodies:\n"
                           "  - polygon: {corners: [[0, 0], [0.6, 0], [0, 0.6]]}\n"
                           "    without:\n"
                           "      - cylinder: {from: [0.2, 0.2, 0], to: [0.2, 0.2, 1], radius: 0.12}\n"
                           "      - polygon: {corners: [[0, 0], [0.1, 0], [0, 0.1]], from: 0.5}\n",
                           "s.yaml"));
  const auto alone = count_particles(scene.scene().simulation);
  scene.copy_entry("bodies[0]");
  ASSERT_EQ(bodies_of(scene), 2u);
  EXPECT_EQ(count_particles(scene.scene().simulation), 2 * alone);
  const auto& bodies = scene.scene().simulation.bodies;
  const float by = bodies[1].corners[0][0] - bodies[0].corners[0][0];
  EXPECT_GT(by + bodies[1].corners[0][1], 0.1f);
  EXPECT_NEAR(bodies[1].without[0].from.x, 0.2f + by, 1e-6f);
  EXPECT_EQ(bodies[1].without[1].low, 0.5f);
  EXPECT_EQ(bodies[1].without[1].high, 1) << "the domain's face";
  expect_sound(scene);
}

TEST(ListEntries, ACopyLiesNextToItsOriginalAndHasItsEdits) {
  scenes::EditedScene scene = good_scene();
  scene.set("bodies[0].velocity", "[1, 0, 0]");
  scene.set("bodies[0].box.max", "[0.3, 0.2, 0.4]");
  scene.copy_entry("bodies[0]");
  const auto& bodies = scene.scene().simulation.bodies;
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[1].velocity.x, 1);
  EXPECT_NEAR(bodies[1].max.z - bodies[1].min.z, 0.4f, 1e-6f);
  EXPECT_NEAR(bodies[1].min.y, 0.2f, 1e-6f) << "the least of the moves there are is upwards";
  EXPECT_TRUE(scene.is_edited("bodies[0].velocity"));
  EXPECT_FALSE(scene.is_edited("bodies[1].velocity"));
  expect_sound(scene);
}

TEST(ListEntries, EditsStayWithTheirEntries) {
  scenes::EditedScene scene = good_scene();
  scene.add_entry("bodies");
  scene.add_entry("bodies", "sphere");
  scene.set("bodies[0].jitter", "0.1");
  scene.set("bodies[1].jitter", "0.2");
  scene.set("bodies[2].jitter", "0.3");
  scene.copy_entry("bodies[0]");
  const auto jitter = [&](std::size_t i) { return scene.scene().simulation.bodies[i].jitter; };
  EXPECT_FLOAT_EQ(jitter(0), 0.1f);
  EXPECT_FLOAT_EQ(jitter(1), 0.1f);
  EXPECT_FLOAT_EQ(jitter(2), 0.2f);
  EXPECT_FLOAT_EQ(jitter(3), 0.3f);
  scene.remove_entry("bodies[1]");
  scene.remove_entry("bodies[0]");
  ASSERT_EQ(bodies_of(scene), 2u);
  EXPECT_FLOAT_EQ(jitter(0), 0.2f);
  EXPECT_FLOAT_EQ(jitter(1), 0.3f);
  scene.reset("bodies[1].jitter");
  EXPECT_EQ(jitter(1), 0) << "a sphere, as it was added";
  EXPECT_EQ(scene.scene().simulation.bodies[1].shape, Shape::Sphere);
  expect_sound(scene);
  while (scene.can_undo()) scene.undo();
  EXPECT_FALSE(scene.anything_edited());
  EXPECT_EQ(scene.to_yaml(), good_scene().to_yaml());
}

TEST(ListEntries, WhatWasAddedAndTakenOutAgainIsNoEdit) {
  scenes::EditedScene scene = good_scene();
  scene.add_entry("bodies");
  scene.remove_entry("bodies[1]");
  EXPECT_FALSE(scene.anything_edited());
}

TEST(ListEntries, TheLastBodyCannotBeTakenOut) {
  scenes::EditedScene scene = good_scene();
  EXPECT_TRUE(contains(refusal([&] { scene.remove_entry("bodies[0]"); }),
                       "bodies[0]: is the only body, and there is no inlet"));
  EXPECT_TRUE(contains(refusal([&] { scene.remove_entry("bodies[1]"); }), "allowed: 0 to 0"));
  EXPECT_TRUE(contains(refusal([&] { scene.remove_entry("fluids[0]"); }), "fluids[0]: is the only fluid of the scene"));
  EXPECT_TRUE(contains(refusal([&] { scene.remove_entry("gravity[0]"); }), "gravity: is not a list of the scene"));
  EXPECT_TRUE(contains(refusal([&] { scene.add_entry("walls"); }), "walls: is not a list of the scene"));
  EXPECT_TRUE(contains(refusal([&] { scene.add_entry("bodies", "torus"); }), "found 'torus'"));
  EXPECT_EQ(bodies_of(scene), 1u);
  EXPECT_FALSE(scene.can_undo());
}

TEST(ListEntries, ASolidIsAddedWhereThereIsRoom) {
  for (const std::string shape : {"", "box", "sphere", "cylinder", "capsule", "polygon"}) {
    SCOPED_TRACE(shape);
    scenes::EditedScene scene = good_scene();
    const std::string before = scene.to_yaml();
    const auto particles = count_particles(scene.scene().simulation);
    scene.add_entry("solids", shape);
    scene.add_entry("solids", shape);
    const auto& solids = scene.scene().simulation.solid_regions;
    ASSERT_EQ(solids.size(), 2u);
    EXPECT_EQ(shape_info(solids[1].shape).word, shape.empty() ? "box" : shape);
    EXPECT_EQ(count_particles(scene.scene().simulation), particles) << "it displaces no fluid";
    EXPECT_TRUE(scene.scene().warnings.empty()) << scene.scene().warnings[0].message();
    expect_sound(scene);
    scene.add_entry("bodies", shape);
    EXPECT_TRUE(scene.scene().warnings.empty()) << "bodies go round solids";
    scene.remove_entry("solids[0]");
    scene.remove_entry("solids[0]");
    EXPECT_TRUE(scene.scene().simulation.solid_regions.empty());
    while (scene.can_undo()) scene.undo();
    EXPECT_EQ(scene.to_yaml(), before);
  }
}

TEST(ListEntries, SolidsThatComeAndGoLeaveNoTrace) {
  scenes::EditedScene scene = good_scene();
  scene.add_entry("solids");
  EXPECT_TRUE(scene.anything_edited());
  scene.remove_entry("solids[0]");
  EXPECT_FALSE(scene.anything_edited());
  EXPECT_TRUE(contains(refusal([&] { scene.remove_entry("solids[0]"); }),
                       "solids[0]: found '0' as an index into the list solids, which is empty"));
}

TEST(ListEntries, EditsStayWithTheirSolids) {
  scenes::EditedScene scene = good_scene();
  scene.add_entry("solids", "sphere");
  scene.set("solids[0].sphere.radius", "0.1");
  scene.set("solids[0].name", "ball");
  scene.copy_entry("solids[0]");
  const auto& solids = scene.scene().simulation.solid_regions;
  ASSERT_EQ(solids.size(), 2u);
  EXPECT_EQ(solids[1].name, "ball 2");
  EXPECT_EQ(solids[1].radius, 0.1f);
  const float apart = std::sqrt(length2(solids[1].center - solids[0].center)) - 0.2f;
  EXPECT_GE(apart, 0.999f * scene.scene().simulation.spacing) << "free solids that touch would push each other";
  scene.set("solids[1].color", "'#102030'");
  scene.remove_entry("solids[0]");
  ASSERT_EQ(scene.scene().simulation.solid_regions.size(), 1u);
  EXPECT_EQ(scene.scene().simulation.solid_regions[0].name, "ball 2");
  EXPECT_EQ(scene.scene().simulation.solid_regions[0].color.z, 0x30 / 255.0f);
  expect_sound(scene);
}

TEST(ListEntries, ANewSolidHasANameThatIsFree) {
  scenes::EditedScene scene = good_scene();
  scene.add_entry("solids", "sphere");
  scene.set("solids[0].name", "solid 2");
  scene.add_entry("solids", "sphere");
  EXPECT_EQ(scene.scene().simulation.solid_regions[1].name, "solid 2 2");
}

// Its bounds are all of the tank, its walls are not.
TEST(ListEntries, ThereIsRoomInATankThatIsAUnion) {
  for (const std::string tank :
       {"box: {min: [0, 0], max: [1, 0.1]}\n"
        "    with: [{box: {min: [0, 0], max: [0.1, 1]}}, {box: {min: [0.9, 0], max: [1, 1]}}]\n",
        "box: {min: [0, 0], max: [1, 1]}\n    without: [{box: {min: [0.1, 0.1], max: [0.9, 1.1]}}]\n",
        "plane: {point: [0.5, 0.2], normal: [-0.2, 1]}\n"}) {
    SCOPED_TRACE(tank);
    scenes::EditedScene scene(
        scenes::parse_source("dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.05}\n"
                             "bodies:\n  - box: {min: [0.2, 0.5], max: [0.3, 0.6]}\nsolids:\n  - " +
                                 tank,
                             "s.yaml"));
    for (const char* list : {"solids", "bodies"}) {
      scene.add_entry(list, "sphere");
      const PlainShape& added = std::string(list) == "bodies"
                                    ? static_cast<const PlainShape&>(scene.scene().simulation.bodies[1])
                                    : scene.scene().simulation.solid_regions[1];
      ASSERT_EQ(added.shape, Shape::Sphere);
      EXPECT_GT(added.radius, 0.06f);
      const Region* const walls[] = {&scene.scene().simulation.solid_regions[0]};
      const FlatRegions flat = flatten(walls, scene.scene().simulation.domain);
      EXPECT_GE(nearest_surface(flat, added.center, 2).distance, added.radius - 1e-4f) << list;
    }
  }
}

// The fluid is left out where the solid is.
TEST(ListEntries, InAFullDomainASolidTakesThePlaceOfFluid) {
  scenes::EditedScene scene(
      scenes::parse_source("dimension: 2\ndomain: {min: [0, 0], max: [1, 1]}\nparticles: {spacing: 0.1}\n"
                           "bodies:\n  - box: {min: [0, 0], max: [1, 1]}\n",
                           "s.yaml"));
  const auto before = count_particles(scene.scene().simulation);
  scene.add_entry("solids", "box");
  EXPECT_LT(count_particles(scene.scene().simulation), before);
  EXPECT_TRUE(scene.scene().warnings.empty()) << scene.scene().warnings[0].message();
  std::string no_room;
  while (no_room.empty()) no_room = refusal([&] { scene.add_entry("solids", "box"); });
  EXPECT_TRUE(contains(no_room, "solids: "));
}

TEST(ListEntries, ASecondFluidIsToldFromTheFirst) {
  scenes::EditedScene scene = good_scene();  // its file has no fluids
  scene.set("fluids[0].viscosity", "0.5");
  scene.add_entry("fluids");
  ASSERT_EQ(fluids_of(scene), 2u);
  const auto& fluids = scene.scene().simulation.fluids;
  EXPECT_EQ(fluids[0].name, "water");
  EXPECT_FLOAT_EQ(fluids[0].viscosity, 0.5f);
  EXPECT_NE(fluids[1].name, "water");
  EXPECT_GT(length2(fluids[1].color - fluids[0].color), 0.05f);
  scene.add_entry("bodies");
  EXPECT_EQ(scene.scene().simulation.bodies[1].fluid, 1) << "of the fluid that had none";
  expect_sound(scene);
  EXPECT_EQ(refusal([&] { scene.remove_entry("fluids[1]"); }),
            "fluids[1]: 'fluid' is in use: a body is made of it (bodies[1]). Give that another fluid, or remove it, "
            "first");
  scene.remove_entry("bodies[1]");
  scene.remove_entry("fluids[1]");
  EXPECT_EQ(fluids_of(scene), 1u);
  expect_sound(scene);
}

TEST(ListEntries, ThereAreAtMostSoManyFluids) {
  scenes::EditedScene scene = good_scene();
  for (int i = 1; i < kMaxFluids; ++i) scene.add_entry("fluids");
  EXPECT_TRUE(contains(refusal([&] { scene.add_entry("fluids"); }), "fluids: found the list"));
  EXPECT_EQ(fluids_of(scene), static_cast<std::size_t>(kMaxFluids));
  expect_sound(scene);
}

TEST(ListEntries, CoefficientsOfPairsFollowTheFluids) {
  scenes::EditedScene scene = shipped("phase_separation");
  ASSERT_EQ(fluids_of(scene), 2u);
  const PairMatrix before = scene.scene().simulation.dpd.repulsion;
  scene.copy_entry("fluids[0]");
  ASSERT_EQ(fluids_of(scene), 3u);
  const PairMatrix& now = scene.scene().simulation.dpd.repulsion;
  EXPECT_EQ(now.value[1][2], before.value[0][1]) << "the copy against the other fluid";
  EXPECT_EQ(now.value[0][1], before.value[0][0]) << "the copy against its original";
  EXPECT_EQ(now.value[2][2], before.value[1][1]);
  expect_sound(scene);
  scene.set("solver.repulsion[0][0]", "30");
  scene.remove_entry("fluids[1]");
  EXPECT_EQ(scene.scene().simulation.dpd.repulsion.value[0][0], 30) << "an edit of the matrix is kept";
  EXPECT_EQ(scene.scene().simulation.dpd.repulsion.value[0][1], before.value[0][1]);
  expect_sound(scene);
  while (scene.can_undo()) scene.undo();
  EXPECT_EQ(scene.to_yaml(), shipped("phase_separation").to_yaml());
}

class EntriesOfShippedScenes : public ::testing::TestWithParam<const char*> {};

// A full scene has no room, and says so; every other scene takes a body, and every scene takes a fluid.
TEST_P(EntriesOfShippedScenes, AreAddedOrRefusedInWords) {
  scenes::EditedScene scene = shipped(GetParam());
  const std::size_t bodies = bodies_of(scene), fluids = fluids_of(scene);
  const std::string no_room = refusal([&] { scene.add_entry("bodies"); });
  EXPECT_TRUE(no_room.empty() ? bodies_of(scene) == bodies + 1 : no_room.starts_with("bodies: found no room"))
      << no_room;
  EXPECT_EQ(refusal([&] { scene.add_entry("fluids"); }), "");
  EXPECT_EQ(refusal([&] { scene.copy_entry("fluids[0]"); }), "");
  EXPECT_EQ(fluids_of(scene), fluids + 2);
  const std::string text = scene.to_yaml();
  expect_same_scene(scenes::build_scene(scenes::parse_source(text, scene.source().path)), scene.scene());
  while (scene.can_undo()) scene.undo();
  EXPECT_EQ(scene.to_yaml(), shipped(GetParam()).to_yaml());
}

INSTANTIATE_TEST_SUITE_P(Scenes, EntriesOfShippedScenes,
                         ::testing::Values("dam_break", "dam_break_pbf", "splash", "dpd_box", "phase_separation",
                                           "rayleigh_taylor_dpd", "rayleigh_taylor_pbf", "rayleigh_taylor_sph"),
                         [](const auto& scene) { return std::string(scene.param); });

// The other solver's keys count the same fluids: they must fit when their solver is back.
TEST(ListEntries, CoefficientsOfASolverThatIsNotInUseFollowToo) {
  scenes::EditedScene scene = shipped("rayleigh_taylor_sph");
  scene.set("solver.interface_tension", "[[0, 0.5], [0.5, 0]]");
  scene.set("solver.type", "pbf");
  scene.add_entry("fluids");
  scene.set("solver.type", "wcsph");
  EXPECT_EQ(fluids_of(scene), 3u);
  EXPECT_EQ(scene.scene().simulation.wcsph.interface_tension.value[0][2], 0.5f)
      << "as the last fluid had against the first";
}

namespace {

const char* const kSolidBesideANozzle =
    "domain: {min: [0, 0, 0], max: [1, 0.6, 0.4], axes: walled}\nparticles: {spacing: 0.025}\n"
    "bodies:\n  - box: {min: [0, 0, 0], max: [1, 0.3, 0.4]}\n"
    "solids:\n  - name: block\n    box: {min: [0.485, 0.35, 0.15], max: [0.685, 0.55, 0.35]}\n"
    "inlets:\n  - disc: {center: [0.35, 0.6, 0.2], radius: 0.05}\n    direction: [0, -1, 0]\n    speed: 1.2\n";

}  // namespace

TEST(ListEntries, ACopyOfASolidLeavesANozzleItsRoom) {
  scenes::EditedScene scene(scenes::parse_source(kSolidBesideANozzle, "s.yaml"));
  scene.copy_entry("solids[0]");
  const auto& solids = scene.scene().simulation.solid_regions;
  ASSERT_EQ(solids.size(), 2u);
  EXPECT_FALSE(scenes::what_hinders(scene.scene().simulation, scene.scene().simulation.inlets[0]));
  EXPECT_GT(std::abs(solids[1].min.x - solids[0].min.x) + std::abs(solids[1].min.y - solids[0].min.y), 0.1f);
  expect_sound(scene);
  for (int k = 0; k < 3; ++k) scene.add_entry("solids", "box");  // new ones do, too
  expect_sound(scene);
}

TEST(ListEntries, ACopyGoesWhereTheSceneTakesItElseTheMessageSpeaksOfTheCopy) {
  // An inlet that takes all the room above the fluid leaves the copy only the places within the fluid.
  scenes::EditedScene scene(
      scenes::parse_source("domain: {min: [0, 0, 0], max: [0.4, 0.6, 0.4], axes: walled}\nparticles: {spacing: 0.05}\n"
                           "bodies:\n  - box: {min: [0, 0, 0], max: [0.4, 0.05, 0.4]}\n"
                           "solids:\n  - box: {min: [0, 0.05, 0], max: [0.4, 0.25, 0.4]}\n"
                           "inlets:\n  - rectangle: {center: [0.2, 0.6, 0.2], width: 0.4, height: 0.4}\n    direction: "
                           "[0, -1, 0]\n    speed: 0.1\n",
                           "s.yaml"));
  const std::string why = refusal([&] { scene.copy_entry("solids[0]"); });
  EXPECT_EQ(why,
            "solids[0]: found no room for a copy inside the domain; allowed: one that overlaps no other solid and "
            "leaves the nozzles of inlets their room");
}

TEST(ListEntries, WhatTheReviewSaysAgainstACopyIsSaidOfTheCopy) {
  // A copy of a body has particles, of which the scene may have no more.
  scenes::EditedScene scene(scenes::parse_source(
      "domain: {min: [0, 0, 0], max: [1, 0.6, 0.4], axes: walled}\nparticles: {spacing: 0.05, limit: 300}\n"
      "bodies:\n  - box: {min: [0, 0, 0], max: [0.3, 0.2, 0.4]}\n"
      "inlets:\n  - disc: {center: [0.8, 0.6, 0.2], radius: 0.1}\n    direction: [0, -1, 0]\n    speed: 1\n",
      "s.yaml"));
  const std::string why = refusal([&] { scene.copy_entry("bodies[0]"); });
  EXPECT_TRUE(contains(why,
                       "bodies[0]: found no room for a copy inside the domain. With a copy at the nearest free "
                       "place: "))
      << why;
  EXPECT_TRUE(contains(why, "particles.limit: found 300, and the scene starts with")) << why;
}

}  // namespace riffle
