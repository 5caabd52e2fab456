/// Contact of bodies that pushes move, with the kicks at the start and at the end of each interval.

#include "sim/bodies/body_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <numbers>

#include "sim/bodies/contact/contact_world.h"
#include "tests/sim/bodies/falling_bodies.h"
#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

constexpr double kG = double{9.81f};

struct When {
  KickTime kicks;
  int dimension;
};

class BodyContact : public testing::TestWithParam<When> {
 protected:
  KickTime kicks() const { return GetParam().kicks; }
  int dimension() const { return GetParam().dimension; }
  float depth() const { return dimension() == 3 ? 1.0f : 0.0f; }
  SolidRegion cube(Vec3 middle, float half) const {
    const Vec3 reach{half, half, half * depth()};
    return solid_box(middle - reach, middle + reach);
  }
};

std::string name_of(const testing::TestParamInfo<When>& info) {
  return std::string(info.param.kicks == KickTime::AtStart ? "at_start_in_" : "at_end_in_") +
         std::to_string(info.param.dimension);
}
INSTANTIATE_TEST_SUITE_P(Kicks, BodyContact,
                         testing::Values(When{KickTime::AtStart, 2}, When{KickTime::AtEnd, 2},
                                         When{KickTime::AtStart, 3}, When{KickTime::AtEnd, 3}),
                         name_of);

TEST_P(BodyContact, FirstBounceRisesBySquareOfTheRestitution) {
  for (const float e : {0.0f, 0.5f, 0.9f, 1.0f})
    for (const float height : {0.5f, 0.23f}) {
      SimulationSetup setup = contact_setup(dimension(), 1, Axis::Walled, 0.02f,
                                            {freed(solid_ball({0, -1 + 0.1f + height, 0}, 0.1f), 0.4f, e)});
      FallingBodies falling(setup, kicks());
      const double h = falling.bodies[0].center[1] + 1 - double{0.1f};
      while (falling.bodies[0].velocity[1] < 2e-2 && falling.time < 0.5) falling.step();
      double top = 0;
      for (int k = 0; k < 700; ++k) {
        falling.step();
        top = std::max(top, falling.bodies[0].center[1] + 1 - double{0.1f});
        if (falling.bodies[0].velocity[1] < -0.1) break;
      }
      EXPECT_NEAR(top, double{e} * e * h, 0.002 * h) << e << ' ' << height;
      if (e == 1) std::cout << "e = 1: the first bounce rises to " << top / h << " of the height\n";
    }
}

TEST_P(BodyContact, BouncesWithoutLossGoOnForEver) {
  const SimulationSetup setup =
      contact_setup(dimension(), 1, Axis::Walled, 0.02f, {freed(solid_ball({0, -0.5f, 0}, 0.1f), 0.4f, 1)});
  FallingBodies falling(setup, kicks());
  double top = 0;
  falling.run(18);  // about 30 bounces
  while (falling.time < 20) {
    falling.step();
    top = std::max(top, falling.bodies[0].center[1] + 1 - double{0.1f});
  }
  std::cout << "e = 1: after 18 s bounces rise to " << top / 0.4 << " of the height\n";
  EXPECT_NEAR(top, 0.4, 0.4 * 0.02);
}

TEST_P(BodyContact, ABodyAtRestGetsTheKickThatKeepsItThere) {
  for (const bool box : {true, false}) {
    SolidRegion solid = box ? cube({0, -0.9f, 0}, 0.1f) : solid_ball({0, -0.9f, 0}, 0.1f);
    const SimulationSetup setup = contact_setup(dimension(), 1, Axis::Walled, 0.02f, {freed(solid)});
    FallingBodies falling(setup, kicks());
    falling.run(0.5);
    EXPECT_EQ(falling.step(), 1);
    EXPECT_NEAR(falling.kicks[0].velocity[1], kG * falling.dt, 1e-9);
    EXPECT_NEAR(falling.bodies[0].center[1], -0.9, 0.002 * setup.spacing);  // neither hovers nor sinks
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(falling.kicks[0].spin[a], 0, 1e-9);
  }
}

