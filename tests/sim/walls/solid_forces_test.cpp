/// Forces on solids: what the fluid loses, and what fluid at rest must give.

#include <algorithm>
#include <cmath>

#include "sim/measure/solid_measurement.h"
#include "support/devices.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

class SolidForcesOnEachDevice : public OnEachDevice {};

struct Totals {
  double impulse[3] = {0, 0, 0};
};

Totals total_of(const std::vector<SolidLoad>& loads) {
  Totals totals;
  for (const SolidLoad& load : loads)
    for (int k = 0; k < 3; ++k) totals.impulse[k] += load.impulse[k];
  return totals;
}

// All solids together, the domain's faces among them, get what the fluid loses beyond its weight.
TEST_P(SolidForcesOnEachDevice, AreTheMomentumThatTheFluidLoses) {
  for (const SolverKind solver : kSphSolvers)
    for (const int dimension : {2, 3})
      for (const int which : {0, 1, 2}) {
        const DensityScheme density = which == 1 ? DensityScheme::Summation : DensityScheme::Continuity;
        const bool two_fluids = which == 2;
        if (density == DensityScheme::Summation && solver != SolverKind::Wcsph) continue;
        if (two_fluids && dimension == 3) continue;  // nothing that 2-D does not have
        SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D" +
                     (two_fluids ? ", two fluids" : ""));
        SimulationSetup setup = obstacle_course(solver, dimension, dimension == 2 ? 16 : 8);
        setup.wcsph.density = density;
        setup.face_forces = true;
        setup.fluids[0].viscosity = 1e-3f;  // so that walls drag
        if (two_fluids) {
          setup.fluids.push_back({"light", 400, 2e-3f, {}});
          const float middle = 0.5f * (setup.bodies[0].min.x + setup.bodies[0].max.x);
          setup.bodies.push_back(setup.bodies[0]);
          setup.bodies[0].max.x = setup.bodies[1].min.x = middle;
          setup.bodies[1].fluid = 1;  // on the side of the solids
        }
        Simulation simulation(setup, device());
        const Diagnostics start = simulation.diagnostics();
        ASSERT_EQ(start.solids.size(), 5u);
        run_until(simulation, 0.25);
        const Diagnostics end = simulation.diagnostics();
        ASSERT_EQ(simulation.latest().contained, 0u) << "what is put back is not measured";
        EXPECT_NEAR(end.solids[1].time, 0.25, 1e-6);
        const Totals got = total_of(end.solids);
        const double scale = end.mass * 9.81 * 0.25;
        for (int k = 0; k < dimension; ++k) {
          const double weight = k == 1 ? -9.81 * end.mass * 0.25 : 0;
          EXPECT_NEAR(got.impulse[k], start.momentum[k] + weight - end.momentum[k], 1e-5 * scale) << "xyz"[k];
        }
        EXPECT_GT(std::fabs(end.solids[1].impulse[0]), 1e-3 * scale) << "the box was hit";
      }
}

// A drop hits a ball: pair forces and contact are central or act at the surface, so that the fluid's angular momentum
// goes to the ball.
TEST_P(SolidForcesOnEachDevice, TakeTheAngularMomentumThatTheFluidLoses) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup;
    setup.domain.dimension = dimension;
    setup.gravity = {};
    setup.spacing = 0.02f;
    setup.deterministic = true;
    setup.fluids.emplace_back().viscosity = 0;
    setup.wcsph.walls = WallSlip::FreeSlip;
    setup.wcsph.speed_of_sound = 30;
    BodySetup drop;
    drop.shape = Shape::Sphere;
    drop.center = {0.3f, 0.58f, 0.45f};
    drop.radius = 0.1f;
    drop.velocity = {2, 0, 0};
    setup.bodies = {drop};
    setup.solid_regions = {solid_ball({0.53f, 0.5f, dimension == 3 ? 0.5f : 0}, 0.1f)};
    Simulation simulation(setup, device());
    const Vec3 center = setup.solid_regions[0].center;
    const double mass = 1000 * setup.particle_volume();
    const auto angular = [&](int k) {
      const std::vector<Vec4> x = by_id<Vec4>(simulation, "position"), v = by_id<Vec4>(simulation, "velocity");
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 r = xyz(x[i]) - center;
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        sum += mass *
               (double{component(r, a)} * component(xyz(v[i]), b) - double{component(r, b)} * component(xyz(v[i]), a));
      }
      return sum;
    };
    const double before[3] = {angular(0), angular(1), angular(2)};
    run_until(simulation, 0.12);
    const SolidLoad load = simulation.diagnostics().solids[1];
    ASSERT_EQ(simulation.latest().contained, 0u);
    EXPECT_GT(load.impulse[0], 0);
    const double scale = std::fabs(before[2]);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(load.angular_impulse[k], before[k] - angular(k), 2e-3 * scale) << "xyz"[k];
  }
}

