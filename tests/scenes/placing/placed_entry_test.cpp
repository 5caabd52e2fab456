/// Moving, turning and resizing entries: which keys get which numbers.

#include "scenes/placing/placed_entry.h"

#include <cmath>
#include <filesystem>

#include "sim/meshes/triangle_mesh.h"
#include "sim/openings/nozzle.h"
#include "tests/scenes/document/example_scenes.h"
#include "tests/sim/meshes/example_meshes.h"

namespace riffle {

namespace {

using scenes::Edit;

scenes::EditedScene scene_of(const std::string& text) {
  return scenes::EditedScene(scenes::parse_source(text, "s.yaml"));
}

scenes::PlacedEntry entry_of(const scenes::EditedScene& scene, const std::string& path) {
  const auto entry = scenes::placed_entry(scene.scene(), path, scene.parameters());
  EXPECT_TRUE(entry) << path;
  return entry.value_or(scenes::PlacedEntry{});
}

/// What a change of that entry writes; the scene gets it.
template <class Change>
std::vector<Edit> edited(scenes::EditedScene& scene, const std::string& path, const Change& change) {
  const scenes::PlacedEntry before = entry_of(scene, path);
  scenes::PlacedEntry after = before;
  change(after);
  const std::vector<Edit> edits = edits_between(before, after, scene.scene().simulation.spacing);
  scene.set_together(edits);
  return edits;
}

constexpr const char* kMore =
    "solids:\n"
    "  - {name: post, box: {min: [0.6, 0, 0.4], max: [0.8, 0.5, 0.6]}}\n"
    "  - {cylinder: {from: [0.2, 0.8, 0.2], to: [0.2, 0.8, 0.6], radius: 0.1}}\n"
    "  - {sphere: {center: [0.8, 0.8, 0.8], radius: 0.15}}\n"
    "inlets:\n"
    "  - {rectangle: {center: [0.5, 0.9, 0.2], width: 0.2, height: 0.3}, speed: 1}\n"
    "outlets:\n"
    "  - {box: {min: [0.8, 0, 0], max: [1, 0.1, 0.2]}}\n"
    "probes:\n"
    "  - {point: [0.5, 0.3, 0.5]}\n"
    "  - {level: {from: [0.5, 0, 0.5], to: [0.5, 1, 0.5]}}\n";

}  // namespace

TEST(PlacedEntries, AMovedBoxIsOneEditOfItsTwoCornersAndUndoTakesItBack) {
  scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  const auto edits = edited(scene, "solids[0]", [](scenes::PlacedEntry& post) { move(post, {-0.1f, 0, 0.0500001f}); });
  EXPECT_EQ(edits,
            (std::vector<Edit>{{"solids[0].box.min", "[0.5, 0, 0.45]"}, {"solids[0].box.max", "[0.7, 0.5, 0.65]"}}));
  EXPECT_EQ(scene.scene().simulation.solid_regions[0].min.x, 0.5f);
  EXPECT_EQ(scene.undo_count(), 1u);
  scene.undo();
  EXPECT_FALSE(scene.anything_edited());
}

// Key after key would be refused: the lower corner would lie beyond the upper one.
TEST(PlacedEntries, ABoxMayPassBeyondWhereItWas) {
  scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  edited(scene, "bodies[0]", [](scenes::PlacedEntry& body) { move(body, {0, 0.5f, 0}); });
  edited(scene, "outlets[0]", [](scenes::PlacedEntry& outlet) { move(outlet, {-0.5f, 0, 0.5f}); });
  EXPECT_EQ(scene.scene().simulation.bodies[0].min.y, 0.5f);
  EXPECT_EQ(scene.scene().simulation.outlets[0].max.x, 0.5f);
}

TEST(PlacedEntries, WhatComesBackToItsPlaceIsNoEdit) {
  scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  for (const float way : {0.1f, -0.1f})
    edited(scene, "solids[2]", [&](scenes::PlacedEntry& ball) { move(ball, {0, way, 0}); });
  EXPECT_FALSE(scene.anything_edited());
}

TEST(PlacedEntries, ARefusedPlaceChangesNothing) {
  scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  const std::string before = scene.to_yaml();
  const scenes::PlacedEntry ball = entry_of(scene, "solids[2]");
  scenes::PlacedEntry none = ball;
  scenes::sizes_of(none)[0].set(none, -0.1);
  EXPECT_THROW(scene.set_together(edits_between(ball, none, 0.1f)), InputError);
  EXPECT_EQ(scene.to_yaml(), before);
  EXPECT_EQ(scene.undo_count(), 0u);
}

TEST(PlacedEntries, ACylinderTurnsAboutItsMiddleAndABoxDoesNotTurn) {
  scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  const auto edits = edited(scene, "solids[1]", [](scenes::PlacedEntry& log) { turn(log, 1, 90); });
  EXPECT_EQ(edits, (std::vector<Edit>{{"solids[1].cylinder.from", "[0, 0.8, 0.4]"},
                                      {"solids[1].cylinder.to", "[0.4, 0.8, 0.4]"}}));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_FALSE(turns_about(entry_of(scene, "solids[0]"), axis));
    EXPECT_FALSE(turns_about(entry_of(scene, "solids[2]"), axis)) << "a sphere looks the same";
    EXPECT_TRUE(turns_about(entry_of(scene, "solids[1]"), axis));
    EXPECT_TRUE(turns_about(entry_of(scene, "inlets[0]"), axis));
    EXPECT_FALSE(turns_about(entry_of(scene, "probes[0]"), axis));
  }
}

