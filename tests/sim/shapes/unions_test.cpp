/// Unions: a shape with others, and without more of them.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "core/math/domain.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/shapes/distance.h"
#include "sim/shapes/mesh.h"
#include "sim/start/sampling.h"
#include "support/random.h"
#include "tests/sim/setups.h"
#include "tests/sim/shapes/example_shapes.h"
#include "tests/sim/shapes/mesh_measures.h"

namespace riffle::test {
namespace {

constexpr double kPi = std::numbers::pi;

Region union_of(std::vector<PlainShape> shapes, std::vector<PlainShape> without = {}) {
  Region region;
  static_cast<PlainShape&>(region) = shapes.front();
  region.with.assign(shapes.begin() + 1, shapes.end());
  region.without = std::move(without);
  return region;
}

FlatRegions flat_union(const Region& region, int dimension) {
  Domain domain;
  domain.dimension = dimension;
  const Region* const one[] = {&region};
  return flatten(one, domain);
}

Vec3 random_place(Random& random, int dimension, float low, float high) {
  return {random.uniform(low, high), random.uniform(low, high), dimension == 3 ? random.uniform(low, high) : 0};
}

PlainShape random_shape(Random& random, int dimension) {
  const Vec3 at = random_place(random, dimension, 0, 1);
  switch (random.below(5)) {
    case 0: return box(at - Vec3{0.2f, 0.3f, 0.1f}, at + random_place(random, dimension, 0.05f, 0.4f));
    case 1: return ball(at, random.uniform(0.1f, 0.4f));
    case 2: return cylinder(at, at + random_place(random, dimension, 0.1f, 0.6f), random.uniform(0.05f, 0.3f));
    case 3: return capsule(at, at + random_place(random, dimension, 0.1f, 0.6f), random.uniform(0.05f, 0.3f));
    default: {
      PlainShape half = plane(at, random_place(random, dimension, -1, 1));
      half.min = {-1, -1, dimension == 3 ? -1.0f : 0};
      half.max = {2, 2, dimension == 3 ? 2.0f : 0};
      return half;
    }
  }
}

/// How far outside a shape a place is, by formulas of its own; negative inside.
double outside(const PlainShape& shape, Vec3 x, int dimension) {
  const auto away = [&](Vec3 from, double(&r)[3]) {
    for (int a = 0; a < 3; ++a) r[a] = a < dimension ? double{component(x, a)} - component(from, a) : 0;
  };
  double r[3], u[3] = {0, 0, 0}, square = 0, along = 0, length = 0, most = -1e9;
  switch (shape.shape) {
    case Shape::Box:
      for (int a = 0; a < dimension; ++a)
        most = std::max({most, component(shape.min, a) - double{component(x, a)},
                         double{component(x, a)} - component(shape.max, a)});
      return most;
    case Shape::Sphere: away(shape.center, r); return std::hypot(r[0], r[1], r[2]) - shape.radius;
    case Shape::Plane:
      away(shape.point, r);
      for (int a = 0; a < dimension; ++a) along += r[a] * component(shape.normal, a);
      return along / std::sqrt(double{length2(shape.normal)});
    default: break;
  }
  away(shape.from, r);
  for (int a = 0; a < dimension; ++a) {
    u[a] = double{component(shape.to, a)} - component(shape.from, a);
    length += u[a] * u[a];
    along += u[a] * r[a];
    square += r[a] * r[a];
  }
  length = std::sqrt(length);
  along /= length;
  if (shape.shape == Shape::Cylinder)
    return std::max({std::sqrt(std::max(0.0, square - along * along)) - shape.radius, -along, along - length});
  const double nearest = std::min(std::max(along, 0.0), length);
  return std::sqrt(std::max(0.0, square - along * along) + (along - nearest) * (along - nearest)) - shape.radius;
}

TEST(Unions, HoldEveryPlaceThatIsInAShapeAndInNoneThatIsTakenAway) {
  Random random(1);
  int inside = 0, looked = 0;
  for (const int dimension : {2, 3})
    for (int k = 0; k < 300; ++k) {
      std::vector<PlainShape> shapes, cuts;
      for (int n = 1 + random.below(4); n > 0; --n) shapes.push_back(random_shape(random, dimension));
      for (int n = random.below(3); n > 0; --n) cuts.push_back(random_shape(random, dimension));
      const Region region = union_of(shapes, cuts);
      const FlatRegions flat = flat_union(region, dimension);
      const Vec3 by = random_place(random, dimension, -1, 1);
      const Region there = moved(region, by);
      const Bounds bounds = bounds_of(region);
      for (int j = 0; j < 60; ++j) {
        const Vec3 x = random_place(random, dimension, -0.6f, 1.6f);
        double in = 1e9, out = 1e9;
        for (const PlainShape& shape : shapes) in = std::min(in, outside(shape, x, dimension));
        for (const PlainShape& cut : cuts) out = std::min(out, outside(cut, x, dimension));
        const double d = std::max(in, -out);
        if (std::fabs(d) < 1e-4) continue;
        ++looked;
        inside += d < 0;
        ASSERT_EQ(contains(region, x, dimension), d < 0) << k;
        ASSERT_EQ(contains(there, x + by, dimension), d < 0) << k;
        ASSERT_EQ(nearest_surface(flat, x, dimension).distance < 0, d < 0) << k;
        for (int a = 0; a < dimension && d < 0; ++a) {
          ASSERT_GE(component(x, a), component(bounds.min, a)) << k;
          ASSERT_LE(component(x, a), component(bounds.max, a)) << k;
        }
      }
    }
  EXPECT_GT(looked, 30000);
  EXPECT_GT(inside, 8000);
  EXPECT_LT(inside, looked - 8000);
}

TEST(Unions, DistancesAreNeverTooLargeAndExactOutside) {
  Random random(2);
  for (const int dimension : {2, 3})
    for (int k = 0; k < 40; ++k) {
      const std::vector<PlainShape> shapes = {random_shape(random, dimension), random_shape(random, dimension),
                                              random_shape(random, dimension)};
      const FlatRegions flat = flat_union(union_of(shapes), dimension);
      for (int j = 0; j < 40; ++j) {
        const Vec3 x = random_place(random, dimension, -0.6f, 1.6f);
        const SurfaceDistance d = nearest_surface(flat, x, dimension);
        ASSERT_NEAR(length2(d.normal), 1, 1e-4);
        if (d.distance > 1e-4f) {  // the nearest point is on the surface
          ASSERT_NEAR(nearest_surface(flat, x - d.distance * d.normal, dimension).distance, 0, 1e-4);
        }
        for (int i = 0; i < 40; ++i) {
          Vec3 way = random_place(random, dimension, -1, 1);
          way = (0.97f * std::fabs(d.distance) / std::sqrt(length2(way))) * way;
          if (std::fabs(d.distance) < 1e-3f) continue;
          ASSERT_GT(nearest_surface(flat, x + way, dimension).distance * d.distance, 0) << k;
        }
      }
    }
}

// What is farther than the reach from all shapes is not asked for; what is near to one has its distance.
TEST(Unions, AreAskedForWithinReachOfAnyOfTheirShapes) {
  const Region region = union_of({ball({0, 0, 0}, 0.1f), ball({1, 0, 0}, 0.1f)}, {box({-1, -1, -1}, {-0.5f, 1, 1})});
  const FlatRegions flat = flat_union(region, 3);
  const auto visits = [&](Vec3 x, float reach) {
    int count = 0;
    for_each_region(flat.shapes.data(), static_cast<int>(flat.shapes.size()), flat.corners.data(), x, reach, 3,
                    [&](std::uint32_t, SurfaceDistance d) {
                      ++count;
                      EXPECT_NEAR(d.distance, nearest_surface(flat, x, 3).distance, 1e-6f);
                    });
    return count;
  };
  EXPECT_EQ(visits({0.15f, 0, 0}, 0.06f), 1);
  EXPECT_EQ(visits({1.15f, 0, 0}, 0.06f), 1);
  EXPECT_EQ(visits({0.5f, 0, 0}, 0.06f), 0) << "between them";
}

TEST(Unions, CrossPeriodicFacesAsOne) {
  Domain domain;
  domain.axis[0] = Axis::Periodic;
  const Region region = union_of({ball({0.9f, 0.5f, 0.5f}, 0.08f), ball({1.05f, 0.5f, 0.5f}, 0.08f)});
  const Region* const one[] = {&region};
  const FlatRegions flat = flatten(one, domain);
  EXPECT_NEAR(nearest_surface(flat, {0.05f, 0.5f, 0.5f}, 3).distance, -0.08f, 1e-6f) << "the second, on the other side";
  EXPECT_NEAR(nearest_surface(flat, {0.9f, 0.5f, 0.5f}, 3).distance, -0.08f, 1e-6f);
  // Images are found from the middle of all, which is farther from an end than that of any shape.
  const Region apart = union_of({ball({0.1f, 0.5f, 0.5f}, 0.05f), ball({0.75f, 0.5f, 0.5f}, 0.05f)});
  const Region* const other[] = {&apart};
  EXPECT_NEAR(nearest_surface(flatten(other, domain), {0.75f, 0.5f, 0.5f}, 3).distance, -0.05f, 1e-6f);
}

double lens(double r, double s, double d) {
  return kPi * std::pow(r + s - d, 2) * (d * d + 2 * d * (r + s) - 3 * (r - s) * (r - s)) / (12 * d);
}

double lens_area(double r, double d) {
  return 2 * r * r * std::acos(d / (2 * r)) - 0.5 * d * std::sqrt(4 * r * r - d * d);
}

struct KnownUnion {
  const char* name;
  Region region;
  int dimension;
  double volume;
};

std::vector<KnownUnion> known_unions() {
  const double ball_volume = 4 * kPi / 3;
  const Region two_balls = union_of({ball({1, 1, 1}, 0.5f), ball({1.6f, 1, 1}, 0.4f)});
  const Region bolt = union_of({box({0.5f, 0.5f, 0.5f}, {1.5f, 1, 1.5f}), cylinder({1, 0.75f, 1}, {1, 1.9f, 1}, 0.3f)});
  const Region stacked = union_of({box({0.2f, 0.2f, 0.2f}, {1, 0.8f, 1}), box({0.2f, 0.8f, 0.2f}, {0.6f, 1.6f, 1})});
  const Region within = union_of({box({0.2f, 0.2f, 0.2f}, {1.8f, 1.8f, 1.8f}), ball({1, 1, 1}, 0.5f)});
  const Region holed =
      union_of({ball({1, 1, 1}, 0.5f), ball({1.6f, 1, 1}, 0.4f)}, {box({0, 0, 0}, {2, 1, 2})});  // their upper halves
  return {{"two balls", two_balls, 3, ball_volume * (0.125 + 0.064) - lens(0.5, 0.4, 0.6)},
          {"a box with a cylinder", bolt, 3, 0.5 + kPi * 0.09 * 0.9},
          {"two boxes that touch", stacked, 3, 0.8 * 0.6 * 0.8 + 0.4 * 0.8 * 0.8},
          {"a ball in a box", within, 3, 1.6 * 1.6 * 1.6},
          {"the upper halves of two balls", holed, 3, 0.5 * (ball_volume * (0.125 + 0.064) - lens(0.5, 0.4, 0.6))},
          {"two discs", union_of({ball({1, 1, 0}, 0.5f), ball({1.6f, 1, 0}, 0.5f)}), 2,
           2 * kPi * 0.25 - lens_area(0.5, 0.6)}};
}

TEST(Unions, HaveTheVolumeOfTheirPlacesOnce) {
  for (const KnownUnion& known : known_unions()) {
    SCOPED_TRACE(known.name);
    const BodyMass body = body_mass(known.region, known.dimension, 1);
    EXPECT_NEAR(body.volume / known.volume, 1, known.region.without.empty() ? 3e-4 : 1e-3) << "as body_mass() says";
  }
}

TEST(Unions, AreFilledOnce) {
  for (const KnownUnion& known : known_unions()) {
    SCOPED_TRACE(known.name);
    for (const Filling filling : {Filling::Lattice, Filling::Random}) {
      SimulationSetup setup;
      setup.domain.dimension = known.dimension;
      setup.domain.max = {2, 2, 2};
      setup.spacing = known.dimension == 3 ? 0.025f : 0.01f;
      setup.fluids.emplace_back();
      BodySetup body;
      static_cast<Region&>(body) = known.region;
      body.filling = filling;
      setup.bodies = {body};
      const FluidSamples samples = sample_bodies(setup);
      const auto count = static_cast<double>(samples.position.size());
      EXPECT_EQ(count_particles(setup), static_cast<std::int64_t>(samples.position.size()));
      // Half a layer more or less of the lattice at a curved or shifted surface averages out to less than this.
      EXPECT_NEAR(count * setup.particle_volume() / known.volume, 1, filling == Filling::Lattice ? 0.02 : 0.004);
      for (const Vec4& x : samples.position) ASSERT_TRUE(contains(known.region, xyz(x), known.dimension));
      if (filling == Filling::Random) continue;
      std::set<std::array<long, 3>> sites;
      for (const Vec4& x : samples.position)
        sites.insert({std::lround(x.x / setup.spacing * 64), std::lround(x.y / setup.spacing * 64),
                      std::lround(x.z / setup.spacing * 64)});
      EXPECT_EQ(sites.size(), samples.position.size()) << "a site is filled twice";
    }
  }
}

// The lattice is that of the first shape, also on the lower side of it.
TEST(Unions, GoOnWithTheLatticeOfTheirFirstShape) {
  SimulationSetup setup = column_setup(2, 10, 1.0f);
  BodySetup& body = setup.bodies[0];
  body.min = {1, 1, 0};
  body.max = {2, 2, 0};
  body.with = {box({0.4f, 1.2f, 0}, {2.6f, 1.8f, 0})};
  const FluidSamples samples = sample_bodies(setup);
  EXPECT_EQ(samples.position.size(), 100u + 2u * 36u);
  for (const Vec4& x : samples.position) {
    const double sites = double{x.x} / 0.1 - 0.5;
    EXPECT_NEAR(sites, std::round(sites), 1e-3);
  }
}

TEST(Unions, HaveTheMomentsOfTheirPlaces) {
  for (const int dimension : {2, 3}) {
    const float z = dimension == 3 ? 1.0f : 0.0f;
    const Region region = union_of({box({0, 0, 0}, {0.8f, 0.3f, 0.5f * z}), ball({0.8f, 0.3f, 0.2f * z}, 0.3f),
                                    capsule({0.1f, 0.2f, 0.1f * z}, {0.5f, 0.9f, 0.6f * z}, 0.15f)},
                                   {cylinder({0.8f, -1, 0.2f * z}, {0.8f, 1, 0.2f * z}, 0.1f)});
    const BodyMass body = body_mass(region, dimension, 1);
    const Bounds bounds = bounds_of(region);
    double volume = 0, first[3] = {0, 0, 0}, second[3][3] = {};
    const int n = dimension == 3 ? 150 : 1200;
    double cell = 1;
    for (int a = 0; a < dimension; ++a) cell *= (component(bounds.max, a) - component(bounds.min, a)) / n;
    const auto at = [&](int a, int k) {
      return component(bounds.min, a) +
             (component(bounds.max, a) - component(bounds.min, a)) * (float(k) + 0.5f) / float(n);
    };
    for (int k = 0; k < (dimension == 3 ? n : 1); ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          const Vec3 x{at(0, i), at(1, j), dimension == 3 ? at(2, k) : 0};
          if (!contains(region, x, dimension)) continue;
          volume += cell;
          for (int a = 0; a < 3; ++a) {
            first[a] += cell * component(x, a);
            for (int b = 0; b < 3; ++b) second[a][b] += cell * component(x, a) * component(x, b);
          }
        }
    EXPECT_NEAR(body.volume / volume, 1, 2e-3);
    for (int a = 0; a < dimension; ++a) EXPECT_NEAR(body.center[a], first[a] / volume, 2e-3) << a;
    const auto moment = [&](int a, int b) { return second[a][b] - first[a] * first[b] / volume; };
    const double all = moment(0, 0) + moment(1, 1) + (dimension == 3 ? moment(2, 2) : 0);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        if (dimension == 2 && (a != 2 || b != 2)) continue;
        const double wanted = dimension == 2 ? all : (a == b ? all : 0) - moment(a, b);
        EXPECT_NEAR(body.inertia[3 * a + b], wanted, 4e-3 * all) << a << b;
      }
  }
}

// Each shape is compared with those near it: with all of them this would take hours.
TEST(Unions, OfAThousandShapesApartHaveTheirSums) {
  Region region;
  BodySetup body;
  for (int k = 0; k < 1000; ++k) {
    const PlainShape one = ball({float(k % 10), float(k / 10 % 10), float(k / 100)}, 0.25f);
    if (k > 0)
      region.with.push_back(one);
    else
      static_cast<PlainShape&>(region) = one;
  }
  const double volume = 4.0 / 3 * std::numbers::pi * std::pow(0.25, 3);
  const BodyMass mass = body_mass(region, 3, 1);
  EXPECT_NEAR(mass.volume, 1000 * volume, 1e-9 * mass.volume);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(mass.center[a], 4.5, 1e-6);
  static_cast<Region&>(body) = region;
  body.filling = Filling::Random;
  SimulationSetup setup;
  setup.domain.min = {-1, -1, -1};
  setup.domain.max = {10, 10, 10};
  setup.spacing = 0.05f;
  setup.bodies = {body};
  EXPECT_EQ(count_particles(setup), std::llround(1000 * volume / std::pow(double{0.05f}, 3)));
}

TEST(Unions, AreDrawnWhole) {
  for (const KnownUnion& known : known_unions()) {
    SCOPED_TRACE(known.name);
    Domain domain;
    domain.dimension = known.dimension;
    domain.max = {2.2f, 2.2f, known.dimension == 3 ? 2.2f : 0};
    const TriangleMesh mesh = mesh_of(known.region, domain);
    const Bounds bounds = bounds_of(known.region);
    Bounds drawn{{9, 9, 9}, {-9, -9, -9}};
    double area = 0;
    for (std::size_t i = 0; i < mesh.corners.size(); i += 3) {
      const Vec3 a = mesh.corners[i].at, u = mesh.corners[i + 1].at - a, v = mesh.corners[i + 2].at - a;
      area += 0.5 * (double{u.x} * v.y - double{u.y} * v.x);
      for (std::size_t k = i; k < i + 3; ++k) drawn = box_around(drawn, {mesh.corners[k].at, mesh.corners[k].at});
    }
    if (known.dimension == 2) {
      EXPECT_NEAR(area / known.volume, 1, 2e-3);
    }
    for (int a = 0; a < known.dimension; ++a) {
      EXPECT_NEAR(component(drawn.max, a), component(bounds.max, a), 0.01) << a;
      if (!known.region.without.empty()) continue;
      EXPECT_NEAR(component(drawn.min, a), component(bounds.min, a), 0.01) << a;
    }
    // No corner lies outside, and in the middle of each triangle is the surface of a shape.
    const FlatRegions flat = flat_union(known.region, known.dimension);
    for (const MeshCorner& corner : mesh.corners)
      ASSERT_LT(nearest_surface(flat, corner.at, known.dimension).distance, 0.01f);
  }
}

// The contour of a union has no surface inside, where shapes overlap or touch.
TEST(Unions, HaveAContourWithoutTheSurfacesInside) {
  for (const KnownUnion& known : known_unions()) {
    if (known.dimension == 2) continue;
    SCOPED_TRACE(known.name);
    Domain domain;
    domain.max = {2, 2, 2};
    const TriangleMesh mesh = contour_mesh(known.region, domain, 60);
    EXPECT_NEAR(volume_of_mesh(mesh) / known.volume, 1, 0.01);
  }
}

}  // namespace
}  // namespace riffle::test
