/// Solids that are planes or unions: their samples, what holds the fluid off, and the forces on them.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "core/error.h"
#include "sim/bodies/geometry/contact_shape.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/measure/solid_measurement.h"
#include "sim/walls/boundary.h"
#include "sim/walls/solid_regions.h"
#include "support/devices.h"
#include "tests/sim/bodies/falling_bodies.h"
#include "tests/sim/shapes/example_shapes.h"
#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

SolidRegion solid_plane(const SimulationSetup& setup, Vec3 point, Vec3 normal) {
  SolidRegion solid;
  static_cast<PlainShape&>(solid) = plane(point, normal);
  within_domain(solid, setup.domain.min, setup.domain.max);
  return solid;
}

SolidRegion joined(SolidRegion solid, std::vector<PlainShape> with) {
  solid.with = std::move(with);
  return solid;
}

/// A walled tank without fluid.
SimulationSetup tank(int dimension) {
  SimulationSetup setup = column_setup(dimension, 10);
  setup.spacing = 0.01f;
  return setup;
}

TEST(PlaneSolids, HaveOneSiteForEachParticlesVolumeInEachLayer) {
  for (const int dimension : {2, 3})
    for (const Vec3 normal : {Vec3{-0.4f, 1, 0}, Vec3{0, 2, 0}, Vec3{-0.3f, 1, dimension == 3 ? 0.5f : 0}}) {
      SCOPED_TRACE(std::to_string(dimension) + "-D, " + std::to_string(normal.x) + ", " + std::to_string(normal.z));
      SimulationSetup setup = tank(dimension);
      setup.solid_regions = {solid_plane(setup, {0.2f, 0.14f, 0.05f}, normal)};
      const SimulationSetup sampled = with_sampled_solids(setup);
      const SolidSamples& samples = *sampled.solids[1].samples;
      const Vec3 unit = (1 / std::sqrt(length2(normal))) * normal;
      const auto height = [&](const Vec4& x) { return dot(xyz(x) - setup.solid_regions[0].point, unit); };
      // A layer within the domain: the plane's area there over that of a site.
      std::map<int, int> layers;
      for (const auto* list : {&samples.wall, &samples.behind, &samples.front})
        for (const Vec4& x : *list) {
          const double layer = height(x) / setup.spacing - 0.5;
          ASSERT_NEAR(layer, std::round(layer), 0.01) << "between layers";
          bool within = true;  // of all faces, by more than the layers reach
          for (int a = 0; a < dimension; ++a)
            within = within && component(xyz(x), a) > component(setup.domain.min, a) &&
                     component(xyz(x), a) < component(setup.domain.max, a);
          layers[static_cast<int>(std::lround(layer))] += within;
        }
      PlainShape slab = setup.solid_regions[0];
      const double depth = 0.5 * setup.spacing;
      const auto volume_below = [&](double level) {
        PlainShape there = slab;
        there.point = there.point + static_cast<float>(level) * unit;
        return shape_info(Shape::Plane).volume(there, dimension, setup.spacing);
      };
      for (const int layer : {-2, -1}) {
        const double at = (layer + 0.5) * setup.spacing;
        const double wanted = volume_below(at + depth) - volume_below(at - depth);
        EXPECT_NEAR(layers[layer] / wanted, 1, 0.04) << layer;
      }
    }
}

// A floor has the sites of a box that is that floor.
TEST(PlaneSolids, ALevelOneIsTheBoxThatItCutsOff) {
  for (const Axis across : {Axis::Walled, Axis::Periodic})
    for (const int dimension : {2, 3}) {
      SimulationSetup setup = tank(dimension);
      setup.domain.axis[0] = across;
      setup.solid_regions = {solid_plane(setup, {0.2f, 0.14f, 0}, {0, 3, 0})};
      const SolidSamples plane = *with_sampled_solids(setup).solids[1].samples;
      setup.solid_regions = {solid_box({0, 0, 0}, {0.4f, 0.14f, 0.1f})};
      const SolidSamples box = *with_sampled_solids(setup).solids[1].samples;
      const auto sorted = [&](std::vector<Vec4> list) {
        // The box has layers along its other sides too, which lie in the walls.
        std::erase_if(list, [&](const Vec4& x) { return x.y < 0.14f - 3 * setup.spacing; });
        std::sort(list.begin(), list.end(), [](const Vec4& a, const Vec4& b) {
          return std::tuple(std::round(a.x * 1e4f), std::round(a.y * 1e4f), std::round(a.z * 1e4f)) <
                 std::tuple(std::round(b.x * 1e4f), std::round(b.y * 1e4f), std::round(b.z * 1e4f));
        });
        return list;
      };
      for (const auto list : {&SolidSamples::wall, &SolidSamples::front}) {
        const std::vector<Vec4> one = sorted(plane.*list), other = sorted(box.*list);
        ASSERT_EQ(one.size(), other.size()) << dimension;
        for (std::size_t k = 0; k < one.size(); ++k)
          ASSERT_LT(length2(xyz(one[k]) - xyz(other[k])), 1e-10f) << k << ", " << dimension;
      }
    }
}

