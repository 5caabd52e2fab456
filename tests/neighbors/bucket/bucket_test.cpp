/// Linked lists: both insertions, re-sorts, and when the order changes. The tests over all methods check that
/// neighbours are exact for any cloud; the tests here check it where lists were altered.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "core/device/device.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "support/sorted_search.h"

namespace riffle::test {
namespace {

constexpr BucketInsertion kInsertions[] = {BucketInsertion::Atomic, BucketInsertion::Iterative};

double count_of(const NeighborSearch& search, const std::string& name) {
  for (const SearchCount& count : search.stats().counts)
    if (count.name == name) return count.value;
  ADD_FAILURE() << "no count is called " << name;
  return -1;
}

/// Order of visits, in the search's indices.
std::vector<std::uint32_t> visits_in_order(const SortedSearch& sorted, float h) {
  std::vector<std::uint32_t> order;
  for (const auto& set : visit_neighbors(sorted.search(), sorted.positions(), h).of)
    for (const Neighbor& n : set) order.push_back(n.j);
  return order;
}

class Bucket : public OnEachDevice {
 protected:
  static SearchSettings with(BucketInsertion insertion, BucketRebuild rebuild = BucketRebuild::Automatic) {
    SearchSettings settings{{.method = NeighborMethod::Bucket, .insertion = insertion}};
    settings.bucket_rebuild = rebuild;
    return settings;
  }
  SortedSearch search_with(BucketInsertion insertion, BucketRebuild rebuild = BucketRebuild::Automatic) const {
    return SortedSearch(device(), with(insertion, rebuild));
  }

  /// Builds for x, and puts x in the search's order, as a simulation does.
  void build(SortedSearch& sorted, std::vector<Vec4>& x) const {
    sorted.build(x, domain_, h_);
    std::vector<Vec4> ordered;
    for (const std::uint32_t p : sorted.original()) ordered.push_back(x[p]);
    x = ordered;
    synchronize(device());  // late counts reach the host before the next build
  }
  void expect_exact(const SortedSearch& sorted, const std::vector<Vec4>& x) const {
    // In the search's order, as x is.
    const Visits visits = visit_neighbors(sorted.search(), sorted.positions(), h_);
    EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain_, h_), visits.of));
  }
  /// The same for clouds too large for the oracle.
  void expect_as_hoetzlein(SortedSearch& sorted, const std::vector<Vec4>& x) const {
    SortedSearch other(device(), {NeighborMethod::Hoetzlein});
    other.build(x, domain_, h_);
    sorted.build(x, domain_, h_);
    EXPECT_TRUE(same_neighbors(other.find(h_), sorted.find(h_)));
  }

  std::uint32_t cell(Vec4 x) const {
    const Grid grid = make_grid(domain_, h_);
    return grid.index(grid.cell_of(xyz(x)));
  }
  int cell_changes(const std::vector<Vec4>& before, const std::vector<Vec4>& after) const {
    int changes = 0;
    for (std::size_t i = 0; i < before.size(); ++i) changes += cell(before[i]) != cell(after[i]) ? 1 : 0;
    return changes;
  }
  int most_arrivals(const std::vector<Vec4>& before, const std::vector<Vec4>& after) const {
    std::map<std::uint32_t, int> arrivals;
    int most = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
      if (cell(before[i]) != cell(after[i])) most = std::max(most, ++arrivals[cell(after[i])]);
    return most;
  }
  /// x with each particle moved, with this probability, to a random place in the box.
  std::vector<Vec4> scattered(Random& random, std::vector<Vec4> x, float probability) const {
    for (Vec4& p : x)
      if (random.chance(probability)) p = particle(3, uniform_in(random, domain_));
    return x;
  }

  Domain domain_ = box(3, 0, 1);
  float h_ = 0.1f;
};

