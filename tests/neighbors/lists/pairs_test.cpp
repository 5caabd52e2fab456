/// Cases that only `thrust_pairs` has: chunks, the half list, rows, a list that grows, and a list that is refused.

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

struct PairsCase {
  DeviceKind device;
  int dimension;
};

std::vector<PairsCase> pairs_cases() {
  std::vector<PairsCase> cases;
  for (const DeviceKind device : built_devices())
    for (const int dimension : {2, 3}) cases.push_back({device, dimension});
  return cases;
}

void PrintTo(const PairsCase& c, std::ostream* out) { *out << to_string(c.device) << ", " << c.dimension << "-D"; }

class PairList : public testing::TestWithParam<PairsCase> {
 protected:
  void SetUp() override { skip_without(GetParam().device); }

  int dimension() const { return GetParam().dimension; }
  Device device() const { return device_of(GetParam().device); }
  static SearchSettings settings(std::size_t pair_memory = std::size_t{256} << 20) {
    SearchSettings settings;
    settings.method = NeighborMethod::ThrustPairs;
    settings.pair_memory = pair_memory;
    return settings;
  }
  static double count(const NeighborSearch& search, const std::string& name) {
    for (const SearchCount& count : search.stats().counts)
      if (count.name == name) return count.value;
    ADD_FAILURE() << "no count named " << name;
    return 0;
  }

  /// A cloud in which a few places hold many particles, others few and some none.
  Cloud lumpy(std::uint32_t seed, int particles, Axis axis = Axis::Open) const {
    Random random(seed);
    Cloud cloud{box(dimension(), 0, 1, axis), 0.11f, {}};
    cloud.x = uniform_cloud(random, box(dimension(), 0, 0.6f), particles);
    for (int i = 0; i < particles / 4; ++i)
      cloud.x.push_back(particle(dimension(), Vec3{0.9f, 0.9f, 0.9f} + 0.08f * uniform_in_ball(random, dimension())));
    add_coincident(cloud.x, dimension(), {0.3f, 0.3f, 0.3f}, 50);
    return cloud;
  }

  void expect_exact(SortedSearch& sorted, const Cloud& cloud) const {
    sorted.build(cloud.x, cloud.domain, cloud.h);
    const NeighborSets expected = expected_neighbors(cloud.x, cloud.domain, cloud.h);
    EXPECT_TRUE(same_neighbors(expected, sorted.find(cloud.h)));
    const auto pairs = static_cast<double>(pair_count(expected));
    EXPECT_EQ(count(sorted.search(), "pairs listed"), pairs);
    EXPECT_EQ(count(sorted.search(), "half pairs"), pairs / 2);
    EXPECT_GE(count(sorted.search(), "candidates"), pairs / 2);
  }

  /// The rows in the order of traversal, in the search's indices.
  static std::vector<std::vector<std::uint32_t>> rows(const SortedSearch& sorted, float h) {
    std::vector<std::vector<std::uint32_t>> rows;
    for (const auto& set : visit_neighbors(sorted.search(), sorted.positions(), h).of) {
      rows.emplace_back();
      for (const Neighbor& n : set) rows.back().push_back(n.j);
    }
    return rows;
  }
};

