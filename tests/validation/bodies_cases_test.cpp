/// Free bodies in a fluid. Each case in validation/ states its own bounds.

#include "support/devices.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

class BodiesInFluid : public OnEachDevice {};

TEST_P(BodiesInFluid, ASphereSettlesAsFastAsStokesFlowSaysOrAsIsKnown) {
  expect_passes("settling_sphere", CaseSize::Reduced, device());
}
TEST_P(BodiesInFluid, ADropWithBodiesInItKeepsItsAngularMomentum) {
  expect_passes("turning_blob", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(BodiesInFluid);

// On two cores the full sizes of these take hours.
CaseSize bodies_size_for(const Device& device) { return device.is_cuda() ? CaseSize::Full : CaseSize::Reduced; }

class LongBodiesInFluid : public OnEachDevice {};

TEST_P(LongBodiesInFluid, ABodyOfTheDensityOfWaterStaysWhereItIs) {
  expect_passes("neutral_body", bodies_size_for(device()), device());
}
TEST_P(LongBodiesInFluid, ASphereSettlesAsFastAsStokesFlowSaysOrAsIsKnown) {
  expect_passes("settling_sphere", bodies_size_for(device()), device());
}
TEST_P(LongBodiesInFluid, ADropWithBodiesInItKeepsItsAngularMomentum) {
  expect_passes("turning_blob", bodies_size_for(device()), device());
}
TEST_P(LongBodiesInFluid, APrismHeavesAndRolls) {
  expect_passes("floating_prism", bodies_size_for(device()), device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongBodiesInFluid);

}  // namespace
}  // namespace riffle::test
