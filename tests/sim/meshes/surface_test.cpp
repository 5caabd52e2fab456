/// Surfaces of triangles against the shapes that they approximate.

#include "sim/meshes/surface.h"

#include <gtest/gtest.h>

#include <random>

#include "core/error.h"
#include "sim/meshes/creases.h"
#include "tests/sim/meshes/example_meshes.h"

namespace riffle::test {
namespace {

/// Places in a box of width 2 around 0.
std::vector<Vec3> places_around(int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> along(-1, 1);
  std::vector<Vec3> all;
  for (int k = 0; k < count; ++k) all.push_back({along(random), along(random), along(random)});
  return all;
}

float torus_distance(Vec3 x, float large, float small) { return std::hypot(std::hypot(x.x, x.z) - large, x.y) - small; }

float distance_to_box(Vec3 x, Vec3 half) {
  const Vec3 q{std::fabs(x.x) - half.x, std::fabs(x.y) - half.y, std::fabs(x.z) - half.z};
  const Vec3 beyond{std::max(q.x, 0.0f), std::max(q.y, 0.0f), std::max(q.z, 0.0f)};
  return std::sqrt(length2(beyond)) + std::min(std::max({q.x, q.y, q.z}), 0.0f);
}

IndexedMesh triangle_alone(const IndexedMesh& mesh, std::size_t t) {
  return {{mesh.vertex(t, 0), mesh.vertex(t, 1), mesh.vertex(t, 2)}, {{0, 1, 2}}};
}

// Dipoles leave the higher moments of a group out: at 2.5 of its radii up to a sixth of its solid angle.
constexpr double kDipoleError = 0.06;

struct Known {
  const char* name;
  IndexedMesh mesh;
  float (*distance)(Vec3);
  float error;  ///< of the triangles
};

std::vector<Known> known_shapes() {
  return {{"ball", ball_mesh({}, 0.7f, 96), [](Vec3 x) { return std::sqrt(length2(x)) - 0.7f; }, 1e-3f},
          {"box", box_mesh({-0.6f, -0.3f, -0.5f}, {0.6f, 0.3f, 0.5f}),
           [](Vec3 x) {
             return distance_to_box(x, {0.6f, 0.3f, 0.5f});
           },
           1e-6f},
          {"torus", torus_mesh({}, 0.6f, 0.25f, 128), [](Vec3 x) { return torus_distance(x, 0.6f, 0.25f); }, 2e-3f}};
}

TEST(MeshSurface, HasTheDistanceOfTheShapeItApproximates) {
  for (const Known& known : known_shapes()) {
    const MeshSurface surface(known.mesh);
    EXPECT_EQ(surface.repair().flipped, 0u) << known.name;
    EXPECT_EQ(surface.repair().closed, 0u) << known.name;
    for (const Vec3 x : places_around(3000))
      ASSERT_NEAR(surface.distance(x), known.distance(x), known.error) << known.name;
  }
}

TEST(MeshSurface, WindsOnceAroundWhatIsInside) {
  for (const Known& known : known_shapes()) {
    const MeshSurface surface(known.mesh);
    for (const Vec3 x : places_around(3000)) {
      const float d = known.distance(x);
      if (std::fabs(d) < 0.02f) continue;
      ASSERT_NEAR(surface.tree().winding(x), d < 0 ? 1 : 0, kDipoleError) << known.name << " at " << d;
    }
  }
}

TEST(MeshSurface, TheDipolesAreNearTheSumOverAllTriangles) {
  const IndexedMesh mesh = torus_mesh({}, 0.6f, 0.25f, 40);
  const TriangleTree tree(mesh);
  for (const Vec3 x : places_around(300)) {
    double angle = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      angle += TriangleTree(triangle_alone(mesh, t)).winding(x);
    }
    ASSERT_NEAR(tree.winding(x), angle, kDipoleError);
  }
}

TEST(MeshSurface, FindsTheNearestOfAllTriangles) {
  const IndexedMesh mesh = torus_mesh({}, 0.6f, 0.25f, 24);
  const TriangleTree tree(mesh);
  for (const Vec3 x : places_around(60)) {
    float least = 1e9f;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      least = std::min(least, TriangleTree(triangle_alone(mesh, t)).nearest(x).distance2);
    }
    const TriangleTree::Nearest found = tree.nearest(x);
    ASSERT_EQ(found.distance2, least);
    ASSERT_NEAR(length2(found.way), least, 1e-6f);
  }
}