// Simulations share samples only where all that they are made from is the same.
TEST(PlaneSolids, OtherPlanesAndUnionsHaveOtherSamples) {
  SimulationSetup setup = tank(2);
  setup.solid_regions = {solid_plane(setup, {0.2f, 0.14f, 0}, {0, 1, 0}),
                         joined(solid_ball({0.1f, 0.22f, 0}, 0.03f), {ball({0.14f, 0.22f, 0}, 0.03f)})};
  const SimulationSetup first = with_sampled_solids(setup);
  EXPECT_EQ(with_sampled_solids(setup).solids[1].samples, first.solids[1].samples);
  SimulationSetup other = setup;
  other.solid_regions[0].normal = {-0.1f, 1, 0};
  EXPECT_NE(with_sampled_solids(other).solids[1].samples, first.solids[1].samples);
  other = setup;
  other.solid_regions[0].point.y = 0.15f;
  EXPECT_NE(with_sampled_solids(other).solids[1].samples, first.solids[1].samples);
  other = setup;
  other.solid_regions[1].with[0].radius = 0.025f;
  EXPECT_NE(with_sampled_solids(other).solids[2].samples, first.solids[2].samples);
}

class PlanesAndUnions : public OnEachDevice {};

TEST_P(PlanesAndUnions, VolumesOfWallParticlesAreNearThoseOfFluidParticles) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = tank(dimension);
    const float z = dimension == 3 ? 0.05f : 0;
    setup.solid_regions = {solid_plane(setup, {0.2f, 0.1f, 0}, {-0.4f, 1, dimension == 3 ? 0.2f : 0}),
                           joined(solid_ball({0.12f, 0.22f, z}, 0.04f), {ball({0.16f, 0.24f, z}, 0.035f)})};
    const SimulationSetup sampled = with_sampled_solids(setup);
    const Boundary walls(device(), sampled,
                         make_kernel(setup.wcsph.kernel, dimension, setup.support_radius(), setup.spacing));
    std::vector<Vec4> particles(static_cast<std::size_t>(walls.count()));
    copy_to_host(device(), particles.data(), walls.particles(), particles.size() * sizeof(Vec4));
    double sum = 0, squares = 0;
    for (const Vec4& x : particles) sum += x.w, squares += double{x.w} * x.w;
    const double mean = sum / double(particles.size());
    EXPECT_NEAR(mean, 1, 0.06) << dimension;
    EXPECT_LT(std::sqrt(squares / double(particles.size()) - mean * mean), 0.1) << dimension;
  }
}

// A slope across a tank, well above its floor, and water up to a level below the slope's upper end.
SimulationSetup water_on_a_slope(SolverKind solver, int dimension, int across) {
  SimulationSetup setup = with_solver(column_setup(dimension, across), solver);
  setup.solid_regions = {solid_plane(setup, {0.2f, 0.11f, 0}, {-0.3f, 1, 0})};
  setup.bodies[0] = {};
  static_cast<PlainShape&>(setup.bodies[0]) = plane({0, 0.16f, 0}, {0, 1, 0});
  within_domain(setup.bodies[0], setup.domain.min, setup.domain.max);
  return setup;
}

TEST_P(PlanesAndUnions, WaterAtRestOnASlopeStaysAndPushesWithItsPressure) {
  for (const SolverKind solver : kSphSolvers) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = water_on_a_slope(solver, 2, 10);
    Simulation simulation(setup, device());
    const double particles = simulation.particle_count();
    run_until(simulation, 1);
    const Diagnostics before = simulation.diagnostics();
    run_until(simulation, 2);
    const Diagnostics after = simulation.diagnostics();
    EXPECT_EQ(simulation.particle_count(), particles);
    EXPECT_LT(deepest_in_solid(simulation), 0.25f);
    for (const Vec4& x : by_id<Vec4>(simulation, "position"))
      ASSERT_LT(x.y, 0.16f + 2 * setup.spacing) << "water stays below its level";
    const double time = after.solids[1].time - before.solids[1].time;
    const auto force = [&](int k) { return (after.solids[1].impulse[k] - before.solids[1].impulse[k]) / time; };
    // The slope carries all of the water: the force at right angles to it has the water's weight as its part downwards.
    const double weight = 9.81 * after.mass;
    EXPECT_NEAR(force(1) / -weight, 1, 0.05);
    // The bound of Archimedes' force is judged with WCSPH alone. DFSPH was 6 % below, PBF 13 %.
    EXPECT_NEAR(force(0) / (0.3 * weight), 1, solver == SolverKind::Wcsph ? 0.05 : 0.15);
  }
}