TEST_P(Bucket, BothInsertionsFindTheSame) {
  Random random(1);
  std::vector<Vec4> cloud = uniform_cloud(random, domain_, 1500);
  add_coincident(cloud, 3, {0.31f, 0.5f, 0.5f}, 45);
  for (const BucketInsertion insertion : kInsertions)
    for (const BucketRebuild rebuild : {BucketRebuild::Automatic, BucketRebuild::Always, BucketRebuild::Never}) {
      std::vector<Vec4> x = cloud;
      SortedSearch sorted = search_with(insertion, rebuild);
      build(sorted, x);
      expect_exact(sorted, x);
    }
}

TEST_P(Bucket, RoundsAreTheFullestCellsCount) {
  // One part, so that no part waits: every cell takes one particle per round.
  Random random(2);
  for (const int fullest : {1, 2, 9, 63, 64}) {
    std::vector<Vec4> x{particle(3, {0.95f, 0.95f, 0.95f})};
    if (fullest >= 9) x = lattice(3, {0.05f, 0.05f, 0.05f}, 0.1f, 10);
    const int there = static_cast<int>(std::count_if(x.begin(), x.end(), [&](Vec4 p) { return cell(p) == 0; }));
    add_coincident(x, 3, {0.05f, 0.05f, 0.05f}, fullest - there);
    SortedSearch sorted = search_with(BucketInsertion::Iterative);
    build(sorted, x);
    expect_exact(sorted, x);
    EXPECT_EQ(sorted.search().occupancy().max, static_cast<std::uint32_t>(fullest));
    EXPECT_EQ(count_of(sorted.search(), "insertion rounds"), fullest);
    EXPECT_EQ(count_of(sorted.search(), "inserted atomically after 64 rounds"), 0);
  }
}

TEST_P(Bucket, AfterSixtyFourRoundsTheRestIsInsertedAtomicallyAndThatIsSaidOnce) {
  std::string said;
  for (const int together : {65, 300}) {
    Random random(3);
    std::vector<Vec4> x;
    add_coincident(x, 3, {0.05f, 0.05f, 0.05f}, together);
    add_coincident(x, 3, {0.55f, 0.05f, 0.05f}, 70);
    add_coincident(x, 3, {0.55f, 0.55f, 0.05f}, 64);
    std::shuffle(x.begin(), x.end(), std::mt19937(3));
    testing::internal::CaptureStderr();
    SortedSearch sorted = search_with(BucketInsertion::Iterative, BucketRebuild::Always);
    for (int repeat = 0; repeat < 3; ++repeat) {
      build(sorted, x);
      EXPECT_EQ(count_of(sorted.search(), "insertion rounds"), 64);
      EXPECT_EQ(count_of(sorted.search(), "inserted atomically after 64 rounds"), together - 64 + 6);
    }
    said = testing::internal::GetCapturedStderr();
    expect_exact(sorted, x);
    const std::size_t first = said.find("64 rounds");
    ASSERT_NE(first, std::string::npos) << said;
    EXPECT_EQ(said.find("64 rounds", first + 1), std::string::npos) << said;
  }
}

TEST_P(Bucket, ThePartialUpdateReachesEveryPart) {
  Random random(4);
  h_ = 0.06f;
  for (const int count : {4095, 8192, 20001, 40000}) {
    const std::vector<Vec4> x = uniform_cloud(random, domain_, count);
    SortedSearch sorted = search_with(BucketInsertion::Iterative);
    expect_as_hoetzlein(sorted, x);
    const auto fullest = sorted.search().occupancy().max;
    EXPECT_GE(count_of(sorted.search(), "insertion rounds"), fullest) << "a cell takes one particle per round";
    EXPECT_LT(count_of(sorted.search(), "insertion rounds"), 64);
    EXPECT_EQ(count_of(sorted.search(), "inserted atomically after 64 rounds"), 0);
  }
}

