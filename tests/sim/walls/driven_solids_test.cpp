/// Solids that are driven through the fluid.

#include <numbers>

#include "support/devices.h"
#include "tests/sim/outcomes.h"
#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

class DrivenSolids : public OnEachDevice {};

/// Surfaces of the step from `time` to `time` + dt, on the host.
struct HostSurfaces {
  SolidSurfaces surfaces;
  FaceContact contact;

  HostSurfaces(const SimulationSetup& setup, double time, float dt) : surfaces(Device{}, setup) {
    ClockState clock;
    clock.time = time + double{dt};
    clock.dt = dt;
    surfaces.drive(&clock, SolidSurfaces::Part::Step);
    contact.domain = setup.domain;
    contact.reach = 0.3f;
    contact.speed = 10;
    contact.solids = surfaces.view();
  }
};

SimulationSetup open_space(std::vector<SolidRegion> solids) {
  SimulationSetup setup;
  setup.domain.max = {10, 10, 10};
  setup.spacing = 1;
  setup.solid_regions = std::move(solids);
  return setup;
}

TEST(DrivenContact, IsThatOfASolidAtRestInTheSolidsFrame) {
  SolidRegion box = solid_box({2, 2, 2}, {4, 4, 4});
  const HostSurfaces rest(open_space({box}), 0, 0.01f);
  box.drive = at_velocity({3, 1, 0});
  const HostSurfaces moves(open_space({box}), 1, 0.01f);
  const Vec3 u{3, 1, 0}, v{-3, 2, 1};
  for (const float gap : {0.01f, 0.1f, 0.29f, 0.4f}) {
    const Vec3 at{4 + gap, 3, 3};
    const Vec3 expected = rest.contact.damped(v, at, 0.01f) + u;
    const Vec3 slowed = moves.contact.damped(v + u, at + u, 0.01f);
    EXPECT_NEAR(slowed.x, expected.x, 1e-4) << gap;
    EXPECT_NEAR(slowed.y, expected.y, 1e-5);
    const Vec3 way = rest.contact.shortened(0.01f * v, at, 0, 100) + 0.01f * u;
    EXPECT_NEAR(moves.contact.shortened(0.01f * (v + u), at + u, 0, 100).x, way.x, 1e-5) << gap;
  }
}

// A particle at rest, which the surface would pass within the step.
TEST(DrivenContact, ASurfaceThatComesWithinTheStepTakesTheParticleAlong) {
  SolidRegion box = solid_box({2, 2, 2}, {4, 4, 4});
  box.drive = at_velocity({8, 0, 0});
  const HostSurfaces moves(open_space({box}), 0, 0.01f);
  const Vec3 at{4.05f, 3, 3}, v = moves.contact.damped({0, 0, 0}, at, 0.01f);
  EXPECT_GT(at.x + 0.01f * v.x, 4.08f) << "it is in front of where the surface will be";
  EXPECT_LT(v.x, 8);
  EXPECT_GT(at.x + moves.contact.shortened({0, 0, 0}, at, 0, 100).x, 4.08f);
}

TEST(DrivenContact, NormalsTurnWithTheSolid) {
  SolidRegion box = solid_box({2, 2, 2}, {4, 4, 4});
  box.drive = turning({3, 3, 3}, float(std::numbers::pi) / 4);
  const HostSurfaces turned(open_space({box}), 0, 1);  // an edge then points along x
  int seen = 0;
  turned.contact.solids.for_each_near({4, 4, 3}, 1, [&](std::uint32_t, SurfaceDistance d) {
    ++seen;
    EXPECT_NEAR(d.distance, std::sqrt(2.0f) - 1, 1e-5);
    EXPECT_NEAR(d.normal.x, std::sqrt(0.5f), 1e-5);
    EXPECT_NEAR(d.normal.y, std::sqrt(0.5f), 1e-5);
  });
  EXPECT_EQ(seen, 1);
  const Vec3 edge = turned.contact.solids.velocity(0, {3 + 1, 3, 3});
  EXPECT_NEAR(edge.y, std::sin(std::numbers::pi / 4), 1e-5) << "the mean velocity of the step is along the chord";
  EXPECT_NEAR(edge.x, std::cos(std::numbers::pi / 4) - 1, 1e-5);
}

