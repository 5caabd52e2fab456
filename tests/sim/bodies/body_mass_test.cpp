/// Masses, centres and moments of inertia against closed formulas, and against places drawn from the same shapes.

#include "sim/bodies/mass/body_mass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "sim/setup.h"
#include "tests/sim/meshes/example_meshes.h"
#include "tests/sim/shapes/example_shapes.h"

namespace riffle::test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kDensity = 700;

Region region_of(const PlainShape& shape, std::vector<PlainShape> without = {}) {
  Region region;
  static_cast<PlainShape&>(region) = shape;
  region.without = std::move(without);
  return region;
}

BodyMass mass_of(const PlainShape& shape, int dimension, std::vector<PlainShape> without = {}) {
  return body_mass(region_of(shape, std::move(without)), dimension, kDensity);
}

PlainShape mesh_shape_of(const IndexedMesh& mesh) {
  PlainShape shape;
  shape.shape = Shape::Mesh;
  shape.surface = mesh_surface(mesh, {});
  return shape;
}

void expect_center(const BodyMass& body, double x, double y, double z, double error) {
  EXPECT_NEAR(body.center[0], x, error);
  EXPECT_NEAR(body.center[1], y, error);
  EXPECT_NEAR(body.center[2], z, error);
}

void expect_diagonal(const BodyMass& body, double xx, double yy, double zz, double relative) {
  const double largest = std::max({xx, yy, zz});
  EXPECT_NEAR(body.inertia[0], xx, relative * largest);
  EXPECT_NEAR(body.inertia[4], yy, relative * largest);
  EXPECT_NEAR(body.inertia[8], zz, relative * largest);
  for (const int k : {1, 2, 3, 5, 6, 7}) EXPECT_NEAR(body.inertia[k], 0, relative * largest) << k;
}

/// @param relative  of mass and moments; of the centre in the body's extents
void expect_equal(const BodyMass& a, const BodyMass& b, double relative, double extent = 1) {
  EXPECT_NEAR(a.volume, b.volume, relative * b.volume);
  EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
  const double largest = std::max({b.inertia[0], b.inertia[4], b.inertia[8]});
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.center[k], b.center[k], relative * extent) << k;
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(a.inertia[k], b.inertia[k], relative * largest) << k;
}

/// By a lattice of places that the shape contains.
BodyMass counted(const Region& region, int dimension, int across) {
  const Bounds bounds = bounds_of(region);
  const Vec3 extent = bounds.max - bounds.min;
  BodyMass body;
  double count = 0, first[3] = {}, second[3][3] = {};
  for (int k = 0; k < (dimension == 3 ? across : 1); ++k)
    for (int j = 0; j < across; ++j)
      for (int i = 0; i < across; ++i) {
        const auto at = [&](int n) { return (float(n) + 0.5f) / float(across); };
        const Vec3 x =
            bounds.min + Vec3{at(i) * extent.x, at(j) * extent.y, dimension == 3 ? at(k) * extent.z : -bounds.min.z};
        if (!contains(region, x, dimension)) continue;
        count += 1;
        for (int a = 0; a < dimension; ++a) {
          first[a] += component(x, a);
          for (int b = 0; b < dimension; ++b) second[a][b] += double{component(x, a)} * component(x, b);
        }
      }
  const double cell = double{extent.x} * extent.y * (dimension == 3 ? extent.z : 1) / std::pow(across, dimension);
  body.volume = count * cell;
  body.mass = kDensity * body.volume;
  double trace = 0;
  for (int a = 0; a < 3; ++a) {
    body.center[a] = first[a] / count;
    for (int b = 0; b < 3; ++b) second[a][b] -= first[a] * first[b] / count;
    trace += second[a][a];
  }
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      if (dimension == 3 || (a == 2 && b == 2))
        body.inertia[3 * a + b] = kDensity * cell * ((a == b ? trace : 0) - second[a][b]);
  return body;
}

TEST(BodyMass, OfABoxIsThatOfTheFormula) {
  const BodyMass body = mass_of(box({1, 2, 3}, {1.5f, 3, 5}), 3);
  const double m = kDensity * 1;
  EXPECT_NEAR(body.volume, 1, 1e-12);
  EXPECT_NEAR(body.mass, m, 1e-9);
  expect_center(body, 1.25, 2.5, 4, 1e-12);
  expect_diagonal(body, m * (1 + 4) / 12, m * (0.25 + 4) / 12, m * (0.25 + 1) / 12, 1e-12);
  EXPECT_NEAR(body.inverse[0], 1 / body.inertia[0], 1e-12);

  const BodyMass flat = mass_of(box({1, 2, -7}, {1.5f, 3, 9}), 2);
  EXPECT_NEAR(flat.mass, kDensity * 0.5, 1e-9);
  expect_center(flat, 1.25, 2.5, 0, 1e-12);
  EXPECT_NEAR(flat.inertia[8], flat.mass * (0.25 + 1) / 12, 1e-9);
  EXPECT_NEAR(flat.inverse[8], 1 / flat.inertia[8], 1e-12);
  for (int k = 0; k < 8; ++k) EXPECT_EQ(flat.inverse[k], 0) << k;
}

