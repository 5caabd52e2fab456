/// The cases of position based fluids. Each case in validation/ states its own bounds.

#include "support/devices.h"
#include "support/expect_passes.h"

namespace riffle::test {
namespace {

class PbfDamBreakFront : public OnEachDevice {};

TEST_P(PbfDamBreakFront, IsWithinTenPercentWith20ParticlesPerWidth) {
  expect_passes("dam_break_pbf", CaseSize::Reduced, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(PbfDamBreakFront);

class LongPbfDamBreakFront : public OnEachDevice {};

TEST_P(LongPbfDamBreakFront, IsWithinTenPercentWith40ParticlesPerWidth) {
  expect_passes("dam_break_pbf", CaseSize::Full, device());
}
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongPbfDamBreakFront);

}  // namespace
}  // namespace riffle::test