/// A closed box with water in its lower half, which starts to move.
SimulationSetup vessel(SolverKind solver, int dimension) {
  SimulationSetup setup = with_solver(column_setup(dimension, dimension == 2 ? 8 : 6), solver);
  const float length = 0.1f, wall = 3 * setup.spacing;
  setup.domain.min = {-0.05f, -0.05f, dimension == 3 ? -0.05f : 0};
  setup.domain.max = {0.4f, 0.25f, dimension == 3 ? 0.15f : 0};
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  SolidRegion hull = solid_box(Vec3{-wall, -wall, -wall}, Vec3{length + wall, length + wall, length + wall});
  hull.without.push_back(plain(solid_box({0, 0, 0}, {length, length, length})));
  if (dimension == 2) hull.min.z = hull.max.z = 0;
  hull.drive = at_velocity({0.5f, 0.1f, 0}, 0.2f);
  setup.solid_regions = {hull};
  setup.bodies[0].min = {0, 0, 0};
  setup.bodies[0].max = {length, 0.5f * length, length};
  setup.fluids[0].viscosity = 1e-3f;
  return setup;
}

TEST_P(DrivenSolids, AVesselCarriesItsWater) {
  for (const SolverKind solver : kSphSolvers)
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      Simulation simulation(vessel(solver, dimension), device());
      for (int k = 1; k <= 4; ++k) {
        run_until(simulation, 0.1 * k);
        EXPECT_LT(deepest_in_driven(simulation), 1e-3) << k;
      }
      const Diagnostics end = simulation.diagnostics();
      EXPECT_EQ(simulation.latest().contained, 0u);
      EXPECT_NEAR(end.momentum[1] / end.mass, 0.1, 0.15) << "it sloshes";
      const double moved = 0.5 * (0.4 - 0.1);  // of the hull
      double middle = 0;
      const auto positions = by_id<Vec4>(simulation, "position");
      for (const Vec4& x : positions) {
        middle += x.x / double(positions.size());
        ASSERT_GT(x.x, moved);
        ASSERT_LT(x.x, moved + 0.1);
      }
      EXPECT_NEAR(middle, moved + 0.05, 0.03);
    }
}

// The plate goes on through the periodic faces: what is ahead of it can only be pushed.
TEST_P(DrivenSolids, AThinPlateLetsNothingThrough) {
  for (const SolverKind solver : kSphSolvers) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = with_solver(column_setup(2, 10), solver);
    setup.gravity = {};
    setup.domain.max = {3, 0.1f, 0};
    setup.domain.axis[0] = Axis::Open;
    setup.domain.axis[1] = Axis::Periodic;
    const float thickness = 1.5f * setup.spacing;
    SolidRegion plate = solid_box({0.5f, -1, 0}, {0.5f + thickness, 1, 0});
    plate.min.y = 0, plate.max.y = 0.1f;
    plate.drive = at_velocity({1, 0, 0});
    setup.solid_regions = {plate};
    setup.bodies[0].min = {0.5f + thickness + 0.05f, 0, 0};
    setup.bodies[0].max = {0.5f + thickness + 0.2f, 0.1f, 0};
    Simulation simulation(setup, device());
    for (int k = 1; k <= 10; ++k) {
      run_until(simulation, 0.05 * k);
      const float face = 0.5f + thickness + 0.05f * float(k);
      for (const Vec4& x : by_id<Vec4>(simulation, "position")) ASSERT_GE(x.x, face - 1e-5f) << k;
    }
    EXPECT_EQ(simulation.latest().contained, 0u);
    const Diagnostics end = simulation.diagnostics();
    EXPECT_GT(end.momentum[0] / end.mass, 0.5) << "it has been pushed";
    if (end.pbf && end.pbf->cut_corrections > 0) continue;  // PBF loses momentum where it cuts
    EXPECT_NEAR(end.solids[1].impulse[0], -end.momentum[0], 1e-4 * end.momentum[0]);
  }
}

