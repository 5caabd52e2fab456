#include "tests/scenes/scene_text.h"

namespace riffle {
namespace {

const std::string kScene = kGoodScene;

NeighborSetup loaded(const std::string& neighbors) {
  return scenes::parse_scene(kScene + "neighbors: " + neighbors + "\n", "s.yaml").simulation.neighbors;
}

TEST(NeighborSettings, DefaultsAreOneMethodWithItsOwnChoices) {
  const NeighborSetup setup = scenes::parse_scene(kScene, "s.yaml").simulation.neighbors;
  EXPECT_EQ(setup.method, NeighborMethod::Hoetzlein);
  EXPECT_FALSE(setup.automatic);
  EXPECT_EQ(setup.skin, 0);
  EXPECT_EQ(setup.cell_ratio, 0);
  EXPECT_EQ(setup.cell_count.x, 0);
  EXPECT_EQ(setup.table, GridTable::Automatic);
  EXPECT_EQ(setup.insertion, BucketInsertion::Atomic);
  EXPECT_EQ(setup.structure, TreeStructure::Automatic);
  EXPECT_EQ(setup.sections, TileSections::TwentySeven);
}

TEST(NeighborSettings, EveryOneReachesTheSearch) {
  const NeighborSetup setup = loaded(
      "{method: brute_force, skin: 0.25, cell: 0.5, table: hashed, insertion: iterative, structure: optix, "
      "sections: 2}");
  SimulationSetup deterministic;
  deterministic.deterministic = true;
  const SearchSettings settings = search_settings(deterministic, setup);
  EXPECT_EQ(settings.method, NeighborMethod::BruteForce);
  EXPECT_TRUE(settings.deterministic);
  EXPECT_EQ(settings.skin, 0.25f);
  EXPECT_EQ(settings.cell_ratio, 0.5f);
  EXPECT_EQ(settings.table, GridTable::Folded);
  EXPECT_EQ(settings.insertion, BucketInsertion::Iterative);
  EXPECT_EQ(settings.structure, TreeStructure::Optix);
  EXPECT_EQ(settings.sections, TileSections::Two);
  EXPECT_EQ(loaded("{sections: 27}").sections, TileSections::TwentySeven);
  EXPECT_EQ(loaded("{structure: lbvh}").structure, TreeStructure::Lbvh);
  EXPECT_EQ(loaded("{structure: auto}").structure, TreeStructure::Automatic);
  EXPECT_EQ(loaded("{table: dense}").table, GridTable::Dense);
  const Int3 count = loaded("{cell: [4, 5, 6]}").cell_count;
  EXPECT_TRUE(count.x == 4 && count.y == 5 && count.z == 6);
  EXPECT_EQ(loaded("{cell: [4, 5, 6]}").cell_ratio, 0);
}

TEST(NeighborSettings, MethodsOfTheTableAndAutoAreTheOnesThereAre) {
  for (const NeighborMethodInfo& info : neighbor_methods()) {
    const NeighborSetup setup = loaded("{method: " + std::string(info.name) + "}");
    EXPECT_EQ(setup.method, info.method);
    EXPECT_FALSE(setup.automatic);
  }
  EXPECT_TRUE(loaded("{method: auto}").automatic);
  EXPECT_TRUE(contains(complaint(kScene + "neighbors: {method: autp}\n"), "did you mean 'auto'?"));
}

TEST(NeighborSettings, ValuesBeyondTheirRangeAreRefusedWithTheRange) {
  const auto said = [](const std::string& neighbors) { return complaint(kScene + "neighbors: " + neighbors + "\n"); };
  EXPECT_TRUE(contains(said("{skin: 1.5}"),
                       "s.yaml:7:19: neighbors.skin: found '1.5', allowed: a number from 0 to 1 in support radii"));
  EXPECT_TRUE(contains(said("{skin: -0.1}"), "neighbors.skin: found '-0.1'"));
  EXPECT_TRUE(contains(said("{cell: 0.2}"), "neighbors.cell: found '0.2', allowed: auto, a number from 0.25 to 4"));
  EXPECT_TRUE(contains(said("{cell: [4, 0, 4]}"), "neighbors.cell[1]: found '0', allowed: a whole number from 1"));
  EXPECT_TRUE(contains(said("{cell: [4, 4]}"), "neighbors.cell: found the list [4, 4], allowed"));
  EXPECT_TRUE(contains(said("{table: folded}"), "allowed: automatic, dense or hashed"));
  EXPECT_TRUE(contains(said("{insertion: atomc}"), "did you mean 'atomic'?"));
  EXPECT_TRUE(
      contains(said("{structure: octree}"), "neighbors.structure: found 'octree', allowed: auto, lbvh or optix"));
  EXPECT_TRUE(contains(said("{sections: 3}"), "neighbors.sections: found '3' (did you mean '2'?), allowed: 27 or 2"));
  EXPECT_TRUE(contains(said("{structure: optx}"), "did you mean 'optix'?"));
}

TEST(NeighborSettings, AutoInADeterministicSceneIsRefusedAtItsPlace) {
  const std::string said = complaint(kScene + "deterministic: true\nneighbors: {method: auto}\n");
  EXPECT_TRUE(contains(said, "s.yaml:8:21: neighbors.method: found 'auto', which chooses by time"));
  EXPECT_TRUE(contains(said, "deterministic: true (s.yaml:7:16)"));
  EXPECT_TRUE(contains(said, "hoetzlein"));
  EXPECT_TRUE(contains(complaint(kScene + "neighbors: {method: auto}\n", {"deterministic=true"}),
                       "(--set deterministic); allowed there"));
}

TEST(NeighborSettings, ASkinBeyondHalfAPeriodicAxisIsRefusedWithTheLargestThatFits) {
  const std::string periodic = spoiled("max: [1, 1, 1]", "max: [1, 1, 0.75], axes: periodic");  // h is 0.3
  EXPECT_EQ(complaint(periodic + "neighbors: {skin: 0.24}\n"), "");
  const std::string said = complaint(periodic + "neighbors: {skin: 0.26}\n");
  EXPECT_TRUE(contains(said, "s.yaml:7:19: neighbors.skin: found 0.26"));
  EXPECT_TRUE(contains(said, "periodic axis z (0.75 m)"));
  EXPECT_TRUE(contains(said, "allowed: at most 0.249"));
}

TEST(NeighborSettings, ASkinBesideAutoGetsAWarning) {
  EXPECT_TRUE(
      contains(warnings_of(kScene + "neighbors: {method: auto, skin: 0.1}\n"), "neighbors.skin: has no effect"));
  EXPECT_EQ(warnings_of(kScene + "neighbors: {method: auto}\n"), "");
}

}  // namespace
}  // namespace riffle