TEST_P(BodyContact, ABoxInFreeFlightGetsNoKicks) {
  const SimulationSetup setup = contact_setup(dimension(), 1, Axis::Walled, 0.02f,
                                              {freed(cube({0, 0.5f, 0}, 0.1f)), solid_ball({0, -1, 0}, 0.2f)});
  FallingBodies falling(setup, kicks());
  for (int k = 0; k < 100; ++k) {
    EXPECT_EQ(falling.step(), 0);
    for (int a = 0; a < 3; ++a) {
      EXPECT_EQ(falling.kicks[0].velocity[a], 0);
      EXPECT_EQ(falling.kicks[0].spin[a], 0);
      EXPECT_EQ(falling.kicks[0].way[a], 0);
      EXPECT_EQ(falling.kicks[0].turn[a], 0);
    }
  }
}

/// Gravity is turned in place of the plane; or the plane is a ramp.
struct Slide {
  double way, speed, aside;
};
Slide slide(int dimension, KickTime kicks, float friction, double angle, bool diagonal) {
  const float depth = dimension == 3 ? 1.0f : 0.0f;
  SimulationSetup setup =
      contact_setup(dimension, 5, Axis::Open, 0.02f,
                    {touched(solid_box({-5, -1, -5 * depth}, {5, 0, 5 * depth}), friction),
                     freed(solid_box({-0.1f, 0, -0.1f * depth}, {0.1f, 0.1f, 0.1f * depth}), friction)});
  const double s = 9.81 * std::sin(angle), c = 9.81 * std::cos(angle), h = diagonal ? std::sqrt(0.5) : 1;
  setup.gravity = {static_cast<float>(h * s), static_cast<float>(-c), diagonal ? static_cast<float>(h * s) : 0};
  FallingBodies falling(setup, kicks);
  falling.run(1);
  const BodyState& body = falling.bodies[1];
  const double x = body.center[0], z = body.center[2];
  EXPECT_NEAR(body.center[1], double{0.1f} / 2, 0.001);
  return {h * x + (diagonal ? h * z : 0), h * body.velocity[0] + (diagonal ? h * body.velocity[2] : 0),
          diagonal ? x - z : z};
}

TEST_P(BodyContact, ABoxOnAnInclineSticksOrSlidesAsCoulombSays) {
  const double angle = 20 * std::numbers::pi / 180;
  for (const bool diagonal : {false, true}) {
    if (diagonal && dimension() == 2) continue;
    const Slide stuck = slide(dimension(), kicks(), 0.38f, angle, diagonal);  // tan 20 degrees is 0.364
    EXPECT_NEAR(stuck.way, 0, 1e-5);
    const Slide sliding = slide(dimension(), kicks(), 0.2f, angle, diagonal);
    const double a = 9.81 * (std::sin(angle) - 0.2 * std::cos(angle));
    EXPECT_NEAR(sliding.speed, a * 1, 0.02 * a);
    EXPECT_NEAR(sliding.way, 0.5 * a, 0.01 * a);
    EXPECT_NEAR(sliding.aside, 0, 1e-4);
    EXPECT_NEAR(slide(dimension(), kicks(), 0, angle, diagonal).speed, 9.81 * std::sin(angle), 0.05);
  }
}

TEST_P(BodyContact, AStackOfFiveStands) {
  std::vector<SolidRegion> boxes;
  for (int k = 0; k < 5; ++k) boxes.push_back(freed(cube({0, -1 + 0.1f + 0.2f * float(k), 0}, 0.1f)));
  const SimulationSetup setup = contact_setup(dimension(), 1, Axis::Walled, 0.02f, boxes);
  FallingBodies falling(setup, kicks());
  const std::vector<BodyState> start = falling.bodies;
  falling.run(2);
  EXPECT_EQ(falling.step(), 5);
  for (std::size_t s = 0; s < 5; ++s) {
    for (int a = 0; a < 3; ++a)
      EXPECT_NEAR(falling.bodies[s].center[a], start[s].center[a], 0.05 * setup.spacing) << s << ' ' << a;
    EXPECT_NEAR(falling.bodies[s].turn[0], 1, 1e-8) << s;
    EXPECT_LT(falling.bodies[s].velocity[1], 1.1 * kG * falling.dt) << s;
  }
}