TEST(BodyMass, OfABallAndADiscAreThoseOfTheFormulas) {
  const BodyMass ball_body = mass_of(ball({1, -1, 2}, 0.5f), 3);
  EXPECT_NEAR(ball_body.volume, 4 * kPi / 3 * 0.125, 1e-12);
  const double i = 0.4 * ball_body.mass * 0.25;
  expect_diagonal(ball_body, i, i, i, 1e-12);
  expect_center(ball_body, 1, -1, 2, 1e-12);
  const BodyMass disc = mass_of(ball({1, -1, 2}, 0.5f), 2);
  EXPECT_NEAR(disc.volume, kPi * 0.25, 1e-12);
  EXPECT_NEAR(disc.inertia[8], 0.5 * disc.mass * 0.25, 1e-9);
  expect_center(disc, 1, -1, 0, 1e-12);
}

TEST(BodyMass, OfACylinderIsThatOfTheFormula) {
  const BodyMass body = mass_of(cylinder({0, 1, 2}, {0, 1, 4}, 0.5f), 3);
  EXPECT_NEAR(body.volume, kPi * 0.25 * 2, 1e-12);
  const double m = body.mass, across = m * (3 * 0.25 + 4) / 12;
  expect_diagonal(body, across, across, m * 0.25 / 2, 1e-12);
  expect_center(body, 0, 1, 3, 1e-12);
  const BodyMass flat = mass_of(cylinder({0, 1, 2}, {2, 1, 2}, 0.5f), 2);
  EXPECT_NEAR(flat.volume, 2, 1e-12);
  EXPECT_NEAR(flat.inertia[8], flat.mass * (4 + 1) / 12, 1e-9);
  const BodyMass end_on = mass_of(cylinder({0, 1, 2}, {0, 1, 5}, 0.5f), 2);
  EXPECT_NEAR(end_on.volume, kPi * 0.25, 1e-12);
}

TEST(BodyMass, OfACapsuleIsThatOfTheFormula) {
  const double r = 0.5, l = 2, middle = kDensity * kPi * r * r * l, ends = kDensity * 4 * kPi / 3 * r * r * r;
  const BodyMass body = mass_of(capsule({-1, 1, 2}, {1, 1, 2}, 0.5f), 3);
  EXPECT_NEAR(body.mass, middle + ends, 1e-9);
  const double along = middle * r * r / 2 + ends * 0.4 * r * r;
  const double across = middle * (3 * r * r + l * l) / 12 + ends * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
  expect_diagonal(body, along, across, across, 1e-12);
  const BodyMass flat = mass_of(capsule({-1, 1, 2}, {1, 1, 2}, 0.5f), 2);
  const double slab = kDensity * 2 * r * l, disc = kDensity * kPi * r * r;
  EXPECT_NEAR(flat.mass, slab + disc, 1e-9);
  EXPECT_NEAR(flat.inertia[8], slab * (l * l + 4 * r * r) / 12 + disc * (r * r / 2 + l * l / 4 + 4 * r * l / (3 * kPi)),
              1e-9);
}

TEST(BodyMass, OfATriangleIsThatOfTheFormulaEitherWayRound) {
  // Of a right-angled triangle with legs a and b: m a^2 / 18 and m b^2 / 18 along them.
  for (const bool clockwise : {false, true}) {
    std::vector<std::array<float, 2>> corners = {{1, 1}, {4, 1}, {1, 3}};
    if (clockwise) std::swap(corners[1], corners[2]);
    const BodyMass flat = mass_of(polygon(corners, 2, 0, 0), 2);
    EXPECT_NEAR(flat.volume, 3, 1e-12);
    expect_center(flat, 2, 1 + 2.0 / 3, 0, 1e-12);
    EXPECT_NEAR(flat.inertia[8], flat.mass * (9 + 4) / 18, 1e-9);
    const BodyMass body = mass_of(polygon(corners, 0, -1, 1), 3);  // y and z are its plane
    EXPECT_NEAR(body.volume, 6, 1e-12);
    expect_center(body, 0, 2, 1 + 2.0 / 3, 1e-12);
    EXPECT_NEAR(body.inertia[0], body.mass * (9 + 4) / 18, 1e-8);
    EXPECT_NEAR(body.inertia[4], body.mass * (4.0 / 12 + 4.0 / 18), 1e-8);
    EXPECT_NEAR(body.inertia[5], -body.mass * (-3 * 2) / 36.0, 1e-8);  // of the two legs together
  }
}

