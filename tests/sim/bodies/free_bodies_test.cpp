/// Solids that forces move, in simulations: momentum, free motion, floating, going on from a state.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "core/error.h"
#include "sim/bodies/free_bodies.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/bodies/rigid_motion.h"
#include "sim/simulation.h"
#include "support/devices.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

class FreeBodiesOnEachDevice : public OnEachDevice {};

SolidRegion free_box(Vec3 min, Vec3 max, float density) {
  SolidRegion solid;
  solid.name = "body";
  solid.shape = Shape::Box;
  solid.min = min;
  solid.max = max;
  solid.free.given = true;
  solid.free.density = density;
  return solid;
}

/// Water of 1 x 0.5 m, or a cube of that side in 3-D, in a box of walls; 20 particles per metre and spacing.
SimulationSetup tank(SolverKind solver, int dimension) {
  SimulationSetup setup;
  setup.solver = solver;
  setup.spacing = 0.025f;
  setup.domain.dimension = dimension;
  setup.domain.min = {0, 0, 0};
  setup.domain.max = {1, 1, dimension == 2 ? 0.0f : 0.4f};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.fluids = {FluidSetup{}};
  BodySetup water;
  water.shape = Shape::Box;
  water.max = {1, 0.5f, setup.domain.max.z};
  setup.bodies = {water};
  return setup;
}

/// A periodic box full of fluid at rest without gravity.
SimulationSetup ocean(SolverKind solver, int dimension) {
  SimulationSetup setup = tank(solver, dimension);
  const bool dpd = solver == SolverKind::Dpd;
  const float side = dpd ? 6.0f : 0.5f;
  setup.spacing = dpd ? 0.6933613f : 0.025f;  // 3 per r_c^3
  if (dpd && dimension == 2) setup.spacing = 0.57735f;
  setup.domain.max = {side, side, dimension == 2 ? 0 : side};
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  if (dimension == 2) setup.domain.axis[2] = Axis::Walled;
  setup.gravity = {};
  setup.bodies[0].max = setup.domain.max;
  if (dpd) setup.step.fixed = 0.01f;
  return setup;
}

struct Momentum {
  double linear[3] = {0, 0, 0};
  double scale = 0;  ///< sum of |m v|
};

/// Of fluid, bodies, and the impulses that are under way.
Momentum momentum_of(Simulation& simulation, double particle_mass) {
  Momentum sum;
  for (const Vec4& v : simulation.particles().get<Vec4>("velocity").to_host()) {
    const double parts[3] = {v.x, v.y, v.z};
    for (int a = 0; a < 3; ++a) sum.linear[a] += particle_mass * parts[a];
    sum.scale += particle_mass * std::sqrt(double{length2(xyz(v))});
  }
  const SimulationState state = simulation.save_state();
  const std::vector<BodyMass> masses = body_masses(simulation.setup());
  for (std::size_t r = 0; r < masses.size(); ++r)
    for (int a = 0; a < 3; ++a) {
      sum.linear[a] +=
          masses[r].mass * state.bodies.bodies[r].end.velocity[a] + state.bodies.left_impulses[6 * (r + 1) + a];
      sum.scale += masses[r].mass * std::fabs(state.bodies.bodies[r].end.velocity[a]);
    }
  return sum;
}

// A box that is thrown into fluid at rest gives its momentum to the fluid.
TEST_P(FreeBodiesOnEachDevice, MomentumOfFluidAndBodyStays) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf, SolverKind::Dpd})
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(std::string(to_string(solver)) + ", " + std::to_string(dimension) + "-D");
      SimulationSetup setup = ocean(solver, dimension);
      const Vec3 extent = setup.domain.extent();
      const float density = solver == SolverKind::Dpd ? 3.0f : 700.0f;
      SolidRegion body = free_box(0.35f * extent, 0.65f * extent, density);
      const float speed = solver == SolverKind::Dpd ? 1.0f : 0.3f;
      body.free.velocity = {speed, 0.3f * speed, dimension == 3 ? -0.2f * speed : 0.0f};
      body.free.angular_velocity = {0, 0, 2};
      setup.solid_regions = {body};
      Simulation simulation(setup, device());
      const double mass = solver == SolverKind::Dpd ? 1.0 : 1000 * setup.particle_volume();
      const Momentum start = momentum_of(simulation, mass);
      const BodyState before = simulation.bodies()[0];
      for (int k = 0; k < 200; ++k) simulation.step();
      const Momentum end = momentum_of(simulation, mass);
      for (int a = 0; a < dimension; ++a) EXPECT_NEAR(end.linear[a], start.linear[a], 1e-5 * end.scale) << "xyz"[a];
      const BodyState after = simulation.bodies()[0];
      EXPECT_LT(after.velocity[0], 0.98 * before.velocity[0]) << "the fluid takes no momentum";
      EXPECT_NE(after.center[0], before.center[0]);
    }
}