TEST(PlacedEntries, AMouthTurnsWithItsNozzle) {
  const scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  scenes::PlacedEntry tap = entry_of(scene, "inlets[0]");
  for (const auto& [axis, degrees] : std::vector<std::pair<int, double>>{{2, 35}, {1, 50}, {0, -20}}) {
    const NozzleFrame before = nozzle_frame(std::get<InletSetup>(tap.what), Domain());
    turn(tap, axis, degrees);
    const NozzleFrame after = nozzle_frame(std::get<InletSetup>(tap.what), Domain());
    const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
    const int b = (axis + 1) % 3, d = (axis + 2) % 3;
    const auto expect_turned = [&](const double(&from)[3], const double(&to)[3]) {
      EXPECT_NEAR(to[axis], from[axis], 1e-5);
      EXPECT_NEAR(to[b], c * from[b] - s * from[d], 1e-5);
      EXPECT_NEAR(to[d], s * from[b] + c * from[d], 1e-5);
    };
    expect_turned(before.along, after.along);
    expect_turned(before.across, after.across);
  }
}

TEST(PlacedEntries, EachSizeHasAHandleThatSetsItsKey) {
  scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  const auto resized = [&](const std::string& path, const std::string& label, double value) {
    return edited(scene, path, [&](scenes::PlacedEntry& entry) {
      for (const scenes::SizeHandle& handle : scenes::sizes_of(entry))
        if (handle.label == label) return handle.set(entry, value);
      ADD_FAILURE() << path << " has no " << label;
    });
  };
  EXPECT_EQ(scenes::sizes_of(entry_of(scene, "solids[0]")).size(), 6u);
  EXPECT_EQ(resized("solids[0]", "max y", 0.45), (std::vector<Edit>{{"solids[0].box.max", "[0.8, 0.45, 0.6]"}}));
  EXPECT_EQ(resized("solids[2]", "radius", 0.12), (std::vector<Edit>{{"solids[2].sphere.radius", "0.12"}}));
  EXPECT_EQ(resized("solids[1]", "length, end", 0.5),
            (std::vector<Edit>{{"solids[1].cylinder.to", "[0.2, 0.8, 0.7]"}}));
  EXPECT_EQ(resized("inlets[0]", "width", 0.4), (std::vector<Edit>{{"inlets[0].rectangle.width", "0.4"}}));
  EXPECT_EQ(resized("probes[1]", "to", 0.7), (std::vector<Edit>{{"probes[1].level.to", "[0.5, 0.7, 0.5]"}}));
  EXPECT_EQ(resized("bodies[0]", "min x", 0.1), (std::vector<Edit>{{"bodies[0].box.min", "[0.1, 0, 0]"}}));
}