TEST(MeshSurface, TrianglesTheWrongWayRoundAreTurned) {
  for (const Known& known : known_shapes()) {
    IndexedMesh mesh = known.mesh;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (t % 7 == 3) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
    IndexedMesh inside_out = known.mesh;
    for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
    const MeshSurface some(mesh), all(inside_out);
    EXPECT_GT(some.repair().flipped, 0u);
    EXPECT_EQ(all.repair().flipped, all.mesh().triangles.size());
    for (const Vec3 x : places_around(500)) {
      const float d = known.distance(x);
      if (std::fabs(d) < 0.02f) continue;
      ASSERT_EQ(some.contains(x), d < 0) << known.name;
      ASSERT_EQ(all.contains(x), d < 0) << known.name;
    }
  }
}

TEST(MeshSurface, HolesAreClosed) {
  IndexedMesh open = ball_mesh({}, 0.7f, 96);
  std::erase_if(open.triangles, [&](const Triangle& t) {
    return open.vertices[t[0]].y > 0.6f && open.vertices[t[1]].y > 0.6f && open.vertices[t[2]].y > 0.6f;
  });
  const MeshSurface surface(open);
  EXPECT_GT(surface.repair().closed, 20u);
  for (const Vec3 x : places_around(3000)) {
    const float ball = std::sqrt(length2(x)) - 0.7f, lid = x.y - 0.6f;
    if (std::fabs(ball) < 0.03f || std::fabs(lid) < 0.03f) continue;
    ASSERT_EQ(surface.contains(x), ball < 0 && lid < 0) << x.x << ", " << x.y << ", " << x.z;
    if (ball < 0 && lid < 0) {
      ASSERT_NEAR(surface.tree().winding(x), 1, 0.05);
    }
  }
  const Vec3 below_lid{0, 0.58f, 0};
  EXPECT_NEAR(surface.winding_of_file(below_lid, surface.tree().winding(below_lid)), 0.55, 0.1)
      << "the file itself is open there";
  const WindingSamples& samples = surface.winding_samples();
  EXPECT_EQ(samples.unclear, 0);
  EXPECT_GT(samples.open, samples.places / 50);
  EXPECT_GT(samples.open_place.y, 0.3f) << "where the lid is";
  EXPECT_EQ(&surface.winding_samples(), &samples);
}

TEST(MeshSurface, SamplesSayHowMuchIsInsideAndHowMuchIsThin) {
  const MeshSurface ball(ball_mesh({}, 0.7f, 96));
  const WindingSamples& samples = ball.winding_samples();
  EXPECT_NEAR(double(samples.inside) / samples.places, std::numbers::pi / 6, 0.01) << "of the cube around the ball";
  EXPECT_EQ(samples.unclear, 0);
  EXPECT_EQ(samples.open, 0);

  const MeshSurface plate(box_mesh({-0.5f, 0, -0.5f}, {0.5f, 0.1f, 0.5f}));
  for (int again = 0; again < 2; ++again)
    for (int k = 1; k <= 12; ++k) {  // more than are kept
      const float thickness = 0.0175f * static_cast<float>(k);
      EXPECT_NEAR(plate.part_thinner_than(thickness).share, thickness < 0.1f ? 0 : 2 / 2.4, 0.02) << thickness;
    }
  const Vec3 place = plate.part_thinner_than(0.2f).place;
  EXPECT_TRUE(std::fabs(place.y) < 1e-5f || std::fabs(place.y - 0.1f) < 1e-5f) << place.y << ": on a large side";
}

