/// The theory of wavemakers against its table, its limits and its own equations, and the motions that follow from it.

#include "sim/motion/wavemaker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/motion/drive_place.h"

namespace riffle::test {
namespace {

constexpr double kGravity = 9.81;

WavemakerSetup wave_of(WavemakerKind kind) {
  WavemakerSetup wave;
  wave.given = true;
  wave.kind = kind;
  wave.height = 0.05f;
  wave.period = 1.5f;
  wave.depth = 0.4f;
  wave.hinge = {0.2f, 0.1f, 0};
  return wave;
}

TEST(Wavemaker, WaveNumbersSolveTheDispersionRelation) {
  for (const double depth : {1e-3, 0.1, 1.0, 50.0, 4e3})
    for (const double period : {0.3, 1.0, 8.0, 600.0}) {
      const double k = wavemaker::wave_number(period, depth, kGravity), omega = 2 * std::numbers::pi / period;
      EXPECT_NEAR(kGravity * k * std::tanh(k * depth) / (omega * omega), 1, 1e-12) << depth << " " << period;
    }
}

TEST(Wavemaker, HeightOverStrokeIsThatOfDeanAndDalrymple) {
  const struct { double kd, piston, flap; } rows[] = {{0.5, 0.4993, 0.2547}, {1, 0.9818, 0.5281}, {2, 1.6816, 1.0412}};
  for (const auto& row : rows) {
    EXPECT_NEAR(wavemaker::height_over_stroke(WavemakerKind::Piston, row.kd), row.piston, 5e-5) << row.kd;
    EXPECT_NEAR(wavemaker::height_over_stroke(WavemakerKind::Flap, row.kd), row.flap, 5e-5) << row.kd;
  }
}

TEST(Wavemaker, HasTheLimitsOfShallowAndDeepWater) {
  for (const double kd : {1e-6, 1e-4, 9e-3, 1.1e-2}) {
    EXPECT_NEAR(wavemaker::height_over_stroke(WavemakerKind::Piston, kd) / kd, 1, 1e-4) << kd;
    EXPECT_NEAR(wavemaker::height_over_stroke(WavemakerKind::Flap, kd) / (kd / 2), 1, 1e-4) << kd;
  }
  for (const double kd : {50.0, 1e4}) {
    EXPECT_NEAR(wavemaker::height_over_stroke(WavemakerKind::Piston, kd), 2, 1e-12) << kd;
    EXPECT_NEAR(wavemaker::height_over_stroke(WavemakerKind::Flap, kd), 2 * (1 - 1 / kd), 1e-12) << kd;
  }
}

TEST(Wavemaker, BreakingIsThatOfMiche) {
  EXPECT_NEAR(wavemaker::breaking_steepness(20), 0.142, 1e-6);
  EXPECT_NEAR(wavemaker::breaking_steepness(0.1), 0.0142, 1e-4);
}

TEST(Wavemaker, APistonGoesByHalfTheStrokeToBothSides) {
  SolidDrive drive;
  drive.given = true;
  drive.wave = wave_of(WavemakerKind::Piston);
  drive.wave.direction = {0, 0, -2};
  wavemaker::apply(drive, kGravity);
  const double half = 0.5 * wavemaker::stroke(drive.wave, kGravity);
  const DrivenPlace first = place_of(drive, 0.375), last = place_of(drive, 1.125);
  EXPECT_NEAR(first.shift[2], -half, 1e-8) << "first the way the waves go";
  EXPECT_NEAR(last.shift[2], half, 1e-8);
  EXPECT_EQ(first.shift[0], 0);
  EXPECT_NEAR(place_of(drive, 1.5).shift[2], 0, 1e-8);
  EXPECT_FALSE(drive.rotates);
}

// At the level of the still water; the hinge stays where it is.
TEST(Wavemaker, AFlapSwingsByHalfTheStrokeToBothSides) {
  for (const Vec3 direction : {Vec3{1, 0, 0}, Vec3{-3, 0, 0}, Vec3{0, 0, 1}}) {
    SolidDrive drive;
    drive.given = true;
    drive.wave = wave_of(WavemakerKind::Flap);
    drive.wave.direction = direction;
    wavemaker::apply(drive, kGravity);
    const Vec3 hinge = drive.wave.hinge;
    const double half = 0.5 * wavemaker::stroke(drive.wave, kGravity), depth = drive.wave.depth;
    const double radius = std::hypot(half, depth), y = hinge.y + radius;
    const double unit = std::sqrt(double{length2(direction)});
    for (const double sign : {1.0, -1.0}) {
      const DrivenPlace place = place_of(drive, sign > 0 ? 0.375 : 1.125);
      EXPECT_NEAR(place.at(0, hinge.x, hinge.y, hinge.z), hinge.x, 1e-7);
      EXPECT_NEAR(place.at(1, hinge.x, hinge.y, hinge.z), hinge.y, 1e-7);
      EXPECT_NEAR(place.at(0, hinge.x, y, 0) - hinge.x, sign * half * direction.x / unit, 1e-6);
      EXPECT_NEAR(place.at(2, hinge.x, y, 0), sign * half * direction.z / unit, 1e-6);
      EXPECT_NEAR(place.at(1, hinge.x, y, 0), hinge.y + depth, 1e-6);
    }
  }
}

}  // namespace
}  // namespace riffle::test
