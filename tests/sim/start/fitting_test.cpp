#include "sim/start/fitting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/math/periodic.h"
#include "sim/kernel.h"
#include "sim/start/room.h"
#include "sim/start/sampling.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

constexpr int kAcross = 16;  ///< particles along the box
constexpr float kFitSpacing = 1.0f / kAcross;

/// A periodic box of side 1, full of fluid on a lattice, and a solid in it.
SimulationSetup full_box(int dimension, const SolidRegion& solid) {
  SimulationSetup setup = periodic_setup(dimension, kAcross);
  setup.bodies[0].jitter = 0;
  setup.solid_regions = {solid};
  return setup;
}

/// Moved by shares of a spacing, so that its surface cuts the lattice elsewhere.
std::vector<SimulationSetup> cut_lattices(int dimension) {
  std::vector<SimulationSetup> all;
  for (const float shift : {0.0f, 0.2f, 0.37f, 0.5f, 0.81f}) {
    const Vec3 by = kFitSpacing * Vec3{shift, 0.7f * shift, dimension == 3 ? 0.4f * shift : 0};
    const Vec3 middle = Vec3{0.5f, 0.5f, dimension == 3 ? 0.5f : 0} + by;
    all.push_back(full_box(dimension, solid_ball(middle, 0.3f)));
    all.push_back(
        full_box(dimension, solid_box(middle - Vec3{0.25f, 0.25f, 0.25f}, middle + Vec3{0.25f, 0.25f, 0.25f})));
  }
  return all;
}

double volume_of(const SimulationSetup& setup) {
  const SolidRegion& solid = setup.solid_regions[0];
  const int dimension = setup.domain.dimension;
  const double side = 0.5, r = 0.3;
  if (solid.shape == Shape::Box) return std::pow(side, dimension);
  return dimension == 3 ? 4 * std::numbers::pi / 3 * r * r * r : std::numbers::pi * r * r;
}

Vec3 from_to(Vec3 a, Vec3 b, int dimension) {
  Vec3 r = image_near(b - a, {0, 0, 0}, {1, 1, 1});
  if (dimension == 2) r.z = 0;
  return r;
}

/// Of each particle near the solid the share that is filled, by fluid and by the solid, over that of a lattice.
std::vector<double> filled(const SimulationSetup& setup, const std::vector<Vec4>& particles) {
  const int dimension = setup.domain.dimension, parts = 3;  // per spacing
  const float h = kFittedSupport * kFitSpacing;
  const SmoothingKernel kernel = make_kernel(KernelKind::WendlandC2, dimension, h, kFitSpacing);
  const auto fine = static_cast<float>(kFitSpacing / parts);
  std::vector<Vec4> solid, whole;  // w: the share of its cell that it stands for
  const FlatRegions regions = flat_solids(setup);
  for (int z = 0; z < (dimension == 3 ? kAcross * parts : 1); ++z)
    for (int y = 0; y < kAcross * parts; ++y)
      for (int x = 0; x < kAcross * parts; ++x) {
        const Vec3 place = fine * Vec3{float(x) + 0.5f, float(y) + 0.5f, dimension == 3 ? float(z) + 0.5f : 0};
        const float d = nearest_surface(regions, place, dimension).distance;
        if (d < 0.5f * fine && d > -h) solid.push_back(make_vec4(place, std::min(1.0f, 0.5f - d / fine)));
      }
  const auto sum = [&](Vec3 at, const std::vector<Vec4>& places, double volume) {
    double total = 0;
    for (const Vec4& place : places) {
      const float r2 = length2(from_to(at, xyz(place), dimension));
      if (r2 < h * h) total += volume * double{place.w} * kernel.value(std::sqrt(r2));
    }
    return total;
  };
  std::vector<double> shares;
  const double volume = std::pow(double{kFitSpacing}, dimension), part = std::pow(double{fine}, dimension);
  for (const Vec4& x : particles) whole.push_back(make_vec4(xyz(x), 1));
  for (const Vec4& x : particles)
    if (nearest_surface(regions, xyz(x), dimension).distance < 3 * kFitSpacing)
      shares.push_back(sum(xyz(x), whole, volume) + sum(xyz(x), solid, part));
  return shares;
}