TEST(BodyMass, OfAnAngleIsThatOfItsTwoBoxes) {
  const BodyMass flat = mass_of(polygon(kAngle, 2, 0, 0), 2);
  const double lower = 0.4 * 1, upper = 0.4 * 0.6, area = lower + upper;
  const double x = (lower * 0.5 + upper * 0.2) / area, y = (lower * 0.2 + upper * 0.7) / area;
  EXPECT_NEAR(flat.volume, area, 1e-7);
  expect_center(flat, x, y, 0, 1e-7);
  const auto part = [&](double volume, double a, double b, double cx, double cy) {
    return volume * ((a * a + b * b) / 12 + (cx - x) * (cx - x) + (cy - y) * (cy - y));
  };
  EXPECT_NEAR(flat.inertia[8], kDensity * (part(lower, 1, 0.4, 0.5, 0.2) + part(upper, 0.4, 0.6, 0.2, 0.7)), 1e-4);
}

TEST(BodyMass, OfAPolygonWhoseEdgesCrossFollowsTheEvenOddRule) {
  // A bow tie: two triangles of base 2 and height 1 that meet in the middle; Green's formula alone gives 0.
  const BodyMass tie = mass_of(polygon({{-1, -1}, {1, 1}, {1, -1}, {-1, 1}}, 2, 0, 0), 2);
  EXPECT_NEAR(tie.volume, 2, 1e-12);
  expect_center(tie, 0, 0, 0, 1e-12);
  EXPECT_NEAR(tie.inertia[8], kDensity * (2 * (1.0 / 18 + 4.0 / 9) + 2.0 / 6), 1e-9);
  // A star of five corners: its middle is wound twice and lies outside.
  std::vector<std::array<float, 2>> star;
  for (int k = 0; k < 5; ++k) star.push_back({float(std::sin(4 * kPi * k / 5)), float(std::cos(4 * kPi * k / 5))});
  const Region region = region_of(polygon(star, 2, 0, 0));
  EXPECT_FALSE(contains(region, {0, 0, 0}, 2));
  expect_equal(body_mass(region, 2, kDensity), counted(region, 2, 1500), 2e-3);
}

class EveryPlainShape : public testing::TestWithParam<int> {};
TEST_P(EveryPlainShape, HasTheMomentsThatCountingGives) {
  const int dimension = GetParam();
  for (const PlainShape& shape : example_shapes(dimension)) {
    SCOPED_TRACE(shape_info(shape.shape).word);
    const Region region = region_of(shape);
    expect_equal(body_mass(region, dimension, kDensity), counted(region, dimension, dimension == 3 ? 80 : 600), 1e-2);
  }
}

TEST_P(EveryPlainShape, KeepsItsMomentsWhenItIsMoved) {
  const int dimension = GetParam();
  const Vec3 by{4, -8, dimension == 3 ? 2.0f : 0.0f};
  for (const PlainShape& shape : example_shapes(dimension)) {
    SCOPED_TRACE(shape_info(shape.shape).word);
    BodyMass at = mass_of(shape, dimension);
    for (int a = 0; a < 3; ++a) at.center[a] += component(by, a);
    expect_equal(body_mass(moved(region_of(shape), by), dimension, kDensity), at, 1e-5);
  }
}
INSTANTIATE_TEST_SUITE_P(In, EveryPlainShape, testing::Values(2, 3), testing::PrintToStringParamName());

TEST(BodyMass, OfAMeshIsThatOfTheShapeItTriangulates) {
  const IndexedMesh mesh = box_mesh({1, 2, 3}, {1.5f, 3, 5});
  expect_equal(mass_of(mesh_shape_of(mesh), 3), mass_of(box({1, 2, 3}, {1.5f, 3, 5}), 3), 1e-6);
  // The chords of 96 pieces leave out about (2 pi / 96)^2 / 4 of the ball.
  expect_equal(mass_of(mesh_shape_of(ball_mesh({1, 2, 3}, 0.5f, 96)), 3), mass_of(ball({1, 2, 3}, 0.5f), 3), 4e-3);
}

TEST(BodyMass, OfATurnedMeshIsTheTurnedInertia) {
  MeshPlacement placement;
  placement.rotation = {0, 0, 30};
  placement.at = {2, 1, 0};
  PlainShape turned;
  turned.shape = Shape::Mesh;
  turned.surface = mesh_surface(box_mesh({-1, -0.5f, -0.25f}, {1, 0.5f, 0.25f}), placement);
  const BodyMass body = mass_of(turned, 3), straight = mass_of(box({-1, -0.5f, -0.25f}, {1, 0.5f, 0.25f}), 3);
  const double c = std::cos(kPi / 6), s = std::sin(kPi / 6);
  expect_center(body, 2, 1, 0, 1e-6);
  EXPECT_NEAR(body.inertia[0], c * c * straight.inertia[0] + s * s * straight.inertia[4], 1e-3);
  EXPECT_NEAR(body.inertia[1], c * s * (straight.inertia[0] - straight.inertia[4]), 1e-3);
  EXPECT_NEAR(body.inertia[8], straight.inertia[8], 1e-3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double product = 0;
      for (int k = 0; k < 3; ++k) product += body.inertia[3 * i + k] * body.inverse[3 * k + j];
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-12);
    }
}