/// About the origin, of fluid, bodies and the impulses that are under way. Of z alone.
double angular_momentum_of(Simulation& simulation, double particle_mass, const std::vector<BodyMass>& masses) {
  const std::vector<Vec4> position = simulation.particles().get<Vec4>("position").to_host(),
                          velocity = simulation.particles().get<Vec4>("velocity").to_host();
  double sum = 0;
  for (std::size_t i = 0; i < position.size(); ++i)
    sum +=
        particle_mass * (double{position[i].x} * double{velocity[i].y} - double{position[i].y} * double{velocity[i].x});
  const KeptBodies kept = simulation.save_all_but_attributes().bodies;
  for (std::size_t r = 0; r < masses.size(); ++r) {
    const BodyState& body = kept.bodies[r].end;
    const double* const left = &kept.left_impulses[6 * (r + 1)];
    sum += body.center[0] * (masses[r].mass * body.velocity[1] + left[1]) -
           body.center[1] * (masses[r].mass * body.velocity[0] + left[0]);
    double own[3];
    rigid_motion::angular_momentum(masses[r], body, own);
    sum += own[2] + left[5];
  }
  return sum;
}

// A fast box goes through a drop in empty space. What it gets from the fluid acts where it is by then.
TEST_P(FreeBodiesOnEachDevice, AngularMomentumOfFluidAndBodyStays) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Dpd}) {
    SCOPED_TRACE(to_string(solver));
    const bool dpd = solver == SolverKind::Dpd;
    SimulationSetup setup = ocean(solver, 2);
    const float side = setup.domain.max.x, speed = dpd ? 20.0f : 1.0f;
    for (Axis& axis : setup.domain.axis) axis = Axis::Open;
    SolidRegion box = free_box({0.35f * side, 0.5f * side, 0}, {0.65f * side, 0.8f * side, 0}, dpd ? 9.0f : 3000.0f);
    box.free.velocity = {speed, -0.5f * speed, 0};
    box.free.angular_velocity = {0, 0, dpd ? 1.0f : 2.0f};
    setup.solid_regions = {box};
    Simulation simulation(setup, device());
    const std::vector<BodyMass> masses = body_masses(setup);
    const double mass = dpd ? 1.0 : 1000 * setup.particle_volume(), scale = masses[0].mass * side * speed;
    const double start = angular_momentum_of(simulation, mass, masses);
    for (int k = 0; k < (dpd ? 20 : 100); ++k) simulation.step();
    EXPECT_NEAR(angular_momentum_of(simulation, mass, masses), start, (dpd ? 2e-4 : 2e-6) * scale);
    EXPECT_LT(simulation.bodies()[0].velocity[0], 0.98 * speed) << "the fluid takes nothing";
  }
}

/// A body alone: the fluid is far away and at rest.
SimulationSetup in_air(int dimension, SolidRegion body, SolverKind solver = SolverKind::Wcsph) {
  SimulationSetup setup = tank(solver, dimension);
  setup.domain.max = {1.2f, 1.2f, dimension == 2 ? 0.0f : 1.2f};
  for (Axis& axis : setup.domain.axis) axis = Axis::Open;
  setup.bodies[0].max = {0.2f, 0.1f, dimension == 2 ? 0.0f : 0.2f};
  setup.solid_regions = {std::move(body)};
  return setup;
}

