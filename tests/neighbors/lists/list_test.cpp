/// list_neighbors(): lists that are too short for some particles, and lists that follow a cloud as it grows denser. If
/// a search keeps no lists, the same calls must change nothing.

#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

class Lists : public EverySearch {
 protected:
  /// A sparse cloud in which one place holds `together` particles within h of each other.
  std::vector<Vec4> with_clump(std::uint32_t seed, int together) const {
    Random random(seed);
    std::vector<Vec4> x = uniform_cloud(random, domain_, 600);
    for (int i = 0; i < together; ++i)
      x.push_back(particle(dimension(), Vec3{0.5f, 0.5f, 0.5f} + 0.3f * h_ * uniform_in_ball(random, dimension())));
    return x;
  }

  void expect_exact_lists(SortedSearch& sorted, const std::vector<Vec4>& x) const {
    sorted.build(x, domain_, h_);
    sorted.list_neighbors();
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain_, h_), sorted.find(h_)));
  }

  Domain domain_ = box(GetParam().dimension, 0, 1);
  const float h_ = 0.08f;
};

TEST_P(Lists, ParticlesWithMoreNeighborsThanAListHoldsKeepThemAll) {
  for (const int together : {39, 40, 41, 42, 60, NeighborSearch::kMaxListWidth, NeighborSearch::kMaxListWidth + 1,
                             NeighborSearch::kMaxListWidth + 2, 300}) {
    SCOPED_TRACE(testing::Message() << together << " together");
    SortedSearch sorted(device(), settings());
    expect_exact_lists(sorted, with_clump(41, together));
  }
}

TEST_P(Lists, ListsFollowACloudThatGrowsDenser) {
  // Only the first build waits for the longest list; later builds receive its length one build late and must search the
  // grid until then.
  SortedSearch sorted(device(), settings());
  for (const int together : {5, 5, 45, 45, 45, 70, 70, 70, 86, 88, 5, 5, 88})
    for (const std::uint32_t seed : {42u, 43u}) {
      SCOPED_TRACE(testing::Message() << together << " together");
      expect_exact_lists(sorted, with_clump(seed, together));
    }
}

TEST_P(Lists, ListsGiveUpOnACloudThatIsTooDenseAndStayExact) {
  SortedSearch sorted(device(), settings());
  for (const int together : {5, 5, 250, 250, 250, 5, 5}) {
    SCOPED_TRACE(testing::Message() << together << " together");
    expect_exact_lists(sorted, with_clump(44, together));
  }
}

TEST_P(Lists, ListsFollowTheNumberOfParticles) {
  SortedSearch sorted(device(), settings());
  Random random(45);
  for (const int count : {10, 0, 1, 31, 32, 33, 2000, 5, 127, 128, 129, 3000}) {
    SCOPED_TRACE(testing::Message() << count << " particles");
    expect_exact_lists(sorted, uniform_cloud(random, domain_, count));
  }
}

TEST_P(Lists, ListsOfAPeriodicCloudAreExact) {
  Random random(46);
  domain_ = box(dimension(), 0, 0.4f, Axis::Periodic);
  SortedSearch sorted(device(), settings());
  for (int build = 0; build < 3; ++build) expect_exact_lists(sorted, uniform_cloud(random, domain_, 700));
}

TEST_P(Lists, ListingTwiceChangesNothing) {
  SortedSearch sorted(device(), settings());
  const std::vector<Vec4> x = with_clump(47, 50);
  expect_exact_lists(sorted, x);
  sorted.list_neighbors();
  EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain_, h_), sorted.find(h_)));
  EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain_, 0.5f * h_), sorted.find(0.5f * h_)));
}

TEST_P(Lists, AListedSearchCanBeAskedFromElsewhere) {
  Random random(48);
  SortedSearch sorted(device(), settings());
  const std::vector<Vec4> x = with_clump(49, 50), queries = uniform_cloud(random, domain_, 200);
  expect_exact_lists(sorted, x);
  const Buffer<Vec4> device_queries(device(), queries);
  Visits visits = visit_neighbors_of(sorted.search(), sorted.positions(), device_queries.data(), 200, h_);
  for (auto& set : visits.of)
    for (Neighbor& n : set) n.j = sorted.original()[n.j];
  EXPECT_TRUE(same_neighbors(expected_neighbors_of(x, queries, domain_, h_), visits.of));
}

TEST_P(Lists, ANaNAmongTheParticlesDoesNotSpoilTheLists) {
  SortedSearch sorted(device(), settings());
  std::vector<Vec4> x = with_clump(50, 50);
  for (const std::size_t i : {std::size_t{0}, std::size_t{31}, std::size_t{32}, x.size() - 1})
    x[i].x = std::numeric_limits<float>::quiet_NaN();
  expect_exact_lists(sorted, x);
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(Lists);

}  // namespace
}  // namespace riffle::test
