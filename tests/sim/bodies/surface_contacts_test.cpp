/// Contact of bodies that are not convex: polygons, meshes and what `without` leaves.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/bodies/falling_bodies.h"
#include "tests/sim/meshes/example_meshes.h"
#include "tests/sim/shapes/example_shapes.h"

namespace riffle::test {
namespace {

SolidRegion solid_mesh(const IndexedMesh& mesh) {
  SolidRegion solid;
  solid.shape = Shape::Mesh;
  solid.surface = mesh_surface(mesh, {});
  return solid;
}

/// A sheet of squares, thick, between -2 and 2, with its upper side at y = 0.
IndexedMesh tiled_floor() {
  IndexedMesh mesh;
  constexpr int kTiles = 13;
  const auto at = [](int i) { return -2 + 4 * float(i) / kTiles; };
  const auto vertex = [&](int i, int j, bool upper) {
    return static_cast<std::uint32_t>((j * (kTiles + 1) + i) * 2 + upper);
  };
  for (int j = 0; j <= kTiles; ++j)
    for (int i = 0; i <= kTiles; ++i)
      for (const float y : {-0.5f, 0.0f}) mesh.vertices.push_back({at(i), y, at(j)});
  const auto square = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (int j = 0; j < kTiles; ++j)
    for (int i = 0; i < kTiles; ++i) {
      square(vertex(i, j, true), vertex(i, j + 1, true), vertex(i + 1, j + 1, true), vertex(i + 1, j, true));
      square(vertex(i, j, false), vertex(i + 1, j, false), vertex(i + 1, j + 1, false), vertex(i, j + 1, false));
    }
  for (int i = 0; i < kTiles; ++i) {
    square(vertex(i, 0, false), vertex(i, 0, true), vertex(i + 1, 0, true), vertex(i + 1, 0, false));
    square(vertex(i + 1, kTiles, false), vertex(i + 1, kTiles, true), vertex(i, kTiles, true),
           vertex(i, kTiles, false));
    square(vertex(0, i + 1, false), vertex(0, i + 1, true), vertex(0, i, true), vertex(0, i, false));
    square(vertex(kTiles, i, false), vertex(kTiles, i, true), vertex(kTiles, i + 1, true),
           vertex(kTiles, i + 1, false));
  }
  // A post beside the way, so that the whole is not convex.
  const IndexedMesh post = box_mesh({1.5f, -0.2f, 1.5f}, {1.8f, 0.5f, 1.8f});
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), post.vertices.begin(), post.vertices.end());
  for (const Triangle& t : post.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return mesh;
}

class SurfaceContact : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(In, SurfaceContact, testing::Values(2, 3), testing::PrintToStringParamName());

TEST_P(SurfaceContact, ABoxSlidesOverTheCornersOfAProfileInOnePlane) {
  // A ditch makes the polygon one that is not convex; corners at x = -1, 0 and 1 lie on the straight upper side.
  const int dimension = GetParam();
  const float depth = dimension == 3 ? 1.0f : 0.0f;
  SolidRegion ground = touched(
      solid_polygon({{-2, -0.5f}, {4, -0.5f}, {4, 0}, {3, 0}, {2.5f, -0.3f}, {2, 0}, {1, 0}, {0, 0}, {-1, 0}, {-2, 0}},
                    -depth, depth),
      0);
  SolidRegion slider = freed(solid_box({-1.6f, 0, -0.1f * depth}, {-1.4f, 0.2f, 0.1f * depth}), 0);
  slider.free.velocity = {2, 0, 0};
  const SimulationSetup setup = contact_setup(dimension, 5, Axis::Open, 0.02f, {ground, slider});
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(1.5);
  EXPECT_NEAR(falling.bodies[1].velocity[0], 2, 1e-6);
  EXPECT_NEAR(falling.bodies[1].center[1], 0.1, 0.01 * setup.spacing);
  falling.run(2.2);  // and into the ditch
  EXPECT_LT(falling.bodies[1].center[1], 0.05);
  EXPECT_GT(falling.bodies[1].center[1], -0.3);
}

TEST_P(SurfaceContact, AnAngleFallsOntoAFaceAndStands) {
  const int dimension = GetParam();
  SolidRegion angle = freed(solid_polygon(kAngle, dimension == 3 ? -0.3f : 0, dimension == 3 ? 0.3f : 0));
  SimulationSetup setup = contact_setup(dimension, 3, Axis::Walled, 0.05f, {angle});
  setup.domain.min.y = -0.1f;
  FallingBodies falling(setup, KickTime::AtEnd);
  const double start = falling.bodies[0].center[1];
  falling.run(2);
  EXPECT_NEAR(falling.bodies[0].center[1], start - 0.1, 0.05 * setup.spacing);
  EXPECT_NEAR(falling.bodies[0].turn[0], 1, 1e-6);
}

TEST_P(SurfaceContact, ABallLiesInTheHollowThatACutLeaves) {
  const int dimension = GetParam();
  const float depth = dimension == 3 ? 1.0f : 0.0f;
  SolidRegion block = solid_box({-1, -1, -depth}, {1, 0, depth});
  block.without.push_back(box({-0.3f, -0.5f, -0.3f}, {0.3f, 1, 0.3f}));
  const SimulationSetup setup =
      contact_setup(dimension, 3, Axis::Open, 0.05f, {block, freed(solid_ball({0.05f, -0.3f, 0}, 0.15f), 0.4f)});
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(2);
  EXPECT_NEAR(falling.bodies[1].center[1], -0.5 + 0.15, 0.05 * setup.spacing);
  EXPECT_LT(std::fabs(falling.bodies[1].center[0]), 0.15 + 0.05 * setup.spacing);
}

TEST_P(SurfaceContact, ACupThatIsFreeStandsOnItsRim) {
  const int dimension = GetParam();
  const float depth = dimension == 3 ? 1.0f : 0.0f;
  SolidRegion cup = freed(solid_box({-0.4f, 0.02f, -0.4f * depth}, {0.4f, 0.62f, 0.4f * depth}));
  cup.without.push_back(box({-0.25f, -1, -0.25f}, {0.25f, 0.42f, 0.25f}));
  // It falls over a block that fits into it.
  const SimulationSetup setup =
      contact_setup(dimension, 3, Axis::Open, 0.05f,
                    {solid_box({-2, -1, -2 * depth}, {2, 0, 2 * depth}),
                     solid_box({-0.15f, 0, -0.15f * depth}, {0.15f, 0.3f, 0.15f * depth}), cup});
  FallingBodies falling(setup, KickTime::AtEnd);
  const double start = falling.bodies[2].center[1];
  falling.run(0.3);
  EXPECT_NEAR(falling.bodies[2].center[1], start - double{0.02f}, 0.05 * setup.spacing);
  EXPECT_NEAR(falling.bodies[2].turn[0], 1, 1e-5);
}

TEST_P(SurfaceContact, OneCutBodyStandsOnAnother) {
  const int dimension = GetParam();
  const float depth = dimension == 3 ? 1.0f : 0.0f;
  SolidRegion lower = solid_box({-0.5f, -1, -0.5f * depth}, {0.5f, 0, 0.5f * depth});
  lower.without.push_back(box({-0.1f, -0.2f, -0.1f}, {0.1f, 1, 0.1f}));
  SolidRegion upper = freed(solid_box({-0.3f, 0.01f, -0.3f * depth}, {0.3f, 0.41f, 0.3f * depth}), 0.6f);
  upper.without.push_back(box({-0.1f, -1, -0.1f}, {0.1f, 0.21f, 0.1f}));
  const SimulationSetup setup = contact_setup(dimension, 3, Axis::Open, 0.05f, {lower, upper});
  FallingBodies falling(setup, KickTime::AtEnd);
  const double start = falling.bodies[1].center[1];
  falling.run(0.3);
  EXPECT_NEAR(falling.bodies[1].center[1], start - double{0.01f}, 0.05 * setup.spacing);
}

// Facets at the hole's edge lie inside the block then. Where the block has entered over the edge, the way out along their normals
// would be a wall of the hole to the outside of the block.
TEST_P(SurfaceContact, AFrameInABlockIsPushedOutTheShortWay) {
  const int dimension = GetParam();
  const float depth = dimension == 3 ? 1.0f : 0.0f, spacing = 0.1f;
  for (const float deep : {0.1f, 0.25f, 0.4f})
    for (const double tilt : {-0.03, 0.0, 0.03}) {
      SCOPED_TRACE(testing::Message() << deep << " spacings deep, tilted by " << tilt);
      const float bottom = -deep * spacing;
      SolidRegion frame =
          freed(solid_box({-0.325f, bottom, -0.325f * depth}, {0.325f, bottom + 0.25f, 0.325f * depth}));
      frame.without.push_back(box({-0.125f, -2, -0.125f}, {0.125f, 2, 0.125f}));
      const SolidRegion block = freed(solid_box({-0.1f, -0.4f, -0.25f * depth}, {0.3f, 0, 0.25f * depth}));
      FallingBodies falling(contact_setup(dimension, 3, Axis::Open, spacing, {block, frame}), KickTime::AtStart);
      for (BodyPush& push : falling.pushes) push = {};
      falling.bodies[1].turn[0] = std::cos(0.5 * tilt);
      falling.bodies[1].turn[3] = std::sin(0.5 * tilt);
      falling.contacts.solve(falling.bodies, falling.pushes, 0, 1e-3, falling.memory, falling.kicks);
      const BodyKick &below = falling.kicks[0], &above = falling.kicks[1];
      EXPECT_GT(above.way[1] - below.way[1], 0.01 * spacing);
      for (const BodyKick* kick : {&below, &above})
        for (const int a : {0, 2}) EXPECT_LT(std::fabs(kick->way[a]), 0.02 * spacing) << a;
      EXPECT_LT(above.way[1] - below.way[1], 0.5 * spacing);
    }
}

TEST(MeshContact, AMeshThatIsConvexIsABodyLikeTheShapeItTriangulates) {
  SimulationSetup setup = contact_setup(3, 1, Axis::Walled, 0.02f,
                                        {freed(solid_mesh(box_mesh({-0.1f, -0.95f, -0.1f}, {0.1f, -0.75f, 0.1f}))),
                                         freed(solid_box({0.4f, -0.95f, -0.1f}, {0.6f, -0.75f, 0.1f}))});
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(1);
  EXPECT_NEAR(falling.bodies[0].center[1], -0.9, 0.01 * setup.spacing);
  EXPECT_NEAR(falling.bodies[0].center[1], falling.bodies[1].center[1], 1e-6);
}

TEST(MeshContact, ABoxAndABallSlideOverTheSeamsOfAFloorOfTriangles) {
  SolidRegion slider = freed(solid_box({-1.6f, 0, -0.15f}, {-1.4f, 0.2f, 0.05f}), 0);
  SolidRegion roller = freed(solid_ball({-1.5f, 0.1f, -0.8f}, 0.1f), 0);
  slider.free.velocity = roller.free.velocity = {2, 0, 0.1f};
  const SimulationSetup setup =
      contact_setup(3, 5, Axis::Open, 0.02f, {touched(solid_mesh(tiled_floor()), 0), slider, roller});
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(1.4);
  for (const std::size_t s : {1u, 2u}) {
    EXPECT_NEAR(falling.bodies[s].velocity[0], 2, 1e-5) << s;
    EXPECT_NEAR(falling.bodies[s].velocity[2], 0.1, 1e-5) << s;
    EXPECT_NEAR(falling.bodies[s].center[1], 0.1, 0.02 * setup.spacing) << s;
  }
}

TEST(MeshContact, ARingThatIsFreeFallsFlatOntoTheFloor) {
  const SimulationSetup setup =
      contact_setup(3, 1, Axis::Walled, 0.02f, {freed(solid_mesh(torus_mesh({0, -0.85f, 0}, 0.4f, 0.1f, 32)))});
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(1);
  EXPECT_NEAR(falling.bodies[0].center[1], -0.9, 0.05 * setup.spacing);
  EXPECT_NEAR(falling.bodies[0].turn[0], 1, 1e-5);
}

TEST(MeshContact, ABallFallsThroughARing) {
  const SimulationSetup setup =
      contact_setup(3, 1, Axis::Open, 0.02f,
                    {solid_mesh(torus_mesh({0, 0, 0}, 0.4f, 0.1f, 32)), freed(solid_ball({0.02f, 0.3f, 0}, 0.2f)),
                     freed(solid_ball({0, 0.9f, 0.4f}, 0.05f), 2, 0.0f)});
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(0.6);
  EXPECT_LT(falling.bodies[1].center[1], -1);  // through the middle
  falling.run(0.45);
  EXPECT_GT(falling.bodies[2].center[1], -1.5);  // the small one met the ring
}

}  // namespace
}  // namespace riffle::test
