/// Where driven solids are at a time, against the formulas of the scene format.

#include "sim/motion/drive_place.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/sim/walls/driven_setups.h"

namespace riffle::test {
namespace {

constexpr double kPi = std::numbers::pi;

struct At {
  double x, y, z;
};
At moved(const SolidDrive& drive, double time, Vec3 x) {
  const DrivenPlace place = place_of(drive, time);
  return {place.at(0, x.x, x.y, x.z), place.at(1, x.x, x.y, x.z), place.at(2, x.x, x.y, x.z)};
}

TEST(DrivePlace, OfConstantVelocityIsThatTimesTheTime) {
  const SolidDrive drive = at_velocity({2, -1, 0.5f});
  const At at = moved(drive, 1.5, {1, 1, 1});
  EXPECT_NEAR(at.x, 4, 1e-12);
  EXPECT_NEAR(at.y, -0.5, 1e-12);
  EXPECT_NEAR(at.z, 1.75, 1e-12);
  EXPECT_EQ(place_of(drive, 1.5).velocity[0], 2);
}

TEST(DrivePlace, SwaysAroundAMiddleAndBeginsAtItsPlace) {
  const SolidDrive drive = swaying({0.1f, 0, 0}, 2, 90);
  EXPECT_NEAR(moved(drive, 0, {3, 0, 0}).x, 3, 1e-12);
  const double a = double{0.1f};
  for (const double t : {0.3, 0.5, 1.0, 1.7})
    EXPECT_NEAR(moved(drive, t, {3, 0, 0}).x, 3 + a * (std::sin(kPi * t + kPi / 2) - 1), 1e-12) << t;
  EXPECT_NEAR(place_of(drive, 0.25).velocity[0], a * kPi * std::cos(0.75 * kPi), 1e-12);
}

TEST(DrivePlace, TurnsCounterclockwiseAboutItsAxis) {
  const SolidDrive drive = turning({1, 2, 0}, float(kPi));
  const At at = moved(drive, 0.5, {2, 2, 7});
  EXPECT_NEAR(at.x, 1, 1e-6);
  EXPECT_NEAR(at.y, 3, 1e-6);
  EXPECT_NEAR(at.z, 7, 1e-12);
  SolidDrive turns = turning({1, 2, 0}, 0, {0, 0, 3});
  turns.turns = 0.25f;
  EXPECT_NEAR(moved(turns, 1, {2, 2, 7}).y, 3, 1e-12);
  const At about_x = moved(turning({0, 0, 0}, float(kPi), {1, 0, 0}), 0.5, {5, 1, 0});
  EXPECT_NEAR(about_x.z, 1, 1e-6);
  SolidDrive swing = turning({0, 0, 0}, 0);
  swing.swing_angle = 90;
  swing.swing = {4, 0};
  EXPECT_NEAR(moved(swing, 1, {1, 0, 0}).y, 1, 1e-12);
  EXPECT_NEAR(moved(swing, 3, {1, 0, 0}).y, -1, 1e-12);
}

// What turns about a point that moves goes with it.
TEST(DrivePlace, PartsAddUp) {
  SolidDrive drive = turning({1, 1, 0}, float(kPi));
  drive.velocity = {2, 0, 0};
  drive.sway_amplitude = {0, 0.5f, 0};
  drive.sway = {2, 0};
  const At at = moved(drive, 0.5, {2, 1, 0});
  EXPECT_NEAR(at.x, 1 + 2 * 0.5, 1e-6);
  EXPECT_NEAR(at.y, 2 + 0.5, 1e-6);
}

TEST(DrivePlace, StandsStillBeforeAndAfterAtThePlaceItHasReached) {
  SolidDrive drive = at_velocity({1, 0, 0});
  drive.from = 1;
  drive.until = 3;
  EXPECT_EQ(moved(drive, 0.5, {0, 0, 0}).x, 0);
  EXPECT_EQ(place_of(drive, 0.5).velocity[0], 0);
  EXPECT_NEAR(moved(drive, 2, {0, 0, 0}).x, 1, 1e-12);
  EXPECT_NEAR(moved(drive, 9, {0, 0, 0}).x, 2, 1e-12);
  EXPECT_EQ(place_of(drive, 2).velocity[0], 1);
  EXPECT_EQ(place_of(drive, 9).velocity[0], 0);
}

TEST(DrivePlace, ARampGrowsSmoothlyFromRest) {
  SolidDrive drive = at_velocity({1, 0, 0}, 2);
  EXPECT_EQ(place_of(drive, 0).velocity[0], 0);
  EXPECT_NEAR(place_of(drive, 1).velocity[0], 0.5, 1e-12);
  EXPECT_NEAR(place_of(drive, 1e-3).velocity[0], 0, 1e-6) << "smoothly";
  EXPECT_NEAR(place_of(drive, 2).velocity[0], 1, 1e-12);
  EXPECT_NEAR(moved(drive, 2, {0, 0, 0}).x, 1, 1e-12) << "half of the way without a ramp";
  EXPECT_NEAR(moved(drive, 5, {0, 0, 0}).x, 4, 1e-12);
}

TEST(DrivePlace, VelocitiesAreTheDerivativesOfPlaces) {
  SolidDrive drive = turning({0.3f, 0.2f, 0.1f}, 1.5f, {1, 2, -1});
  drive.velocity = {0.3f, -0.2f, 0.1f};
  drive.sway_amplitude = {0.1f, 0.2f, -0.3f};
  drive.sway = {0.7f, 40};
  drive.swing_angle = 25;
  drive.swing = {0.9f, -70};
  drive.ramp = 1;
  drive.from = 0.2f;
  const Vec3 point{1, -0.5f, 0.7f};
  for (const double t : {0.3, 0.8, 1.1, 1.5, 2.7}) {
    const double e = 1e-5;
    const At before = moved(drive, t - e, point), now = moved(drive, t, point), after = moved(drive, t + e, point);
    const DrivenPlace place = place_of(drive, t);
    const double r[3] = {now.x - place.center[0], now.y - place.center[1], now.z - place.center[2]};
    const double* w = place.angular_velocity;
    EXPECT_NEAR(place.velocity[0] + w[1] * r[2] - w[2] * r[1], (after.x - before.x) / (2 * e), 1e-7) << t;
    EXPECT_NEAR(place.velocity[1] + w[2] * r[0] - w[0] * r[2], (after.y - before.y) / (2 * e), 1e-7) << t;
    EXPECT_NEAR(place.velocity[2] + w[0] * r[1] - w[1] * r[0], (after.z - before.z) / (2 * e), 1e-7) << t;
  }
}

TEST(DrivePlace, NoPointIsFasterThanTheBound) {
  SimulationSetup setup = column_setup(3, 10);
  SolidRegion box = solid_box({0.1f, 0.1f, 0.02f}, {0.2f, 0.15f, 0.06f});
  box.drive = turning({0.15f, 0.1f, 0.05f}, 1, {0, 1, 1});
  box.drive.velocity = {0.3f, 0, 0};
  box.drive.sway_amplitude = {0, 0.02f, 0};
  box.drive.sway = {0.5f, 100};
  box.drive.swing_angle = 30;
  box.drive.swing = {0.8f, 20};
  for (const float ramp : {0.0f, 0.1f, 1.0f}) {
    box.drive.ramp = ramp;
    setup.solid_regions = {box};
    const double bound = fastest_point(setup, 0);
    double fastest = 0;
    for (int k = 0; k < 4000; ++k) {
      const double t = 1e-3 * k, e = 1e-5;
      for (const float x : {0.1f, 0.2f})
        for (const float z : {0.02f, 0.06f}) {
          const At a = moved(box.drive, t, {x, 0.15f, z}), b = moved(box.drive, t + e, {x, 0.15f, z});
          fastest = std::max(fastest, std::hypot(b.x - a.x, b.y - a.y, b.z - a.z) / e);
        }
    }
    EXPECT_LE(fastest, bound * 1.0001) << ramp;
    EXPECT_GE(fastest, 0.4 * bound) << ramp;
  }
}

}  // namespace
}  // namespace riffle::test