TEST_P(SolidForcesOnEachDevice, OfWaterAtRestAreThatOfArchimedes) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  setup.bodies[0].max = {0.4f, 0.25f, 1};
  setup.solid_regions = {solid_ball({0.1f, 0.12f, 0}, 0.05f), solid_box({0.25f, 0.07f, 0}, {0.35f, 0.17f, 1})};
  Simulation simulation(setup, device());
  run_until(simulation, 1);
  const std::vector<SolidLoad> before = simulation.diagnostics().solids;
  run_until(simulation, 2);
  const std::vector<SolidLoad> after = simulation.diagnostics().solids;
  const double volumes[] = {3.14159265 * 0.05 * 0.05, 0.1 * 0.1};
  for (int s = 1; s <= 2; ++s) {
    const double over = 1 / (after[std::size_t(s)].time - before[std::size_t(s)].time);
    const double force = over * (after[std::size_t(s)].impulse[1] - before[std::size_t(s)].impulse[1]);
    EXPECT_NEAR(force / (1000 * 9.81 * volumes[s - 1]), 1, 0.05) << s;
  }
}

// Water under a solid has no column of its own up to the surface; its pressure is that of the water beside it.
TEST_P(SolidForcesOnEachDevice, WaterAroundSolidsStartsAtRest) {
  SimulationSetup setup = with_solver(column_setup(2, 10), SolverKind::Wcsph);
  setup.bodies[0].max = {0.4f, 0.25f, 1};
  setup.solid_regions = {solid_ball({0.1f, 0.12f, 0}, 0.05f), solid_box({0.25f, 0.07f, 0}, {0.35f, 0.17f, 1})};
  Simulation simulation(setup, device());
  const std::vector<float> compression = by_id<float>(simulation, "compression");
  const std::vector<Vec4> position = by_id<Vec4>(simulation, "position");
  const float deepest = *std::max_element(compression.begin(), compression.end());
  for (std::size_t i = 0; i < position.size(); ++i)
    ASSERT_NEAR(compression[i], deepest * (0.25f - position[i].y) / 0.245f, 0.02 * deepest) << position[i].y;
  float fastest = 0;
  for (int k = 1; k <= 10; ++k) {
    run_until(simulation, 0.02 * k);
    fastest = std::max(fastest, simulation.latest().max_speed);
  }
  EXPECT_LT(fastest, 0.1 * std::sqrt(9.81 * 0.25)) << "particles beside the curved solid find their places";
}

TEST_P(SolidForcesOnEachDevice, AreTheSameToTheBitEachTime) {
  for (const SolverKind solver : kSphSolvers) {
    const SimulationSetup setup = obstacle_course(solver, 3, 6);
    std::vector<SolidLoad> loads[2];
    for (std::vector<SolidLoad>& result : loads) {
      Simulation simulation(setup, device());
      run_steps(simulation, 60);
      result = simulation.diagnostics().solids;
    }
    ASSERT_EQ(loads[0].size(), setup.solid_regions.size() + 1);
    ASSERT_EQ(loads[1].size(), loads[0].size());
    EXPECT_GT(std::fabs(loads[0][2].impulse[1]), 0) << "the fluid lies on the ball";
    for (std::size_t s = 0; s < loads[0].size(); ++s)
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(loads[0][s].impulse[k], loads[1][s].impulse[k]);
        EXPECT_EQ(loads[0][s].angular_impulse[k], loads[1][s].angular_impulse[k]);
      }
  }
}