TEST_P(Bucket, PartsThatNeverJoinedAreHandedOverAsWell) {
  // The first part is so crowded that after 64 rounds more than half of it is left: the others still wait.
  Random random(5);
  std::vector<Vec4> x;
  for (int site = 0; site < 16; ++site)
    add_coincident(
        x, 3, {0.125f + 0.25f * static_cast<float>(site % 4), 0.125f + 0.25f * static_cast<float>(site / 4), 0}, 300);
  const auto crowd = static_cast<int>(x.size());
  for (const Vec4& p : uniform_cloud(random, box(3, {0, 0, 0.2f}, {1, 1, 1}), 7 * crowd)) x.push_back(p);
  SortedSearch sorted = search_with(BucketInsertion::Iterative);
  h_ = 0.05f;
  expect_as_hoetzlein(sorted, x);
  EXPECT_EQ(count_of(sorted.search(), "insertion rounds"), 64);
  EXPECT_GE(count_of(sorted.search(), "inserted atomically after 64 rounds"), 7 * crowd);
}

TEST_P(Bucket, AResortTouchesExactlyWhoChangedCell) {
  Random random(6);
  for (const BucketInsertion insertion : kInsertions)
    for (const float share : {0.0f, 0.01f, 0.02f, 0.5f, 1.0f}) {
      SCOPED_TRACE(testing::Message() << 100 * share << " % moved");
      std::vector<Vec4> x = uniform_cloud(random, domain_, 2000);
      add_coincident(x, 3, {0.62f, 0.2f, 0.2f}, 30);
      SortedSearch sorted = search_with(insertion);
      build(sorted, x);
      EXPECT_TRUE(sorted.search().wants_reorder());
      std::vector<Vec4> moved = scattered(random, x, share);
      const int changes = cell_changes(x, moved);
      build(sorted, moved);
      EXPECT_FALSE(sorted.search().wants_reorder());
      EXPECT_EQ(sorted.search().order(), nullptr);
      expect_exact(sorted, moved);
      EXPECT_EQ(count_of(sorted.search(), "particles re-sorted"), changes);
      EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 1);
      EXPECT_EQ(count_of(sorted.search(), "full builds"), 1);
      if (insertion == BucketInsertion::Iterative) {
        // As many rounds as particles move into one cell; those already in its list take none.
        EXPECT_EQ(count_of(sorted.search(), "insertion rounds"), most_arrivals(x, moved));
      }
      if (share == 0) {
        EXPECT_EQ(changes, 0);
      } else {
        EXPECT_GT(changes, 0.9f * share * 2000 - 20);
      }
    }
}

TEST_P(Bucket, ResortsOfResortsStayExact) {
  Random random(7);
  for (const BucketInsertion insertion : kInsertions) {
    std::vector<Vec4> x = uniform_cloud(random, domain_, 1200);
    SortedSearch sorted = search_with(insertion, BucketRebuild::Never);
    build(sorted, x);
    for (int step = 1; step <= 12; ++step) {
      std::vector<Vec4> moved = scattered(random, x, step % 3 == 0 ? 0.7f : 0.05f);
      const int changes = cell_changes(x, moved);
      x = moved;
      build(sorted, x);
      expect_exact(sorted, x);
      EXPECT_EQ(count_of(sorted.search(), "particles re-sorted"), changes);
    }
    EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 12);
  }
}

TEST_P(Bucket, AResortAfterTheCallerShuffledTheParticlesIsExact) {
  Random random(8);
  for (const BucketInsertion insertion : kInsertions) {
    std::vector<Vec4> x = uniform_cloud(random, domain_, 2000);
    SortedSearch sorted = search_with(insertion);
    build(sorted, x);
    std::shuffle(x.begin(), x.end(), std::mt19937(8));
    build(sorted, x);
    EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 1);
    expect_exact(sorted, x);
  }
}

