/// Solids of every shape, as scenes write them.

#include "scenes/document/edited_scene.h"
#include "sim/walls/solid_cells.h"
#include "tests/scenes/scene_text.h"

namespace riffle {

namespace {

std::string with_solids(const std::string& solids) { return std::string(kTankScene) + "solids:\n" + solids; }

std::vector<SolidRegion> solids_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return scenes::parse_scene(text, "s.yaml", overrides).simulation.solid_regions;
}

}  // namespace

TEST(SolidScenes, ASceneWithoutSolidsHasNone) {
  EXPECT_TRUE(solids_of(kTankScene).empty());
  EXPECT_TRUE(solids_of(std::string(kTankScene) + "solids: []\n").empty());
}

TEST(SolidScenes, EveryShapeIsRead) {
  const std::string text = with_solids(
      "  - name: step\n    color: '#ff8000'\n    box: {min: [0.8, 0, 0], max: [1, 0.4, 1]}\n"
      "  - sphere: {center: [1.5, 0.5, 0.5], radius: 0.2}\n    color: [0.1, 0.2, 0.3]\n"
      "  - cylinder: {from: [1.2, 0, 0.5], to: [1.2, 1, 0.5], radius: 0.1}\n"
      "    without: [{box: {min: [1, 0.4, 0], max: [2, 0.6, 1]}}, {sphere: {center: [1.2, 1, 0.5], radius: 0.1}}]\n"
      "  - polygon: {corners: [[1.6, 0], [2, 0], [2, 0.3]], to: 0.7}\n");
  const std::vector<SolidRegion> solids = solids_of(text);
  ASSERT_EQ(solids.size(), 4u);
  EXPECT_EQ(solids[0].shape, Shape::Box);
  EXPECT_EQ(solids[0].min, (Vec3{0.8f, 0, 0}));
  EXPECT_EQ(solids[0].max, (Vec3{1, 0.4f, 1}));
  EXPECT_EQ(solids[0].name, "step");
  EXPECT_EQ(solids[0].color, (Vec3{1, 128 / 255.0f, 0}));
  EXPECT_EQ(solids[1].shape, Shape::Sphere);
  EXPECT_EQ(solids[1].radius, 0.2f);
  EXPECT_EQ(solids[1].name, "");
  EXPECT_EQ(solids[1].color, (Vec3{0.1f, 0.2f, 0.3f}));
  EXPECT_EQ(solids[2].shape, Shape::Cylinder);
  EXPECT_EQ(solids[2].radius, 0.1f) << "the holes' sizes are their own";
  ASSERT_EQ(solids[2].without.size(), 2u);
  EXPECT_EQ(solids[2].without[0].shape, Shape::Box);
  EXPECT_EQ(solids[2].without[1].shape, Shape::Sphere);
  EXPECT_EQ(solids[3].shape, Shape::Polygon);
  EXPECT_EQ(solids[3].low, 0) << "the domain's lower face";
  EXPECT_EQ(solids[3].high, 0.7f);
  EXPECT_EQ(warnings_of(text), "");
}

TEST(SolidScenes, ThePostThatACylinderAlongZIsHasADiscAsSectionIn2D) {
  const std::string text = with_solids("  - cylinder: {from: [1.2, 0.5, 0], to: [1.2, 0.5, 1], radius: 0.1}\n");
  const SolidRegion post = solids_of(text, {"dimension=2"})[0];
  EXPECT_EQ(post.shape, Shape::Sphere);
  EXPECT_EQ(post.center, (Vec3{1.2f, 0.5f, 0}));
  EXPECT_EQ(post.radius, 0.1f);
  const std::string flat = with_solids("  - cylinder: {from: [1.2, 0.2, 0], to: [1.2, 0.5, 1], radius: 0.1}\n");
  EXPECT_EQ(solids_of(flat, {"dimension=2"})[0].shape, Shape::Cylinder);
}

TEST(SolidScenes, KeysAreSetFromOutside) {
  const std::string text = with_solids("  - sphere: {center: [1.5, 0.5, 0.5], radius: 0.2}\n");
  EXPECT_EQ(solids_of(text, {"solids[0].sphere.radius=0.3", "solids[0].name=ball"})[0].radius, 0.3f);
  EXPECT_EQ(solids_of(text, {"solids[0].name=ball"})[0].name, "ball");
  EXPECT_EQ(solids_of(kTankScene, {"solids=[{sphere: {center: [1, 0.5, 0.5], radius: 0.2}}]"}).size(), 1u);
}

