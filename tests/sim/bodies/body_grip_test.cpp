/// A hand that holds a free body by a point.

#include "sim/bodies/body_grip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/simulation.h"
#include "support/devices.h"
#include "tests/sim/bodies/falling_bodies.h"

namespace riffle::test {
namespace {

SolidRegion free_brick(float density) {
  SolidRegion brick;
  brick.shape = Shape::Box;
  brick.min = {-0.1f, -0.05f, -0.04f};
  brick.max = {0.1f, 0.05f, 0.04f};
  return freed(brick, 0.4f, 0, density);
}

BodyState at_rest(const BodyMass& body) {
  BodyState state;
  for (int a = 0; a < 3; ++a) state.center[a] = body.center[a];
  return state;
}

void place_of_point(const BodyGrip& grip, const BodyMass& body, const BodyState& state, double (&place)[3]) {
  double rows[9];
  rigid_motion::rotation_of(state.turn, rows);
  for (int a = 0; a < 3; ++a) {
    place[a] = state.center[a];
    for (int b = 0; b < 3; ++b) place[a] += rows[3 * a + b] * (component(grip.at, b) - body.center[b]);
  }
}

// The point goes as that of a unit mass would on the same spring, whatever holds it back.
TEST(BodyGrip, ThePointMovesAlikeWhateverTheBodyWeighsAndWhereverItIsHeld) {
  for (const int dimension : {2, 3})
    for (const float density : {1.0f, 1000.0f, 20000.0f})
      for (const Vec3 at : {Vec3{}, Vec3{0.1f, 0.05f, dimension == 3 ? 0.04f : 0}}) {
        SCOPED_TRACE(std::to_string(dimension) + "-D, " + std::to_string(density));
        const SimulationSetup setup = contact_setup(dimension, 2, Axis::Open, 0.02f, {free_brick(density)});
        const BodyMass body = body_masses(setup)[0];
        const BodyGrip grip{0, at, at + Vec3{1e-3f, 0, 0}, 20, 1};
        BodyState state = at_rest(body);
        double x = -1e-3, v = 0;  // of the unit mass, from the hand
        constexpr double dt = 1e-3;
        for (int k = 0; k < 100; ++k) {
          double impulse[3] = {}, angular[3] = {};
          rigid_motion::add_grip(grip, body, state, setup.domain, dt, impulse, angular);
          state = rigid_motion::moved(body, state, impulse, angular, dt);
          v = (v - dt * 400 * x) / ((1 + 20 * dt) * (1 + 20 * dt));
          x += dt * v;
        }
        double place[3];
        place_of_point(grip, body, state, place);
        EXPECT_NEAR(place[0] - grip.target.x, x, 3e-5);
        EXPECT_LT(x, -1e-4) << "it is on its way";
      }
}

// Gravity, long steps, a hand that jumps about: the energy stays bounded.
TEST(BodyGrip, ItStaysSlowInLongSteps) {
  for (const double dt : {1e-4, 1e-2, 0.1})
    for (const float density : {10.0f, 8000.0f}) {
      SCOPED_TRACE(std::to_string(dt) + " " + std::to_string(density));
      const SimulationSetup setup = contact_setup(3, 2, Axis::Open, 0.02f, {free_brick(density)});
      const BodyMass body = body_masses(setup)[0];
      BodyGrip grip{0, {0.1f, 0.05f, 0.04f}, {}, 15, 0.3f};
      BodyState state = at_rest(body);
      for (int k = 0; k < 2000; ++k) {
        grip.target = {k / 100 % 2 ? 1.0f : -1.0f, 0, 0.3f};
        double impulse[3] = {0, -9.81 * dt * body.mass, 0}, angular[3] = {};
        rigid_motion::add_grip(grip, body, state, setup.domain, dt, impulse, angular);
        state = rigid_motion::moved(body, state, impulse, angular, dt);
        ASSERT_LT(std::hypot(state.velocity[0], state.velocity[1], state.velocity[2]), 15) << k;
      }
    }
}

// A body that was dragged fast is thrown: 15 / 2 times 0.3 m/s.
TEST(BodyGrip, NoFasterThanItsReachAllows) {
  const SimulationSetup setup = contact_setup(3, 50, Axis::Open, 0.02f, {free_brick(500)});
  const BodyMass body = body_masses(setup)[0];
  const BodyGrip grip{0, {}, {40, 0, 0}, 15, 0.3f};
  BodyState state = at_rest(body);
  for (int k = 0; k < 2000; ++k) {
    double impulse[3] = {}, angular[3] = {};
    rigid_motion::add_grip(grip, body, state, setup.domain, 1e-3, impulse, angular);
    state = rigid_motion::moved(body, state, impulse, angular, 1e-3);
  }
  EXPECT_NEAR(state.velocity[0], 15 * 0.3 / 2, 0.02);
}

TEST(BodyGrip, ThroughAPeriodicFaceByTheShorterWay) {
  const SimulationSetup setup = contact_setup(3, 1, Axis::Periodic, 0.02f, {free_brick(500)});
  const BodyMass body = body_masses(setup)[0];
  BodyState state = at_rest(body);
  state.center[0] = 0.9;
  double impulse[3] = {}, angular[3] = {};
  rigid_motion::add_grip({0, {}, {-0.9f, 0, 0}, 15, 0.5f}, body, state, setup.domain, 1e-3, impulse, angular);
  EXPECT_GT(impulse[0], 0);
}

/// On the floor, below the bodies.
void add_water(SimulationSetup& setup) {
  setup.fluids = {FluidSetup{}};
  BodySetup water;
  water.shape = Shape::Box;
  water.min = {-0.5f, -0.5f, 0};
  water.max = {0.5f, -0.2f, 0};
  setup.bodies = {water};
}

class BodyGripOnEachDevice : public OnEachDevice {};

TEST_P(BodyGripOnEachDevice, ABodyIsPulledToTheHandAndFliesOnWhenLetGo) {
  for (const float density : {100.0f, 3000.0f}) {
    SCOPED_TRACE(density);
    SimulationSetup setup = contact_setup(2, 0.5f, Axis::Walled, 0.05f, {free_brick(density)});
    add_water(setup);
    Simulation simulation(setup, device());
    const BodyGrip grip = usual_grip(setup, 0, {}, {0.2f, 0.2f, 0});
    simulation.set_grip(grip);
    while (simulation.latest().time < 6 / grip.rate) simulation.step();
    const BodyState held = simulation.bodies()[0];
    EXPECT_NEAR(held.center[0], 0.2, 0.02);
    EXPECT_NEAR(held.center[1], 0.2, 0.02 + 9.81 / (grip.rate * grip.rate)) << "it hangs on a spring";
    BodyGrip thrown = grip;
    thrown.target = {0.2f, 0.45f, 0};
    simulation.set_grip(thrown);
    while (simulation.bodies()[0].velocity[1] < 0.2) simulation.step();
    simulation.set_grip(std::nullopt);
    const BodyState let_go = simulation.bodies()[0];
    const double from = simulation.finish().time;
    for (int k = 0; k < 3; ++k) simulation.step();
    const double passed = simulation.finish().time - from;
    EXPECT_NEAR(simulation.bodies()[0].velocity[1], let_go.velocity[1] - 9.81 * passed, 0.02);
  }
}

TEST_P(BodyGripOnEachDevice, WhatIsNotFreeCannotBeHeld) {
  SolidRegion still = free_brick(500);
  still.free.given = false;
  SimulationSetup setup = contact_setup(2, 0.5f, Axis::Walled, 0.05f, {free_brick(500), still});
  setup.solid_regions[1].min.y += 0.2f, setup.solid_regions[1].max.y += 0.2f;
  add_water(setup);
  Simulation simulation(setup, device());
  for (const int solid : {-1, 1, 2})
    EXPECT_THROW(simulation.set_grip(usual_grip(setup, solid, {}, {})), InputError) << solid;
  EXPECT_THROW(simulation.set_grip(BodyGrip{0, {}, {NAN, 0, 0}, 10, 1}), InputError);
  EXPECT_THROW(simulation.set_grip(BodyGrip{0, {}, {}, 0, 1}), InputError);
  EXPECT_NO_THROW(simulation.set_grip(usual_grip(setup, 0, {}, {})));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(BodyGripOnEachDevice);

}  // namespace
}  // namespace riffle::test