TEST_P(DrivenSolids, GetTheMomentumThatTheFluidLoses) {
  for (const SolverKind solver : kSphSolvers)
    for (const int dimension : {2, 3})
      for (const DensityScheme density : {DensityScheme::Continuity, DensityScheme::Summation}) {
        if (density == DensityScheme::Summation && solver != SolverKind::Wcsph) continue;
        SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
        SimulationSetup setup = driven_course(solver, dimension, dimension == 2 ? 16 : 6);
        setup.wcsph.density = density;
        setup.face_forces = true;
        setup.fluids[0].viscosity = 1e-3f;
        Simulation simulation(setup, device());
        const Diagnostics start = simulation.diagnostics();
        run_until(simulation, 0.2);
        const Diagnostics end = simulation.diagnostics();
        ASSERT_EQ(simulation.latest().contained, 0u) << "what is put back is not measured";
        EXPECT_LT(deepest_in_driven(simulation), 1e-3);
        const double scale = end.mass * 9.81 * 0.2;
        for (int k = 0; k < dimension; ++k) {
          double got = 0;
          for (const SolidLoad& load : end.solids) got += load.impulse[k];
          const double weight = k == 1 ? -9.81 * end.mass * 0.2 : 0;
          EXPECT_NEAR(got, start.momentum[k] + weight - end.momentum[k], 1e-5 * scale) << "xyz"[k];
        }
      }
}

TEST_P(DrivenSolids, ARunGoesOnFromAStateToTheLastBit) {
  std::vector<SolverCase> cases;
  for (const SolverKind solver : kSphSolvers) cases.push_back({to_string(solver), driven_course(solver, 2, 12)});
  cases.push_back({"wcsph, 3-D", driven_course(SolverKind::Wcsph, 3, 6)});
  SimulationSetup dpd = dpd_case(DpdIntegrator::LeapFrog);
  dpd.solid_regions = {solid_ball(0.5f * (dpd.domain.min + dpd.domain.max), 0.8f)};
  dpd.solid_regions[0].drive = swaying({0.5f, 0, 0}, 2);
  cases.push_back({"dpd", dpd});
  for (const SolverCase& c : cases) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    run_steps(simulation, 30);
    const SimulationState state = simulation.save_state();
    const std::uint64_t then = hash_of(simulation), later = hash_after(simulation, 40);
    ASSERT_NE(then, later);
    simulation.restore_state(state);
    EXPECT_EQ(hash_of(simulation), then);
    EXPECT_EQ(hash_after(simulation, 40), later) << "in the same simulation";
    Simulation made(c.setup, device(), state);
    EXPECT_EQ(hash_after(made, 40), later) << "in one made from it";
    Simulation measured(c.setup, device(), state);
    for (int k = 0; k < 4; ++k) {
      run_steps(measured, 10);
      measured.diagnostics();
    }
    EXPECT_EQ(hash_of(measured), later) << "measuring does not disturb it";
  }
}

TEST_P(DrivenSolids, EverySearchGivesTheSameMotion) {
  for (const SolverKind solver : kSphSolvers) {
    SCOPED_TRACE(to_string(solver));
    std::vector<Vec4> reference;
    for (const NeighborMethodInfo& method : neighbor_methods()) {
      SimulationSetup setup = driven_course(solver, 2, 8);
      setup.neighbors.method = method.method;
      Simulation simulation(setup, device());
      run_until(simulation, 0.05);
      const std::vector<Vec4> x = by_id<Vec4>(simulation, "position");
      if (reference.empty()) reference = x;
      ASSERT_EQ(x.size(), reference.size());
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_LT(length2(xyz(x[i]) - xyz(reference[i])), 1e-4 * setup.spacing * setup.spacing) << method.name;
    }
  }
}