TEST_P(PlanesAndUnions, AUnionIsPushedUpByTheWaterThatAllOfItDisplaces) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  setup.bodies[0].max = {0.4f, 0.25f, 1};
  setup.solid_regions = {joined(solid_ball({0.17f, 0.12f, 0}, 0.05f), {ball({0.23f, 0.12f, 0}, 0.05f)})};
  Simulation simulation(setup, device());
  run_until(simulation, 1);
  const std::vector<SolidLoad> before = simulation.diagnostics().solids;
  run_until(simulation, 2);
  const std::vector<SolidLoad> after = simulation.diagnostics().solids;
  ASSERT_EQ(after.size(), 2u) << "one solid";
  const double r = 0.05, d = 0.06;
  const double lens = 2 * r * r * std::acos(d / (2 * r)) - 0.5 * d * std::sqrt(4 * r * r - d * d);
  const double volume = 2 * std::numbers::pi * r * r - lens;
  const double force = (after[1].impulse[1] - before[1].impulse[1]) / (after[1].time - before[1].time);
  EXPECT_NEAR(force / (1000 * 9.81 * volume), 1, 0.05);
  EXPECT_LT(deepest_in_solid(simulation), 0.25f);
}

// A cross of two bars that turns in water: it stirs as one, nothing gets into it, and no momentum is lost.
TEST_P(PlanesAndUnions, ATurningUnionStirsAsOneSolid) {
  for (const int dimension : {2, 3}) {
    const float depth = dimension == 3 ? 0.1f : 0;
    SimulationSetup setup = with_solver(column_setup(dimension, 10), SolverKind::Wcsph);
    setup.bodies[0].max = {0.4f, 0.2f, 1};
    SolidRegion cross = joined(solid_box({0.14f, 0.09f, 0.2f * depth}, {0.26f, 0.12f, 0.8f * depth}),
                               {box({0.185f, 0.045f, 0.2f * depth}, {0.215f, 0.165f, 0.8f * depth})});
    cross.drive = turning({0.2f, 0.105f, 0}, 6);
    setup.solid_regions = {cross};
    setup.face_forces = true;
    Simulation simulation(setup, device());
    const Diagnostics start = simulation.diagnostics();
    const double time = dimension == 2 ? 0.3 : 0.03;
    run_until(simulation, time);
    const Diagnostics end = simulation.diagnostics();
    EXPECT_LT(deepest_in_driven(simulation), 0.25f) << dimension;
    const double scale = end.mass * 9.81 * time;
    for (int k = 0; k < 2; ++k) {
      double got = 0;
      for (const SolidLoad& load : end.solids) got += load.impulse[k];
      EXPECT_NEAR(got, start.momentum[k] - end.momentum[k] - (k == 1 ? scale : 0), 1e-4 * scale) << "xyz"[k];
    }
    EXPECT_LT(end.solids[1].angular_impulse[2], 0) << "the water holds against it";
  }
}

// A dumb-bell floats with the part under water that its mass says.
TEST_P(PlanesAndUnions, AFreeUnionFloatsAsOneBody) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  setup.bodies[0].max = {0.4f, 0.12f, 1};
  SolidRegion raft = joined(solid_box({0.12f, 0.1f, 0}, {0.28f, 0.14f, 0}),
                            {box({0.14f, 0.07f, 0}, {0.17f, 0.11f, 0}), box({0.23f, 0.07f, 0}, {0.26f, 0.11f, 0})});
  raft.free.given = true;
  raft.free.density = 500;
  setup.solid_regions = {raft};
  const std::vector<BodyMass> masses = body_masses(setup);
  EXPECT_NEAR(masses[0].volume, 0.16 * 0.04 + 2 * 0.03 * 0.03, 1e-6);
  EXPECT_NEAR(masses[0].center[0], 0.2, 1e-5);
  Simulation simulation(setup, device());
  run_until(simulation, 1.2);
  const double drop = masses[0].center[1] - simulation.body_places()[0].center[1];
  // Half of it is under water: both feet and what is missing of the raft.
  const double wanted_in_raft = (0.5 * masses[0].volume - 2 * 0.03 * 0.03) / 0.16;
  double level = 0;  // of the water beside it
  for (const Vec4& x : by_id<Vec4>(simulation, "position"))
    if (x.x < 0.06f) level = std::max(level, double{x.y});
  level += 0.5 * setup.spacing;
  EXPECT_NEAR(level - (0.1 - drop), wanted_in_raft, 0.6 * setup.spacing);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(PlanesAndUnions);

class UnionContact : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(In, UnionContact, testing::Values(2, 3), testing::PrintToStringParamName());

