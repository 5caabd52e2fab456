/// WCSPH with walls, several fluids, shifting and surface tension. Each case in validation/ states its own bounds.

#include "support/devices.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

class ViscousFlow : public OnEachDevice {};

TEST_P(ViscousFlow, PoiseuilleFlowHasTheExactProfileAtEveryTime) {
  expect_passes("poiseuille", CaseSize::Reduced, device());
}
TEST_P(ViscousFlow, CouetteFlowFollowsItsMovingWallAndStressIsTheSameInBothFluids) {
  expect_passes("couette", CaseSize::Reduced, device());
}
TEST_P(ViscousFlow, WallsThatSlipDoNotHoldAPlugBack) {
  expect_passes("free_slip_channel", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ViscousFlow);

class LongViscousFlow : public OnEachDevice {};

TEST_P(LongViscousFlow, PoiseuilleFlowHasTheExactProfileAtEveryTime) {
  expect_passes("poiseuille", CaseSize::Full, device());
}
TEST_P(LongViscousFlow, CouetteFlowFollowsItsMovingWallAndStressIsTheSameInBothFluids) {
  expect_passes("couette", CaseSize::Full, device());
}
TEST_P(LongViscousFlow, WallsThatSlipDoNotHoldAPlugBack) {
  expect_passes("free_slip_channel", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongViscousFlow);

class TwoFluids : public OnEachDevice {};

TEST_P(TwoFluids, LayersAndDropsRestWithoutGapAndAtTheirOwnDensity) {
  expect_passes("two_layer_tank", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(TwoFluids);

class LongTwoFluids : public OnEachDevice {};

TEST_P(LongTwoFluids, LayersAndDropsRestWithoutGapAndAtTheirOwnDensity) {
  expect_passes("two_layer_tank", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongTwoFluids);

class ParticleShifting : public OnEachDevice {};

TEST_P(ParticleShifting, KeepsVorticesFromLosingTheirEnergyToLinesOfParticles) {
  expect_passes("taylor_green", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(ParticleShifting);

class LongParticleShifting : public OnEachDevice {};

TEST_P(LongParticleShifting, KeepsVorticesFromLosingTheirEnergyToLinesOfParticles) {
  expect_passes("taylor_green", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongParticleShifting);

class FreeSurface : public OnEachDevice {};

TEST_P(FreeSurface, ADiscStretchesIntoTheEllipseOfTheExactSolution) {
  expect_passes("elliptical_drop", CaseSize::Reduced, device());
}

TEST_P(FreeSurface, SolidsUnderWaterFeelTheWeightThatTheyDisplace) {
  expect_passes("archimedes", CaseSize::Reduced, device());
}
TEST_P(FreeSurface, ADropUnderACentralForceHasTheExactPeriod) {
  expect_passes("oscillating_drop", CaseSize::Reduced, device());
}
TEST_P(FreeSurface, AStandingWaveHasThePeriodOfLinearTheory) {
  expect_passes("standing_wave", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(FreeSurface);

// On two cores the full sizes of these take an hour.
CaseSize size_for(const Device& device) { return device.is_cuda() ? CaseSize::Full : CaseSize::Reduced; }

class LongFreeSurface : public OnEachDevice {};

TEST_P(LongFreeSurface, ADiscStretchesIntoTheEllipseOfTheExactSolution) {
  expect_passes("elliptical_drop", CaseSize::Full, device());
}

TEST_P(LongFreeSurface, SolidsUnderWaterFeelTheWeightThatTheyDisplace) {
  expect_passes("archimedes", size_for(device()), device());
}

TEST_P(LongFreeSurface, ADropUnderACentralForceHasTheExactPeriod) {
  expect_passes("oscillating_drop", CaseSize::Full, device());
}
TEST_P(LongFreeSurface, AStandingWaveHasThePeriodOfLinearTheory) {
  expect_passes("standing_wave", CaseSize::Full, device());
}


TEST_P(LongFreeSurface, AWaveMeetsAnObstacleAsInTheExperiment) {
  expect_passes("wave_obstacle", size_for(device()), device());
}

TEST_P(LongFreeSurface, APistonMakesWavesOfTheHeightOfTheory) {
  expect_passes("wavemaker", size_for(device()), device());
}

TEST_P(LongFreeSurface, ASwayingTankMovesItsWaterAsLinearTheorySays) {
  expect_passes("sloshing", size_for(device()), device());
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongFreeSurface);

class SurfaceTension : public OnEachDevice {};

TEST_P(SurfaceTension, ADropOscillatesAtRayleighsFrequency) {
  expect_passes("capillary_drop", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SurfaceTension);

class LongSurfaceTension : public OnEachDevice {};

TEST_P(LongSurfaceTension, ADropOscillatesAtRayleighsFrequency) {
  expect_passes("capillary_drop", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongSurfaceTension);

}  // namespace
}  // namespace riffle::test
