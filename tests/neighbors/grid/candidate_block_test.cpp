/// The block of candidates that the queries of a cell share on a CPU has an end.

#include "neighbors/hits/candidate_block.h"

#include <gtest/gtest.h>

#include "support/clouds.h"
#include "support/neighbor_oracle.h"
#include "support/random.h"
#include "support/sorted_search.h"

namespace riffle::test {
namespace {

#if RIFFLE_AVX2

TEST(CandidateBlocks, CandidatesThatDoNotFitAreTestedQueryByQuery) {
  Random random(31);
  const Domain domain = box(3, 0, 1);
  constexpr float h = 0.3f;  // three cells along each axis: the middle one has all particles in its reach
  for (const int count : {CandidateBlock::kCapacity - 1, CandidateBlock::kCapacity, CandidateBlock::kCapacity + 150}) {
    const std::vector<Vec4> x = uniform_cloud(random, domain, count);
    SortedSearch sorted(Device{}, {{.method = NeighborMethod::Hoetzlein}});
    sorted.build(x, domain, h);
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, 0.15f), sorted.find(0.15f))) << count;
  }
}

#endif

}  // namespace
}  // namespace riffle::test
