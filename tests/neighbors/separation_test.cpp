/// separation(): the basis of all neighbour sets.

#include "neighbors/separation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/clouds.h"

namespace riffle::test {
namespace {

TEST(Separation, IsExactlyAntisymmetric) {
  Random random(91);
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    const Domain domain = box(3, {-0.3f, 0.1f, 5}, {0.4f, 1.3f, 8}, axis);
    const PeriodicWrap wrap = periodic_wrap(domain);
    for (int k = 0; k < 20000; ++k) {
      const Vec3 a = 3 * uniform_in(random, domain), b = 3 * uniform_in(random, domain);
      const Vec3 r = separation(a, b, wrap), s = separation(b, a, wrap);
      ASSERT_TRUE(r == -s);
      ASSERT_EQ(squared_length(r), squared_length(s));
    }
  }
}

TEST(Separation, GoesToTheNearestImage) {
  Random random(92);
  const Domain domain = box(3, {-0.3f, 0.1f, 5}, {0.4f, 1.3f, 8}, Axis::Periodic);
  const PeriodicWrap wrap = periodic_wrap(domain);
  for (int k = 0; k < 20000; ++k) {
    const Vec3 a = uniform_in(random, domain), b = uniform_in(random, domain);
    const Vec3 r = separation(a, b, wrap);
    for (int axis = 0; axis < 3; ++axis) {
      const double length = double{component(domain.extent(), axis)};
      double best = 1e30;
      for (int image = -2; image <= 2; ++image)
        best = std::min(best, std::abs(double{component(a, axis)} - double{component(b, axis)} + image * length));
      ASSERT_NEAR(std::abs(component(r, axis)), best, 1e-6 * length);
    }
  }
}

TEST(Separation, LeavesOpenAxesAloneWhenAnotherIsPeriodic) {
  Domain domain = box(3, 0, 1);
  domain.axis[1] = Axis::Periodic;
  const Vec3 r = separation({0.9f, 0.9f, -700}, {-1000, 0.1f, 900}, periodic_wrap(domain));
  EXPECT_EQ(r.x, 0.9f + 1000);
  EXPECT_NEAR(r.y, -0.2f, 1e-6f);
  EXPECT_EQ(r.z, -1600);
}

TEST(Separation, ASquaredLengthIsRoundedOnceLessThanItsTerms) {
  // The fused form, spelled out: with plain products the last bit differs, and with it a neighbour at exactly h.
  Random random(93);
  int differs = 0;
  for (int k = 0; k < 10000; ++k) {
    const Vec3 d = uniform_in(random, box(3, -1, 1));
    ASSERT_EQ(squared_length(d), std::fma(d.z, d.z, std::fma(d.y, d.y, d.x * d.x)));
    const volatile float xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z;
    const volatile float xy = xx + yy;
    differs += squared_length(d) != xy + zz;
  }
  EXPECT_GT(differs, 0);
}

}  // namespace
}  // namespace riffle::test