TEST_P(BodyContact, TwoBallsCollideWithExactMomentumAndLossOfEnergy) {
  for (const float e : {0.0f, 0.5f, 1.0f}) {
    SolidRegion left = freed(solid_ball({-0.3f, 0, 0}, 0.1f), 0.4f, e),
                right = freed(solid_ball({0.25f, 0, 0}, 0.15f), 0.4f, 0);
    left.free.velocity = {2, 0, 0};
    right.free.velocity = {-1, 0, 0};
    SimulationSetup setup = contact_setup(dimension(), 2, Axis::Open, 0.02f, {left, right});
    setup.gravity = {};
    FallingBodies falling(setup, kicks());
    const double m = falling.masses[0].mass, n = falling.masses[1].mass;
    const auto momentum = [&] { return m * falling.bodies[0].velocity[0] + n * falling.bodies[1].velocity[0]; };
    const auto energy = [&] {
      return 0.5 * (m * std::pow(falling.bodies[0].velocity[0], 2) + n * std::pow(falling.bodies[1].velocity[0], 2));
    };
    const double p = momentum(), k = energy();
    falling.run(0.5);
    EXPECT_NEAR(momentum(), p, 1e-9 * (2 * m + n)) << e;
    const double lost = 0.5 * m * n / (m + n) * 9 * (1 - double{e} * e);
    EXPECT_NEAR(energy(), k - lost, 1e-9 * k) << e;
    EXPECT_NEAR(falling.bodies[1].velocity[0] - falling.bodies[0].velocity[0], 3 * e, 1e-9);
    EXPECT_NEAR(falling.bodies[0].velocity[1], 0, 1e-12);
  }
}

TEST_P(BodyContact, ABodyPushedAgainstAFaceStaysOutOfIt) {
  SimulationSetup setup =
      contact_setup(dimension(), 1, Axis::Walled, 0.02f,
                    {freed(solid_ball({0.5f, 0.3f, 0}, 0.1f), 0.4f, 0.5f), freed(cube({0, 0, 0}, 0.1f))});
  setup.gravity = {100, 0, 0};
  FallingBodies falling(setup, kicks());
  falling.bodies[1].spin[2] = 20;
  while (falling.time < 1) {
    falling.step();
    EXPECT_LT(falling.bodies[0].center[0] + double{0.1f}, 1 + 0.1 * setup.spacing);
    const double turn = 2 * std::atan2(falling.bodies[1].turn[3], falling.bodies[1].turn[0]);
    const double reach = double{0.1f} * (std::fabs(std::cos(turn)) + std::fabs(std::sin(turn)));
    EXPECT_LT(falling.bodies[1].center[0] + reach, 1 + 0.1 * setup.spacing);
  }
}

TEST_P(BodyContact, ThereIsNoneAtOpenFaces) {
  const SimulationSetup setup = contact_setup(dimension(), 1, Axis::Open, 0.02f, {freed(cube({0, -0.8f, 0}, 0.1f))});
  FallingBodies falling(setup, kicks());
  falling.run(0.5);
  EXPECT_NEAR(falling.bodies[0].center[1], -0.8 - 0.5 * kG * 0.5 * 0.5, 0.01);
}

