/// Triangles of regions: closed, of the right volume, with normals that point outwards.

#include "sim/shapes/mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "sim/shapes/distance.h"
#include "sim/shapes/ear_clipping.h"
#include "tests/sim/shapes/mesh_measures.h"

namespace riffle::test {
namespace {

Domain wide_domain(int dimension = 3) {
  Domain domain;
  domain.dimension = dimension;
  domain.min = {-4, -4, -4};
  domain.max = {4, 4, 4};
  return domain;
}

Region box_region(Vec3 min, Vec3 max) {
  Region region;
  region.shape = Shape::Box;
  region.min = min;
  region.max = max;
  return region;
}

Region sphere_region(Vec3 center, float radius) {
  Region region;
  region.shape = Shape::Sphere;
  region.center = center;
  region.radius = radius;
  return region;
}

Region capsule_region(Vec3 from, Vec3 to, float radius) {
  Region region;
  region.shape = Shape::Capsule;
  region.from = from;
  region.to = to;
  region.radius = radius;
  return region;
}

Region cylinder_region(Vec3 from, Vec3 to, float radius) {
  Region region;
  region.shape = Shape::Cylinder;
  region.from = from;
  region.to = to;
  region.radius = radius;
  return region;
}

Region polygon_region(std::vector<std::array<float, 2>> corners, int axis, float low, float high) {
  Region region;
  region.shape = Shape::Polygon;
  region.corners = std::move(corners);
  region.axis = axis;
  region.low = low;
  region.high = high;
  return region;
}

Region cut_by(Region region, const PlainShape& cut) {
  region.without.push_back(cut);
  return region;
}

/// An arrow with a notch: three corners are concave.
std::vector<std::array<float, 2>> arrow_corners(float notch = -0.6f) {
  return {{-1, -0.3f}, {0.2f, -0.3f}, {0.2f, -0.8f}, {1.1f, 0.1f}, {0.2f, 0.9f}, {0.2f, 0.4f}, {-1, 0.4f}, {notch, 0}};
}

using Place = std::tuple<float, float, float>;
Place place_of(Vec3 at) { return {at.x + 0.0f, at.y + 0.0f, at.z + 0.0f}; }  // one zero

/// Edges that are not passed as often one way as the other way.
std::map<std::pair<Place, Place>, int> open_edges(const TriangleMesh& mesh) {
  std::map<std::pair<Place, Place>, int> edges;
  for (std::size_t i = 0; i < mesh.corners.size(); ++i) {
    const Place a = place_of(mesh.corners[i].at), b = place_of(mesh.corners[i % 3 == 2 ? i - 2 : i + 1].at);
    if (a == b) continue;
    a < b ? ++edges[{a, b}] : --edges[{b, a}];
  }
  std::erase_if(edges, [](const auto& edge) { return edge.second == 0; });
  return edges;
}

FlatRegions flat_region(const Region& region, const Domain& domain) {
  const Region* one = &region;
  return flatten({&one, 1}, domain);
}

/// @param smallest  of the lengths in the shape that a picture would show [m]
/// @param dented  share of the triangles that may cut off a piece of an edge: where one that is oblique to the grid
///   passes a cell without crossing the cell's own edges on both of its sides
void expect_clean(const TriangleMesh& mesh, const Region& region, const Domain& domain, float smallest,
                  double dented = 0) {
  ASSERT_GT(mesh.triangles(), 0u);
  EXPECT_TRUE(open_edges(mesh).empty()) << open_edges(mesh).size() << " edges are open";
  const FlatRegions regions = flat_region(region, domain);
  float farthest = 0;
  int inwards = 0, not_unit = 0, off_surface = 0;
  for (std::size_t i = 0; i < mesh.corners.size(); i += 3) {
    const auto n = across_triangle(mesh.corners[i].at, mesh.corners[i + 1].at, mesh.corners[i + 2].at);
    const double area = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (std::size_t k = i; k < i + 3; ++k) {
      const auto& [at, normal] = mesh.corners[k];
      farthest = std::max(farthest, std::fabs(nearest_surface(regions, at, domain.dimension).distance));
      not_unit += std::fabs(length2(normal) - 1) > 1e-4f;
      // A triangle without an area faces nowhere.
      if (area > 1e-4 * smallest * smallest)
        inwards += n[0] * normal.x + n[1] * normal.y + n[2] * normal.z < 0.8 * area;
      // A little along the normal from within the triangle is outside.
      const Vec3 middle = (1.0f / 3) * (mesh.corners[i].at + mesh.corners[i + 1].at + mesh.corners[i + 2].at);
      off_surface += nearest_surface(regions, middle + 0.05f * smallest * normal, domain.dimension).distance <= 0;
    }
  }
  EXPECT_LT(farthest, 2e-5f * 4) << "of corners from the surface";
  const auto all = static_cast<double>(mesh.corners.size());
  EXPECT_LE(inwards, 0.1 * dented * all) << "of " << mesh.corners.size() << " normals disagree with their triangles";
  EXPECT_EQ(not_unit, 0);
  EXPECT_LE(off_surface, dented * all);
}

double own_volume(const Region& region, int dimension = 3) {
  return shape_info(region.shape).volume(region, dimension, 1);
}

struct Named {
  std::string name;
  Region region;
};

std::vector<Named> plain_shapes(float notch = -0.6f) {
  std::vector<Named> all{{"box", box_region({-1, -0.5f, 0.25f}, {0.5f, 1, 2})},
                         {"sphere", sphere_region({0.3f, -0.2f, 0.5f}, 0.8f)},
                         {"upright cylinder", cylinder_region({0.2f, -1, 0.1f}, {0.2f, 1.5f, 0.1f}, 0.6f)},
                         {"cylinder along x", cylinder_region({1.4f, 0, 0}, {-1, 0, 0}, 0.4f)},
                         {"cylinder along z", cylinder_region({0.5f, 0.5f, -1}, {0.5f, 0.5f, 1}, 0.4f)},
                         {"capsule along x", capsule_region({0.9f, 0, 0}, {-0.7f, 0, 0}, 0.7f)},
                         {"slanted capsule", capsule_region({-0.8f, -0.4f, 0.3f}, {0.8f, 0.7f, -0.6f}, 0.7f)},
                         {"capsule without length", capsule_region({0.1f, 0.2f, 0.3f}, {0.1f, 0.2f, 0.3f}, 0.7f)},
                         {"slanted cylinder", cylinder_region({-1, -0.4f, 0.3f}, {0.8f, 0.9f, -0.6f}, 0.5f)}};
  std::vector<std::array<float, 2>> backwards = arrow_corners(notch);
  std::reverse(backwards.begin(), backwards.end());
  for (int axis = 0; axis < 3; ++axis) {
    all.push_back(
        {"polygon along axis " + std::to_string(axis), polygon_region(arrow_corners(notch), axis, -0.5f, 0.75f)});
    all.push_back(
        {"polygon clockwise along axis " + std::to_string(axis), polygon_region(backwards, axis, -0.5f, 0.75f)});
  }
  return all;
}

TEST(Mesh, OfAPlainShapeIsClosedAndHasItsVolume) {
  for (const auto& [name, region] : plain_shapes()) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = mesh_of(region, wide_domain());
    expect_clean(mesh, region, wide_domain(), 0.1f);
    const bool flat_faces = region.shape == Shape::Box || region.shape == Shape::Polygon;
    EXPECT_NEAR(volume_of_mesh(mesh), own_volume(region), (flat_faces ? 1e-5 : 4e-3) * own_volume(region));
    EXPECT_LT(mesh.triangles(), 20000u);
  }
}

// The tips beside a deep notch would be thinner than a cell.
TEST(Mesh, OfAContourIsThatOfThePlainShape) {
  for (const auto& [name, region] : plain_shapes(-0.95f)) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = contour_mesh(region, wide_domain(), 48);
    expect_clean(mesh, region, wide_domain(), 0.1f, 0.01);
    EXPECT_NEAR(volume_of_mesh(mesh), own_volume(region), 2e-3 * own_volume(region));
  }
}

