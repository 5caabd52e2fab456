/// The DPD cases. Each case in validation/ states its own bounds.

#include "support/devices.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

class DpdCases : public OnEachDevice {};

TEST_P(DpdCases, EquilibriumHasTheReferencesTemperaturePressureEnergyAndDistribution) {
  expect_passes("dpd_equilibrium", CaseSize::Reduced, device());
}
TEST_P(DpdCases, DrivenLayersGiveTheReferencesViscosity) {
  expect_passes("dpd_viscosity", CaseSize::Reduced, device());
}
TEST_P(DpdCases, PlatesHoldTheFluidAndDragItAlong) { expect_passes("dpd_couette", CaseSize::Reduced, device()); }
TEST_P(DpdCases, MixedFluidsPartAsFastAsTheReferences) {
  expect_passes("dpd_phase_separation", CaseSize::Reduced, device());
}
TEST_P(DpdCases, MixedFluidsPartAlikeWithEachGeneratorAndIntegrator) {
  expect_passes("dpd_phase_separation_variants", CaseSize::Reduced, device());
}
TEST_P(DpdCases, AHeavyFluidSinksWithTheSettingsOfTheScenes) {
  expect_passes("dpd_rayleigh_taylor_variants", CaseSize::Reduced, device());
}
TEST_P(DpdCases, AHeavyFluidSinksAndTheReverseIsStable) {
  expect_passes("dpd_rayleigh_taylor", CaseSize::Reduced, device());
}
TEST_P(DpdCases, MixedFluidsPartWithTheBucketPapersCombination) {
  expect_passes("rozen_phase_separation", CaseSize::Reduced, device());
}
TEST_P(DpdCases, TheSmallerHeavyPartSinksWithTheBucketPapersCombination) {
  expect_passes("rozen_rayleigh_taylor", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DpdCases);

class LongDpdCases : public OnEachDevice {};

TEST_P(LongDpdCases, EquilibriumHasTheReferencesTemperaturePressureEnergyAndDistribution) {
  expect_passes("dpd_equilibrium", CaseSize::Full, device());
}
TEST_P(LongDpdCases, DrivenLayersGiveTheReferencesViscosity) {
  expect_passes("dpd_viscosity", CaseSize::Full, device());
}
TEST_P(LongDpdCases, PlatesHoldTheFluidAndDragItAlong) { expect_passes("dpd_couette", CaseSize::Full, device()); }
TEST_P(LongDpdCases, MixedFluidsPartAsFastAsTheReferences) {
  expect_passes("dpd_phase_separation", CaseSize::Full, device());
}
TEST_P(LongDpdCases, MixedFluidsPartAlikeWithEachGeneratorAndIntegrator) {
  expect_passes("dpd_phase_separation_variants", CaseSize::Full, device());
}
TEST_P(LongDpdCases, TheModeGrowsAlikeWithEachGeneratorAndIntegrator) {
  expect_passes("dpd_rayleigh_taylor_variants", CaseSize::Full, device());
}
TEST_P(LongDpdCases, TheModeGrowsAtTheRateOfTheReferencesAndOfExactTheory) {
  expect_passes("dpd_rayleigh_taylor", CaseSize::Full, device());
}
TEST_P(LongDpdCases, MixedFluidsPartWithTheBucketPapersCombination) {
  expect_passes("rozen_phase_separation", CaseSize::Full, device());
}
TEST_P(LongDpdCases, TheSmallerHeavyPartSinksWithTheBucketPapersCombination) {
  expect_passes("rozen_rayleigh_taylor", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDpdCases);

}  // namespace
}  // namespace riffle::test