TEST_P(Bucket, AListIsEmptiedAndFilledAgain) {
  Random random(9);
  for (const BucketInsertion insertion : kInsertions) {
    std::vector<Vec4> x = uniform_cloud(random, box(3, 0.5f, 1), 300);
    add_coincident(x, 3, {0.05f, 0.05f, 0.05f}, 20);
    SortedSearch sorted = search_with(insertion);
    build(sorted, x);
    const std::vector<Vec4> home = x;
    for (Vec4& p : x)
      if (cell(p) == 0) p.x += 0.2f;
    build(sorted, x);
    expect_exact(sorted, x);
    x = home;
    build(sorted, x);
    expect_exact(sorted, x);
    EXPECT_EQ(count_of(sorted.search(), "particles re-sorted"), 20);
    EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 2);
  }
}

TEST_P(Bucket, AClumpThatMovesOnTogetherLeavesNobodyBehindInItsList) {
  // More than one thread would have to skip, at every place of the list.
  const int together = 1100;
  for (const BucketInsertion insertion : kInsertions)
    for (const auto& [begin, end] : {std::pair{0, together},
                                     {1, together},
                                     {0, together - 1},
                                     {5, together - 5},
                                     {0, 1},
                                     {together - 1, together}}) {
      SCOPED_TRACE(testing::Message() << begin << " to " << end << " leave");
      std::vector<Vec4> x;
      add_coincident(x, 3, {0.25f, 0.25f, 0.25f}, together);
      add_coincident(x, 3, {0.85f, 0.25f, 0.25f}, 10);
      SortedSearch sorted = search_with(insertion);
      build(sorted, x);
      EXPECT_EQ(sorted.search().occupancy().max, static_cast<std::uint32_t>(together));
      const int first = x[0].x < 0.5f ? 0 : 10;
      for (int i = begin; i < end; ++i) x[static_cast<std::size_t>(first + i)].x = 0.85f;
      build(sorted, x);
      EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 1);
      EXPECT_EQ(count_of(sorted.search(), "particles re-sorted"), end - begin);
      expect_exact(sorted, x);
    }
}

TEST_P(Bucket, LongListsAmongShortOnesAreOrderedCompletely) {
  // Lists longer than kWalkLimit are not walked: their particles get their places in another way.
  Random random(10);
  for (const int together : {511, 512, 513, 700}) {
    std::vector<Vec4> x = uniform_cloud(random, domain_, 500);
    add_coincident(x, 3, {0.25f, 0.25f, 0.25f}, together);
    add_coincident(x, 3, {0.85f, 0.25f, 0.25f}, 520);
    std::shuffle(x.begin(), x.end(), std::mt19937(10));
    SortedSearch sorted = search_with(BucketInsertion::Atomic);
    build(sorted, x);
    for (std::size_t p = 1; p < x.size(); ++p) ASSERT_LE(cell(x[p - 1]), cell(x[p])) << p;
    expect_exact(sorted, x);
    build(sorted, x);  // the renumbered lists, searched again
    EXPECT_EQ(count_of(sorted.search(), "particles re-sorted"), 0);
    expect_exact(sorted, x);
  }
}

TEST_P(Bucket, TheOrderIsRefreshedOnceAQuarterHasMoved) {
  Random random(11);
  std::vector<Vec4> x = uniform_cloud(random, domain_, 1000);
  SortedSearch sorted = search_with(BucketInsertion::Atomic);
  build(sorted, x);
  int moved_since = 0, orders = 1;
  for (int step = 0; step < 30; ++step) {
    std::vector<Vec4> moved = scattered(random, x, 0.06f);
    const int changes = cell_changes(x, moved);
    x = moved;
    build(sorted, x);
    if (4 * moved_since > 1000) {
      EXPECT_TRUE(sorted.search().wants_reorder()) << moved_since;
      EXPECT_EQ(count_of(sorted.search(), "particles re-sorted"), 0);
      moved_since = 0;
      ++orders;
    } else {
      EXPECT_FALSE(sorted.search().wants_reorder()) << moved_since;
      moved_since += changes;
    }
    expect_exact(sorted, x);
  }
  EXPECT_GE(orders, 4);
  EXPECT_EQ(count_of(sorted.search(), "full builds"), orders);
  EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 31 - orders);
}

