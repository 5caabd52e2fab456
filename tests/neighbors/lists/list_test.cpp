/// list_neighbors(): lists that are too short for some particles, and lists that follow a cloud as it grows denser. If
/// a search keeps no lists, the same calls must change nothing.

#include <algorithm>
#include <cmath>
#include <limits>

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
  for (const int together : {39, 40, 41, 42, 43, 44, 60, 79, 80, 81, 88, 89, 90, 91, 92, 150, 300}) {
    SCOPED_TRACE(testing::Message() << together << " together");
    SortedSearch sorted(device(), settings());
    expect_exact_lists(sorted, with_clump(41, together));
  }
}

TEST_P(Lists, ListsFollowACloudThatGrowsDenser) {
  // Only the first build waits for the longest list; later builds hear of longer ones one build late. Until then those
  // lists lie in the pool.
  SortedSearch sorted(device(), settings());
  for (const int together : {5, 5, 45, 45, 45, 70, 70, 70, 86, 88, 5, 5, 88, 130, 130, 130, 5, 200, 200, 200})
    for (const std::uint32_t seed : {42u, 43u}) {
      SCOPED_TRACE(testing::Message() << together << " together");
      expect_exact_lists(sorted, with_clump(seed, together));
    }
}

TEST_P(Lists, ListsOfACloudThatIsVeryDenseForAWhileStayExact) {
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

TEST_P(Lists, TheStatisticsSayWhichListsAreInUse) {
  const std::vector<Vec4> x = with_clump(51, 100);
  std::size_t most = 0;
  for (const auto& set : expected_neighbors(x, domain_, h_)) most = std::max(most, set.size());
  ASSERT_GT(most, 90u);
  const bool own = GetParam().method == NeighborMethod::ThrustPairs || GetParam().structure == TreeStructure::Optix;
  for (const bool always : {false, true}) {
    SearchSettings listed = settings();
    listed.list_always = always;
    SortedSearch sorted(device(), listed);
    EXPECT_EQ(sorted.search().list_stats().kind, ListKind::NotYet) << "before the first build";
    expect_exact_lists(sorted, x);
    const ListStats stats = sorted.search().list_stats();
    if (own) {
      EXPECT_EQ(stats.kind, ListKind::OfMethod);
    } else if (device().is_cpu()) {
      EXPECT_EQ(stats.kind, always ? ListKind::Rows : ListKind::None);
    } else {
      EXPECT_EQ(stats.kind, ListKind::Slices);
      EXPECT_EQ(stats.longest, most);
      EXPECT_GE(stats.width, static_cast<int>(most));
      EXPECT_EQ(stats.overflowing, 0u);
    }
    EXPECT_EQ(stats.builds, stats.kind == ListKind::None ? 0u : 1u);
  }
}

TEST_P(Lists, AParticleWithVeryManyNeighborsDoesNotLengthenAllLists) {
  if (device().is_cpu()) GTEST_SKIP() << "lists of one width are made on a GPU only";
  Random random(52);
  std::vector<Vec4> x = uniform_cloud(random, domain_, 12000);
  const Vec3 centre{0.5f, 0.5f, 0.5f};
  std::erase_if(x, [&](const Vec4& p) {
    Vec3 d = xyz(p) - centre;
    if (dimension() == 2) d.z = 0;
    return dot(d, d) < 4 * h_ * h_;
  });
  const float radius = dimension() == 2 ? 0.02f : 0.05f;  // many are near the centre, few of them near each other
  const float h = dimension() == 2 ? 0.021f : 0.051f;
  const int around = dimension() == 2 ? 700 : 400;
  for (int k = 0; k < around; ++k) {
    const Vec3 u = uniform_in_ball(random, dimension());
    x.push_back(particle(dimension(), centre + (radius / std::sqrt(dot(u, u))) * u));
  }
  x.push_back(particle(dimension(), centre));
  const NeighborSets expected = expected_neighbors(x, domain_, h);
  std::vector<std::size_t> lengths;
  for (const auto& set : expected) lengths.push_back(set.size());
  std::sort(lengths.begin(), lengths.end());
  ASSERT_GT(lengths[lengths.size() - 1], 1.6 * double(lengths[lengths.size() - 3])) << "the centre stands out";

  SortedSearch sorted(device(), settings());
  sorted.build(x, domain_, h);
  for (int round = 0; round < 3; ++round) {
    sorted.list_neighbors();
    EXPECT_TRUE(same_neighbors(expected, sorted.find(h)));
    const ListStats stats = sorted.search().list_stats();
    if (stats.kind == ListKind::OfMethod) return;
    const bool dense = GetParam().method == NeighborMethod::Hoetzlein || GetParam().method == NeighborMethod::Green;
    EXPECT_EQ(stats.kind, dense ? ListKind::Slices : ListKind::None) << "only a grid lists single particles elsewhere";
    if (!dense) continue;
    EXPECT_EQ(stats.overflowing, 1u);
    EXPECT_EQ(stats.searching, 0u);
    EXPECT_EQ(stats.longest, lengths.back());
    EXPECT_LT(stats.width, static_cast<int>(lengths.back()));
  }
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(Lists);

}  // namespace
}  // namespace riffle::test
