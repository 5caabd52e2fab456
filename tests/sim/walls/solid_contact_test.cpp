/// Solids that fluid meets: contact with their surfaces, and that none of it gets inside.

#include <limits>

#include "core/error.h"
#include "sim/start/sampling.h"
#include "sim/walls/face_contact.h"
#include "support/devices.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

/// Contact with these solids alone, on the host.
struct HostContact {
  FlatRegions flat;
  FaceContact contact;

  explicit HostContact(const SimulationSetup& setup) : flat(flat_solids(setup)) {
    contact.domain = setup.domain;
    contact.reach = 0.3f;
    contact.speed = 10;
    contact.solids = {flat.shapes.data(), flat.corners.data(), static_cast<int>(flat.shapes.size()),
                      setup.domain.dimension, 1e-4f};
  }
};

SimulationSetup beside(std::vector<SolidRegion> solids, Axis axis = Axis::Open) {
  SimulationSetup setup;
  setup.domain.max = {10, 10, 10};
  for (Axis& a : setup.domain.axis) a = axis;
  setup.solid_regions = std::move(solids);
  return setup;
}

TEST(SolidContact, IsThatOfAFaceAlongTheNormal) {
  const HostContact box(beside({solid_box({2, 2, 2}, {4, 4, 4})})), face(beside({}, Axis::Walled));
  for (const float gap : {0.01f, 0.1f, 0.29f, 0.4f}) {
    const Vec3 v{-3, 2, 1}, at_face{gap, 5, 5}, at_box{4 + gap, 3, 3};
    const Vec3 slowed = box.contact.damped(v, at_box, 0.01f), expected = face.contact.damped(v, at_face, 0.01f);
    EXPECT_NEAR(slowed.x, expected.x, 1e-4) << gap;
    EXPECT_EQ(slowed.y, 2);
    EXPECT_EQ(slowed.z, 1);
    const Vec3 way = box.contact.shortened(v, at_box), expected_way = face.contact.shortened(v, at_face);
    EXPECT_NEAR(way.x, expected_way.x, 1e-5) << gap;
    EXPECT_EQ(way.y, 2);
    EXPECT_TRUE(box.contact.damped(-v, at_box, 0.01f) == -v) << "nothing holds what leaves";
  }
}

TEST(SolidContact, HoldsAlongASlope) {
  const HostContact slope(beside({solid_polygon({{0, 0}, {8, 0}, {8, 8}}, 0, 10)}));
  const float half = std::sqrt(0.5f);
  const Vec3 normal{-half, half, 0}, along{half, half, 0}, x = Vec3{4, 4, 5} + 0.1f * normal;
  const Vec3 v = 2.0f * along - 3.0f * normal, slowed = slope.contact.damped(v, x, 0.01f);
  EXPECT_NEAR(dot(slowed, along), 2, 1e-4);
  EXPECT_NEAR(dot(slowed, normal), -3 / (1 + 0.01 * 10 * (1 / 0.1 - 1 / 0.3)), 1e-3);
}

// A solid that pushes a particle into the face that it stands on would have it put back in every step.
TEST(SolidContact, InAWedgeNothingIsPushedThroughTheFace) {
  SimulationSetup setup = beside({solid_polygon({{4, -1}, {9, -1}, {9, 6}, {6, 6}}, 0, 10)}, Axis::Walled);
  const HostContact wedge(setup);  // it leans away from the fluid on its right, and over that on its left
  const SurfaceDistance d = nearest_surface(wedge.flat, {4.4f, 0.05f, 5}, 3);
  SimulationSetup over = beside({solid_polygon({{6, -1}, {9, -1}, {9, 6}, {2, 6}}, 0, 10)}, Axis::Walled);
  const HostContact acute(over);
  const SurfaceDistance a = nearest_surface(acute.flat, {5.3f, 0.05f, 5}, 3);
  ASSERT_GT(a.distance, 0);
  ASSERT_LT(a.normal.y, 0) << "it pushes down";
  ASSERT_GT(d.normal.y, 0);
  const Vec3 x{5.3f, 0.05f, 5};
  for (const Vec3 v : {Vec3{5, 0, 0}, Vec3{8, -1, 0}, Vec3{20, 0.1f, 0}}) {
    const float falls = -acute.contact.shortened(v, x).y;
    EXPECT_LT(falls, 0.05f) << v.x;
    EXPECT_GE(acute.contact.damped(v, x, 0.01f).y, std::fmin(v.y, 0)) << v.x;
  }
}

class SolidContactRuns : public OnEachDevice {};