TEST(Mesh, OfADifferenceIsClosedAndSharp) {
  const double pi = 3.14159265358979;
  const Region block = box_region({-1, -0.5f, -0.75f}, {1, 0.5f, 0.75f});
  const Region ball = sphere_region({0.1f, 0.2f, 0}, 0.9f);
  struct Case {
    std::string name;
    Region region;
    double volume;
  };
  const float half = 0.9f;
  const std::vector<Case> cases{
      {"box without a cylinder through it", cut_by(block, cylinder_region({0, -2, 0}, {0, 2, 0}, 0.4f)),
       3 - pi * 0.16 * 1},
      {"box with a pocket", cut_by(block, cylinder_region({0.1f, 0, 0.05f}, {0.1f, 2, 0.05f}, 0.4f)),
       3 - pi * 0.16 * 0.5},
      {"hollow box", cut_by(block, box_region({-0.9f, -0.4f, -0.6f}, {0.9f, 0.4f, 0.6f})), 3 - 1.8 * 0.8 * 1.2},
      {"box with a notch to its face", cut_by(block, box_region({0.25f, 0, -2}, {1, 0.5f, 2})), 3 - 0.75 * 0.5 * 1.5},
      {"half a sphere", cut_by(ball, box_region({-3, 0.2f, -3}, {3, 3, 3})), 2 * pi / 3 * half * half * half},
      {"sphere without a smaller one", cut_by(sphere_region({0, 0, 0}, 1), sphere_region({0, 0, 0}, 0.6f)),
       4 * pi / 3 * (1 - 0.216)},
      {"cylinder without a wedge",
       cut_by(cylinder_region({0, -1, 0}, {0, 1, 0}, 0.7f), box_region({0, -2, 0}, {2, 2, 2})), 2 * pi * 0.49 * 0.75}};
  for (const auto& [name, region, volume] : cases) {
    SCOPED_TRACE(name);
    const TriangleMesh mesh = mesh_of(region, wide_domain());
    expect_clean(mesh, region, wide_domain(), 0.1f, 1e-4);
    EXPECT_NEAR(volume_of_mesh(mesh), volume, 2e-3 * volume);
    EXPECT_LT(mesh.triangles(), 250000u);
  }
}