TEST(PlacedEntries, AFactorScalesAUnionAboutItsMiddle) {
  scenes::EditedScene scene =
      scene_of(good_scene_with("solids:\n  - {box: {min: [0.6, 0.6, 0.6], max: [0.8, 0.8, 0.8]}, "
                               "with: [{sphere: {center: [0.7, 0.7, 0.7], radius: 0.1}}]}\n"));
  const auto edits = edited(scene, "solids[0]", [](scenes::PlacedEntry& both) {
    const auto sizes = scenes::sizes_of(both);
    ASSERT_EQ(sizes.size(), 1u);
    sizes[0].set(both, 0.5);
  });
  EXPECT_EQ(edits, (std::vector<Edit>{{"solids[0].box.min", "[0.65, 0.65, 0.65]"},
                                      {"solids[0].box.max", "[0.75, 0.75, 0.75]"},
                                      {"solids[0].with[0].sphere.radius", "0.05"}}));
}

TEST(PlacedEntries, OfAFillOnlyTheLevelMoves) {
  scenes::EditedScene scene = scene_of(spoiled("box: {min: [0, 0, 0], max: [0.5, 0.5, 0.5]}", "fill: {level: 0.4}"));
  const scenes::PlacedEntry fill = entry_of(scene, "bodies[0]");
  EXPECT_FALSE(moves_along(fill, 0));
  EXPECT_TRUE(moves_along(fill, 1));
  EXPECT_FALSE(moves_along(fill, 2));
  EXPECT_FLOAT_EQ(fill.middle.y, 0.4f);
  const auto edits = edited(scene, "bodies[0]", [](scenes::PlacedEntry& body) { move(body, {0, 0.1f, 0}); });
  EXPECT_EQ(edits, (std::vector<Edit>{{"bodies[0].fill.level", "0.5"}}));
}

// Ends at the domain's faces stay there, and are not written.
TEST(PlacedEntries, APolygonThroughTheDomainMovesInItsPlaneAndTurnsAboutItsAxis) {
  scenes::EditedScene scene = scene_of(
      good_scene_with("solids:\n  - {polygon: {corners: [[0.6, 0.6], [0.8, 0.6], [0.8, 0.8], [0.6, 0.8]]}}\n"));
  const scenes::PlacedEntry ramp = entry_of(scene, "solids[0]");
  EXPECT_TRUE(moves_along(ramp, 0));
  EXPECT_FALSE(moves_along(ramp, 2));
  EXPECT_TRUE(turns_about(ramp, 2));
  EXPECT_FALSE(turns_about(ramp, 0));
  EXPECT_EQ(edited(scene, "solids[0]",
                   [](scenes::PlacedEntry& p) {
                     move(p, {0.1f, 0, 0});
                   }),
            (std::vector<Edit>{{"solids[0].polygon.corners", "[[0.7, 0.6], [0.9, 0.6], [0.9, 0.8], [0.7, 0.8]]"}}));
  EXPECT_EQ(edited(scene, "solids[0]", [](scenes::PlacedEntry& p) { turn(p, 2, 90); }),
            (std::vector<Edit>{{"solids[0].polygon.corners", "[[0.9, 0.6], [0.9, 0.8], [0.7, 0.8], [0.7, 0.6]]"}}));
}

