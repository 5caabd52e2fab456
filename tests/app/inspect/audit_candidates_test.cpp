#include "app/inspect/audit_candidates.h"

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

// On a GPU the cells depend on the spacing: others than a run has would be audited.
TEST(AuditCandidates, KnowTheSpacingAsASimulationDoes) {
  const std::vector<AuditCandidate> candidates = audit_candidates(Device{}, 0.125f);
  ASSERT_GT(candidates.size(), 10u);
  for (const AuditCandidate& candidate : candidates)
    EXPECT_EQ(candidate.settings.spacing, 0.125f) << candidate.name << ", " << candidate.use;
}

}  // namespace
}  // namespace riffle::test