TEST(Mesh, OfWhatReachesBeyondTheDomainEndsAtItsFaces) {
  Domain domain;
  domain.min = {0, 0, 0};
  domain.max = {1, 1, 1};
  domain.axis[0] = domain.axis[1] = Axis::Walled;
  domain.axis[2] = Axis::Periodic;
  const double pi = 3.14159265358979;
  const std::vector<std::pair<Region, double>> cases{
      {box_region({0.25f, -3, 0.5f}, {0.75f, 0.5f, 7}), 0.125},
      {sphere_region({0.5f, 0, 0.5f}, 0.4f), 2 * pi / 3 * 0.064},
      {cylinder_region({0.5f, 0.5f, -1}, {0.5f, 0.5f, 2}, 0.25f), pi / 16},
      {polygon_region({{-1, 0.25f}, {2, 0.25f}, {2, 0.5f}, {-1, 0.5f}}, 2, -INFINITY, INFINITY), 0.25}};
  for (const auto& [region, volume] : cases) {
    SCOPED_TRACE(shape_info(region.shape).word);
    const TriangleMesh mesh = mesh_of(region, domain);
    EXPECT_TRUE(open_edges(mesh).empty());
    EXPECT_NEAR(volume_of_mesh(mesh), volume, 2e-3 * volume);
    for (const MeshCorner& corner : mesh.corners)
      for (int a = 0; a < 3; ++a) {
        EXPECT_GE(component(corner.at, a), -1e-5f);
        EXPECT_LE(component(corner.at, a), 1 + 1e-5f);
      }
  }
  EXPECT_EQ(mesh_of(box_region({2, 0, 0}, {3, 1, 1}), domain).triangles(), 0u) << "it lies beside the domain";
  EXPECT_EQ(mesh_of(cut_by(box_region({0, 0, 0}, {1, 1, 1}), box_region({-1, -1, -1}, {2, 2, 2})), domain).triangles(),
            0u)
      << "nothing is left";
}

/// The outline is closed, and runs along the surface.
void expect_clean_area(const TriangleMesh& mesh, const Region& region, double area) {
  ASSERT_GT(mesh.triangles(), 0u);
  const Domain domain = wide_domain(2);
  EXPECT_NEAR(area_of_mesh(mesh), area, 3e-3 * area);
  std::map<Place, int> ends;
  const FlatRegions regions = flat_region(region, domain);
  for (const Vec3& at : mesh.outline) {
    ++ends[place_of(at)];
    EXPECT_NEAR(nearest_surface(regions, at, 2).distance, 0, 1e-4f);
  }
  for (const auto& [at, count] : ends) EXPECT_EQ(count, 2) << std::get<0>(at) << ' ' << std::get<1>(at);
  for (const auto& [edge, count] : open_edges(mesh)) {
    EXPECT_EQ(std::abs(count), 1);
    EXPECT_TRUE(ends.contains(edge.first) && ends.contains(edge.second)) << "the triangles end at the outline";
  }
  for (const MeshCorner& corner : mesh.corners) EXPECT_EQ(corner.at.z, 0);
}

