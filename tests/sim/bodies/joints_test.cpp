/// Joints of bodies that pushes move, with the kicks at the start and at the end of each interval.

#include "sim/bodies/joint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "sim/bodies/contact/contact_world.h"
#include "sim/bodies/joints/joint_memory.h"
#include "sim/bodies/rigid_motion.h"
#include "tests/sim/bodies/falling_bodies.h"

namespace riffle::test {
namespace {

constexpr double kFall = double{9.81f};
constexpr float kJointSpacing = 0.02f;

struct JointWhen {
  KickTime kicks;
  int dimension;
};

class Joints : public testing::TestWithParam<JointWhen> {
 protected:
  KickTime kicks() const { return GetParam().kicks; }
  int dimension() const { return GetParam().dimension; }
  SolidRegion cube(Vec3 middle, float half, const char* name) const {
    const Vec3 reach{half, half, dimension() == 3 ? half : 0.0f};
    SolidRegion solid = solid_box(middle - reach, middle + reach);
    solid.name = name;
    return solid;
  }
  SimulationSetup jointed(std::vector<SolidRegion> solids, std::vector<JointSetup> joints) const {
    SimulationSetup setup = contact_setup(dimension(), 2, Axis::Open, kJointSpacing, std::move(solids));
    setup.joints = std::move(joints);
    return setup;
  }
};

std::string joint_name(const testing::TestParamInfo<JointWhen>& info) {
  return std::string(info.param.kicks == KickTime::AtStart ? "at_start_in_" : "at_end_in_") +
         std::to_string(info.param.dimension);
}
INSTANTIATE_TEST_SUITE_P(Kicks, Joints,
                         testing::Values(JointWhen{KickTime::AtStart, 2}, JointWhen{KickTime::AtEnd, 2},
                                         JointWhen{KickTime::AtStart, 3}, JointWhen{KickTime::AtEnd, 3}),
                         joint_name);

JointSetup joint_of(JointKind kind, const char* solid, Vec3 at, const char* other = "") {
  JointSetup result;
  result.kind = kind;
  result.solid = solid;
  result.other = other;
  result.at = at;
  return result;
}

/// Where the body's point is now that was at `at` at the start.
bodies::D3 place_of_point(const FallingBodies& falling, std::size_t body, Vec3 at) {
  const DrivenPlace place = rigid_motion::place_of(falling.masses[body], falling.bodies[body]);
  return {place.at(0, at.x, at.y, at.z), place.at(1, at.x, at.y, at.z), place.at(2, at.x, at.y, at.z)};
}

double energy_of(const FallingBodies& falling, std::size_t body) {
  const BodyMass& mass = falling.masses[body];
  const BodyState& state = falling.bodies[body];
  double momentum[3], sum = mass.mass * kFall * state.center[1];
  rigid_motion::angular_momentum(mass, state, momentum);
  for (int a = 0; a < 3; ++a)
    sum += 0.5 * mass.mass * state.velocity[a] * state.velocity[a] + 0.5 * momentum[a] * state.spin[a];
  return sum;
}

TEST_P(Joints, APendulumHasItsPeriodAndKeepsItsEnergy) {
  // The bob hangs to the side by 0.1 rad.
  const float angle = 0.1f, arm = 0.5f;
  const Vec3 bob{arm * std::sin(angle), -arm * std::cos(angle), 0};
  FallingBodies falling(jointed({freed(cube(bob, 0.1f, "bob"))}, {joint_of(JointKind::Hinge, "bob", {})}), kicks());
  const BodyMass& mass = falling.masses[0];
  const double inertia = mass.inertia[8] + mass.mass * double{arm} * arm;
  const double period =
      2 * std::numbers::pi * std::sqrt(inertia / (mass.mass * kFall * double{arm})) * (1 + double{angle} * angle / 16);
  const double least = energy_of(falling, 0) - mass.mass * kFall * double{arm} * (1 - std::cos(double{angle}));
  const double started = energy_of(falling, 0) - least;
  std::vector<double> crossings;
  double before = falling.bodies[0].center[0], away = 0;
  while (crossings.size() < 9) {
    falling.step();
    ASSERT_LT(falling.time, 20);
    const double now = falling.bodies[0].center[0];
    if ((before < 0) != (now < 0)) crossings.push_back(falling.time - falling.dt * now / (now - before));
    before = now;
    away = std::max(away, bodies::length(place_of_point(falling, 0, {})));
  }
  EXPECT_NEAR((crossings[8] - crossings[0]) / 4, period, 0.002 * period);
  EXPECT_LT(away, 1e-3 * kJointSpacing);
  // The kicks of the end of an interval are those of the next one: speeds are the pushes' short of them.
  const double slack = kicks() == KickTime::AtEnd ? 0.05 : 0.01;
  double ended = 0;
  for (int k = 0; k < 20; ++k) falling.step(), ended = std::max(ended, energy_of(falling, 0) - least);
  EXPECT_NEAR(ended, started, slack * started);
}

TEST_P(Joints, AWideSwingLosesNothing) {
  const float arm = 0.5f;
  FallingBodies falling(jointed({freed(cube({arm, 0, 0}, 0.1f, "bob"))}, {joint_of(JointKind::Hinge, "bob", {})}),
                        kicks());
  double highest = -1;
  for (int k = 0; k < 6000; ++k) {
    falling.step();
    if (k > 4000) highest = std::max(highest, falling.bodies[0].center[1]);
  }
  EXPECT_NEAR(highest, 0, 0.005 * double{arm});  // of a way down of 0.5 m, after some five swings
}

// Nothing from outside acts: momentum and angular momentum stay.
TEST_P(Joints, BetweenTwoBodiesKeepMomentum) {
  for (const JointKind kind :
       {JointKind::Hinge, JointKind::Slider, JointKind::Ball, JointKind::Fixed, JointKind::Spring}) {
    SCOPED_TRACE(word_of(kind));
    SolidRegion first = freed(cube({-0.2f, 0, 0}, 0.1f, "first")),
                second = freed(cube({0.2f, 0.05f, 0}, 0.08f, "second"));
    first.free.velocity = {0.3f, 0.5f, 0};
    second.free.velocity = {-0.4f, -0.2f, 0};
    first.free.angular_velocity = {0, 0, 2};
    if (dimension() == 3) second.free.angular_velocity = {1, -0.5f, 0.3f}, second.free.velocity.z = 0.3f;
    JointSetup j = joint_of(kind, "first", {0, 0, 0}, "second");
    if (kind == JointKind::Slider) j.axis = {1, 0, 0};
    if (kind == JointKind::Spring) j.to = {0.15f, 0, 0}, j.stiffness = 50, j.damping = 0.5f;
    SimulationSetup setup = jointed({first, second}, {j});
    setup.gravity = {};
    FallingBodies falling(setup, kicks());
    const auto momenta = [&] {
      std::array<double, 6> sum{};
      for (std::size_t s = 0; s < 2; ++s) {
        const BodyState& state = falling.bodies[s];
        const double mass = falling.masses[s].mass;
        double angular[3];
        rigid_motion::angular_momentum(falling.masses[s], state, angular);
        const bodies::D3 about = bodies::cross(bodies::d3(state.center), mass * bodies::d3(state.velocity));
        for (int a = 0; a < 3; ++a) sum[a] += mass * state.velocity[a], sum[3 + a] += angular[a] + about[a];
      }
      return sum;
    };
    const std::array<double, 6> was = momenta();
    falling.run(1);
    const std::array<double, 6> is = momenta();
    double scale = 0;
    for (std::size_t s = 0; s < 2; ++s) scale += falling.masses[s].mass * 0.5;
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(is[k], was[k], (k < 3 ? 1e-9 : 2e-3) * scale) << k;
    // And the joint holds.
    const bodies::D3 apart =
        place_of_point(falling, 0, j.at) - place_of_point(falling, 1, kind == JointKind::Spring ? j.to : j.at);
    if (kind != JointKind::Spring && kind != JointKind::Slider) {
      EXPECT_LT(bodies::length(apart), 0.01 * kJointSpacing);
    }
    if (kind == JointKind::Fixed || kind == JointKind::Slider) {
      for (int q = 0; q < 4; ++q) EXPECT_NEAR(falling.bodies[0].turn[q], falling.bodies[1].turn[q], 1e-3) << q;
    }
    if (kind == JointKind::Slider) {
      double rows[9];
      rigid_motion::rotation_of(falling.bodies[1].turn, rows);
      const bodies::D3 axis{rows[0], rows[3], rows[6]};
      EXPECT_LT(bodies::length(apart - bodies::dot(apart, axis) * axis), 0.01 * kJointSpacing);
      EXPECT_GT(bodies::length(apart), 0.02);  // it has slid
    }
  }
}

TEST_P(Joints, ASliderGoesAlongItsAxisToItsEnds) {
  JointSetup j = joint_of(JointKind::Slider, "lift", {0, 0, 0});
  j.axis = {1, -1, 0};
  j.limited = true;
  j.low = -0.1f;
  j.high = 0.3f;
  FallingBodies falling(jointed({freed(cube({}, 0.1f, "lift"))}, {j}), kicks());
  falling.run(0.2);
  const double slides = 0.5 * (kFall / 2) * 0.04;  // along each axis
  EXPECT_NEAR(falling.bodies[0].center[0], slides, 0.02 * slides);
  EXPECT_NEAR(falling.bodies[0].center[1], -slides, 0.02 * slides);
  falling.run(2);
  EXPECT_NEAR(falling.bodies[0].center[0], 0.3 / std::sqrt(2.0), 1e-3 * double{kJointSpacing});
  EXPECT_NEAR(falling.bodies[0].center[1], -0.3 / std::sqrt(2.0), 1e-3 * double{kJointSpacing});
  EXPECT_NEAR(falling.bodies[0].turn[0], 1, 1e-9);
}

TEST_P(Joints, AGateStopsAtTheEndsOfItsRange) {
  // It stands upright on its hinge, leans over and falls to either side by half a radian at most.
  SolidRegion gate = cube({0.01f, 0.2f, 0}, 0.1f, "gate");
  JointSetup j = joint_of(JointKind::Hinge, "gate", {});
  j.limited = true;
  j.low = -0.5f;
  j.high = 0.25f;
  FallingBodies falling(jointed({freed(gate)}, {j}), kicks());
  falling.run(3);
  double sine = 2 * falling.bodies[0].turn[0] * falling.bodies[0].turn[3];
  EXPECT_NEAR(std::asin(sine), -0.5, 1e-4);
  falling.pushes[0].acceleration[0] = -20;  // and now to the other side
  falling.run(6);
  sine = 2 * falling.bodies[0].turn[0] * falling.bodies[0].turn[3];
  EXPECT_NEAR(std::asin(sine), 0.25, 1e-4);
}

TEST_P(Joints, AMotorHasItsForceAndItsSpeed) {
  for (const JointKind kind : {JointKind::Hinge, JointKind::Slider}) {
    SCOPED_TRACE(word_of(kind));
    JointSetup j = joint_of(kind, "rotor", {});
    if (kind == JointKind::Slider) j.axis = {1, 0, 0};
    SimulationSetup setup = jointed({freed(cube({}, 0.1f, "rotor"))}, {});
    const BodyMass mass = body_masses(setup)[0];
    const double inert = kind == JointKind::Hinge ? mass.inertia[8] : mass.mass;
    j.motor_speed = 3;
    j.motor_force = static_cast<float>(2 * inert);  // a second and a half to the speed
    setup.joints = {j};
    FallingBodies falling(setup, kicks());
    const auto speed = [&] {
      return kind == JointKind::Hinge ? falling.bodies[0].spin[2] : falling.bodies[0].velocity[0];
    };
    falling.run(1);
    EXPECT_NEAR(speed(), 2, 0.01);
    falling.run(1.7);
    EXPECT_NEAR(speed(), 3, 1e-6);
  }
}

TEST_P(Joints, ASpringHasItsFrequencyAndItsStretch) {
  JointSetup j = joint_of(JointKind::Spring, "weight", {});
  j.to = {0, 0.4f, 0};
  SimulationSetup setup = jointed({freed(cube({}, 0.1f, "weight"))}, {});
  const double mass = body_masses(setup)[0].mass;
  j.stiffness = static_cast<float>(100 * mass);  // 10 rad/s
  setup.joints = {j};
  FallingBodies falling(setup, kicks());
  std::vector<double> crossings;
  const double rest = -kFall / 100;
  double before = falling.bodies[0].center[1] - rest;
  while (crossings.size() < 5) {
    falling.step();
    ASSERT_LT(falling.time, 10);
    const double now = falling.bodies[0].center[1] - rest;
    if ((before < 0) != (now < 0)) crossings.push_back(falling.time);
    before = now;
  }
  EXPECT_NEAR((crossings[4] - crossings[0]) / 2, 2 * std::numbers::pi / 10, 0.01);
  setup.joints[0].damping = static_cast<float>(20 * mass);  // critical
  FallingBodies damped(setup, kicks());
  damped.run(2);
  EXPECT_NEAR(damped.bodies[0].center[1], rest, 1e-5);
  // However stiff: the force is that of the end of the interval.
  setup.joints[0].stiffness = static_cast<float>(1e9 * mass);
  setup.joints[0].damping = 0;
  FallingBodies stiff(setup, kicks());
  stiff.run(1);
  EXPECT_NEAR(stiff.bodies[0].center[1], 0, 1e-5);
}

TEST_P(Joints, AChainHangsAndBeginsWithItsImpulses) {
  std::vector<SolidRegion> links;
  std::vector<JointSetup> chain;
  static const char* const kNames[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  for (int k = 0; k < 8; ++k) {
    links.push_back(freed(cube({0, -0.1f - 0.2f * float(k), 0}, 0.08f, kNames[k])));
    chain.push_back(joint_of(JointKind::Ball, kNames[k], {0, -0.2f * float(k), 0}, k ? kNames[k - 1] : ""));
  }
  FallingBodies falling(jointed(links, chain), kicks());
  falling.run(1);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_LT(bodies::length(place_of_point(falling, k, chain[k].at) - bodies::d3(chain[k].at)), 1e-3 * kJointSpacing)
        << k;
  }
  const SimulationSetup setup = jointed(links, chain);
  bodies::ContactWorld world(setup, falling.masses, kicks());
  const auto iterations = [&](ContactMemory memory) {
    world.solve(falling.bodies, falling.pushes, falling.time, falling.dt, memory, falling.kicks);
    return world.iterations;
  };
  EXPECT_GT(iterations({}), 5);
  EXPECT_LE(iterations(falling.memory), 2);
}

// A weld carries a weight beside a wall; and what a joint joins may overlap.
// After an edit the lines of a joint begin with what they had, wherever the joint is in the list, and others with nothing.
TEST(JointMemory, FollowsItsJoints) {
  JointSetup hinge, spring, ball;
  hinge.solid = spring.solid = ball.solid = "a";
  hinge.motor_force = 2;
  spring.kind = JointKind::Spring;
  spring.stiffness = 3;
  ball.kind = JointKind::Ball;
  const auto kept = [](double body, double other, double force) {
    KeptContact contact;
    contact.body = body, contact.other = other, contact.force[0] = force;
    return contact;
  };
  const ContactMemory memory = {kept(-3, 0, 30), kept(-2, 0, 20), kept(-1, 0, 10), kept(-1, 1, 11), kept(0, -1, 5)};
  const std::vector<JointSetup> before = {hinge, spring, ball};
  EXPECT_EQ(memory_of_joints(memory, before, before), memory);
  EXPECT_EQ(memory_of_joints(memory, before, std::vector<JointSetup>{spring, ball}),
            (ContactMemory{kept(-2, 0, 30), kept(-1, 0, 20), kept(0, -1, 5)}));
  EXPECT_EQ(memory_of_joints(memory, before, std::vector<JointSetup>{}), ContactMemory{kept(0, -1, 5)});
  JointSetup stronger = hinge, moved = ball;
  stronger.motor_force = 9;
  moved.at.x = 1;
  EXPECT_EQ(memory_of_joints(memory, before, std::vector<JointSetup>{moved, stronger}),
            (ContactMemory{kept(-2, 0, 10), kept(-2, 1, 11), kept(0, -1, 5)}));
  // Of two that are alike each has its own.
  EXPECT_EQ(memory_of_joints({kept(-2, 0, 2), kept(-1, 0, 1)}, std::vector<JointSetup>{ball, ball},
                             std::vector<JointSetup>{ball, ball}),
            (ContactMemory{kept(-2, 0, 2), kept(-1, 0, 1)}));
}

TEST_P(Joints, AWeldCarriesABeamThatOverlapsItsWall) {
  SolidRegion wall = cube({-0.3f, 0, 0}, 0.1f, "wall");
  FallingBodies falling(jointed({freed(cube({-0.15f, 0, 0}, 0.1f, "beam")), wall},
                                {joint_of(JointKind::Fixed, "beam", {-0.2f, 0, 0}, "wall")}),
                        kicks());
  EXPECT_EQ(falling.step(), 0);  // no contact
  falling.run(1);
  EXPECT_NEAR(falling.bodies[0].center[0], -0.15, 1e-3 * double{kJointSpacing});
  EXPECT_NEAR(falling.bodies[0].center[1], 0, 1e-3 * double{kJointSpacing});
  EXPECT_NEAR(falling.bodies[0].turn[3], 0, 1e-4);
}

TEST_P(Joints, ReachAcrossPeriodicFaces) {
  SolidRegion near = cube({1.8f, 0, 0}, 0.1f, "near"), far = freed(cube({-1.8f, 0, 0}, 0.1f, "far"));
  SimulationSetup setup = contact_setup(dimension(), 2, Axis::Periodic, kJointSpacing, {far, near});
  setup.joints = {joint_of(JointKind::Fixed, "far", {-2, 0, 0}, "near")};
  setup.gravity = {};
  FallingBodies falling(setup, kicks());
  falling.pushes[0].acceleration[1] = -5;
  falling.run(0.5);
  EXPECT_NEAR(falling.bodies[0].center[0], -1.8, 1e-3);
  EXPECT_NEAR(falling.bodies[0].center[1], 0, 1e-3);
}

TEST_P(Joints, ASpringAcrossAPeriodicFaceIsAsLongAsItIs) {
  SimulationSetup setup =
      contact_setup(dimension(), 2, Axis::Periodic, kJointSpacing, {freed(cube({-1.8f, 0, 0}, 0.1f, "bob"))});
  JointSetup spring = joint_of(JointKind::Spring, "bob", {-1.8f, 0, 0});
  spring.to = {1.8f, 0, 0};
  spring.stiffness = 1000;
  setup.joints = {spring};
  setup.gravity = {};
  FallingBodies falling(setup, kicks());
  falling.run(0.5);
  EXPECT_NEAR(falling.bodies[0].center[0], -1.8, 1e-5);
}

TEST_P(Joints, AHingeStopsNearHalfATurn) {
  JointSetup j = joint_of(JointKind::Hinge, "rotor", {});
  j.limited = true;
  j.low = -1;
  j.high = 3.1415927f;
  SolidRegion rotor = freed(cube({}, 0.1f, "rotor"));
  rotor.free.angular_velocity = {0, 0, 20};
  SimulationSetup setup = jointed({rotor}, {j});
  setup.gravity = {};
  FallingBodies falling(setup, kicks());
  falling.run(0.5);
  EXPECT_NEAR(falling.bodies[0].turn[3] * falling.bodies[0].turn[3], 1, 1e-5);  // half a turn, and there it stays
  EXPECT_NEAR(falling.bodies[0].spin[2], 0, 1e-3);
}

TEST_P(Joints, OfNoFreeSolidAreRefused) {
  const SimulationSetup still = jointed({cube({}, 0.1f, "post")}, {joint_of(JointKind::Ball, "post", {})});
  EXPECT_THROW(bodies::ContactWorld(still, body_masses(still), kicks()), InputError);
  const SimulationSetup unknown =
      jointed({freed(cube({}, 0.1f, "bob"))}, {joint_of(JointKind::Ball, "bob", {}, "nobody")});
  EXPECT_THROW(bodies::ContactWorld(unknown, body_masses(unknown), kicks()), InputError);
}

}  // namespace
}  // namespace riffle::test