TEST(FittedLattices, HaveTheVolumeOfTheFluid) {
  for (const int dimension : {2, 3})
    for (const SimulationSetup& setup : cut_lattices(dimension)) {
      const double volume = (1 - volume_of(setup)) / std::pow(double{kFitSpacing}, dimension);
      const auto made = static_cast<double>(sample_bodies(setup).position.size());
      EXPECT_NEAR(made, volume, (dimension == 3 ? 0.01 : 0.03) * volume) << "layers that are left out would be 5 %";
      EXPECT_EQ(made, static_cast<double>(count_particles(setup)));
    }
}

TEST(FittedLattices, AreEvenBesideSurfaces) {
  for (const int dimension : {2, 3}) {
    std::vector<SimulationSetup> setups = cut_lattices(dimension);
    if (dimension == 3) setups = {setups[4]};  // all with all would take long
    for (const SimulationSetup& setup : setups) {
      const std::vector<Vec4> particles = sample_bodies(setup).position;
      const std::vector<double> shares = filled(setup, particles);
      double sum = 0;
      for (const double share : shares) sum += share;
      EXPECT_NEAR(sum / double(shares.size()), 1, 0.025) << "disorder alone adds one per cent";
      const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
      EXPECT_GT(*least, 0.9) << "a particle that is missing would leave 0.8";
      EXPECT_LT(*most, 1.2) << "one too many would make 1.3";
      const FlatRegions regions = flat_solids(setup);
      float gap = 1, pair2 = 1;
      for (std::size_t i = 0; i < particles.size(); ++i) {
        gap = std::min(gap, nearest_surface(regions, xyz(particles[i]), dimension).distance);
        for (std::size_t j = 0; j < i; ++j)
          pair2 = std::min(pair2, length2(from_to(xyz(particles[i]), xyz(particles[j]), dimension)));
      }
      EXPECT_GE(gap, 0.99f * kFittedGap * kFitSpacing);
      EXPECT_GT(std::sqrt(pair2), 0.7f * kFitSpacing);
    }
  }
}

// A surface that lines up with the lattice has the first particles half a spacing away.
TEST(FittedLattices, AreLeftAloneWhereTheyLineUpWithTheSolid) {
  for (const int dimension : {2, 3}) {
    const Vec3 low = kFitSpacing * Vec3{4, 5, dimension == 3 ? 6.0f : -100.0f},
               high = kFitSpacing * Vec3{9, 12, dimension == 3 ? 11.0f : 100.0f};
    SimulationSetup setup = full_box(dimension, solid_box(low, high));
    setup.bodies[0].max = {1, 0.75f, 1};
    const std::vector<Vec4> particles = sample_bodies(setup).position;
    EXPECT_EQ(particles.size(), 16u * 12 * (dimension == 3 ? 16 : 1) - 5u * 7 * (dimension == 3 ? 5 : 1));
    for (const Vec4& x : particles)
      for (int a = 0; a < dimension; ++a) {
        const float site = component(xyz(x), a) / kFitSpacing - 0.5f;
        EXPECT_NEAR(site, std::round(site), 1e-4);
      }
  }
}

// The body reaches so far into the plate, or through it, that the dry side is the nearer one for some of its sites.
TEST(FittedLattices, PutNoParticleOnTheDrySideOfAPlate) {
  for (const float thickness : {1.0f, 1.5f, 2.0f})
    for (const float beyond : {-0.8f, -0.5f, -0.2f, 0.0f, 0.1f, 0.25f}) {  // [spacings] the dry side
      SimulationSetup setup = column_setup(2, 10);
      const float plate = 0.1f, s = setup.spacing;
      const float end = plate + (thickness + beyond) * s;
      setup.bodies[0].min = {end - 0.1f, 0, 0};
      setup.bodies[0].max = {end, 0.2f, 1};
      setup.solid_regions = {solid_box({plate, 0, 0}, {plate + thickness * s, 0.3f, 1})};
      const std::vector<Vec4> particles = sample_bodies(setup).position;
      EXPECT_GT(particles.size(), 150u);
      for (const Vec4& x : particles) EXPECT_LT(x.x, plate);
    }
}

