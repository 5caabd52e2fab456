/// The WCSPH cases. Each case in validation/ states its own bounds.

#include "support/devices.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

class HydrostaticTank : public OnEachDevice {};

TEST_P(HydrostaticTank, TwentySpacingsDeepComesToRestUnderItsOwnWeight) {
  expect_passes("hydrostatic", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(HydrostaticTank);

class LongHydrostaticTank : public OnEachDevice {};

TEST_P(LongHydrostaticTank, FortySpacingsDeepComesToRestUnderItsOwnWeight) {
  expect_passes("hydrostatic", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongHydrostaticTank);

class TankAtRest : public OnEachDevice {};

TEST_P(TankAtRest, TwentySpacingsDeepHasTheColumnsPressureAtEveryMoment) {
  expect_passes("tank_at_rest", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(TankAtRest);

class LongTankAtRest : public OnEachDevice {};

TEST_P(LongTankAtRest, FortySpacingsDeepHasTheColumnsPressureAtEveryMoment) {
  expect_passes("tank_at_rest", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongTankAtRest);

class DamBreakFront : public OnEachDevice {};

TEST_P(DamBreakFront, FollowsMartinAndMoyceWith20ParticlesPerWidth) {
  expect_passes("dam_break", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DamBreakFront);

class LongDamBreakFront : public OnEachDevice {};

TEST_P(LongDamBreakFront, FollowsMartinAndMoyceWith40ParticlesPerWidth) {
  expect_passes("dam_break", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDamBreakFront);

}  // namespace
}  // namespace riffle::test