TEST_P(BodyContact, ReachesAcrossPeriodicFaces) {
  // Two bodies beside the two faces, and a still solid beside one, which a third body meets from the other.
  SolidRegion left = freed(solid_ball({-0.85f, 0.5f, 0}, 0.1f), 0, 1),
              right = freed(solid_ball({0.7f, 0.5f, 0}, 0.1f), 0, 1);
  right.free.velocity = {1, 0, 0};
  SolidRegion third = freed(solid_ball({-0.5f, -0.5f, 0}, 0.1f), 0, 1);
  third.free.velocity = {-1, 0, 0};
  SimulationSetup setup = contact_setup(dimension(), 1, Axis::Periodic, 0.02f,
                                        {left, right, third, touched(cube({0.9f, -0.5f, 0}, 0.08f), 0)});
  setup.gravity = {};
  FallingBodies falling(setup, kicks());
  falling.run(0.6);
  EXPECT_NEAR(falling.bodies[0].velocity[0], 1, 1e-9);
  EXPECT_NEAR(falling.bodies[1].velocity[0], 0, 1e-9);
  EXPECT_NEAR(falling.bodies[2].velocity[0], 1, 1e-9);
  // The same with bodies whose places are some periods away.
  FallingBodies far(setup, kicks());
  far.bodies[0].center[0] += 4, far.bodies[1].center[1] -= 6;
  far.run(0.6);
  EXPECT_NEAR(far.bodies[0].velocity[0], 1, 1e-9);
  EXPECT_NEAR(far.bodies[0].center[0] - 4, falling.bodies[0].center[0], 1e-9);
}

TEST_P(BodyContact, AFloorThroughPeriodicFacesHasNoSeam) {
  SolidRegion floor = touched(solid_box({-1, -0.5f, -depth()}, {1, 0, depth()}), 0);
  SolidRegion slider = freed(solid_box({0.7f, 0, -0.1f * depth()}, {0.9f, 0.2f, 0.1f * depth()}), 0);
  slider.free.velocity = {2, 0, 0};
  SimulationSetup setup = contact_setup(dimension(), 1, Axis::Periodic, 0.02f, {floor, slider});
  setup.domain.axis[1] = Axis::Open;
  FallingBodies falling(setup, kicks());
  falling.run(2);  // twice round
  EXPECT_NEAR(falling.bodies[1].velocity[0], 2, 1e-6);
  EXPECT_NEAR(falling.bodies[1].center[1], 0.1, 1e-4);
}

TEST_P(BodyContact, ADrivenPlatePushesABody) {
  SolidRegion plate = touched(solid_box({-0.5f, -0.2f, -0.2f * depth()}, {-0.45f, 0.2f, 0.2f * depth()}), 0);
  plate.drive = at_velocity({0.5f, 0, 0});
  SimulationSetup setup = contact_setup(dimension(), 2, Axis::Open, 0.02f, {plate, freed(cube({0, 0, 0}, 0.1f), 0)});
  setup.gravity = {};
  FallingBodies falling(setup, kicks());
  falling.run(0.6);
  EXPECT_EQ(falling.bodies[1].velocity[0], 0);
  falling.run(2);
  EXPECT_NEAR(falling.bodies[1].velocity[0], 0.5, 1e-6);
  EXPECT_NEAR(falling.bodies[1].center[0], -0.45 + 0.5 * 2 + 0.1, 0.05 * setup.spacing);
  EXPECT_EQ(falling.kicks[0].velocity[0], 0);
}

TEST_P(BodyContact, ABeltCarriesABodyByFriction) {
  SimulationSetup setup =
      contact_setup(dimension(), 4, Axis::Open, 0.02f,
                    {touched(solid_box({-3, -0.2f, -depth()}, {3, 0, depth()}), 0.4f),
                     freed(solid_box({-0.1f, 0, -0.1f * depth()}, {0.1f, 0.1f, 0.1f * depth()}), 0.4f)});
  setup.solid_regions[0].drive = at_velocity({1, 0, 0});
  FallingBodies falling(setup, kicks());
  falling.run(0.1);
  EXPECT_NEAR(falling.bodies[1].velocity[0], 0.4 * kG * 0.1, 0.02 * 0.4 * kG * 0.1);
  falling.run(1);
  EXPECT_NEAR(falling.bodies[1].velocity[0], 1, 1e-6);
}