TEST(SolidScenes, MistakesAreRefusedWithTheirPlace) {
  const std::string text = with_solids("  - {");
  EXPECT_TRUE(contains(
      complaint(text + "name: a}\n"),
      "s.yaml:6:5: solids[0]: is incomplete; it needs box or sphere or cylinder or capsule or plane or polygon"));
  EXPECT_TRUE(contains(complaint(text + "box: {min: [0, 0, 0], max: [1, 1, 1]}, sphere: {center: [0, 0, 0], radius: "
                                        "1}}\n"),
                       "solids[0]: has both box and sphere; allowed: one of them"));
  EXPECT_TRUE(contains(complaint(text + "box: {min: [1, 0, 0], max: [1, 1, 1]}}\n"),
                       "s.yaml:6:11: solids[0].box: every component of max must be above that of min"));
  EXPECT_TRUE(contains(complaint(text + "sphere: {center: [1, 0.5, 0.5], radius: -1}}\n"),
                       "solids[0].sphere.radius: found '-1', allowed: a number above 0 in m"));
  EXPECT_TRUE(contains(complaint(text + "box: {min: [1, 0, 0], max: [2, 1, 1]}, without: [{cylinder: {from: [1, 0, 0], "
                                        "to: [1, 0, 0], radius: 1}}]}\n"),
                       "solids[0].without[0].cylinder: found one place as both ends; allowed: two"));
  EXPECT_TRUE(contains(complaint(text + "box: {min: [1, 0, 0], max: [2, 1, 1]}, pressure: 2}\n"),
                       "solids[0].pressure: unknown key 'pressure'"));
  EXPECT_TRUE(contains(complaint(text + "box: {min: [1, 0, 0], max: [2, 1, 1]}, color: red}\n"),
                       "solids[0].color: found 'red'"));
}

TEST(SolidScenes, AsManyAreAllowedAsCellsHaveBitsFor) {
  std::string solids;
  for (int k = 0; k < kMostSolids; ++k) {
    const double x = 0.8 + 0.07 * (k % 16), y = 0.02 + 0.06 * (k / 16 % 16), z = 0.01 + 0.06 * (k / 256);
    solids += fmt::format("  - {{box: {{min: [{:.2f}, {:.2f}, {:.2f}], max: [{:.2f}, {:.2f}, {:.2f}]}}}}\n", x, y, z,
                          x + 0.05, y + 0.05, z + 0.05);
  }
  EXPECT_EQ(solids_of(with_solids(solids)).size(), static_cast<std::size_t>(kMostSolids));
  const std::string found = complaint(with_solids(solids + "  - box: {min: [0.8, 0.98, 0], max: [1, 0.99, 1]}\n"));
  EXPECT_TRUE(contains(found, "solids: found")) << found;
  EXPECT_TRUE(contains(found, fmt::format("of 0 to {}, each with the keys", kMostSolids))) << found;
}

TEST(SolidScenes, TheThirdComponentIsDroppedInTwoDimensions) {
  const std::string text =
      "dimension: 2\ndomain: {min: [0, 0], max: [2, 1]}\nparticles: {spacing: 0.05}\n"
      "bodies:\n  - box: {min: [0, 0], max: [0.5, 0.5]}\n"
      "solids:\n  - {box: {min: [0.8, 0, 3], max: [1, 0.4, 1]}, without: [{sphere: {center: [0.9, 0.2, 7], radius: "
      "0.05}}]}\n  - polygon: {corners: [[1.6, 0], [2, 0], [2, 0.3]]}\n";
  const std::vector<SolidRegion> solids = solids_of(text);
  ASSERT_EQ(solids.size(), 2u);
  EXPECT_EQ(solids[0].min, (Vec3{0.8f, 0, 0}));
  EXPECT_EQ(solids[0].max, (Vec3{1, 0.4f, 0}));
  EXPECT_EQ(solids[0].without[0].center, (Vec3{0.9f, 0.2f, 0}));
  EXPECT_EQ(solids[1].high, 0);
}

TEST(SolidScenes, OnlyTheColorLeavesTheSimulationAsItIs) {
  const std::string text = with_solids("  - sphere: {center: [1.5, 0.5, 0.5], radius: 0.2}\n");
  scenes::EditedScene scene(scenes::parse_source(text, "s.yaml"));
  const auto effect = [&](const std::string& path, const std::string& value) {
    const scenes::SceneSource before = scene.document();
    scene.set(path, value);
    return scenes::effect_of_change(before, scene.document());
  };
  EXPECT_EQ(effect("solids[0].color", "'#102030'"), scenes::Effect::Picture);
  EXPECT_EQ(effect("solids[0].sphere.radius", "0.3"), scenes::Effect::Restart);
}

}  // namespace riffle