TEST_P(PairList, ItsPeakIsTheListAndTheMemoryItIsAllowed) {
  // 20,000 particles take some 700 kB by themselves; their candidates would take ten times that.
  Random random(94);
  Cloud cloud{box(dimension(), 0, 1), dimension() == 3 ? 0.1f : 0.03f, {}};
  cloud.x = uniform_cloud(random, cloud.domain, 20'000);
  constexpr std::size_t memory = 2 << 20;
  SortedSearch sorted(device(), settings(memory));
  sorted.build(cloud.x, cloud.domain, cloud.h);
  EXPECT_GT(count(sorted.search(), "chunks"), 1);
  const double list = 8.0 * 20'001 + 4 * count(sorted.search(), "pairs listed");
  // Twelve bytes for each chunk, and the memory of scans and the compaction on a GPU.
  EXPECT_LE(count(sorted.search(), "peak bytes"), list + double(memory) + 16'384);
  EXPECT_GE(count(sorted.search(), "peak bytes"), list + double(memory) / 2) << "what may be taken is";
}

TEST_P(PairList, AnyNumberOfChunksGivesTheSamePairs) {
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    const Cloud cloud = lumpy(91, 900, axis);
    double chunks = 0;
    for (const std::size_t memory :
         {std::size_t{256} << 20, std::size_t{300'000}, std::size_t{65'536}, std::size_t{4'096}, std::size_t{1'500}}) {
      SCOPED_TRACE(testing::Message() << memory << " bytes");
      SortedSearch sorted(device(), settings(memory));
      expect_exact(sorted, cloud);
      const double now = count(sorted.search(), "chunks");
      EXPECT_GT(now, chunks) << "less memory, more chunks";
      EXPECT_GE(now * static_cast<double>(std::max(memory, std::size_t{640})), count(sorted.search(), "candidates"));
      chunks = now;
    }
    EXPECT_GT(chunks, 100);
  }
}

TEST_P(PairList, AParticleWithMoreCandidatesThanAChunkKeepsItsNeighbors) {
  // 400 candidates and no memory at all: its pairs come out of several chunks and must meet in one row.
  Cloud cloud{box(dimension(), 0, 1), 0.2f, {}};
  add_coincident(cloud.x, dimension(), {0.5f, 0.5f, 0.5f}, 400);
  add_coincident(cloud.x, dimension(), {0.1f, 0.1f, 0.1f}, 3);
  for (const std::size_t memory : {0, 1, 1000, 3000}) {
    SCOPED_TRACE(testing::Message() << memory << " bytes");
    SortedSearch sorted(device(), settings(memory));
    expect_exact(sorted, cloud);
    EXPECT_EQ(count(sorted.search(), "half pairs"), 400 * 399 / 2 + 3);
    EXPECT_GT(count(sorted.search(), "chunks"), 200);
  }
}

TEST_P(PairList, CellsOfOtherSizesAreListedCompletely) {
  // Small cells: more ranges per block than are listed at a time. Large ones: few and long ranges.
  for (const float ratio : {0.25f, 0.5f, 1.7f, 4.0f})
    for (const std::size_t memory : {std::size_t{256} << 20, std::size_t{20'000}})
      for (const Axis axis : {Axis::Open, Axis::Periodic}) {
        SCOPED_TRACE(testing::Message() << "cells of " << ratio << " h, " << memory << " bytes");
        SearchSettings settings = this->settings(memory);
        settings.cell_ratio = ratio;
        SortedSearch sorted(device(), settings);
        expect_exact(sorted, lumpy(92, 600, axis));
      }
}

TEST_P(PairList, GivenNumbersOfCellsAreListedCompletely) {
  for (const int cells : {1, 2, 3, 7, 40}) {
    SCOPED_TRACE(testing::Message() << cells << " cells per axis");
    SearchSettings settings = this->settings(50'000);
    settings.cell_count = {cells, cells, dimension() == 3 ? cells : 0};
    SortedSearch sorted(device(), settings);
    expect_exact(sorted, lumpy(93, 500, Axis::Periodic));
  }
}

TEST_P(PairList, TheListFollowsCloudsThatGrowAndShrink) {
  SortedSearch sorted(device(), settings(30'000));
  std::uint32_t seed = 94;
  for (const int particles : {10, 900, 40, 0, 1200, 1, 1300, 900}) {
    SCOPED_TRACE(testing::Message() << particles << " particles");
    Cloud cloud = lumpy(seed++, particles);
    if (particles == 0) cloud.x.clear();
    expect_exact(sorted, cloud);
  }
}

TEST_P(PairList, MemoryIsTheListAndTheBudget) {
  const Cloud cloud = lumpy(95, 3000);
  const std::size_t budget = 400'000;
  const std::size_t before = allocated_bytes(GetParam().device);
  NeighborSearch search(device(), settings(budget));
  const Buffer<Vec4> positions(device(), cloud.x);
  for (int build = 0; build < 3; ++build) {
    search.build(positions.data(), static_cast<int>(cloud.x.size()), cloud.domain, cloud.h);
    EXPECT_GT(count(search, "chunks"), 2);
    const std::size_t held = allocated_bytes(GetParam().device) - before - positions.bytes();
    EXPECT_EQ(search.memory_bytes(), held);
    EXPECT_GE(count(search, "peak bytes"), static_cast<double>(held));
    const double list = 4 * count(search, "pairs listed");
    const double per_particle = 12.0 * static_cast<double>(cloud.x.size());  // start and order
    const double table = 4 * static_cast<double>(search.occupancy().cells);
    const double small = 70'000;  // one entry per chunk, scratch memory of the sort and the scans
    EXPECT_LE(count(search, "peak bytes"), list + per_particle + table + budget + small);
  }
}

TEST_P(PairList, PairsThatPartAfterTheBuildAreNotVisited) {
  // The list holds the pairs of the build; a query tests them again, with its own radius and the present positions.
  Random random(96);
  const Domain domain = box(dimension(), 0, 1);
  std::vector<Vec4> x = uniform_cloud(random, domain, 800);
  SortedSearch sorted(device(), settings(40'000));
  sorted.build(x, domain, 0.15f);
  for (Vec4& p : x) p = particle(dimension(), xyz(p) + 0.024f * uniform_in_ball(random, dimension()));
  sorted.move(x);
  EXPECT_TRUE(same_neighbors(expected_neighbors(x, domain, 0.1f), sorted.find(0.1f)));
}

TEST_P(PairList, RowsOfADeterministicListDoNotDependOnChanceOrOnChunks) {
  const Cloud cloud = lumpy(97, 2000);
  std::vector<std::vector<std::uint32_t>> expected;
  for (const std::size_t memory :
       {std::size_t{256} << 20, std::size_t{256} << 20, std::size_t{50'000}, std::size_t{9'000}}) {
    SearchSettings settings = this->settings(memory);
    settings.deterministic = true;
    SortedSearch sorted(device(), settings);
    for (int build = 0; build < 2; ++build) {
      sorted.build(cloud.x, cloud.domain, cloud.h);
      const auto now = rows(sorted, cloud.h);
      if (expected.empty()) expected = now;
      EXPECT_EQ(now, expected) << memory << " bytes, build " << build;
    }
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {  // first those below i, then those above, in ascending order
    const auto above = std::partition_point(expected[i].begin(), expected[i].end(), [&](auto j) { return j < i; });
    EXPECT_TRUE(std::all_of(above, expected[i].end(), [&](auto j) { return j > i; }));
    EXPECT_TRUE(std::is_sorted(above, expected[i].end()));
  }
}

TEST_P(PairList, LongRowsOfADeterministicListAreSortedToo) {
  std::vector<Vec4> x;
  add_coincident(x, dimension(), {0.5f, 0.5f, 0.5f}, 1500);
  SearchSettings settings = this->settings(100'000);
  settings.deterministic = true;
  SortedSearch sorted(device(), settings);
  sorted.build(x, box(dimension(), 0, 1), 0.3f);
  EXPECT_GT(count(sorted.search(), "chunks"), 100);
  std::vector<std::uint32_t> all(1500);
  std::iota(all.begin(), all.end(), 0u);
  const auto found = rows(sorted, 0.3f);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::uint32_t> expected = all;
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
    ASSERT_EQ(found[i], expected) << i;
  }
}

TEST_P(PairList, APairThatOnlyOneSideFindsDoesNotDisturbTheOthers) {
  // This far outside a periodic box a particle's cell is unpredictable, and it finds particles that do not find it.
  // Rows with the length of each particle's own list of neighbours would overflow.
  Random random(100);
  const Domain domain = box(dimension(), 0, 1, Axis::Periodic);
  const std::vector<Vec4> inside = uniform_cloud(random, domain, 300);
  std::vector<Vec4> x = inside;
  for (int k = 0; k < 200; ++k) {
    const float far = random.uniform(-1e9f, 1e9f);
    x.push_back(particle(dimension(), {far, random.uniform(-1e9f, 1e9f), far}));
  }
  SortedSearch sorted(device(), settings(20'000));
  sorted.build(x, domain, 0.2f);
  NeighborSets found = sorted.find(0.2f);
  EXPECT_TRUE(symmetric(found)) << "both rows come from one half pair";
  found.resize(inside.size());
  for (auto& set : found) std::erase_if(set, [&](const Neighbor& n) { return n.j >= inside.size(); });
  EXPECT_TRUE(same_neighbors(expected_neighbors(inside, domain, 0.2f), found));
}

TEST_P(PairList, ParticlesThatAreNoNumbersAreNobodysCandidates) {
  // They all fall into one cell: if listed as candidates of each other, they would be N^2.
  constexpr float bad = std::numeric_limits<float>::quiet_NaN();
  Cloud cloud = lumpy(98, 300);
  const std::size_t good = cloud.x.size();
  SortedSearch alone(device(), settings());
  alone.build(cloud.x, cloud.domain, cloud.h);
  cloud.x.resize(good + 300'000, Vec4{bad, 0.5f, 0, 0});
  NeighborSearch search(device(), settings());
  const Buffer<Vec4> positions(device(), cloud.x);
  search.build(positions.data(), static_cast<int>(cloud.x.size()), cloud.domain, cloud.h);
  for (const char* name : {"candidates", "half pairs"})
    EXPECT_EQ(count(search, name), count(alone.search(), name)) << name;
}

TEST_P(PairList, AListThatFitsNoMemoryIsRefusedQuicklyWithTheBytes) {
  constexpr int particles = 2'000'000;
  std::vector<Vec4> x;
  add_coincident(x, dimension(), {0.25f, 0.25f, 0.25f}, particles);
  const Buffer<Vec4> positions(device(), x);
  NeighborSearch search(device(), settings());
  const auto began = std::chrono::steady_clock::now();
  try {
    search.build(positions.data(), particles, box(dimension(), 0, 1), 0.1f);
    FAIL() << "16 terabytes were listed";
  } catch (const Unavailable& refusal) {
    const std::string message = refusal.what();
    // Every candidate is a pair, so the estimate is exact.
    for (const char* part : {"3999998000000 pairs", "14.6 TiB", "free on the", "hoetzlein"})
      EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20)) << "the pairs were counted";
  EXPECT_THROW(visit_neighbors(search, positions.data(), 0.1f), std::logic_error);

  // The search still works afterwards.
  const Cloud cloud = lumpy(99, 400);
  SortedSearch again(device(), settings());
  EXPECT_THROW(again.build(x, cloud.domain, cloud.h), Unavailable);
  expect_exact(again, cloud);
}

INSTANTIATE_TEST_SUITE_P(ThrustPairs, PairList, testing::ValuesIn(pairs_cases()), [](const auto& info) {
  return std::string(to_string(info.param.device)) + "_" + std::to_string(info.param.dimension) + "d";
});

}  // namespace
}  // namespace riffle::test