TEST_P(BodyContact, AFaceThatMovesAlongItselfCarriesABody) {
  SimulationSetup setup =
      contact_setup(dimension(), 1, Axis::Walled, 0.02f, {freed(cube({-0.5f, -0.9f, 0}, 0.1f), 0.4f)});
  setup.wcsph.wall_velocity[1][0] = {0.5f, 0, 0};
  FallingBodies falling(setup, kicks());
  falling.run(0.1);
  EXPECT_NEAR(falling.bodies[0].velocity[0], 0.4 * kG * 0.1, 0.02 * 0.4 * kG * 0.1);
  falling.run(0.6);
  EXPECT_NEAR(falling.bodies[0].velocity[0], 0.5, 1e-6);
}

TEST_P(BodyContact, NothingFastPassesThroughAThinPlate) {
  SolidRegion plate = solid_box({0, -1, -depth()}, {0.01f, 1, depth()});
  for (const float speed : {1.0f, 20.0f, 400.0f}) {
    SolidRegion box = freed(cube({-1.35f, 0.03f, 0}, 0.02f), 0);
    SolidRegion ball = freed(solid_ball({-1.45f, 0.3f, 0}, 0.02f), 0);
    box.free.velocity = ball.free.velocity = {speed, 0, 0};
    SimulationSetup setup = contact_setup(dimension(), 2, Axis::Open, 0.01f, {plate, box, ball});
    setup.gravity = {};
    FallingBodies falling(setup, kicks());
    falling.run(2);
    EXPECT_NEAR(falling.bodies[1].center[0], -0.02, 0.1 * setup.spacing) << speed;
    EXPECT_NEAR(falling.bodies[2].center[0], -0.02, 0.1 * setup.spacing) << speed;
  }
}

TEST_P(BodyContact, BodiesThatBeginInEachOtherAreTakenApartWithoutSpeed) {
  SimulationSetup setup = contact_setup(dimension(), 2, Axis::Open, 0.02f,
                                        {freed(cube({0, 0, 0}, 0.1f)), freed(cube({0.19f, 0, 0}, 0.1f))});
  setup.gravity = {};
  FallingBodies falling(setup, kicks());
  falling.run(0.1);
  EXPECT_NEAR(falling.bodies[1].center[0] - falling.bodies[0].center[0], 0.2, 0.001 * setup.spacing);
  EXPECT_EQ(falling.bodies[0].velocity[0], 0);
}

TEST_P(BodyContact, ABallRollsDownAnInclineAsItsInertiaSays) {
  SimulationSetup setup = contact_setup(dimension(), 5, Axis::Open, 0.02f,
                                        {touched(solid_box({-5, -1, -5 * depth()}, {5, 0, 5 * depth()}), 0.8f),
                                         freed(solid_ball({0, 0.1f, 0}, 0.1f), 0.8f)});
  const double angle = 20 * std::numbers::pi / 180;
  setup.gravity = {static_cast<float>(9.81 * std::sin(angle)), static_cast<float>(-9.81 * std::cos(angle)), 0};
  FallingBodies falling(setup, kicks());
  falling.run(0.5);
  const double a = 9.81 * std::sin(angle) / (1 + (dimension() == 3 ? 0.4 : 0.5));
  // Between two intervals a body at rest has the speed against the push that comes.
  const double speed =
      falling.bodies[1].velocity[0] + (kicks() == KickTime::AtEnd ? falling.dt * double{setup.gravity.x} : 0);
  EXPECT_NEAR(speed, a * 0.5, 0.01 * a);
  EXPECT_NEAR(falling.bodies[1].spin[2], -speed / 0.1, 1e-4 * a);
}

TEST_P(BodyContact, SizesFromMillimetresToTensOfMetresDoNotMatter) {
  for (const float scale : {1e-3f, 10.0f}) {
    SolidRegion box = solid_box({-0.5f * scale, 0.01f * scale, -0.5f * scale * depth()},
                                {0.5f * scale, 1.01f * scale, 0.5f * scale * depth()});
    SimulationSetup setup = contact_setup(
        dimension(), 3 * scale, Axis::Walled, 0.1f * scale,
        {solid_box({-2 * scale, -scale, -2 * scale * depth()}, {2 * scale, 0, 2 * scale * depth()}), freed(box)});
    FallingBodies falling(setup, kicks(), 1e-3 * std::sqrt(scale));
    falling.run(2 * std::sqrt(scale));
    EXPECT_NEAR(falling.bodies[1].center[1], 0.5 * double{scale}, 0.005 * setup.spacing) << scale;
    EXPECT_NEAR(falling.bodies[1].turn[0], 1, 1e-9) << scale;
  }
}