/// [spacings] of the setup
float nearest_pair(const SimulationSetup& setup, const std::vector<Vec4>& particles) {
  float least = 1e9f;
  for (std::size_t i = 0; i < particles.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, std::sqrt(length2(xyz(particles[i]) - xyz(particles[j]))));
  return least / setup.spacing;
}

// Two surfaces that face each other would put their particles at the same places.
TEST(FittedLattices, LeaveNarrowGapsAsTheyAre) {
  for (const float gap : {0.3f, 0.6f, 0.7f, 0.8f, 1.0f, 1.3f, 1.7f})
    for (const float off : {0.0f, 0.3f, 0.5f}) {
      SimulationSetup setup = column_setup(2, 10);
      const float s = setup.spacing, y = 0.1f + off * s;
      setup.bodies[0].max = {0.4f, 0.25f, 1};
      setup.solid_regions = {solid_box({0.15f, y - 4 * s, 0}, {0.25f, y, 1}),
                             solid_box({0.15f, y + gap * s, 0}, {0.25f, y + (gap + 4) * s, 1})};
      const std::vector<Vec4> particles = sample_bodies(setup).position;
      EXPECT_GT(nearest_pair(setup, particles), 0.6f) << gap << ", " << off;
      const FlatRegions solids = flat_solids(setup);
      for (const Vec4& x : particles)
        ASSERT_GE(nearest_surface(solids, xyz(x), 2).distance, 0.14f * s) << gap << ", " << off;
    }
}

// Its surface faces the floor, which the body only touches.
TEST(FittedLattices, PutNothingBehindAFaceBelowASolid) {
  for (const float gap : {0.25f, 0.3f, 0.5f, 0.8f, 1.2f}) {
    SimulationSetup setup = column_setup(2, 10);
    const float s = setup.spacing;
    setup.bodies[0].max = {0.4f, 0.25f, 1};
    setup.solid_regions = {solid_box({0.153f, gap * s, 0}, {0.247f, 0.1f, 1})};
    const std::vector<Vec4> particles = sample_bodies(setup).position;
    for (const Vec4& x : particles) ASSERT_GE(x.y, 0.25f * s) << gap;
    EXPECT_GT(nearest_pair(setup, particles), 0.6f) << gap;
  }
}

// The same solid over a periodic face: the sites beyond the body are there once.
TEST(FittedLattices, AreAlikeInTheMiddleAndAtAPeriodicFace) {
  const auto around = [](float x) {
    SimulationSetup setup = column_setup(3, 10);
    setup.domain.axis[0] = Axis::Periodic;
    setup.bodies[0].max = {0.4f, 0.14f, 0.1f};
    setup.solid_regions = {solid_ball({x, 0.093f, 0.05f}, 0.034f)};
    std::vector<Vec3> places;
    for (const Vec4& at : sample_bodies(setup).position)
      if (const float way = image_near(at.x - x, 0, 0.4f); std::fabs(way) < 0.0799f)
        places.push_back({way, at.y, at.z});
    return places;
  };
  const std::vector<Vec3> middle = around(0.2f), face = around(0);
  ASSERT_EQ(middle.size(), face.size());
  for (const Vec3& x : middle) {
    float nearest2 = 1;
    for (const Vec3& other : face) nearest2 = std::min(nearest2, length2(from_to(x, other, 3)));
    ASSERT_LT(std::sqrt(nearest2), 1e-4f) << x.x << ' ' << x.y << ' ' << x.z;
  }
}

// Decimal places of solids do not leave it to rounding which site makes a particle.
TEST(FittedLattices, DependOnThePlaceInTheLatticeAlone) {
  for (const float off : {0.0f, 0.14f, 0.3f, 0.5f, 0.64f, 0.8f}) {
    std::size_t expected = 0;
    for (int k = 0; k < 6; ++k) {
      SimulationSetup setup = column_setup(2, 20);
      setup.bodies[0].max = {0.4f, 0.3f, 1};
      setup.solid_regions = {solid_ball({0.1f + (off + static_cast<float>(k)) * setup.spacing, 0.15f, 0}, 0.05f)};
      const std::size_t made = sample_bodies(setup).position.size();
      if (k == 0) expected = made;
      EXPECT_EQ(made, expected) << off << ", " << k;
    }
  }
}

