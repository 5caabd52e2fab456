/// Solids are meshed again only when they change.

#include "app/run/solid_meshes.h"

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

SimulationSetup two_solids() {
  SimulationSetup setup;
  SolidRegion box, sphere;
  box.max = {0.5f, 0.5f, 0.5f};
  sphere.shape = Shape::Sphere;
  sphere.center = {0.75f, 0.75f, 0.75f};
  sphere.radius = 0.1f;
  sphere.color = {1, 0, 0};
  setup.solid_regions = {box, sphere};
  return setup;
}

TEST(SolidMeshes, AreKeptWhileTheSolidsStayTheSame) {
  SimulationSetup setup = two_solids();
  SolidMeshes meshes;
  EXPECT_EQ(meshes.present(), nullptr);
  const render::Solids* solids = meshes.of(setup);
  ASSERT_NE(solids, nullptr);
  ASSERT_EQ(solids->meshes.size(), 2u);
  EXPECT_TRUE(solids->meshes[1].color == setup.solid_regions[1].color);
  const std::uint64_t version = solids->version;
  const MeshCorner* const box = solids->meshes[0].mesh.corners.data();
  EXPECT_EQ(meshes.of(setup)->version, version);
  EXPECT_EQ(meshes.present()->meshes[0].mesh.corners.data(), box);

  setup.solid_regions[1].radius = 0.2f;
  EXPECT_NE(meshes.of(setup)->version, version);
  EXPECT_EQ(meshes.present()->meshes[0].mesh.corners.data(), box) << "the other solid is not meshed again";
  EXPECT_GT(meshes.present()->meshes[1].mesh.triangles(), 100u);
}

TEST(SolidMeshes, FollowColorsCutsAndTheDomain) {
  SimulationSetup setup = two_solids();
  SolidMeshes meshes;
  std::uint64_t version = meshes.of(setup)->version;
  const auto expect_change = [&](const char* what) {
    const std::uint64_t now = meshes.of(setup)->version;
    EXPECT_NE(now, version) << what;
    version = now;
  };
  setup.solid_regions[0].color = {0, 1, 0};
  expect_change("a colour");
  EXPECT_TRUE(meshes.present()->meshes[0].color == (Vec3{0, 1, 0}));
  PlainShape cut;
  cut.min = {0.1f, 0.1f, 0.1f};
  cut.max = {2, 0.4f, 0.4f};
  setup.solid_regions[0].without = {cut};
  expect_change("a cut");
  setup.domain.max.x = 0.8f;
  expect_change("the domain");
  setup.solid_regions.pop_back();
  expect_change("one solid less");
  setup.solid_regions.clear();
  EXPECT_EQ(meshes.of(setup), nullptr);
}

TEST(SolidMeshes, OfTwoPicturesHaveDifferentVersions) {
  SolidMeshes one, other;
  EXPECT_NE(one.of(two_solids())->version, other.of(two_solids())->version);
}

// The mesh stays, and its pose follows the time.
TEST(SolidMeshes, OfDrivenSolidsAreMovedAndNotMadeAgain) {
  SimulationSetup setup = two_solids();
  setup.domain.axis[0] = Axis::Periodic;
  setup.solid_regions[1].drive.given = true;
  setup.solid_regions[1].drive.velocity = {0.5f, 0, 0};
  SolidMeshes meshes;
  const std::uint64_t version = meshes.of(setup, 0)->version;
  const render::Solids* later = meshes.of(setup, 0.25);
  EXPECT_EQ(later->version, version);
  EXPECT_NEAR(later->meshes[1].pose.of({0.75f, 0.75f, 0.75f}).x, 0.875f, 1e-6);
  EXPECT_NEAR(later->meshes[0].pose.of({0.1f, 0, 0}).x, 0.1f, 1e-6) << "it stands still";
  EXPECT_NEAR(meshes.of(setup, 1)->meshes[1].pose.of({0.75f, 0.75f, 0.75f}).x, 0.25f, 1e-6)
      << "through the periodic face";
}

}  // namespace
}  // namespace riffle::test