/// Boxes, and balls, that fall onto each other in a walled box.
SimulationSetup heap(int dimension, int count, int across, bool balls = true) {
  std::vector<SolidRegion> solids;
  for (int k = 0; k < count; ++k) {
    const int layer = dimension == 3 ? across * across : across;
    const float z = dimension == 3 ? float(k / across % across) : 0, y = float(k / layer);
    const Vec3 at{-1 + (float(k % across) + 0.5f + 0.2f * float(std::sin(k))) * 2 / float(across), -0.9f + 0.25f * y,
                  dimension == 3 ? -1 + (z + 0.5f) * 2 / float(across) : 0};
    const float half = 0.6f / float(across);
    const Vec3 reach{half, half, dimension == 3 ? half : 0};
    solids.push_back(freed(k % 3 == 0 && balls ? solid_ball(at, half) : solid_box(at - reach, at + reach), 0.4f, 0.2f));
  }
  SimulationSetup setup = contact_setup(dimension, 1, Axis::Walled, 0.02f, solids);
  setup.domain.max.y = 20;
  return setup;
}

TEST_P(BodyContact, GivesTheSameBitsInAnyOrderOfCalls) {
  const SimulationSetup setup = heap(dimension(), 12, 3);
  FallingBodies falling(setup, kicks());
  std::vector<std::vector<BodyState>> states;
  std::vector<std::vector<BodyKick>> kicked;
  std::vector<ContactMemory> memories;
  for (int k = 0; k < 300; ++k) {
    states.push_back(falling.bodies);
    memories.push_back(falling.memory);
    falling.step();
    kicked.push_back(falling.kicks);
  }
  // A second instance is asked for the same states, the last ones first.
  BodyContacts other(setup, falling.masses, kicks());
  std::vector<BodyKick> again(12);
  int differences = 0, kicks_seen = 0;
  for (int k = 299; k >= 0; k -= 7) {
    const auto i = static_cast<std::size_t>(k);
    ContactMemory memory = memories[i];
    other.solve(states[i], falling.pushes, k * 1e-3, 1e-3, memory, again);
    EXPECT_EQ(memory, k < 299 ? memories[i + 1] : falling.memory);
    for (std::size_t s = 0; s < 12; ++s) {
      differences += std::memcmp(&again[s], &kicked[i][s], sizeof(BodyKick)) != 0;
      kicks_seen += again[s].velocity[1] != 0;
    }
  }
  EXPECT_EQ(differences, 0);
  EXPECT_GT(kicks_seen, 100);
}

TEST_P(BodyContact, AHeapComesToRestInItsBox) {
  const SimulationSetup setup = heap(dimension(), 12, 3, false);
  FallingBodies falling(setup, kicks());
  falling.run(2);
  for (std::size_t s = 0; s < 12; ++s) {
    for (int a = 0; a < dimension(); ++a) {
      EXPECT_LT(std::fabs(falling.bodies[s].velocity[a]), 0.05) << s;
      EXPECT_GT(falling.bodies[s].center[a], -1 + 0.19) << s;
    }
    if (dimension() == 2) {
      EXPECT_EQ(falling.bodies[s].center[2], 0);
    }
  }
}

/// Cubes of 0.2 m, n along each axis, that stand on each other and side by side without a gap.
SimulationSetup pile(int n) {
  std::vector<SolidRegion> boxes;
  const Vec3 half{0.1f, 0.1f, 0.1f};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 at{-0.9f + 0.2f * float(i), -0.9f + 0.2f * float(j), -0.9f + 0.2f * float(k)};
        boxes.push_back(freed(solid_box(at - half, at + half)));
      }
  SimulationSetup setup = contact_setup(3, 1, Axis::Walled, 0.02f, boxes);
  setup.domain.max.y = 20;
  return setup;
}