// Euler's top: without torque the angular momentum and the energy of a spinning box stay, while its axis wanders.
TEST_P(FreeBodiesOnEachDevice, AFreeTopKeepsItsAngularMomentumAndItsEnergy) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SolidRegion body = free_box({0.6f, 0.7f, 0.75f}, {1.0f, 0.9f, 0.85f}, 500);
    body.free.angular_velocity = {0.2f, 20, 0};  // about the middle axis, which is unstable
    SimulationSetup setup = in_air(3, body, solver);
    setup.gravity = {};
    setup.step.fixed = 1e-3f;
    Simulation simulation(setup, device());
    const BodyMass mass = body_masses(setup)[0];
    const auto energy = [&](const BodyState& state) {
      double momentum[3], sum = 0;
      rigid_motion::angular_momentum(mass, state, momentum);
      for (int a = 0; a < 3; ++a) sum += 0.5 * momentum[a] * state.spin[a];
      return sum;
    };
    const BodyState start = simulation.bodies()[0];
    double first[3], last[3], length = 0;
    rigid_motion::angular_momentum(mass, start, first);
    double flipped = 1;
    for (int k = 0; k < 1000; ++k) {
      simulation.step();
      if (k % 20 != 0) continue;
      double rows[9];
      rigid_motion::rotation_of(simulation.bodies()[0].turn, rows);
      flipped = std::min(flipped, rows[4]);
    }
    EXPECT_NEAR(simulation.finish().time, 1, 1e-6);
    const BodyState end = simulation.bodies()[0];
    rigid_motion::angular_momentum(mass, end, last);
    for (const double part : first) length += part * part;
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(last[a], first[a], 1e-9 * std::sqrt(length));
    EXPECT_NEAR(energy(end), energy(start), 1e-3 * energy(start));
    EXPECT_LT(flipped, -0.9) << "the middle axis is unstable: the box turns over";
  }
}

TEST_P(FreeBodiesOnEachDevice, FallAsGalileoSays) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = in_air(2, free_box({0.5f, 0.8f, 0}, {0.7f, 1.1f, 0}, 500), solver);
    setup.step.fixed = 1e-4f;
    Simulation simulation(setup, device());
    const BodyState start = simulation.bodies()[0];
    for (int k = 0; k < 2000; ++k) simulation.step();
    const double t = simulation.finish().time;
    const BodyState end = simulation.bodies()[0];
    EXPECT_NEAR(end.velocity[1], -9.81 * t, 1e-5);
    EXPECT_NEAR(start.center[1] - end.center[1], 0.5 * 9.81 * t * (t + 1e-4), 1e-5);
    EXPECT_EQ(end.spin[2], 0);
  }
}

// 30 kg/m that weigh 294.3 N/m: the force beside gravity leaves 60 and 15 N/m.
TEST_P(FreeBodiesOnEachDevice, AForceOfTheSceneActsBesideGravityOnTheCentreOfMass) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SolidRegion body = free_box({0.5f, 0.8f, 0}, {0.7f, 1.1f, 0}, 500);
    body.free.force = {60, 294.3f + 15, 0};
    SimulationSetup setup = in_air(2, body, solver);
    setup.step.fixed = 1e-4f;
    Simulation simulation(setup, device());
    for (int k = 0; k < 1000; ++k) simulation.step();
    const double t = simulation.finish().time;
    const BodyState end = simulation.bodies()[0];
    EXPECT_NEAR(end.velocity[0], 60.0 / 30 * t, 1e-5);
    EXPECT_NEAR(end.velocity[1], 15.0 / 30 * t, 1e-5);
    EXPECT_EQ(end.spin[2], 0);
  }
}

// Under a push that makes it fast a body still moves a quarter of a spacing at most between two contact steps, but for the first
// interval, in which the push is not known. No more contact steps are made than that takes: 19, and 35 where the speed after 2 ms
// would count.
TEST_P(FreeBodiesOnEachDevice, ContactStepsAreAsFarApartAsTheWayAllows) {
  SimulationSetup setup = in_air(2, free_box({0.5f, 0.8f, 0}, {0.7f, 0.9f, 0}, 500));
  setup.gravity = {0, -20000, 0};
  setup.step.fixed = 1e-5f;
  Simulation simulation(setup, device());
  for (int k = 0; k < 300; ++k) simulation.step();
  simulation.finish();
  const BodyReport report = simulation.save_state().bodies.report;
  EXPECT_LE(report.long_ways, 1u);
  EXPECT_GE(report.contact_steps, 15u);
  EXPECT_LE(report.contact_steps, 22u);
}