TEST(PlacedEntries, AWheelTakesItsAxisAlong) {
  scenes::EditedScene scene =
      scene_of(good_scene_with("solids:\n  - {cylinder: {from: [0.7, 0.7, 0.6], to: [0.7, 0.7, 0.8], radius: 0.1}, "
                               "motion: {rotation: {about: [0.7, 0.7, 0.7], rate: 1}}}\n"));
  edited(scene, "solids[0]", [](scenes::PlacedEntry& wheel) { move(wheel, {0, 0.1f, 0}); });
  EXPECT_EQ(scene.scene().simulation.solid_regions[0].drive.about, (Vec3{0.7f, 0.8f, 0.7f}));
  edited(scene, "solids[0]", [](scenes::PlacedEntry& wheel) { turn(wheel, 0, 90); });
  const Vec3 axis = scene.scene().simulation.solid_regions[0].drive.axis;
  EXPECT_EQ(axis.x, 0);
  EXPECT_EQ(std::fabs(axis.y), 1);
  EXPECT_EQ(axis.z, 0);
}

// A flat scene keeps the third number that it has.
TEST(PlacedEntries, InTwoDimensionsZStaysAsItIs) {
  scenes::EditedScene scene = scene_of(
      "dimension: 2\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\nparticles: {spacing: 0.1}\n"
      "bodies:\n  - box: {min: [0, 0, 0.2], max: [0.5, 0.5, 0.7]}\n"
      "probes:\n  - {line: {from: [0.2, 0.2, 0], to: [0.4, 0.2, 0]}}\n");
  edited(scene, "bodies[0]", [](scenes::PlacedEntry& body) { move(body, {0.2f, 0, 0}); });
  EXPECT_NE(scene.to_yaml().find("min: [0.2, 0, 0.2]"), std::string::npos) << scene.to_yaml();
  EXPECT_EQ(scenes::sizes_of(entry_of(scene, "bodies[0]")).size(), 4u);
  EXPECT_FALSE(moves_along(entry_of(scene, "bodies[0]"), 2));
  edited(scene, "probes[0]", [](scenes::PlacedEntry& line) { turn(line, 2, 90); });
  EXPECT_EQ(scene.scene().probes[0].to.x, 0.3f);
  EXPECT_EQ(scene.scene().probes[0].to.y, 0.3f);
}

// The rotation that the file is placed with, turned further, whatever it was before.
TEST(PlacedEntries, AMeshIsTurnedInSpace) {
  for (const Vec3 start : {Vec3{0, 0, 0}, {30, -40, 70}, {10, 90, 20}, {-120, 60, 5}})
    for (int axis = 0; axis < 3; ++axis) {
      scenes::PlacedEntry entry;
      entry.path = {"solids", 0};
      entry.middle = {0.3f, 0.2f, 0.1f};
      SolidRegion solid;
      solid.shape = Shape::Mesh;
      solid.placement = {{2, 2, 2}, start, {1, 0, 0}};
      entry.what = solid;
      const IndexedMesh corners{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}}};
      const IndexedMesh before = placed(corners, solid.placement);
      turn(entry, axis, 25);
      const IndexedMesh after = placed(corners, std::get<SolidRegion>(entry.what).placement);
      const double c = std::cos(25 * M_PI / 180), s = std::sin(25 * M_PI / 180);
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 from = before.vertices[k] - entry.middle, to = after.vertices[k] - entry.middle;
        const int b = (axis + 1) % 3, d = (axis + 2) % 3;
        EXPECT_NEAR(component(to, axis), component(from, axis), 2e-5) << axis;
        EXPECT_NEAR(component(to, b), c * component(from, b) - s * component(from, d), 2e-5) << axis;
        EXPECT_NEAR(component(to, d), s * component(from, b) + c * component(from, d), 2e-5) << axis;
      }
    }
}

