/// Planes as shapes: what lies behind them, in a box.

#include <gtest/gtest.h>

#include <cmath>

#include "core/math/domain.h"
#include "sim/shapes/distance.h"
#include "sim/shapes/mesh.h"
#include "support/random.h"
#include "tests/sim/shapes/example_shapes.h"
#include "tests/sim/shapes/mesh_measures.h"

namespace riffle::test {
namespace {

/// Of a box along each axis, with the sides at odd places.
PlainShape random_plane(Random& random, int dimension) {
  const auto at = [&](float low, float high) {
    return Vec3{random.uniform(low, high), random.uniform(low, high), dimension == 3 ? random.uniform(low, high) : 0};
  };
  PlainShape shape = plane(at(-0.5f, 1.5f), at(-1, 1));
  if (random.chance(0.3f)) shape.normal.x = 0;  // along an axis
  if (random.chance(0.3f)) shape.normal.z = 0;
  if (shape.normal == Vec3{}) shape.normal.y = -2;
  shape.min = {-0.3f, 0.1f, dimension == 3 ? -0.2f : 0};
  shape.max = {1.1f, 0.9f, dimension == 3 ? 0.5f : 0};
  return shape;
}

/// The volume of a box below a plane by inclusion and exclusion of the corners that are cut off. All parts of the normal
/// are positive after mirrors; those that are 0 leave a dimension out.
double volume_by_corners(const PlainShape& shape, int dimension) {
  double n[3], side[3], level = 0, product = 1;
  int m = 0;
  for (int a = 0; a < dimension; ++a) {
    const double part = component(shape.normal, a), low = component(shape.min, a), high = component(shape.max, a);
    product *= high - low;
    if (part == 0) continue;
    n[m] = std::fabs(part), side[m] = high - low;
    level += part * (component(shape.point, a) - (part > 0 ? low : high));
    ++m;
  }
  double sum = 0, scale = 1;
  for (int corner = 0; corner < (1 << m); ++corner) {
    double left = level;
    int sign = 1;
    for (int k = 0; k < m; ++k)
      if (corner >> k & 1) left -= n[k] * side[k], sign = -sign;
    sum += sign * std::pow(std::max(0.0, left), m);
  }
  for (int k = 0; k < m; ++k) scale *= (k + 1) * n[k] * side[k];
  return product * sum / scale;
}

TEST(Planes, HoldThePartOfTheirBoxThatLiesBehindThem) {
  Random random(1);
  int crossing = 0;
  for (const int dimension : {2, 3})
    for (int k = 0; k < 400; ++k) {
      const PlainShape shape = random_plane(random, dimension);
      const double volume = volume_by_corners(shape, dimension);
      const ShapeInfo& info = shape_info(Shape::Plane);
      ASSERT_NEAR(info.volume(shape, dimension, 1), volume, 1e-6) << k;
      ASSERT_NEAR(info.volume(shape, dimension, 0.5), volume * (dimension == 3 ? 8 : 4), 1e-5) << k;
      crossing += volume > 0.01 && volume < 0.7 ? 1 : 0;
    }
  EXPECT_GT(crossing, 300);
}

TEST(Planes, BoundsAreThoseOfThePointsInside) {
  Random random(2);
  for (const int dimension : {2, 3})
    for (int k = 0; k < 60; ++k) {
      const PlainShape shape = random_plane(random, dimension);
      if (volume_by_corners(shape, dimension) < 0.05) continue;
      Bounds found{{9, 9, 9}, {-9, -9, -9}};
      constexpr int kSteps = 60;
      for (int z = 0; z <= (dimension == 3 ? kSteps : 0); ++z)
        for (int y = 0; y <= kSteps; ++y)
          for (int x = 0; x <= kSteps; ++x) {
            const Vec3 extent = shape.max - shape.min;
            const Vec3 at = shape.min + Vec3{extent.x * float(x) / kSteps, extent.y * float(y) / kSteps,
                                             extent.z * float(z) / kSteps};
            if (!shape_info(Shape::Plane).contains(shape, at, dimension)) continue;
            const double above = dot(at - shape.point, shape.normal);
            ASSERT_LE(above, 1e-5) << k;
            found = box_around(found, {at, at});
          }
      const Bounds bounds = bounds_of(shape);
      for (int a = 0; a < dimension; ++a) {
        const float step = (component(shape.max, a) - component(shape.min, a)) / kSteps;
        // An edge may end between the grid's planes of the other axes: a step there is one by the slope here.
        float slope = 1;
        for (int b = 0; b < dimension; ++b)
          if (component(shape.normal, a) != 0)
            slope = std::max(slope, std::fabs(component(shape.normal, b) / component(shape.normal, a)) *
                                        (component(shape.max, b) - component(shape.min, b)) /
                                        (component(shape.max, a) - component(shape.min, a)));
        EXPECT_LE(component(bounds.min, a), component(found.min, a) + 1e-6f) << k;
        EXPECT_GE(component(bounds.max, a), component(found.max, a) - 1e-6f) << k;
        EXPECT_NEAR(component(bounds.min, a), component(found.min, a), 3 * slope * step) << k;
        EXPECT_NEAR(component(bounds.max, a), component(found.max, a), 3 * slope * step) << k;
      }
    }
}

TEST(Planes, HaveTheDistanceAlongTheirNormalEverywhere) {
  Random random(3);
  for (const int dimension : {2, 3})
    for (int k = 0; k < 200; ++k) {
      Region region;
      static_cast<PlainShape&>(region) = random_plane(random, dimension);
      Domain domain;
      domain.dimension = dimension;
      const Region* const one[] = {&region};
      const FlatRegions flat = flatten(one, domain);
      for (int j = 0; j < 20; ++j) {
        const Vec3 x{random.uniform(-1, 2), random.uniform(-1, 2), dimension == 3 ? random.uniform(-1, 2) : 0};
        const SurfaceDistance d = nearest_surface(flat, x, dimension);
        const double length = std::sqrt(double{length2(region.normal)});
        ASSERT_NEAR(d.distance, dot(x - region.point, region.normal) / length, 1e-5);
        ASSERT_NEAR(dot(d.normal, region.normal) / length, 1, 1e-5);
        bool in_box = true;
        for (int a = 0; a < dimension; ++a)
          in_box = in_box && component(x, a) > component(region.min, a) && component(x, a) < component(region.max, a);
        if (std::fabs(d.distance) < 1e-4f) continue;
        ASSERT_EQ(in_box && d.distance < 0, contains(region, x, dimension));
      }
    }
}

TEST(Planes, HaveNoEndWhereTheyAreTakenAway) {
  Region region;
  static_cast<PlainShape&>(region) = box({-5, 0, 0}, {5, 1, 1});
  region.without = {plane({0, 0.5f, 0}, {0, 1, 0})};
  within_domain(region, {0, 0, 0}, {1, 1, 1});
  EXPECT_FALSE(contains(region, {4, 0.4f, 0.5f}, 3)) << "outside the domain";
  EXPECT_TRUE(contains(region, {4, 0.6f, 0.5f}, 3));
  Region fluid;
  static_cast<PlainShape&>(fluid) = plane({0, 0.5f, 0}, {0, 1, 0});
  within_domain(fluid, {0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(contains(fluid, {0.9f, 0.4f, 0.5f}, 3));
  EXPECT_FALSE(contains(fluid, {4, 0.4f, 0.5f}, 3));
}

TEST(Planes, AreDrawnAsTheSolidThatTheyAreInTheDomain) {
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    Region region;
    static_cast<PlainShape&>(region) = random_plane(random, 3);
    Domain domain;
    domain.min = region.min;
    domain.max = region.max;
    region.min = region.max = {};  // not cut yet
    const TriangleMesh mesh = mesh_of(region, domain);
    within_domain(region, domain.min, domain.max);
    const double volume = volume_by_corners(region, 3);
    ASSERT_NEAR(volume_of_mesh(mesh), volume, 1e-5) << k;
    ASSERT_EQ(mesh.triangles() == 0, volume < 1e-9) << k;
    for (std::size_t i = 0; i < mesh.corners.size(); i += 3) {
      const Vec3 u = mesh.corners[i + 1].at - mesh.corners[i].at, v = mesh.corners[i + 2].at - mesh.corners[i].at;
      const Vec3 across{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
      ASSERT_GE(dot(across, mesh.corners[i].normal), -1e-6f) << "outwards";
      ASSERT_NEAR(length2(mesh.corners[i].normal), 1, 1e-5);
    }
  }
}

TEST(Planes, AreDrawnAsTheAreaThatTheyAreInTheDomain) {
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    Region region;
    static_cast<PlainShape&>(region) = random_plane(random, 2);
    Domain domain;
    domain.dimension = 2;
    domain.min = region.min;
    domain.max = region.max;
    const TriangleMesh mesh = mesh_of(region, domain);
    ASSERT_NEAR(area_of_mesh(mesh), volume_by_corners(region, 2), 1e-5) << k;
    ASSERT_EQ(mesh.outline.empty(), mesh.corners.empty()) << k;
  }
}

}  // namespace
}  // namespace riffle::test