TEST_P(Bucket, NeverGivesNoOrderAndAlwaysGivesOne) {
  Random random(12);
  const std::vector<Vec4> cloud = uniform_cloud(random, domain_, 800);
  for (const BucketInsertion insertion : kInsertions)
    for (const bool always : {false, true}) {
      std::vector<Vec4> x = cloud;
      SortedSearch sorted = search_with(insertion, always ? BucketRebuild::Always : BucketRebuild::Never);
      for (int step = 0; step < 5; ++step) {
        build(sorted, x);
        EXPECT_EQ(sorted.search().wants_reorder(), always);
        EXPECT_EQ(sorted.search().order() != nullptr, always);
        EXPECT_EQ(count_of(sorted.search(), "full builds"), always ? step + 1 : 1);
        EXPECT_EQ(count_of(sorted.search(), "re-sorts"), always ? 0 : step);
        expect_exact(sorted, x);
        x = scattered(random, x, 0.6f);
      }
    }
}

TEST_P(Bucket, AnotherGridOrAnotherCountIsBuiltAnew) {
  Random random(13);
  for (const BucketInsertion insertion : kInsertions) {
    SortedSearch sorted = search_with(insertion);
    int builds = 0;
    const auto expect_anew = [&](std::vector<Vec4> x) {
      build(sorted, x);
      EXPECT_TRUE(sorted.search().wants_reorder() || x.empty());
      EXPECT_EQ(count_of(sorted.search(), "full builds"), ++builds);
      EXPECT_EQ(count_of(sorted.search(), "particles re-sorted"), 0);
      expect_exact(sorted, x);
    };
    const std::vector<Vec4> x = uniform_cloud(random, domain_, 500);
    for (const std::size_t count : {500, 499, 0, 1, 500})
      expect_anew({x.begin(), x.begin() + static_cast<long>(count)});
    h_ = 0.2f;
    expect_anew(x);
    domain_ = box(3, -0.5f, 1.5f);
    expect_anew(x);
    domain_ = box(3, -0.5f, 1.5f, Axis::Periodic);
    expect_anew(x);
    domain_ = box(3, -0.6f, 1.5f, Axis::Periodic);
    expect_anew(x);
    domain_ = box(3, 0, 1);
    h_ = 0.1f;
    expect_anew(x);
  }
}

TEST_P(Bucket, ASlightlyLargerRadiusOfTheSameCellsIsExact) {
  // The lists are kept, but a query reaches farther.
  Random random(14);
  h_ = 0.101f;
  std::vector<Vec4> x = uniform_cloud(random, domain_, 1500);
  SortedSearch sorted = search_with(BucketInsertion::Atomic);
  build(sorted, x);
  h_ = 0.111f;
  build(sorted, x);
  EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 1);
  expect_exact(sorted, x);
}

TEST_P(Bucket, NoneAndOneAreResortedToo) {
  for (const BucketInsertion insertion : kInsertions) {
    SortedSearch none = search_with(insertion);
    std::vector<Vec4> x;
    for (int step = 0; step < 3; ++step) build(none, x);
    expect_exact(none, x);
    EXPECT_EQ(none.search().occupancy().occupied, 0);

    SortedSearch one = search_with(insertion, BucketRebuild::Never);
    x.push_back(particle(3, {0.5f, 0.5f, 0.5f}));
    for (const float at : {0.5f, 0.9f, 0.1f, 0.1f}) {
      x[0].x = at;
      build(one, x);
      expect_exact(one, x);
      EXPECT_EQ(one.search().occupancy().occupied, 1);
    }
    EXPECT_EQ(count_of(one.search(), "re-sorts"), 3);
  }
}

TEST_P(Bucket, AParticleThatBecomesNaNAndANumberAgainChangesLists) {
  Random random(15);
  std::vector<Vec4> x = uniform_cloud(random, domain_, 400);
  SortedSearch sorted = search_with(BucketInsertion::Atomic);
  build(sorted, x);
  const Vec4 home = x[200];
  for (const float y :
       {std::numeric_limits<float>::quiet_NaN(), home.y, std::numeric_limits<float>::infinity(), home.y}) {
    x[200].y = y;
    build(sorted, x);
    expect_exact(sorted, x);
  }
  EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 4);
}

