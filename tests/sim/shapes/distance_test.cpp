#include "sim/shapes/distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/math/domain.h"
#include "support/random.h"
#include "tests/sim/shapes/example_shapes.h"

namespace riffle::test {
namespace {

Region region_of(const PlainShape& shape, std::vector<PlainShape> without = {}) {
  Region region;
  static_cast<PlainShape&>(region) = shape;
  region.without = std::move(without);
  return region;
}

FlatRegions flat_of(const Region& region, int dimension, Axis axis = Axis::Open) {
  Domain domain;
  domain.dimension = dimension;
  for (Axis& a : domain.axis) a = axis;
  const Region* const one[] = {&region};
  return flatten(one, domain);
}

/// Unit vectors in all directions.
std::vector<Vec3> directions(int dimension) {
  std::vector<Vec3> all;
  constexpr int kMany = 400;
  for (int k = 0; k < kMany; ++k) {
    const double turn = 2.399963 * k;  // the golden angle
    if (dimension == 2) {
      const double angle = 2 * std::numbers::pi * k / kMany;
      all.push_back({static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), 0});
      continue;
    }
    const double z = 1 - (2 * k + 1.0) / kMany, r = std::sqrt(1 - z * z);
    all.push_back(
        {static_cast<float>(r * std::cos(turn)), static_cast<float>(r * std::sin(turn)), static_cast<float>(z)});
  }
  return all;
}

std::vector<Vec3> places(int dimension) {
  std::vector<Vec3> all;
  const int n = dimension == 2 ? 24 : 9;
  for (int z = 0; z < (dimension == 2 ? 1 : n); ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        // None lies on a symmetry of a shape, where the nearest point is not unique.
        const auto at = [n](int k) { return -0.8f + 2.3f * (static_cast<float>(k) + 0.437f) / static_cast<float>(n); };
        all.push_back({at(x), at(y) + 0.011f, dimension == 2 ? 0 : at(z) + 0.017f});
      }
  return all;
}

/// The ball around x that reaches to the surface has no point on the surface's other side.
void expect_free_ball(const FlatRegions& flat, Vec3 x, float distance, int dimension, const std::string& what) {
  for (const Vec3& u : directions(dimension)) {
    const float there = nearest_surface(flat, x + (0.98f * std::fabs(distance)) * u, dimension).distance;
    ASSERT_GT(there * distance, 0) << what << " at " << x.x << ", " << x.y << ", " << x.z << ": " << distance;
  }
}

TEST(SurfaceDistance, IsTheWayToTheNearestPointOfAShape) {
  for (const int dimension : {2, 3})
    for (const PlainShape& shape : example_shapes(dimension)) {
      const std::string what = std::string(shape_info(shape.shape).word) + ", " + std::to_string(dimension) + "-D";
      const FlatRegions flat = flat_of(region_of(shape), dimension);
      for (const Vec3& x : places(dimension)) {
        const SurfaceDistance d = nearest_surface(flat, x, dimension);
        ASSERT_NEAR(length2(d.normal), 1, 1e-5) << what;
        if (std::fabs(d.distance) < 1e-4f) continue;
        ASSERT_EQ(d.distance < 0, shape_info(shape.shape).contains(shape, x, dimension)) << what;
        ASSERT_NEAR(nearest_surface(flat, x - d.distance * d.normal, dimension).distance, 0, 2e-5) << what;
        expect_free_ball(flat, x, d.distance, dimension, what);
      }
    }
}

TEST(SurfaceDistance, OfADifferenceIsExactInSignAndNeverTooLarge) {
  for (const int dimension : {2, 3}) {
    const std::vector<PlainShape> shapes = example_shapes(dimension);
    for (std::size_t a = 0; a < shapes.size(); ++a)
      for (std::size_t b = 0; b < shapes.size(); ++b) {
        if (a == b) continue;
        const Region region = region_of(shapes[a], {shapes[b]});
        const FlatRegions flat = flat_of(region, dimension);
        for (const Vec3& x : places(dimension)) {
          const float d = nearest_surface(flat, x, dimension).distance;
          if (std::fabs(d) < 1e-4f) continue;
          const std::string what = std::string(shape_info(region.shape).word) + " without " +
                                   shape_info(shapes[b].shape).word + ", " + std::to_string(dimension) + "-D";
          ASSERT_EQ(d < 0, contains(region, x, dimension)) << what;
          if (dimension == 2) expect_free_ball(flat, x, d, dimension, what);
        }
      }
  }
}

TEST(SurfaceDistance, BesideAnEdgeTheNormalIsTheEdgesHoweverNear) {
  // An edge at an odd angle, where coordinates near it are rounded.
  PlainShape shape;
  shape.shape = Shape::Polygon;
  shape.corners = {{0.1f, 0.07f}, {0.93f, 0.61f}, {0.2f, 0.9f}};
  for (const bool turned : {false, true}) {
    if (turned) std::swap(shape.corners[0], shape.corners[2]);
    const FlatRegions flat = flat_of(region_of(shape), 2);
    const float length = std::sqrt(0.83f * 0.83f + 0.54f * 0.54f);
    const Vec3 normal{0.54f / length, -0.83f / length, 0};
    for (const float share : {0.1f, 0.37f, 0.5f, 0.81f})
      for (const float off : {-1e-3f, -1e-6f, 0.0f, 1e-7f, 1e-5f}) {
        const Vec3 x = Vec3{0.1f + share * 0.83f, 0.07f + share * 0.54f, 0} + off * normal;
        const SurfaceDistance d = nearest_surface(flat, x, 2);
        EXPECT_NEAR(d.distance, off, 2e-7) << share;
        EXPECT_LT(length2(d.normal - normal), 1e-10) << share << ", " << off;
      }
  }
}

TEST(SurfaceDistance, NothingHasAnEndWhereAnAxisIsPeriodic) {
  Domain domain;
  for (Axis& a : domain.axis) a = Axis::Periodic;
  PlainShape box;
  box.min = {0, 0.4f, 0.4f};
  box.max = {1, 0.6f, 0.6f};
  PlainShape post;
  post.shape = Shape::Cylinder;
  post.from = {0.5f, 0.5f, 0};
  post.to = {0.5f, 0.5f, 1};
  post.radius = 0.1f;
  PlainShape bar;
  bar.shape = Shape::Polygon;
  bar.axis = 1;
  bar.corners = {{0.4f, 0.4f}, {0.6f, 0.4f}, {0.6f, 0.6f}, {0.4f, 0.6f}};
  bar.low = 0;
  bar.high = 1;
  const auto distance = [&](const PlainShape& shape, Vec3 x) {
    const Region region = region_of(shape);
    const Region* const one[] = {&region};
    return nearest_surface(flatten(one, domain), x, 3).distance;
  };
  EXPECT_NEAR(distance(box, {0.001f, 0.5f, 0.5f}), -0.1, 1e-6);
  EXPECT_NEAR(distance(post, {0.5f, 0.5f, 0.999f}), -0.1, 1e-6);
  EXPECT_NEAR(distance(bar, {0.5f, 0.001f, 0.5f}), -0.1, 1e-6);
  box.max.x = post.to.z = bar.high = 0.9f;
  EXPECT_NEAR(distance(box, {0.001f, 0.5f, 0.5f}), -0.001, 1e-6);
  EXPECT_NEAR(distance(post, {0.5f, 0.5f, 0.899f}), -0.001, 1e-6);
  EXPECT_NEAR(distance(bar, {0.5f, 0.001f, 0.5f}), -0.001, 1e-6);
}

TEST(SurfaceDistance, WhatCrossesAPeriodicFaceIsOnItsOtherSideToo) {
  Domain domain;
  domain.axis[0] = Axis::Periodic;
  PlainShape ball;
  ball.shape = Shape::Sphere;
  ball.center = {1, 0.5f, 0.5f};
  ball.radius = 0.2f;
  PlainShape hole = ball;
  hole.radius = 0.1f;
  const Region region = region_of(ball, {hole});
  const Region* const one[] = {&region};
  for (const Axis axis : {Axis::Periodic, Axis::Open}) {
    domain.axis[0] = axis;
    const FlatRegions flat = flatten(one, domain);
    for (const float off : {0.05f, 0.15f, 0.25f, 0.45f}) {
      const SurfaceDistance left = nearest_surface(flat, {1 - off, 0.5f, 0.5f}, 3),
                            right = nearest_surface(flat, {off, 0.5f, 0.5f}, 3);
      if (axis == Axis::Open) {
        EXPECT_GT(right.distance, 0.3f);
        continue;
      }
      EXPECT_NEAR(right.distance, left.distance, 1e-6) << off;
      EXPECT_NEAR(right.normal.x, -left.normal.x, 1e-6) << off;
    }
  }
}

TEST(SurfaceDistance, OfACylinderAlongZInTwoDimensionsIsThatOfADisc) {
  PlainShape post;
  post.shape = Shape::Cylinder;
  post.from = {0.3f, 0.4f, -1};
  post.to = {0.3f, 0.4f, 2};
  post.radius = 0.2f;
  PlainShape disc;
  disc.shape = Shape::Sphere;
  disc.center = {0.3f, 0.4f, 0};
  disc.radius = 0.2f;
  const FlatRegions flat_post = flat_of(region_of(post), 2), flat_disc = flat_of(region_of(disc), 2);
  for (const Vec3& x : places(2)) {
    const SurfaceDistance found = nearest_surface(flat_post, x, 2), wanted = nearest_surface(flat_disc, x, 2);
    ASSERT_FLOAT_EQ(found.distance, wanted.distance) << x.x << ", " << x.y;
    ASSERT_NEAR(length2(found.normal - wanted.normal), 0, 1e-10f);
    EXPECT_EQ(found.distance < 0, contains(region_of(post), x, 2));
  }
}

TEST(SurfaceDistance, FarRegionsAreNotVisited) {
  const Region region = region_of(example_shapes(3)[1], {example_shapes(3)[0]});
  const FlatRegions flat = flat_of(region, 3);
  const auto visits = [&](Vec3 x, float reach) {
    int count = 0;
    for_each_region(flat.shapes.data(), static_cast<int>(flat.shapes.size()), flat.corners.data(), x, reach, 3,
                    [&](std::uint32_t solid, SurfaceDistance) {
                      EXPECT_EQ(solid, 0u);
                      ++count;
                    });
    return count;
  };
  const Bounds bounds = bounds_of(region);
  const Vec3 beside{bounds.max.x + 0.1f, 0.3f, 0.2f};
  EXPECT_EQ(visits(beside, 0.11f), 1);
  EXPECT_EQ(visits(beside, 0.09f), 0);
}

}  // namespace
}  // namespace riffle::test