// What lies still is pressed as it was before: nothing is left to find out.
TEST(BodyContactMemory, APileBeginsWithTheImpulsesOfBefore) {
  const SimulationSetup setup = pile(3);
  FallingBodies falling(setup, KickTime::AtEnd);
  falling.run(0.2);
  ASSERT_GT(falling.memory.size(), 100u);
  bodies::ContactWorld world(setup, falling.masses, KickTime::AtEnd);
  const auto iterations = [&](ContactMemory memory) {
    world.solve(falling.bodies, falling.pushes, falling.time, falling.dt, memory, falling.kicks);
    return world.iterations;
  };
  const int cold = iterations({}), warm = iterations(falling.memory);
  EXPECT_GT(cold, 20);
  EXPECT_LE(warm, 5);
  // Places that are not those of before begin with nothing, and so do other bodies.
  ContactMemory elsewhere = falling.memory, others = falling.memory;
  for (KeptContact& contact : elsewhere) contact.at[1] += 0.75;
  for (KeptContact& contact : others) contact.body += 1000;
  EXPECT_EQ(iterations(elsewhere), cold);
  EXPECT_EQ(iterations(others), cold);
}

// So many contacts hang together that iterations end before the impulses are right. The memory makes up for it.
TEST(BodyContactMemory, KeepsAPileOfManyFromCreeping) {
  const SimulationSetup setup = pile(6);
  double moved[2] = {0, 0};
  for (const bool remembers : {false, true}) {
    FallingBodies falling(setup, KickTime::AtEnd);
    std::vector<BodyState> before;
    for (int k = 0; k < 160; ++k) {
      if (!remembers) falling.memory.clear();
      if (k == 120) before = falling.bodies;
      falling.step();
    }
    for (std::size_t s = 0; s < before.size(); ++s)
      for (int a = 0; a < 3; ++a)
        moved[remembers] = std::max(moved[remembers], std::fabs(falling.bodies[s].center[a] - before[s].center[a]));
  }
  EXPECT_GT(moved[false], 1e-4);
  EXPECT_LT(moved[true], 0.1 * moved[false]);
}

// After iterations to the end no contact is open that presses, none that touches goes on closing, and friction is in its cone.
TEST_P(BodyContact, ImpulsesAreThoseThatTheConditionsAskFor) {
  SimulationSetup setup = heap(dimension(), 6, 3);
  for (SolidRegion& solid : setup.solid_regions) solid.free.velocity = {0.8f, 0, 0.5f * depth()};
  FallingBodies falling(setup, kicks());
  bodies::ContactWorld world(setup, falling.masses, kicks());
  int pressed = 0, slid = 0, settled = 0;
  for (int k = 0; k < 500; ++k) {
    ContactMemory memory = falling.memory;
    world.solve(falling.bodies, falling.pushes, falling.time, falling.dt, memory, falling.kicks);
    if (world.iterations < 200) {
      ++settled;
      double fastest = 1e-3;
      for (const bodies::SolverBody& body : world.free_bodies)
        fastest = std::max({fastest, length(body.velocity), length(body.gain), length(body.spin)});
      for (const bodies::SolverContact& c : world.contacts) {
        bodies::D3 speed;
        for (const int side : {0, 1}) {
          const int b = side == 0 ? c.a : c.b;
          const bodies::D3 arm = side == 0 ? c.arm_a : c.arm_b;
          bodies::D3 at = c.surface;
          if (b >= 0) {
            const bodies::SolverBody& body = world.free_bodies[static_cast<std::size_t>(b)];
            const BodyKick& kick = falling.kicks[static_cast<std::size_t>(b)];  // all solids are free
            at = body.velocity + body.gain + bodies::d3(kick.velocity) +
                 cross(body.spin + body.spin_gain + bodies::d3(kick.spin), arm);
          }
          speed = side == 0 ? at : speed - at;
        }
        const double normal = dot(c.normal, speed), least = -std::max(c.gap, 0.0) / falling.dt;
        const bodies::D3 along = speed - normal * c.normal;
        EXPECT_GE(c.impulse, 0);
        EXPECT_GE(normal, least - 1e-5 * fastest);
        EXPECT_LE(length(c.side), c.friction * c.impulse * (1 + 1e-9));
        if (c.impulse > 0 && c.restitution == 0) {
          EXPECT_LE(normal, least + 1e-5 * fastest);
        }
        pressed += c.impulse > 0;
        if (length(along) < 1e-3 * fastest || c.impulse == 0) continue;
        // What slides is held back with all of the friction, against its way.
        ++slid;
        EXPECT_NEAR(length(c.side), c.friction * c.impulse, 1e-6 * c.impulse + 1e-12);
        EXPECT_LT(dot(c.side, along), 0);
      }
    }
    falling.step();
  }
  EXPECT_GT(settled, 300);
  EXPECT_GT(pressed, 300);
  EXPECT_GT(slid, 20);
}

