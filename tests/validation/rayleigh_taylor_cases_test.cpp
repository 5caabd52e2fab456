/// The Rayleigh-Taylor cases of SPH and PBF. Each case in validation/ states its own bounds.

#include "support/devices.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

class RayleighTaylorGrowth : public OnEachDevice {};

TEST_P(RayleighTaylorGrowth, OfTwoSphFluidsIsThatOfExactTheory) {
  expect_passes("rayleigh_taylor_sph", CaseSize::Reduced, device());
}
TEST_P(RayleighTaylorGrowth, OfTwoPbfFluidsIsThatOfExactTheory) {
  expect_passes("rayleigh_taylor_pbf", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(RayleighTaylorGrowth);

class LongRayleighTaylorGrowth : public OnEachDevice {};

TEST_P(LongRayleighTaylorGrowth, OfTwoSphFluidsIsThatOfExactTheory) {
  expect_passes("rayleigh_taylor_sph", CaseSize::Full, device());
}
TEST_P(LongRayleighTaylorGrowth, OfTwoPbfFluidsIsThatOfExactTheory) {
  expect_passes("rayleigh_taylor_pbf", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongRayleighTaylorGrowth);

}  // namespace
}  // namespace riffle::test