// The level is where the scene puts it: nothing is squeezed out beside a solid that stands through the surface.
TEST(FittedLattices, KeepTheFreeSurfaceAndTheWallsWhereTheyAre) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = column_setup(dimension, 10);
    setup.bodies[0].max = {0.4f, 0.15f, 0.1f};
    SolidRegion post = dimension == 3 ? solid_cylinder({0.203f, -0.1f, 0.052f}, {0.203f, 0.4f, 0.052f}, 0.03f)
                                      : solid_box({0.173f, -0.1f, 0}, {0.234f, 0.4f, 1});
    setup.solid_regions = {post};
    float highest = 0, lowest = 1;
    const std::vector<Vec4> particles = sample_bodies(setup).position;
    for (const Vec4& x : particles) highest = std::max(highest, x.y), lowest = std::min(lowest, x.y);
    EXPECT_NEAR(highest, 0.145f, 0.6f * setup.spacing) << "without sites beyond it: a spacing and more";
    EXPECT_NEAR(lowest, 0.005f, 0.25f * setup.spacing);
    const auto moved = std::ranges::count_if(particles, [&](const Vec4& x) {
      return std::fabs(x.x - (std::floor(x.x / setup.spacing) + 0.5f) * setup.spacing) > 0.02f * setup.spacing;
    });
    EXPECT_GT(moved, 30) << "the post cuts the lattice";
  }
}

// A body that a walled face cuts has the volume of what lies within the domain.
TEST(FittedLattices, AFaceCutsABodyAsASolidDoes) {
  for (const float beyond : {0.1f, 0.3f, 0.5f, 0.9f}) {  // [spacings]
    SimulationSetup setup = column_setup(3, 10);
    setup.bodies[0].min = {-beyond * setup.spacing, 0, 0};
    setup.bodies[0].max = {0.2f - beyond * setup.spacing, 0.1f, 0.1f};
    const std::vector<Vec4> particles = sample_bodies(setup).position;
    EXPECT_NEAR(static_cast<double>(particles.size()), 100 * (20 - beyond), 15);
    for (const Vec4& x : particles) EXPECT_GE(x.x, 0.99f * kFittedGap * setup.spacing);
  }
}

// Thermal fluids need no even start, and their particles come as near to a solid as they are put.
TEST(FittedLattices, ThermalFluidsKeepTheirSites) {
  SimulationSetup setup = full_box(3, solid_ball({0.5f, 0.5f, 0.5f}, 0.3f));
  setup.solver = SolverKind::Dpd;
  for (const Vec4& x : sample_bodies(setup).position)
    for (int a = 0; a < 3; ++a) {
      const float site = component(xyz(x), a) / kFitSpacing - 0.5f;
      EXPECT_NEAR(site, std::round(site), 1e-4);
    }
}

TEST(Room, AVesselOfSolidsHasNoneWhenItIsFull) {
  SimulationSetup setup = column_setup(2, 20);
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  SolidRegion vessel = solid_box({0.02f, 0.02f, 0}, {0.28f, 0.28f, 1});
  vessel.without.push_back(plain(solid_box({0.05f, 0.05f, -1}, {0.25f, 0.25f, 2})));
  setup.solid_regions = {vessel};
  setup.bodies[0].min = {0.05f, 0.05f, 0};
  setup.bodies[0].max = {0.25f, 0.25f, 1};
  EXPECT_NEAR(particles_without_room(setup), 40 * 40 - 2 * 40, 1e-2) << "but for a layer across each axis";
  setup.solid_regions[0].without.push_back(plain(solid_box({0.24f, 0.1f, -1}, {0.5f, 0.12f, 2})));
  EXPECT_EQ(particles_without_room(setup), std::numeric_limits<double>::infinity()) << "it has a hole";
  setup.solid_regions[0].without.pop_back();
  setup.bodies[0].max = {0.3f, 0.25f, 1};
  setup.bodies[0].min = {0.29f, 0.05f, 0};
  EXPECT_EQ(particles_without_room(setup), std::numeric_limits<double>::infinity()) << "the fluid is outside";
}

}  // namespace
}  // namespace riffle::test