TEST(MeshSurface, AHollowStaysHollow) {
  IndexedMesh shell = ball_mesh({}, 0.8f, 48);
  const IndexedMesh inner = ball_mesh({}, 0.4f, 48);
  const auto first = static_cast<std::uint32_t>(shell.vertices.size());
  shell.vertices.insert(shell.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const Triangle& t : inner.triangles) shell.triangles.push_back({t[0] + first, t[2] + first, t[1] + first});
  const MeshSurface surface(shell);
  EXPECT_FALSE(surface.contains({0.1f, 0, 0}));
  EXPECT_TRUE(surface.contains({0.6f, 0, 0}));
  EXPECT_FALSE(surface.contains({0.9f, 0, 0}));
}

TEST(MeshSurface, VerticesOfSingleTrianglesAreJoined) {
  const IndexedMesh torus = torus_mesh({}, 0.6f, 0.25f, 32);
  IndexedMesh loose;  // as STL files have them
  for (std::size_t t = 0; t < torus.triangles.size(); ++t) {
    const auto first = static_cast<std::uint32_t>(loose.vertices.size());
    for (int k = 0; k < 3; ++k) loose.vertices.push_back(torus.vertex(t, k) + Vec3{k == 1 ? 3e-7f : 0, 0, 0});
    loose.triangles.push_back({first, first + 1, first + 2});
  }
  loose.triangles.push_back({0, 0, 1});
  const MeshSurface surface(loose);
  EXPECT_EQ(surface.mesh().vertices.size(), torus.vertices.size());
  EXPECT_EQ(surface.repair().dropped, 1u);
  EXPECT_EQ(surface.repair().closed, 0u);
}

TEST(MeshSurface, VolumeIsThatOfTheShape) {
  const double volume = MeshSurface(box_mesh({-3e13f, 0, 0}, {5e13f, 2e13f, 1e13f})).volume();
  EXPECT_NEAR(volume / 1.6e40, 1, 1e-5) << "floats end at 3.4e38";
  EXPECT_NEAR(MeshSurface(box_mesh({1, 2, 3}, {2, 4, 6})).volume(), 6, 1e-5);
  EXPECT_NEAR(MeshSurface(torus_mesh({3, 0, 0}, 0.6f, 0.25f, 128)).volume(),
              2 * std::pow(std::numbers::pi, 2) * 0.6 * 0.25 * 0.25, 2e-3);
}

TEST(MeshSurface, IsSharedByEqualContents) {
  const MeshPlacement placement{{2, 2, 2}, {0, 30, 0}, {1, 0, 0}};
  const auto one = mesh_surface(ball_mesh({}, 0.7f), placement), same = mesh_surface(ball_mesh({}, 0.7f), placement);
  EXPECT_EQ(one, same);
  EXPECT_NE(one, mesh_surface(ball_mesh({}, 0.7f), {{2, 2, 2}, {0, 31, 0}, {1, 0, 0}}));
  EXPECT_NE(one, mesh_surface(ball_mesh({}, 0.71f), placement));
  const GridWish wish{{-2, -2, -2}, {4, 2, 2}, 0.05f, 0.2f};
  EXPECT_EQ(one->grid(wish), same->grid(wish));
}

TEST(MeshSurface, WithoutATriangleAfterTheRepairIsRefusedAndHasNoThinPart) {
  IndexedMesh sliver;
  sliver.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1e-7f, 0}};
  sliver.triangles = {{0, 1, 2}};
  EXPECT_EQ(MeshSurface(sliver).part_thinner_than(1).share, 0);
  try {
    mesh_surface(sliver, {});
    FAIL() << "it was made";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("none of its 1 triangles has an area"), std::string::npos);
  }
}

// Quarter turns about x, then y, then z.
TEST(MeshPlacementOrder, IsScaleThenXThenYThenZThenMove) {
  IndexedMesh point;
  point.vertices = {{1, 2, 3}};
  const auto at = [&](const MeshPlacement& placement) { return placed(point, placement).vertices[0]; };
  const auto expect = [](Vec3 found, Vec3 wanted) { EXPECT_LT(length2(found - wanted), 1e-10f); };
  expect(at({{2, 3, 4}, {}, {}}), {2, 6, 12});
  expect(at({{1, 1, 1}, {90, 0, 0}, {}}), {1, -3, 2});
  expect(at({{1, 1, 1}, {0, 90, 0}, {}}), {3, 2, -1});
  expect(at({{1, 1, 1}, {0, 0, 90}, {}}), {-2, 1, 3});
  expect(at({{1, 1, 1}, {90, 90, 0}, {}}), {2, -3, -1});
  expect(at({{1, 1, 2}, {90, 90, 90}, {10, 20, 30}}), {10 + 6, 20 + 2, 30 - 1});
}

