#include "sim/shapes/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/sim/shapes/example_shapes.h"

namespace riffle::test {
namespace {

template <class Visit>
void for_each_grid_point(const Bounds& bounds, int dimension, int n, const Visit& visit) {
  const auto at = [&](int a, int k) {
    const float low = component(bounds.min, a), high = component(bounds.max, a);
    return low + (high - low) * (float(k) + 0.5f) / float(n);
  };
  for (int z = 0; z < (dimension == 3 ? n : 1); ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) visit(Vec3{at(0, x), at(1, y), dimension == 3 ? at(2, z) : 0});
}

TEST(Shapes, EveryMemberHasItsRow) {
  ASSERT_EQ(shapes().size(), 7u);
  for (std::size_t k = 0; k < shapes().size(); ++k) EXPECT_EQ(static_cast<std::size_t>(shapes()[k]->shape), k);
}

// Three statements about one set of points, made apart from each other.
TEST(Shapes, VolumeAndBoundsAreThoseOfThePointsInside) {
  for (const int dimension : {2, 3})
    for (const PlainShape& shape : example_shapes(dimension)) {
      SCOPED_TRACE(std::string(shape_info(shape.shape).word) + " " + std::to_string(dimension) + "-D, axis " +
                   std::to_string(shape.axis));
      const Bounds bounds = bounds_of(shape);
      const int n = dimension == 3 ? 140 : 420;  // whole cells per extent
      Bounds around = bounds;
      for (int a = 0; a < dimension; ++a) {  // a fifth of the extent wider either way
        const float margin = 0.2f * (component(bounds.max, a) - component(bounds.min, a));
        (a == 0 ? around.min.x : a == 1 ? around.min.y : around.min.z) -= margin;
        (a == 0 ? around.max.x : a == 1 ? around.max.y : around.max.z) += margin;
      }
      double cell = 1, inside = 0;
      for (int a = 0; a < dimension; ++a) cell *= (component(around.max, a) - component(around.min, a)) / n;
      Bounds found{{9, 9, 9}, {-9, -9, -9}};
      for_each_grid_point(around, dimension, n, [&](Vec3 p) {
        if (!shape_info(shape.shape).contains(shape, p, dimension)) return;
        inside += 1;
        found.min = {std::fmin(found.min.x, p.x), std::fmin(found.min.y, p.y), std::fmin(found.min.z, p.z)};
        found.max = {std::fmax(found.max.x, p.x), std::fmax(found.max.y, p.y), std::fmax(found.max.z, p.z)};
      });
      const double volume = shape_info(shape.shape).volume(shape, dimension, 1);
      EXPECT_NEAR(inside * cell / volume, 1, 0.01);
      EXPECT_NEAR(shape_info(shape.shape).volume(shape, dimension, 0.5), volume * std::pow(2, dimension), 1e-6);
      for (int a = 0; a < dimension; ++a) {
        const float step = (component(around.max, a) - component(around.min, a)) / float(n);
        EXPECT_NEAR(component(found.min, a), component(bounds.min, a), 3 * step) << a;
        EXPECT_NEAR(component(found.max, a), component(bounds.max, a), 3 * step) << a;
      }
    }
}

TEST(Shapes, ACylinderHasFlatEndsAndAnyDirection) {
  const PlainShape tilted = cylinder({0, 0, 0}, {3, 4, 0}, 1);  // unit axis (0.6, 0.8, 0)
  const auto inside = [&](Vec3 p, int dimension) { return shape_info(Shape::Cylinder).contains(tilted, p, dimension); };
  EXPECT_TRUE(inside({1.5f, 2, 0.99f}, 3));
  EXPECT_FALSE(inside({1.5f, 2, 1.01f}, 3));
  EXPECT_TRUE(inside({1.5f, 2, 7}, 2)) << "in 2-D z does not matter";
  EXPECT_TRUE(inside({1.5f + 0.79f, 2 - 0.59f, 0}, 3)) << "0.99 aside";
  EXPECT_FALSE(inside({1.5f + 0.81f, 2 - 0.61f, 0}, 3));
  EXPECT_FALSE(inside({-0.01f, -0.01f, 0}, 3)) << "behind its flat end";
  EXPECT_FALSE(inside({3.01f, 4.01f, 0}, 3));
}

TEST(Shapes, ACapsuleHasRoundEndsAndAnyDirection) {
  const PlainShape tilted = capsule({0, 0, 0}, {3, 4, 0}, 1);  // unit axis (0.6, 0.8, 0)
  const auto inside = [&](Vec3 p, int dimension) { return shape_info(Shape::Capsule).contains(tilted, p, dimension); };
  EXPECT_TRUE(inside({1.5f, 2, 0.99f}, 3));
  EXPECT_FALSE(inside({1.5f, 2, 1.01f}, 3));
  EXPECT_TRUE(inside({1.5f, 2, 7}, 2)) << "in 2-D z does not matter";
  EXPECT_TRUE(inside({-0.59f, -0.79f, 0}, 3)) << "0.99 behind its first end";
  EXPECT_FALSE(inside({-0.61f, -0.81f, 0}, 3));
  EXPECT_TRUE(inside({3.59f, 4.79f, 0}, 3));
  EXPECT_FALSE(inside({3.61f, 4.81f, 0}, 3));
  EXPECT_FALSE(inside({-0.79f, -0.6f, 0.3f}, 3)) << "beside the round end";
  EXPECT_TRUE(shape_info(Shape::Capsule).contains(capsule({1, 1, 1}, {1, 1, 1}, 0.5f), {1, 1.49f, 1}, 3)) << "a ball";
  const double pi = 3.14159265358979;
  EXPECT_NEAR(shape_info(Shape::Capsule).volume(tilted, 3, 1), pi * (5 + 4.0 / 3), 1e-6);
  EXPECT_NEAR(shape_info(Shape::Capsule).volume(tilted, 2, 1), 10 + pi, 1e-6);
}

TEST(Shapes, APolygonHasItsEdgesAndNoMore) {
  const PlainShape angle = polygon(kAngle, 2, 0, 1);
  const auto inside = [&](float x, float y, float z) {
    return shape_info(Shape::Polygon).contains(angle, {x, y, z}, 3);
  };
  EXPECT_TRUE(inside(0.2f, 0.9f, 0.5f));
  EXPECT_FALSE(inside(0.5f, 0.9f, 0.5f)) << "in the notch";
  EXPECT_TRUE(inside(0.4f, 0.7f, 0.5f)) << "on an edge";
  EXPECT_TRUE(inside(1, 0.4f, 1)) << "on a corner";
  EXPECT_FALSE(inside(0.2f, 0.2f, 1.01f));
  // A diagonal through places where rounding would decide: all of them are on it.
  const PlainShape slope = polygon({{0, 0}, {1, 0}, {1, 1}}, 2, 0, 1);
  for (int k = 0; k < 10; ++k) {
    const float x = 0.05f + 0.1f * float(k);
    EXPECT_TRUE(shape_info(Shape::Polygon).contains(slope, {x, x, 0}, 2)) << k;
  }
  // Either way round.
  const PlainShape back = polygon({{0, 1}, {0.4f, 1}, {0.4f, 0.4f}, {1, 0.4f}, {1, 0}, {0, 0}}, 2, 0, 1);
  for_each_grid_point({{-0.1f, -0.1f, 0}, {1.1f, 1.1f, 0}}, 2, 37, [&](Vec3 p) {
    EXPECT_EQ(shape_info(Shape::Polygon).contains(angle, p, 2), shape_info(Shape::Polygon).contains(back, p, 2));
  });
}

TEST(Shapes, TheOtherAxesOfAPolygonAreInTheirOrder) {
  const std::vector<std::array<float, 2>> wide = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
  const auto inside = [&](int axis, Vec3 p) {
    return shape_info(Shape::Polygon).contains(polygon(wide, axis, 4, 5), p, 3);
  };
  EXPECT_TRUE(inside(0, {4.5f, 1.5f, 0.5f}));
  EXPECT_FALSE(inside(0, {4.5f, 0.5f, 1.5f}));
  EXPECT_TRUE(inside(1, {1.5f, 4.5f, 0.5f}));
  EXPECT_FALSE(inside(1, {0.5f, 4.5f, 1.5f}));
  EXPECT_TRUE(inside(2, {1.5f, 0.5f, 4.5f}));
}

TEST(Shapes, ARegionIsTheShapeWithoutTheOthersAndTheirSurfaces) {
  Region region;
  static_cast<PlainShape&>(region) = box({0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(contains(region, {0.5f, 0.5f, 0.5f}, 3));
  region.without = {box({0.4f, 0, 0}, {0.6f, 1, 1}), ball({0, 0, 0}, 0.3f)};
  EXPECT_FALSE(contains(region, {0.5f, 0.5f, 0.5f}, 3));
  EXPECT_FALSE(contains(region, {0.4f, 0.5f, 0.5f}, 3)) << "on the surface of both";
  EXPECT_TRUE(contains(region, {0.39f, 0.5f, 0.5f}, 3));
  EXPECT_FALSE(contains(region, {0.1f, 0.1f, 0.1f}, 3));
  EXPECT_TRUE(contains(region, {0.2f, 0.2f, 0.2f}, 3));
  EXPECT_FALSE(contains(region, {1.5f, 0.5f, 0.5f}, 3)) << "what is in nothing";
}

TEST(Shapes, AMovedRegionContainsTheMovedPoints) {
  const Vec3 by{0.25f, -1.5f, 0.5f};
  for (const int dimension : {2, 3})
    for (const PlainShape& shape : example_shapes(dimension)) {
      Region region;
      static_cast<PlainShape&>(region) = shape;
      for (const PlainShape& cut : example_shapes(dimension))
        region.without.push_back(riffle::moved(Region{cut, {}}, {0.3f, 0.2f, 0}));
      const Vec3 shift{by.x, by.y, dimension == 3 ? by.z : 0};
      const Region there = moved(region, shift);
      int inside = 0;
      for_each_grid_point(bounds_of(shape), dimension, dimension == 3 ? 23 : 61, [&](Vec3 p) {
        inside += contains(region, p, dimension);
        EXPECT_EQ(contains(region, p, dimension), contains(there, p + shift, dimension));
      });
      EXPECT_GT(inside, 0);
    }
}

TEST(Shapes, EdgesThatMeetAreFound) {
  const auto edges = [](std::vector<std::array<float, 2>> corners) {
    return crossing_edges(polygon(corners, 2, 0, 1));
  };
  const std::array<int, 2> none{-1, -1};
  EXPECT_EQ(edges(kAngle), none);
  EXPECT_EQ(edges({{0, 0}, {1, 0}, {0, 1}}), none);
  EXPECT_EQ(edges({{0, 0}, {0.5f, 0}, {1, 0}, {0, 1}}), none) << "a corner on a straight line";
  EXPECT_EQ(edges({{0, 0}, {1, 1}, {1, 0}, {0, 1}}), (std::array<int, 2>{0, 2})) << "a bow tie";
  EXPECT_NE(edges({{0, 0}, {2, 0}, {1, 0}}), none) << "no area";
  EXPECT_NE(edges({{0, 0}, {2, 0}, {1, 0}, {1, 1}}), none) << "an edge that goes back";
  EXPECT_EQ(edges({{0, 1}, {0, 3}, {0, 2}, {1, 2}}), (std::array<int, 2>{0, 1})) << "upright, away from 0";
  EXPECT_EQ(edges({{0, -3}, {0, -2}, {0, -1}, {1, -2}}), none) << "a corner on an upright straight line below 0";
  EXPECT_NE(edges({{0, 0}, {2, 0}, {2, 1}, {1, 0}, {0, 1}}), none) << "a corner on another edge";
  EXPECT_NE(edges({{0, 0}, {2, 0}, {2, 1}, {1, 0}}), none) << "the last edge lies on the first";
  EXPECT_NE(edges({{0, 0}, {1, 0}, {2, 0}}), none);
  EXPECT_NE(edges({{0, 0}, {0, 0}, {1, 0}, {0, 1}}), none) << "two corners in one place";
}

TEST(Shapes, InfiniteLengthsEndAtTheDomain) {
  Region region;
  static_cast<PlainShape&>(region) = polygon(kAngle, 1, -INFINITY, 0.5f);
  region.without = {polygon(kAngle, 0, 0.25f, INFINITY)};
  within_domain(region, {-1, -2, -3}, {1, 2, 3});
  EXPECT_EQ(region.low, -2);
  EXPECT_EQ(region.high, 0.5f);
  EXPECT_EQ(region.without[0].low, 0.25f);
  EXPECT_EQ(region.without[0].high, 1);
}

}  // namespace
}  // namespace riffle::test