// A ball slides down a slope that is a plane, without friction.
TEST_P(UnionContact, ABodySlidesDownAPlane) {
  const int dimension = GetParam();
  SimulationSetup setup = contact_setup(dimension, 3, Axis::Open, 0.05f, {});
  SolidRegion slope = touched(solid_plane(setup, {0, 0, 0}, {0.5f, 1, 0}), 0);
  SolidRegion ball = freed(solid_ball({0, 0.26f, 0}, 0.2f), 0);
  setup.solid_regions = {slope, ball};
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(0.6);
  const double along = 1 / std::sqrt(1.25), g = 9.81;
  const double off = (0.5 * falling.bodies[1].center[0] + falling.bodies[1].center[1]) * along;
  EXPECT_NEAR(off, 0.2, 0.02 * setup.spacing) << "it stays on the plane";
  const double speed = std::hypot(falling.bodies[1].velocity[0], falling.bodies[1].velocity[1]);
  EXPECT_NEAR(speed, g * 0.5 * along * 0.6, 0.05 * speed);
}

TEST_P(UnionContact, ATableStandsOnItsLegs) {
  const int dimension = GetParam();
  const float depth = dimension == 3 ? 1.0f : 0.0f;
  SimulationSetup setup = contact_setup(dimension, 3, Axis::Open, 0.05f, {});
  SolidRegion table = freed(joined(solid_box({-0.5f, 0.51f, -0.3f * depth}, {0.5f, 0.71f, 0.3f * depth}),
                                   {box({-0.5f, 0.01f, -0.3f * depth}, {-0.3f, 0.6f, 0.3f * depth}),
                                    box({0.3f, 0.01f, -0.3f * depth}, {0.5f, 0.6f, 0.3f * depth})}));
  // A block under it that is lower than its legs.
  setup.solid_regions = {solid_plane(setup, {0, 0, 0}, {0, 1, 0}),
                         solid_box({-0.2f, 0, -0.2f * depth}, {0.2f, 0.4f, 0.2f * depth}), table};
  FallingBodies falling(setup, KickTime::AtEnd);
  const double start = falling.bodies[2].center[1];
  falling.run(0.4);
  EXPECT_NEAR(falling.bodies[2].center[1], start - double{0.01f}, 0.05 * setup.spacing);
  EXPECT_NEAR(falling.bodies[2].turn[0], 1, 1e-4);
}

// It ends a period beyond periodic faces, where no edge of it is in a body's way, and soon beyond others. A table that reaches
// through a periodic face stands on it.
TEST_P(UnionContact, AFloorWithAPlaneGoesOnThroughPeriodicFaces) {
  const int dimension = GetParam();
  const float depth = dimension == 3 ? 1.0f : 0.0f;
  SimulationSetup setup = contact_setup(dimension, 1, Axis::Open, 0.05f, {});
  setup.domain.axis[0] = Axis::Periodic;
  const SolidRegion floor = joined(solid_plane(setup, {0, 0, 0}, {0, 1, 0}),
                                   {box({-0.2f, -0.1f, -0.2f * depth}, {0.2f, 0.1f, 0.2f * depth})});
  const SolidRegion table = freed(joined(solid_box({0.4f, 0.3f, -0.3f * depth}, {1.6f, 0.4f, 0.3f * depth}),
                                         {box({0.4f, 0, -0.3f * depth}, {0.5f, 0.35f, 0.3f * depth}),
                                          box({1.5f, 0, -0.3f * depth}, {1.6f, 0.35f, 0.3f * depth})}));
  const bodies::ContactShape shape = bodies::contact_shape(floor, setup.domain, {}, 1);
  for (const double side : {-1.0, 1.0})
    EXPECT_GE(side * shape.convex->support({side, 0, 0}).x, 3) << "half of three periods";
  EXPECT_GT(shape.convex->support({0, -1, 0}).y, -2) << "a whole extent beyond the face would be -3";
  EXPECT_TRUE(shape.endless[0]);
  setup.solid_regions = {floor, table};
  FallingBodies falling(setup, KickTime::AtEnd);
  const double start = falling.bodies[1].center[1];
  falling.run(0.3);
  EXPECT_NEAR(falling.bodies[1].center[1], start, 0.1 * setup.spacing);
  EXPECT_NEAR(falling.bodies[1].turn[0], 1, 1e-4);
}

TEST(UnionMasses, AFreePlaneIsRefused) {
  SimulationSetup setup = tank(3);
  SolidRegion solid = solid_plane(setup, {0, 0.1f, 0}, {0, 1, 0});
  solid.free.given = true;
  solid.free.density = 100;
  setup.solid_regions = {solid};
  EXPECT_THROW(body_masses(setup), InputError);
}

}  // namespace
}  // namespace riffle::test
