/// The cases of DFSPH. Each case in validation/ states its own bounds.

#include "support/devices.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

class DfsphDamBreak : public OnEachDevice {};

TEST_P(DfsphDamBreak, IsTheExperimentsWith20ParticlesPerWidth) {
  expect_passes("dam_break_dfsph", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DfsphDamBreak);

class LongDfsphDamBreak : public OnEachDevice {};

TEST_P(LongDfsphDamBreak, IsTheExperimentsWith40ParticlesPerWidth) {
  expect_passes("dam_break_dfsph", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDfsphDamBreak);

class DfsphVortices : public OnEachDevice {};

TEST_P(DfsphVortices, KeepTheirMomentumWith40SquaredParticles) {
  expect_passes("taylor_green_dfsph", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DfsphVortices);

class LongDfsphVortices : public OnEachDevice {};

TEST_P(LongDfsphVortices, KeepTheirMomentumWith100SquaredParticles) {
  expect_passes("taylor_green_dfsph", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDfsphVortices);

class DfsphFreeSurface : public OnEachDevice {};

TEST_P(DfsphFreeSurface, ADiscStretchesIntoTheEllipseOfTheExactSolution) {
  expect_passes("elliptical_drop_dfsph", CaseSize::Reduced, device());
}
TEST_P(DfsphFreeSurface, ADropUnderACentralForceHasTheExactPeriod) {
  expect_passes("oscillating_drop_dfsph", CaseSize::Reduced, device());
}
TEST_P(DfsphFreeSurface, AStandingWaveHasThePeriodOfLinearTheory) {
  expect_passes("standing_wave_dfsph", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DfsphFreeSurface);

class LongDfsphFreeSurface : public OnEachDevice {};

TEST_P(LongDfsphFreeSurface, ADiscStretchesIntoTheEllipseOfTheExactSolution) {
  expect_passes("elliptical_drop_dfsph", CaseSize::Full, device());
}
TEST_P(LongDfsphFreeSurface, ADropUnderACentralForceHasTheExactPeriod) {
  expect_passes("oscillating_drop_dfsph", CaseSize::Full, device());
}
TEST_P(LongDfsphFreeSurface, AStandingWaveHasThePeriodOfLinearTheory) {
  expect_passes("standing_wave_dfsph", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDfsphFreeSurface);

class DfsphTankAtRest : public OnEachDevice {};

TEST_P(DfsphTankAtRest, TwentySpacingsDeepKeepsItsVolume) {
  expect_passes("tank_at_rest_dfsph", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DfsphTankAtRest);

class LongDfsphTankAtRest : public OnEachDevice {};

TEST_P(LongDfsphTankAtRest, TwentySpacingsDeepKeepsItsVolumeForTwentySeconds) {
  expect_passes("tank_at_rest_dfsph", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDfsphTankAtRest);

class DfsphLayers : public OnEachDevice {};

TEST_P(DfsphLayers, RestWithoutGapAndAtTheirOwnDensity) {
  expect_passes("two_layer_tank_dfsph", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DfsphLayers);

class LongDfsphLayers : public OnEachDevice {};

TEST_P(LongDfsphLayers, RestWithoutGapAndAtTheirOwnDensity) {
  expect_passes("two_layer_tank_dfsph", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDfsphLayers);

/// Slow at the reduced size too.
class LongDfsphRayleighTaylorGrowth : public OnEachDevice {};

TEST_P(LongDfsphRayleighTaylorGrowth, IsNoMoreThanAQuarterOffWith48ParticlesPerWavelength) {
  expect_passes("rayleigh_taylor_dfsph", CaseSize::Reduced, device());
}
TEST_P(LongDfsphRayleighTaylorGrowth, IsNoMoreThanAQuarterOffWith96ParticlesPerWavelength) {
  expect_passes("rayleigh_taylor_dfsph", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDfsphRayleighTaylorGrowth);

}  // namespace
}  // namespace riffle::test