TEST_P(Bucket, ADeterministicOrderIsTheStableOneByCell) {
  Random random(16);
  std::vector<Vec4> x = uniform_cloud(random, domain_, 30000);
  add_coincident(x, 3, {0.25f, 0.25f, 0.25f}, 3000);
  std::shuffle(x.begin(), x.end(), std::mt19937(16));
  std::vector<std::uint32_t> expected(x.size());
  std::iota(expected.begin(), expected.end(), 0u);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return cell(x[a]) < cell(x[b]); });
  for (const BucketInsertion insertion : kInsertions)
    for (const BucketRebuild rebuild : {BucketRebuild::Automatic, BucketRebuild::Never}) {
      SearchSettings settings = with(insertion, rebuild);
      settings.deterministic = true;
      SortedSearch sorted(device(), settings);
      for (int step = 1; step <= 2; ++step) {
        sorted.build(x, domain_, h_);
        EXPECT_EQ(sorted.original(), expected);
        EXPECT_EQ(count_of(sorted.search(), "full builds"), step);
      }
    }
  if (GetParam() != DeviceKind::Cpu) return;
  for (const BucketInsertion insertion : kInsertions) {  // there the order is always this one
    SortedSearch sorted = search_with(insertion);
    sorted.build(x, domain_, h_);
    EXPECT_EQ(sorted.original(), expected);
  }
}

TEST_P(Bucket, OnTheCpuAResortedSearchVisitsInTheSameOrderEveryTime) {
  if (GetParam() != DeviceKind::Cpu)
    GTEST_SKIP() << "on CUDA only a deterministic search does, and it does not re-sort";
  Random random(17);
  const std::vector<Vec4> cloud = uniform_cloud(random, domain_, 40000);
  const std::vector<Vec4> first = scattered(random, cloud, 0.1f), second = scattered(random, first, 0.5f);
  h_ = 0.05f;
  for (const BucketRebuild rebuild : {BucketRebuild::Automatic, BucketRebuild::Never}) {
    std::vector<std::uint32_t> expected;
    for (const BucketInsertion insertion : {kInsertions[0], kInsertions[0], kInsertions[1], kInsertions[1]}) {
      SortedSearch sorted = search_with(insertion, rebuild);
      for (const auto* x : {&cloud, &first, &second}) sorted.build(*x, domain_, h_);
      EXPECT_EQ(count_of(sorted.search(), "re-sorts"), 2 - (rebuild == BucketRebuild::Automatic ? 1 : 0));
      const std::vector<std::uint32_t> visits = visits_in_order(sorted, h_);
      if (expected.empty()) expected = visits;
      EXPECT_TRUE(expected == visits);
    }
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Bucket);

class LongBucket : public Bucket {};

TEST_P(LongBucket, TenMillionParticlesAtOnePointAreInsertedIterativelyAndMoveOn) {
  const int count = 10'000'000;
  std::vector<Vec4> x(count, particle(3, {0.25f, 0.25f, 0.25f}));
  NeighborSearch search(device(), with(BucketInsertion::Iterative));
  for (const int staying : {count, count - 1, 1, 0}) {
    for (int i = 0; i < count; ++i) x[static_cast<std::size_t>(i)].x = i < staying ? 0.25f : 0.75f;
    const Buffer<Vec4> positions(device(), x);
    search.build(positions.data(), count, domain_, h_);
    const OccupancyStats stats = search.occupancy();
    EXPECT_EQ(stats.max, static_cast<std::uint32_t>(std::max(staying, count - staying)));
    EXPECT_EQ(stats.occupied, staying > 0 && staying < count ? 2 : 1);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongBucket);

}  // namespace
}  // namespace riffle::test