// The same ball through the same fluid, once across the periodic face.
TEST_P(DrivenSolids, GoThroughAPeriodicFaceAsIfItWereNotThere) {
  for (const SolverKind solver : kSphSolvers) {
    SCOPED_TRACE(to_string(solver));
    std::vector<SolidLoad> loads;
    for (const float start : {0.3f, 0.8f}) {
      SimulationSetup setup = with_solver(periodic_setup(2, 40), solver);
      setup.gravity = {};
      setup.bodies[0].velocity = {};
      setup.bodies[0].flow = {};
      setup.bodies[0].jitter = 0;  // the fluid before both balls is the same
      const float length = setup.domain.extent().x;
      SolidRegion ball = solid_ball({start * length, 0.5f * length, 0}, 0.15f * length);
      ball.drive = at_velocity({2 * length, 0, 0});
      setup.solid_regions = {ball};
      Simulation simulation(setup, device());
      run_until(simulation, 0.1);
      EXPECT_LT(deepest_in_driven(simulation), 1e-3);
      EXPECT_EQ(simulation.latest().contained, 0u);
      loads.push_back(simulation.diagnostics().solids[1]);
    }
    EXPECT_LT(loads[0].impulse[0], 0) << "the fluid resists";
    EXPECT_NEAR(loads[1].impulse[0], loads[0].impulse[0], 2e-3 * std::fabs(loads[0].impulse[0]))
        << "the sites of the two balls are spread with other rounding";
  }
}

// Particles without forces that meet a mirror in motion.
TEST_P(DrivenSolids, DpdParticlesKeepTheirSpeedRelativeToAMovingMirror) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SimulationSetup setup = dpd_case(integrator);
    setup.dpd.repulsion.fill(0), setup.dpd.friction.fill(0), setup.dpd.noise.fill(0);
    for (Axis& axis : setup.domain.axis) axis = Axis::Open;
    setup.step.fixed = 0.01f;
    const Vec3 extent = setup.domain.extent();
    SolidRegion plate = solid_box({-2, -50, -50}, {-1, 50, 50});
    const Vec3 u{3, 0.5f, 0};
    plate.drive = at_velocity(u);
    setup.solid_regions = {plate};
    Simulation simulation(setup, device());
    run_steps(simulation, 2);
    const std::vector<Vec4> before = by_id<Vec4>(simulation, "velocity");
    run_until(simulation, double(1 + 2 * extent.x) / 3);
    const std::vector<Vec4> after = by_id<Vec4>(simulation, "velocity");
    int met = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Vec3 a = xyz(before[i]) - u, b = xyz(after[i]) - u;
      EXPECT_NEAR(length2(a), length2(b), 1e-5 * (1 + length2(a)));
      if (std::fabs(a.x - b.x) < 1e-5) continue;
      ++met;
      EXPECT_NEAR(a.x, -b.x, 1e-5);
    }
    EXPECT_GT(met, int(before.size()) / 2);
  }
}

// Fluid that is squeezed with no way out: the run must go on, whatever becomes of the fluid.
TEST_P(DrivenSolids, APistonOnTrappedFluidDoesNotStopTime) {
  SimulationSetup setup = with_solver(column_setup(2, 8), SolverKind::Pbf);
  setup.bodies[0].max = setup.domain.max;
  SolidRegion piston = solid_box({-0.05f, -0.1f, 0}, {0, 0.5f, 0});
  piston.drive = at_velocity({0.5f, 0, 0});
  setup.solid_regions = {piston};
  Simulation simulation(setup, device());
  simulation.set_time_limit(0.3);
  int steps = 0;
  while (simulation.finish().time < 0.3 && steps < 4000) run_steps(simulation, 20), steps += 20;
  EXPECT_EQ(simulation.finish().time, 0.3);
  EXPECT_LE(simulation.latest().max_speed, 1.01f * simulation.signal_speed());
  EXPECT_GT(simulation.diagnostics().pbf->cut_corrections, 0u) << "it is counted";
}