TEST(BodyMass, OfAMeshWhosePartsOverlapCountsEveryPlaceOnce) {
  IndexedMesh mesh = box_mesh({0, 0, 0}, {1, 1, 1}), other = box_mesh({0.5f, 0, 0}, {2, 1, 1});
  for (const Triangle& t : other.triangles) mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  expect_equal(mass_of(mesh_shape_of(mesh), 3), mass_of(box({0, 0, 0}, {2, 1, 1}), 3), 0.02);
}

TEST(BodyMass, WithoutAPartIsTheWholeLessThatPart) {
  for (const int dimension : {2, 3}) {
    const double error = dimension == 3 ? 1e-3 : 1e-4;
    // A box without the same box moved is a smaller box.
    const PlainShape whole = box({0, 0, 0}, {2, 1, 1}), cut = box({1.23f, -1, -1}, {3, 2, 2});
    expect_equal(mass_of(whole, dimension, {cut}), mass_of(box({0, 0, 0}, {1.23f, 1, 1}), dimension), error);
    // A ball with a hollow in it: the formulas' difference.
    const BodyMass shell = mass_of(ball({1, 1, 1}, 0.5f), dimension, {ball({1, 1, 1}, 0.3f)});
    const BodyMass outer = mass_of(ball({1, 1, 1}, 0.5f), dimension), inner = mass_of(ball({1, 1, 1}, 0.3f), dimension);
    EXPECT_NEAR(shell.mass, outer.mass - inner.mass, error * inner.mass);
    EXPECT_NEAR(shell.inertia[8], outer.inertia[8] - inner.inertia[8], error * inner.inertia[8]);
    // Two cuts that overlap are taken away once.
    expect_equal(mass_of(whole, dimension, {cut, box({1.5f, -1, -1}, {3, 2, 2})}), mass_of(whole, dimension, {cut}),
                 1e-12);
  }
}

SimulationSetup with_body(const PlainShape& shape, float density, float mass) {
  SimulationSetup setup;
  setup.solid_regions.resize(2);
  SolidRegion& solid = setup.solid_regions[1];
  static_cast<PlainShape&>(solid) = shape;
  solid.name = "buoy";
  solid.free.given = true;
  solid.free.density = density;
  solid.free.mass = mass;
  return setup;
}

TEST(BodyMasses, AreThoseOfFreeSolidsAlone) {
  const std::vector<BodyMass> masses = body_masses(with_body(ball({0, 0, 0}, 0.5f), 700, 0));
  ASSERT_EQ(masses.size(), 2u);
  EXPECT_EQ(masses[0].mass, 0);
  expect_equal(masses[1], mass_of(ball({0, 0, 0}, 0.5f), 3), 1e-12);
}

TEST(BodyMasses, AMassThatIsGivenIsSpreadOverTheVolume) {
  const std::vector<BodyMass> masses = body_masses(with_body(box({0, 0, 0}, {1, 2, 1}), 0, 12));
  EXPECT_NEAR(masses[1].mass, 12, 1e-9);
  EXPECT_NEAR(masses[1].inertia[8], 12 * 5.0 / 12, 1e-9);
}

std::string refusal(const SimulationSetup& setup) {
  try {
    body_masses(setup);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BodyMasses, RefuseWhatHasNone) {
  const std::string endless = refusal(with_body(polygon(kAngle, 2, -INFINITY, 1), 700, 0));
  EXPECT_NE(endless.find("solid 'buoy'"), std::string::npos) << endless;
  EXPECT_NE(endless.find("infinite along z"), std::string::npos) << endless;
  const std::string flat = refusal(with_body(box({0, 0, 0}, {1, 1, 0}), 700, 0));
  EXPECT_NE(flat.find("without volume"), std::string::npos) << flat;
  const std::string light = refusal(with_body(box({0, 0, 0}, {1, 1, 1}), 0, 0));
  EXPECT_NE(light.find("neither `density` nor `mass`"), std::string::npos) << light;
  SimulationSetup eaten = with_body(box({0, 0, 0}, {1, 1, 1}), 700, 0);
  eaten.solid_regions[1].without = {box({-1, -1, -1}, {2, 2, 2})};
  EXPECT_NE(refusal(eaten).find("without volume"), std::string::npos);
}

}  // namespace
}  // namespace riffle::test
