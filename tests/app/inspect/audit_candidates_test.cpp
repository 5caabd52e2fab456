#include "app/inspect/audit_candidates.h"

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

// On a GPU the cells depend on the spacing: others than a run has would be audited.
TEST(AuditCandidates, KnowTheSpacingAsASimulationDoes) {
  SearchSettings scene;
  scene.spacing = 0.125f;
  const std::vector<AuditCandidate> candidates = audit_candidates(Device{}, scene);
  ASSERT_GT(candidates.size(), 10u);
  for (const AuditCandidate& candidate : candidates)
    EXPECT_EQ(candidate.settings.spacing, 0.125f) << candidate.name << ", " << candidate.use;
}

TEST(AuditCandidates, HaveTheCellsOfTheSceneWhereTheyHaveNoneOfTheirOwn) {
  SearchSettings scene;
  scene.method = NeighborMethod::Bucket;
  scene.cell_ratio = 0.75f;
  scene.cell_count = {5, 6, 7};
  for (const AuditCandidate& candidate : audit_candidates(Device{}, scene)) {
    SCOPED_TRACE(candidate.name + ", " + candidate.use);
    const bool own = candidate.use.starts_with("cells of ");
    EXPECT_EQ(candidate.settings.cell_ratio == 0.75f, !own);
    EXPECT_EQ(candidate.settings.cell_count.y, candidate.name == "bucket" && !own ? 6 : 0);
  }
}

}  // namespace
}  // namespace riffle::test