TEST_P(SolidForcesOnEachDevice, BeginAgainWithAStateAndAreNoneWithoutSolids) {
  const SimulationSetup setup = obstacle_course(SolverKind::Wcsph, 2, 10);
  Simulation simulation(setup, device());
  run_steps(simulation, 20);
  const SimulationState state = simulation.save_state();
  EXPECT_GT(simulation.diagnostics().solids[0].time, 0);
  simulation.restore_state(state);
  EXPECT_EQ(simulation.diagnostics().solids[0].time, 0);
  EXPECT_TRUE(Simulation(column_setup(2, 10), device()).diagnostics().solids.empty());
  EXPECT_EQ(setup.solid_regions.size() + 1, simulation.diagnostics().solids.size());
}

// Its drag is not known pair by pair: a force without it would be wrong in silence.
TEST_P(SolidForcesOnEachDevice, AreNotMeasuredWithImplicitViscosity) {
  SimulationSetup setup = obstacle_course(SolverKind::Dfsph, 2, 8);
  setup.fluids[0].viscosity = 0.1f;
  setup.wcsph.viscosity = ViscosityScheme::Implicit;
  Simulation simulation(setup, device());
  run_steps(simulation, 3);
  EXPECT_TRUE(simulation.diagnostics().solids.empty());
  EXPECT_NE(why_no_solid_forces(setup).find("explicit` they are"), std::string::npos);
  setup.wcsph.viscosity = ViscosityScheme::Explicit;
  EXPECT_EQ(why_no_solid_forces(setup), "");
  EXPECT_EQ(Simulation(setup, device()).diagnostics().solids.size(), setup.solid_regions.size() + 1);
}

// What is summed from has its memory before the first step.
TEST_P(SolidForcesOnEachDevice, TakeNoMemoryInAStep) {
  for (const SolverKind solver : kSphSolvers) {
    Simulation simulation(obstacle_course(solver, 2, 8), device());
    const auto of_solver = [&] { return simulation.memory_bytes() - simulation.neighbor_search().memory_bytes(); };
    run_steps(simulation, 1);  // on a GPU the first one makes lists of pairs with walls
    simulation.finish();
    const std::size_t before = of_solver();
    run_steps(simulation, 3);
    simulation.finish();
    EXPECT_EQ(of_solver(), before) << to_string(solver);
  }
}

TEST_P(SolidForcesOnEachDevice, OfDpdAreTheMomentumThatTheFluidLoses) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog})
    for (const bool walled : {false, true}) {
      SimulationSetup setup = dpd_case(integrator);
      for (Axis& axis : setup.domain.axis) axis = walled ? Axis::Walled : Axis::Periodic;
      const Vec3 middle = 0.5f * (setup.domain.min + setup.domain.max), extent = setup.domain.extent();
      setup.face_forces = walled;
      setup.solid_regions = {solid_ball(middle, 0.2f * extent.x)};
      Simulation simulation(setup, device());
      run_steps(simulation, 2);  // the kick that the start leaves to the first step lies behind
      const auto velocities = [&] {
        Totals total;
        for (const Vec4& v : by_id<Vec4>(simulation, "velocity"))
          for (int k = 0; k < 3; ++k) total.impulse[k] += component(xyz(v), k);
        return total;
      };
      const Totals start = velocities(), before = total_of(simulation.diagnostics().solids);
      run_steps(simulation, 200);
      const Totals end = velocities(), after = total_of(simulation.diagnostics().solids);
      ASSERT_EQ(simulation.diagnostics().solids.size(), 2u);
      const double scale = simulation.particle_count();
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(after.impulse[k] - before.impulse[k], start.impulse[k] - end.impulse[k], 1e-5 * scale) << "xyz"[k];
      const SolidLoad ball = simulation.diagnostics().solids[1];
      EXPECT_GT(std::fabs(ball.impulse[0]) + std::fabs(ball.impulse[1]) + std::fabs(ball.impulse[2]), 1e-3 * scale)
          << "the fluid has hit the ball";
    }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SolidForcesOnEachDevice);

}  // namespace
}  // namespace riffle::test