/// Between a cylinder that turns and one at rest the velocity is A r + B / r.
TEST_P(DrivenSolids, ACylinderThatTurnsDragsTheFluidAlong) {
  const float inner = 0.05f, outer = 0.1f, rate = 1;
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  setup.gravity = {};
  setup.spacing = 1.0f / 300;
  setup.domain.min = {-0.12f, -0.12f, 0};
  setup.domain.max = {0.12f, 0.12f, 0};
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  setup.fluids[0].viscosity = 2e-3f;
  setup.wcsph.artificial_viscosity = 0;
  SolidRegion axle = solid_ball({0, 0, 0}, inner);
  axle.drive = turning({0, 0, 0}, rate);
  SolidRegion shell = solid_box({-0.12f, -0.12f, 0}, {0.12f, 0.12f, 0});
  shell.without.push_back(plain(solid_ball({0, 0, 0}, outer)));
  setup.solid_regions = {axle, shell};
  setup.bodies[0].min = {-outer, -outer, 0};
  setup.bodies[0].max = {outer, outer, 0};
  Simulation simulation(setup, device());
  run_until(simulation, 0.6);  // a time of diffusion is (outer - inner)^2 / (pi^2 nu) = 0.13 s
  const double a = -rate * inner * inner / (outer * outer - inner * inner), b = -a * outer * outer;
  const std::vector<Vec4> x = by_id<Vec4>(simulation, "position"), v = by_id<Vec4>(simulation, "velocity");
  double error2 = 0, exact2 = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = std::hypot(x[i].x, x[i].y), exact = a * r + b / r;
    const double around = (double{x[i].x} * v[i].y - double{x[i].y} * v[i].x) / r;
    error2 += (around - exact) * (around - exact);
    exact2 += exact * exact;
  }
  EXPECT_LT(std::sqrt(error2 / exact2), 0.02) << "0.012";
  EXPECT_EQ(simulation.latest().contained, 0u);
  EXPECT_LT(simulation.diagnostics().solids[1].angular_impulse[2], 0) << "the fluid resists";
}

/// A drum of radius 0.05 m that turns at 1/s, full of fluid that turns with it.
SimulationSetup drum(SimulationSetup setup) {
  const float radius = 0.05f, rate = 1;
  setup.gravity = {};
  setup.spacing = radius / 10;
  setup.domain.min = {-0.07f, -0.07f, 0};
  setup.domain.max = {0.07f, 0.07f, 0};
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  setup.fluids[0].viscosity = 2e-3f;
  setup.wcsph.artificial_viscosity = 0;
  SolidRegion shell = solid_box({-0.07f, -0.07f, 0}, {0.07f, 0.07f, 0});
  shell.without.push_back(plain(solid_ball({0, 0, 0}, radius)));
  shell.drive = turning({0, 0, 0}, rate);
  setup.solid_regions = {shell};
  BodySetup& fluid = setup.bodies[0];
  fluid.min = {-radius, -radius, 0};
  fluid.max = {radius, radius, 0};
  fluid.flow.flow = Flow::Rotation;
  fluid.flow.center = {0, 0, 0};
  fluid.flow.rate = rate;
  return setup;
}

// Nothing shears it. The explicit forces do not keep angular momentum. The drum is full: without sim/start/room.h particles of dfsph
// would find no place and boil. A time of diffusion is radius^2 / (5.8 nu) = 0.22 s.
TEST_P(DrivenSolids, FluidThatTurnsWithADrumGoesOnTurning) {
  const SimulationSetup wcsph = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  SimulationSetup dfsph = with_solver(column_setup(2, 10), SolverKind::Dfsph), implicit = dfsph;
  dfsph.wcsph.viscosity = ViscosityScheme::Explicit;
  implicit.wcsph.viscosity = ViscosityScheme::Implicit;
  for (const auto& [name, solver] : {std::pair{"continuity", wcsph}, std::pair{"summation", by_summation(wcsph)},
                                     std::pair{"dfsph", dfsph}, std::pair{"implicit", implicit}}) {
    Simulation simulation(drum(solver), device());
    run_until(simulation, 0.5);
    const std::vector<Vec4> x = by_id<Vec4>(simulation, "position"), v = by_id<Vec4>(simulation, "velocity");
    double around = 0, square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      around += double{x[i].x} * v[i].y - double{x[i].y} * v[i].x;
      square += double{x[i].x} * x[i].x + double{x[i].y} * x[i].y;
    }
    EXPECT_NEAR(around / square, 1, 0.012) << name << ": 0.997, 0.998, 0.994, 0.997";
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DrivenSolids);

}  // namespace
}  // namespace riffle::test