TEST(Mesh, InTwoDimensionsFillsTheSection) {
  const double pi = 3.14159265358979;
  expect_clean_area(mesh_of(box_region({-1, 0, 5}, {1, 0.5f, 6}), wide_domain(2)), box_region({-1, 0, 5}, {1, 0.5f, 6}),
                    1);
  expect_clean_area(mesh_of(sphere_region({0, 0, 9}, 1), wide_domain(2)), sphere_region({0, 0, 9}, 1), pi);
  const Region slanted = cylinder_region({-1, 0, 0}, {1, 1, 0}, 0.25f);
  expect_clean_area(mesh_of(slanted, wide_domain(2)), slanted, own_volume(slanted, 2));
  for (const Vec3 to : {Vec3{1, 1, 0}, Vec3{-1, 0, 3}, Vec3{-1, -0.7f, 0}}) {  // the second is a disc
    const Region strip = capsule_region({-1, 0, 0}, to, 0.25f);
    expect_clean_area(mesh_of(strip, wide_domain(2)), strip, own_volume(strip, 2));
  }
  const Region shape = polygon_region(arrow_corners(), 2, -1, 1);
  expect_clean_area(mesh_of(shape, wide_domain(2)), shape, own_volume(shape, 2));
  const Region ring = cut_by(sphere_region({0, 0, 0}, 1), sphere_region({0.1f, 0, 0}, 0.5f));
  expect_clean_area(mesh_of(ring, wide_domain(2)), ring, pi * 0.75);
  const Region comb = cut_by(box_region({-1, -1, 0}, {1, 1, 0}), box_region({-0.3f, 0, 0}, {0.4f, 2, 0}));
  expect_clean_area(mesh_of(comb, wide_domain(2)), comb, 4 - 0.7);
}

TEST(Mesh, EdgesThatCrossHaveWhatIsInsideAnOddNumberOfTurns) {
  const Region bow = polygon_region({{-1, -1}, {1, 1}, {1, -1}, {-1, 1}}, 2, -0.5f, 0.5f);
  EXPECT_NEAR(area_of_mesh(mesh_of(bow, wide_domain(2))), 2, 0.02);
  EXPECT_NEAR(volume_of_mesh(mesh_of(bow, wide_domain())), 2, 0.02);
}

TEST(EarClipping, FillsTheAreaOnceAlsoWithCornersOnStraightEdges) {
  const std::vector<std::array<float, 2>> comb{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 2},    {2.5f, 2}, {2.5f, 1},
                                               {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0.5f, 1}, {0.5f, 2}, {0, 2}};
  const auto triangles = clip_ears(comb);
  ASSERT_TRUE(triangles);
  EXPECT_EQ(triangles->size(), comb.size() - 2);
  double area = 0;
  for (const auto& [a, b, c] : *triangles) {
    const std::array<std::array<float, 2>, 3> corners{
        comb[static_cast<std::size_t>(a)], comb[static_cast<std::size_t>(b)], comb[static_cast<std::size_t>(c)]};
    EXPECT_GE(signed_area(corners), 0);
    area += signed_area(corners);
  }
  EXPECT_DOUBLE_EQ(area, signed_area(comb));
  EXPECT_FALSE(clip_ears(std::vector<std::array<float, 2>>{{0, 0}, {1, 1}})) << "two corners have no area";
}

// In the corner of a periodic box: a quarter at each of the corners.
TEST(RegionMesh, WhatCrossesAPeriodicFaceIsDrawnOnItsOtherSideToo) {
  Domain domain = wide_domain(2);
  for (Axis& axis : domain.axis) axis = Axis::Periodic;
  const TriangleMesh mesh = mesh_of(sphere_region({4, -4, 0}, 1.5f), domain);
  EXPECT_NEAR(area_of_mesh(mesh), 3.14159265 * 1.5 * 1.5, 0.02);
  double quarters[2][2] = {{0, 0}, {0, 0}};
  for (const MeshCorner& corner : mesh.corners) ++quarters[corner.at.x > 0 ? 1 : 0][corner.at.y > 0 ? 1 : 0];
  for (const auto& side : quarters)
    for (const double corners : side) EXPECT_NEAR(corners / double(mesh.corners.size()), 0.25, 0.05);
  domain.axis[1] = Axis::Open;
  EXPECT_NEAR(area_of_mesh(mesh_of(sphere_region({4, -4, 0}, 1.5f), domain)), 3.14159265 * 1.5 * 1.5 / 2, 0.02);
}

}  // namespace
}  // namespace riffle::test