// In single precision a vector of length 1 that is turned is often a little shorter.
TEST(PlacedEntries, ADirectionOfLengthOneHasFourDigits) {
  const scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  const scenes::PlacedEntry before = entry_of(scene, "inlets[0]");
  for (int degrees = 1; degrees < 90; ++degrees) {
    scenes::PlacedEntry tap = before;
    turn(tap, 2, degrees, 1e-3);
    const std::vector<Edit> edits = edits_between(before, tap, 0.1f);
    ASSERT_FALSE(edits.empty());
    EXPECT_EQ(edits[0].path, "inlets[0].direction");
    for (const double x : scenes::numbers_in(*edits[0].value))
      EXPECT_NEAR(1e4 * x, std::round(1e4 * x), 2e-3) << *edits[0].value;
  }
}

// The middle of their bounds does not turn with them: those of a turned pyramid are others.
TEST(PlacedEntries, TurningLeavesTheMiddleAndTurningBackIsNoEdit) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "turned_back";
  std::filesystem::create_directories(folder);
  test::write_text(folder / "pyramid.obj",
                   "v 0 0 0\nv 0.2 0 0\nv 0.2 0.2 0\nv 0 0.2 0\nv 0.1 0.1 0.3\n"
                   "f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n");
  const std::string text = good_scene_with(
      "solids:\n  - mesh: {file: pyramid.obj, rotation: [-90, 0, 0], at: [0.6, 0.5, 0.8]}\n"
      "  - polygon: {corners: [[0.6, 0.1], [0.9, 0.1], [0.6, 0.4]]}\n"
      "  - sphere: {center: [0.7, 0.3, 0.3], radius: 0.15}\n    with: [{sphere: {center: [0.8, 0.4, 0.3], radius: "
      "0.05}}]\n");
  scenes::EditedScene scene(scenes::parse_source(text, (folder / "s.yaml").string()));
  const double unit = 1e-3;  // [m] a hundredth of the spacing
  for (const auto& [path, axes] : std::vector<std::pair<std::string, std::vector<int>>>{
           {"solids[0]", {0, 2, 1}}, {"solids[1]", {2}}, {"solids[2]", {1}}})
    for (const int axis : axes) {
      const Vec3 middle = entry_of(scene, path).middle;
      for (const double by : {50, -50}) {
        const auto edits = edited(scene, path, [&](scenes::PlacedEntry& entry) { turn(entry, axis, by, unit); });
        EXPECT_FALSE(edits.empty());
        for (const Edit& edit : edits) {  // "[0.601, 0.5, 0.791]"
          std::size_t digits = 0, most = edit.path.ends_with("rotation") ? 1 : 3;
          for (const char c : *edit.value) {
            digits = c == '.' || (digits && std::isdigit(c)) ? digits + 1 : 0;
            EXPECT_LE(digits, most + 1) << edit.path << " " << *edit.value;
          }
        }
        const Vec3 now = entry_of(scene, path).middle;
        EXPECT_LT(std::sqrt(length2(now - middle)), unit) << path << " about " << axis << " by " << by;
      }
    }
  const SimulationSetup& back = scene.scene().simulation;
  EXPECT_EQ(back.solid_regions[0].placement, (MeshPlacement{{1, 1, 1}, {-90, 0, 0}, {0.6f, 0.5f, 0.8f}}));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(back.solid_regions[1].corners[k][0], k == 1 ? 0.9 : 0.6, 1.5 * unit) << k;
    EXPECT_NEAR(back.solid_regions[1].corners[k][1], k == 2 ? 0.4 : 0.1, 1.5 * unit) << k;
  }
  EXPECT_NEAR(back.solid_regions[2].center.x, 0.7, 1.5 * unit);
  EXPECT_NEAR(back.solid_regions[2].center.z, 0.3, 1.5 * unit);
  std::filesystem::remove_all(folder);
}

TEST(PlacedEntries, WhatHasNoPlaceIsNone) {
  const scenes::EditedScene scene = scene_of(good_scene_with(kMore));
  for (const char* path : {"solids[9]", "fluids[0]", "joints[0]", "domain", "", "probes[2]"})
    EXPECT_FALSE(scenes::placed_entry(scene.scene(), path, scene.parameters())) << path;
}

}  // namespace riffle