// Heaps that are solved together in batches get the impulses that each gets alone.
TEST(BodyContactIslands, DoNotMatterToEachOther) {
  SimulationSetup both = heap(3, 12, 3);
  const SimulationSetup one = both;
  both.domain.max.x += 10;
  std::vector<SolidRegion> more = one.solid_regions;
  std::swap(more[0], more[11]);  // another order
  for (SolidRegion& solid : more)
    for (Vec3* place : {&solid.min, &solid.max, &solid.center}) place->x += 8;
  SimulationSetup other = one;
  other.solid_regions = more;
  other.domain = both.domain;
  both.solid_regions.insert(both.solid_regions.end(), more.begin(), more.end());
  FallingBodies together(both, KickTime::AtEnd);
  SimulationSetup wide = one;
  wide.domain = both.domain;
  bodies::ContactWorld world(both, together.masses, KickTime::AtEnd);
  FallingBodies first(wide, KickTime::AtEnd), second(other, KickTime::AtEnd);
  double largest = 0, differs = 0;
  for (int k = 0; k < 400; ++k) {
    // From the same state: rounding would lead heaps apart.
    std::copy_n(together.bodies.begin(), 12, first.bodies.begin());
    std::copy_n(together.bodies.begin() + 12, 12, second.bodies.begin());
    for (FallingBodies* alone : {&first, &second}) {
      const double shift = alone == &first ? 0 : 12;
      alone->memory.clear();
      for (KeptContact kept : together.memory) {
        if ((kept.body >= 12) != (shift > 0)) continue;
        kept.body -= shift;
        if (kept.other >= 0) kept.other -= shift;
        alone->memory.push_back(kept);
      }
      alone->step();
    }
    together.step();
    for (std::size_t b = 0; b < 24; ++b)
      for (int a = 0; a < 3; ++a) {
        const BodyKick& alone = b < 12 ? first.kicks[b] : second.kicks[b - 12];
        largest = std::max(largest, std::fabs(alone.velocity[a]));
        differs = std::max({differs, std::fabs(together.kicks[b].velocity[a] - alone.velocity[a]),
                            std::fabs(together.kicks[b].spin[a] - alone.spin[a]) * 0.1});
      }
  }
  EXPECT_GT(largest, 0.5);
  EXPECT_LT(differs, 1e-9 * largest);
}

TEST(BodyContactTimes, OfAThousandBoxesAreTold) {
  const SimulationSetup setup = heap(3, 1000, 10);
  FallingBodies falling(setup, KickTime::AtEnd);
  double slowest = 0;
  const auto begin = std::chrono::steady_clock::now();
  int pairs = 0;
  constexpr int kSteps = 60;
  falling.dt = 5e-3;
  for (int k = 0; k < kSteps; ++k) {
    const auto from = std::chrono::steady_clock::now();
    pairs = falling.step();
    slowest = std::max(slowest, std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count());
  }
  const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cout << "1,000 boxes and balls, " << pairs << " pairs at the end: " << 1e3 * all / kSteps
            << " ms per solve, slowest " << 1e3 * slowest << " ms\n";
  EXPECT_GT(pairs, 100);
}

}  // namespace
}  // namespace riffle::test