// A step is a contact step at the least. A body that is faster than the fluid shortens it, or it would go further than a quarter of
// a spacing in it: the fluid's own rule alone allows 0.4.
TEST_P(FreeBodiesOnEachDevice, AnAdaptiveStepIsAsShortAsTheWayOfABodyAsks) {
  for (const SolverKind solver : {SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = tank(solver, 2);
    SolidRegion body = free_box({0.1f, 0.8f, 0}, {0.2f, 0.9f, 0}, 500);
    body.free.velocity = {3, 0, 0};
    body.free.angular_velocity = {0, 0, 10};
    setup.solid_regions = {body};
    setup.gravity = {0, -1, 0};
    Simulation simulation(setup, device());
    for (int k = 0; k < 40; ++k) simulation.step();
    simulation.finish();
    const SimulationState state = simulation.save_state();
    EXPECT_EQ(state.bodies.report.long_ways, 0u);
    EXPECT_GE(state.bodies.report.contact_steps, 30u);
    const double fastest = 3 + 10 * 0.05 * std::sqrt(2.0), spacing = double{setup.spacing};
    EXPECT_LE(double{state.clock.dt} * fastest, 0.25 * spacing);
    EXPECT_GE(double{state.clock.dt} * fastest, 0.15 * spacing) << "or the step is shorter than it need be";
    EXPECT_LT(state.clock.max_speed, 1) << "which is of the fluid alone";
  }
}

// A light box comes to rest with the draught that Archimedes gives.
TEST_P(FreeBodiesOnEachDevice, ALightBoxFloats) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = tank(solver, 2);
    const float density = 200;
    setup.solid_regions = {free_box({0.3f, 0.475f, 0}, {0.7f, 0.675f, 0}, density)};
    Simulation simulation(setup, device());
    run_until(simulation, 1.5);
    simulation.set_time_limit(2.5);
    double mean = 0, fastest = 0;
    int count = 0;
    while (simulation.latest().time < 2.5) {
      simulation.step();
      if (++count % 10 != 0) continue;
      const BodyState body = simulation.bodies()[0];
      mean += body.center[1];
      fastest = std::max(fastest, std::fabs(body.velocity[1]));
    }
    mean /= count / 10;
    const double left_out = 0.4 * 0.025;  // of the water, where the box begins
    const double draught = 0.2 * density / 1000, level = 0.5 - left_out + 0.4 * draught;
    EXPECT_NEAR(mean - 0.1, level - draught, 0.5 * 0.025) << "half a spacing";
    EXPECT_LT(fastest, 0.2);
    EXPECT_LT(std::fabs(simulation.bodies()[0].turn[3]), 0.05) << "it floats flat";
    EXPECT_EQ(simulation.latest().contained, 0u);
  }
}

// A run that goes back to a state repeats, bodies and contact included.
TEST_P(FreeBodiesOnEachDevice, ARunFromAStateRepeats) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf, SolverKind::Dpd}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = solver == SolverKind::Dpd ? ocean(solver, 3) : tank(solver, 2);
    setup.deterministic = true;
    const Vec3 extent = setup.domain.extent();
    SolidRegion body = free_box(0.3f * extent, 0.6f * extent, solver == SolverKind::Dpd ? 4.0f : 600.0f);
    body.free.angular_velocity = {0, 0, 1};
    setup.solid_regions = {body};
    Simulation simulation(setup, device());
    for (int k = 0; k < 37; ++k) simulation.step();
    const SimulationState middle = simulation.save_state();
    for (int k = 0; k < 40; ++k) simulation.step();
    const SimulationState end = simulation.save_state();
    const std::uint64_t hash = simulation.diagnostics().state_hash;
    simulation.restore_state(middle);
    for (int k = 0; k < 40; ++k) simulation.step();
    EXPECT_EQ(simulation.diagnostics().state_hash, hash);
    EXPECT_EQ(simulation.save_state().bodies.bodies, end.bodies.bodies);
    Simulation other(setup, device(), middle);
    for (int k = 0; k < 40; ++k) other.step();
    EXPECT_EQ(other.save_state().bodies.bodies, end.bodies.bodies);
    EXPECT_EQ(other.diagnostics().state_hash, hash);
  }
}

