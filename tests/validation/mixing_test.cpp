#include "validation/mixing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/error.h"

namespace riffle::test {
namespace {

constexpr MixingBox kBox{-1, 3, 1, 2, 10, 1, 64};  // 4 high, 8 wide

struct Particles {
  std::vector<float> height, across;
  std::vector<std::uint32_t> fluid;

  MixingMeasures measured(const MixingBox& box = kBox) const { return measure_mixing(height, across, fluid, box); }
};

/// Particles at the cell centres of a fine lattice; the rule says which are heavy.
Particles lattice(const std::function<bool(double x, double z)>& heavy) {
  Particles p;
  for (int i = 0; i < 512; ++i)
    for (int j = 0; j < 256; ++j) {
      const double x = 2 + (i + 0.5) / 64, z = -1 + (j + 0.5) / 64;
      p.across.push_back(static_cast<float>(x));
      p.height.push_back(static_cast<float>(z));
      p.fluid.push_back(heavy(x, z) ? 1 : 0);
    }
  return p;
}

double phase(double x) { return 2 * M_PI * (x - 2) / 8; }

TEST(Mixing, AmplitudeOfAWave) {
  for (const double a : {0.1, 0.5, 0.9}) {
    const auto cosine = lattice([&](double x, double z) { return z > 1 + a * std::cos(phase(x)); }).measured();
    EXPECT_NEAR(cosine.a_cos, a, 2e-3);
    EXPECT_NEAR(cosine.a_sin, 0, 2e-3);
    const auto sine = lattice([&](double x, double z) { return z > 1 + a * std::sin(phase(x)); }).measured();
    EXPECT_NEAR(sine.a_cos, 0, 2e-3);
    EXPECT_NEAR(sine.a_sin, a, 2e-3);
    // cos x exceeds cos phi over the fraction phi / pi of a period, so the last slab with 5 % ends at a cos(pi / 20).
    EXPECT_NEAR(cosine.bubble, a * std::cos(0.05 * M_PI), 4.0 / 64);
    EXPECT_NEAR(cosine.spike, a * std::cos(0.05 * M_PI), 4.0 / 64);
  }
}

TEST(Mixing, AWaveOfAnotherLengthIsNotTheMode) {
  const auto m = lattice([](double x, double z) { return z > 1 + 0.5 * std::cos(2 * phase(x)); }).measured();
  EXPECT_NEAR(m.a_cos, 0, 2e-3);
  EXPECT_NEAR(m.a_sin, 0, 2e-3);
  EXPECT_GT(m.bubble, 0.4);
}

TEST(Mixing, AFlatInterfaceHasNeitherWidthNorAmplitude) {
  const auto m = lattice([](double, double z) { return z > 1; }).measured();
  EXPECT_NEAR(m.a_cos, 0, 1e-4);
  EXPECT_EQ(m.width, 0);
  EXPECT_NEAR(m.bubble, -2.0 / 64, 1e-6) << "the middle of the slab below the interface";
  EXPECT_NEAR(m.spike, -2.0 / 64, 1e-6);
  EXPECT_NEAR(m.centre_difference, 2, 1e-5);
}

TEST(Mixing, ALayerWhoseShareIsLinearIsAsWideAsItIs) {
  // The number of heavy columns, of 64, grows linearly with the height in the layer: 6 int f (1 - f) dz = its width.
  const double wide = 1.5;
  const auto m = lattice([&](double x, double z) {
                   const double share = (z - 1) / wide + 0.5;
                   return std::fmod((x - 2) * 64 * 0.6180339887, 1.0) < share;
                 }).measured();
  EXPECT_NEAR(m.width, wide, 0.01);
  EXPECT_NEAR(m.bubble, 0.45 * wide, 4.0 / 64) << "5 % light";
  EXPECT_NEAR(m.spike, 0.45 * wide, 4.0 / 64);
  EXPECT_NEAR(m.a_cos, 0, 0.01);
}

TEST(Mixing, OneStrayParticleIsNoBubble) {
  auto p = lattice([](double, double z) { return z > 1; });
  p.fluid.back() = 0;  // at the top
  const auto m = p.measured();
  EXPECT_LT(m.bubble, 0);
  EXPECT_GT(m.width, 0) << "that particle still counts as mixed";
}

TEST(Mixing, EmptySlabsCountForNothing) {
  auto p = lattice([](double, double z) { return z > 1; });
  MixingBox tall = kBox;
  tall.top = 7;  // nothing above 3
  tall.slabs = 128;
  EXPECT_NEAR(p.measured(tall).bubble, p.measured().bubble, 1e-6);
  EXPECT_NEAR(p.measured(tall).spike, p.measured().spike, 1e-6);
  EXPECT_EQ(p.measured(tall).width, 0);
}

TEST(Mixing, TurnedUpsideDownNothingIsWhereItWas) {
  const auto up = lattice([](double x, double z) { return z > 1 + 0.5 * std::cos(phase(x)); }).measured();
  MixingBox other = kBox;
  other.heavy = 0;
  const auto down = lattice([](double x, double z) { return z > 1 + 0.5 * std::cos(phase(x)); }).measured(other);
  EXPECT_NEAR(down.a_cos, -up.a_cos, 1e-9);
  EXPECT_NEAR(down.centre_difference, -up.centre_difference, 1e-9);
  EXPECT_GT(down.bubble, 1.9) << "the light fluid lies on top";
}

TEST(Mixing, WhatCannotBeMeasuredIsRefused) {
  EXPECT_THROW(lattice([](double, double) { return true; }).measured(), RuntimeFailure);
  EXPECT_THROW(lattice([](double, double) { return false; }).measured(), RuntimeFailure);
  EXPECT_THROW(Particles{}.measured(), RuntimeFailure);
  auto p = lattice([](double, double z) { return z > 1; });
  p.height[7] = NAN;
  EXPECT_THROW(p.measured(), RuntimeFailure);
  p.height.pop_back();
  EXPECT_THROW(p.measured(), RuntimeFailure);
}

}  // namespace
}  // namespace riffle::test
