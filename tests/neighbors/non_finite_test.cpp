/// A position that is NaN or infinite must neither hang the search nor cost another particle its neighbours.

#include <limits>

#include "every_search.h"
#include "support/non_finite.h"

namespace riffle::test {
namespace {

class NonFinite : public EverySearch {};

TEST_P(NonFinite, TheOtherParticlesKeepTheirNeighborsAndTheBadOnesHaveNone) {
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const float bad : {kNaN, kInfinity, -kInfinity}) {
      SCOPED_TRACE(testing::Message() << bad << (axis == Axis::Open ? ", open" : ", periodic"));
      Random random(51);
      Cloud cloud{box(dimension(), 0, 1, axis), 0.15f, {}};
      cloud.x = uniform_cloud(random, cloud.domain, 600);
      for (std::size_t i = 0; i < cloud.x.size(); i += 20) {
        const int which = random.below(dimension() == 2 ? 3 : 4);
        if (which == 0 || which == 3) cloud.x[i].x = bad;
        if (which == 1 || which == 3) cloud.x[i].y = bad;
        if (which >= 2) (dimension() == 2 ? cloud.x[i].x : cloud.x[i].z) = bad;
      }
      expect_exact(cloud);

      SortedSearch sorted(device(), settings());
      sorted.build(cloud.x, cloud.domain, cloud.h);
      const NeighborSets found = sorted.find(cloud.h);
      for (std::size_t i = 0; i < cloud.x.size(); i += 20) EXPECT_TRUE(found[i].empty());
    }
}

TEST_P(NonFinite, ACloudOfNothingButNaNIsSearched) {
  std::vector<Vec4> x(300, Vec4{kNaN, kNaN, kNaN, 0});
  EXPECT_EQ(expect_exact({box(dimension(), 0, 1), 0.1f, x}), 0u);
}

TEST_P(NonFinite, AQueryThatIsNotANumberFindsNothing) {
  Random random(52);
  const Domain domain = box(dimension(), 0, 1);
  const std::vector<Vec4> x = uniform_cloud(random, domain, 200);
  const std::vector<Vec4> queries{
      {kNaN, 0.5f, 0, 0}, {kInfinity, 0.5f, 0, 0}, {0.5f, -kInfinity, 0, 0}, particle(dimension(), {0.5f, 0.5f, 0.5f})};
  SortedSearch sorted(device(), settings());
  sorted.build(x, domain, 0.3f);
  const Buffer<Vec4> device_queries(device(), queries);
  Visits visits = visit_neighbors_of(sorted.search(), sorted.positions(), device_queries.data(), 4, 0.3f);
  for (auto& set : visits.of)
    for (Neighbor& n : set) n.j = sorted.original()[n.j];
  EXPECT_TRUE(same_neighbors(expected_neighbors_of(x, queries, domain, 0.3f), visits.of));
  EXPECT_FALSE(visits.of[3].empty());
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(NonFinite);

}  // namespace
}  // namespace riffle::test