// Steps shorter than an interval of contact must not pump it. (With so short ones the water of pbf splashes as high as the pendulum.)
TEST_P(FreeBodiesOnEachDevice, APendulumInAirDoesNotRise) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = tank(solver, 2);
    setup.spacing = 0.05f;
    setup.bodies[0].max = {1, 0.1f, 0};
    setup.step.fixed = 2e-4f;
    setup.solid_regions = {free_box({0.75f, 0.55f, 0}, {0.85f, 0.65f, 0}, 900)};
    JointSetup hinge;
    hinge.solid = "body";
    hinge.at = {0.5f, 0.6f, 0};
    setup.joints = {hinge};
    Simulation simulation(setup, device());
    double highest = 0, lowest = 1;
    while (simulation.finish().time < 1.5) {
      for (int k = 0; k < 50; ++k) simulation.step();
      const double y = simulation.save_state().bodies.bodies[0].end.center[1];
      lowest = std::min(lowest, y);
      if (simulation.finish().time > 0.4) highest = std::max(highest, y);
    }
    EXPECT_LT(lowest, 0.305);
    EXPECT_NEAR(highest, 0.6, 0.0015);  // of a way down of 0.3 m
  }
}

// A gate on a hinge in the way of a wave, and a box on the floor: the joint holds, and what contact and joint remember is in the
// state.
TEST_P(FreeBodiesOnEachDevice, AGateOnAHingeSwingsAndRepeatsFromAState) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Dfsph, SolverKind::Pbf}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = tank(solver, 2);
    setup.deterministic = true;
    setup.bodies[0].max = {0.35f, 0.5f, 0};
    SolidRegion gate = free_box({0.6f, 0.1f, 0}, {0.65f, 0.7f, 0}, 900),
                box = free_box({0.8f, 0, 0}, {0.95f, 0.15f, 0}, 1500);
    gate.name = "gate";
    box.name = "box";
    setup.solid_regions = {gate, box};
    JointSetup hinge;
    hinge.solid = "gate";
    hinge.at = {0.625f, 0.7f, 0};
    setup.joints = {hinge};
    Simulation simulation(setup, device());
    double widest = 0, away = 0;
    const std::vector<BodyMass> masses = body_masses(setup);
    while (simulation.finish().time < 0.5) {
      for (int k = 0; k < 20; ++k) simulation.step();
      const BodyState state = simulation.save_state().bodies.bodies[0].end;
      const DrivenPlace place = rigid_motion::place_of(masses[0], state);
      away = std::max(away, std::hypot(place.at(0, 0.625f, 0.7f, 0) - 0.625f, place.at(1, 0.625f, 0.7f, 0) - 0.7f));
      widest = std::max(widest, 2 * std::asin(state.turn[3]));
    }
    EXPECT_GT(widest, 0.3);
    EXPECT_LT(away, (solver == SolverKind::Pbf ? 0.05 : 0.02) * setup.spacing);
    const SimulationState middle = simulation.save_state();
    EXPECT_GE(middle.bodies.contacts.size(), 3u);  // two lines of the hinge, and the box's corners
    for (int k = 0; k < 40; ++k) simulation.step();
    const std::uint64_t hash = simulation.diagnostics().state_hash;
    const SimulationState end = simulation.save_state();
    Simulation other(setup, device(), middle);
    for (int k = 0; k < 40; ++k) other.step();
    EXPECT_EQ(other.diagnostics().state_hash, hash);
    EXPECT_EQ(other.save_state().bodies.bodies, end.bodies.bodies);
    EXPECT_EQ(other.save_state().bodies.contacts, end.bodies.contacts);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(FreeBodiesOnEachDevice);

}  // namespace
}  // namespace riffle::test