TEST(MeshCreases, RoundSidesAreSmoothAndEdgesSharp) {
  for (const MeshCorner& corner : with_creases(ball_mesh({}, 1, 48)).corners)
    ASSERT_GT(dot(corner.normal, corner.at), 0.99f);
  int along_axes = 0;
  const TriangleMesh box = with_creases(box_mesh({-1, -1, -1}, {1, 1, 1}));
  for (const MeshCorner& corner : box.corners) {
    const float most = std::max({std::fabs(corner.normal.x), std::fabs(corner.normal.y), std::fabs(corner.normal.z)});
    along_axes += most > 0.9999f && dot(corner.normal, corner.at) > 0.999f;
  }
  EXPECT_EQ(along_axes, 36);
}

TEST(DistanceGrid, IsTheDistanceNearTheSurface) {
  for (const Known& known : known_shapes()) {
    const MeshSurface surface(known.mesh);
    constexpr float kCell = 0.02f;
    const auto grid = surface.grid({{-1, -1, -1}, {1, 1, 1}, kCell, 8 * kCell});
    EXPECT_FLOAT_EQ(grid->cell(), kCell);
    double off = 0, turned = 0;
    int near = 0;
    for (const Vec3 x : places_around(20000)) {
      Vec3 normal;
      const float d = distance_in_grid(grid->view(), x, normal), exact = surface.distance(x);
      ASSERT_NEAR(length2(normal), 1, 1e-3);
      if (std::fabs(exact) > 2 * kCell) {
        ASSERT_EQ(d < 0, exact < 0) << known.name;
      }
      if (std::fabs(exact) > 8 * kCell) {  // between the corners of blocks
        ASSERT_NEAR(d, exact, 5 * kCell) << known.name;
        continue;
      }
      ++near;
      off += std::fabs(d - exact) / kCell;
      ASSERT_NEAR(d, exact, 0.6f * kCell) << known.name;
      const float step = 1e-3f;
      turned += surface.distance(x + step * normal) - surface.distance(x) < 0.9f * step;
    }
    EXPECT_GT(near, 1000);
    EXPECT_LT(off / near, 0.02) << known.name;
    EXPECT_LT(turned / near, 0.08) << known.name << ": edges";
  }
}

TEST(DistanceGrid, GrowsOutsideItsBox) {
  const MeshSurface surface(ball_mesh({}, 0.5f));
  const auto grid = surface.grid({{-0.6f, -0.6f, -0.6f}, {0.6f, 0.6f, 0.6f}, 0.02f, 0.1f});
  Vec3 normal;
  EXPECT_NEAR(distance_in_grid(grid->view(), {3, 0, 0}, normal), 2.5f, 0.1f);
  EXPECT_GT(normal.x, 0.9f);
}

TEST(DistanceGrid, IsCoarserWhereItsMemoryIsBounded) {
  const MeshSurface surface(torus_mesh({}, 0.6f, 0.25f));
  const GridWish wish{{-1, -1, -1}, {1, 1, 1}, 0.005f, 0.04f};
  const DistanceGrid bounded(surface.tree(), wish, 1 << 20);
  EXPECT_LE(bounded.bytes(), std::size_t{1} << 20);
  EXPECT_GT(bounded.bytes(), std::size_t{1} << 17);
  EXPECT_GT(bounded.cell(), 0.006f);
  Vec3 normal;
  EXPECT_NEAR(distance_in_grid(bounded.view(), {0.6f, 0.2f, 0}, normal), -0.05f, 0.5f * bounded.cell());
}

}  // namespace
}  // namespace riffle::test