// With contact nothing has to be put back. Particles that get 0.1 spacings inside would be a leak.
TEST_P(SolidContactRuns, NoFluidGetsIntoASolid) {
  for (const SolverKind solver : kSphSolvers)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      Simulation simulation(obstacle_course(solver, dimension, dimension == 2 ? 20 : 8), device());
      EXPECT_GT(simulation.boundary_count(), 0);
      float deepest = 0;
      for (int k = 1; k <= 10; ++k) {
        run_until(simulation, 0.04 * k);
        deepest = std::max(deepest, deepest_in_solid(simulation));
      }
      EXPECT_LT(deepest, 1e-3);
      EXPECT_EQ(simulation.latest().contained, 0u);
      EXPECT_EQ(simulation.diagnostics().non_finite, 0);
      EXPECT_EQ(simulation.diagnostics().outside, 0);
    }
}

TEST_P(SolidContactRuns, DpdParticlesAreMirroredAtASolid) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SimulationSetup setup = dpd_case(integrator);
    const Vec3 middle = 0.5f * (setup.domain.min + setup.domain.max), extent = setup.domain.extent();
    setup.solid_regions = {solid_ball(middle, 0.2f * extent.x)};
    Simulation simulation(setup, device());
    const auto before = simulation.diagnostics();
    run_steps(simulation, 300);
    simulation.finish();
    EXPECT_LT(deepest_in_solid(simulation), 1e-4);
    EXPECT_EQ(simulation.diagnostics().non_finite, 0);
    EXPECT_NEAR(simulation.diagnostics().thermal->temperature, 1, 0.1) << "a mirror neither heats nor cools";
    EXPECT_NE(before.state_hash, simulation.diagnostics().state_hash);
  }
}

// An ideal gas keeps its energy between mirrors. Where solids overlap, one of them mirrors; a solid that stands on a face
// mirrors away from the face.
TEST_P(SolidContactRuns, AnIdealGasKeepsItsEnergyBesideSolidsThatOverlapAndStandOnFaces) {
  SimulationSetup setup = conservative_dpd_case();
  setup.dpd.repulsion.fill(0);
  setup.domain.axis[1] = Axis::Walled;
  const Vec3 low = setup.domain.min, high = setup.domain.max, extent = setup.domain.extent();
  const float top = low.y + 0.15f * extent.y;
  setup.solid_regions = {solid_box(low, {low.x + 0.6f * extent.x, top, high.z}),
                         solid_box({low.x + 0.4f * extent.x, low.y, low.z}, {high.x, top, high.z})};
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  const Diagnostics before = simulation.diagnostics();
  for (int k = 0; k < 20; ++k) {
    run_steps(simulation, 25);
    EXPECT_EQ(simulation.diagnostics().outside, 0) << k;
  }
  EXPECT_NEAR(simulation.diagnostics().kinetic_energy, before.kinetic_energy, 1e-4 * before.kinetic_energy);
  EXPECT_LT(deepest_in_solid(simulation), 1e-3);
}

// A plate of one spacing has a single layer of wall particles.
TEST_P(SolidContactRuns, APlateOfOneSpacingDoesNotLeak) {
  for (const SolverKind solver : kSphSolvers) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = with_solver(column_setup(2, 20), solver);
    const float x = 0.1f, t = setup.spacing;
    setup.solid_regions = {solid_box({x, 0, 0}, {x + t, 0.3f, 1})};
    Simulation simulation(setup, device());
    run_until(simulation, 0.5);
    for (const Vec4& at : by_id<Vec4>(simulation, "position")) ASSERT_LE(at.x, x);
    EXPECT_EQ(simulation.latest().contained, 0u);
  }
}

TEST(SolidContact, AFluidStartsBesideSolidsAndNotInThem) {
  for (const int dimension : {2, 3})
    for (const Filling filling : {Filling::Lattice, Filling::Random})
      for (const float jitter : {0.0f, 0.3f}) {
        SimulationSetup setup = obstacle_course(SolverKind::Wcsph, dimension, 10);
        setup.bodies[0].max = setup.domain.max;
        setup.bodies[0].filling = filling;
        setup.bodies[0].jitter = jitter;
        const FluidSamples samples = sample_bodies(setup);
        const FlatRegions solids = flat_solids(setup);
        for (const Vec4& x : samples.position)
          ASSERT_GE(nearest_surface(solids, xyz(x), dimension).distance, kSolidClearance * setup.spacing);
        EXPECT_NEAR(double(samples.position.size()), double(count_particles(setup)), 0);
        SimulationSetup without = setup;
        without.solid_regions.clear();
        EXPECT_LT(double(samples.position.size()), 0.95 * double(count_particles(without)));
      }
}

TEST_P(SolidContactRuns, SolidsOfRegionsStayWhereTheyAre) {
  const SimulationSetup setup = obstacle_course(SolverKind::Wcsph, 2, 10);
  Simulation simulation(setup, device());
  EXPECT_THROW(simulation.place_solids(placements_of(simulation.setup().solids)), InputError);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SolidContactRuns);

}  // namespace
}  // namespace riffle::test
