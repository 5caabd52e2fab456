/// Crowded coarse cells of `fenns`, which are searched in parts, and its two kinds of sections.

#include <cmath>
#include <limits>

#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

// The same values as in neighbors/fenns/tile_boxes.cuh and neighbors/fenns/fenns.cu.
constexpr int kCrowded = 864;
constexpr int kPartQueries = 288;
constexpr int kPartBlocks = 132;
constexpr int kMostSplit = 4096;

struct PartsCase {
  DeviceKind device;
  int dimension;
  TileSections sections;
};

std::vector<PartsCase> parts_cases() {
  std::vector<PartsCase> cases;
  for (const DeviceKind device : built_devices())
    for (const int dimension : {2, 3})
      for (const TileSections sections : {TileSections::TwentySeven, TileSections::Two})
        cases.push_back({device, dimension, sections});
  return cases;
}

std::string name_of_case(const PartsCase& c) {
  return std::string(to_string(c.device)) + "_" + std::to_string(c.dimension) + "d_" +
         std::string(word_of(c.sections)) + "_sections";
}

void PrintTo(const PartsCase& c, std::ostream* out) { *out << name_of_case(c); }

class FennsParts : public testing::TestWithParam<PartsCase> {
 protected:
  void SetUp() override { skip_without(GetParam().device); }

  int dimension() const { return GetParam().dimension; }
  Device device() const { return device_of(GetParam().device); }
  SearchSettings with(Int3 cells, bool deterministic = false) const {
    SearchSettings settings;
    settings.method = NeighborMethod::Fenns;
    settings.sections = GetParam().sections;
    settings.cell_count = cells;
    settings.deterministic = deterministic;
    return settings;
  }
  /// n per axis; one in z in 2-D.
  Int3 cells(int n) const { return {n, n, dimension() == 3 ? n : 1}; }

  double count(const SortedSearch& sorted, const std::string& name) const {
    for (const SearchCount& count : sorted.search().stats().counts)
      if (count.name == name) return count.value;
    ADD_FAILURE() << "no count named " << name;
    return 0;
  }
  double parts(const SortedSearch& sorted) const { return count(sorted, "parts of crowded cells"); }

  /// `count` particles in a ball around a point.
  void add_clump(std::vector<Vec4>& x, Random& random, Vec3 middle, float width, int count) const {
    for (int k = 0; k < count; ++k)
      x.push_back(particle(dimension(), middle + width * uniform_in_ball(random, dimension())));
  }

  /// A unit box with clumps inside a coarse cell of cells(3), where cells meet, and at the box's corner.
  Cloud clumps(std::uint32_t seed, Axis axis, int inside = 2 * kCrowded) const {
    Random random(seed);
    Cloud cloud{box(dimension(), 0, 1, axis), dimension() == 3 ? 0.05f : 0.02f, {}};
    add_clump(cloud.x, random, {0.52f, 0.47f, 0.5f}, 0.12f, inside);
    add_clump(cloud.x, random, {0.333f, 0.34f, 0.66f}, 0.1f, 1500);
    add_clump(cloud.x, random, {0.01f, 0.99f, 0.02f}, 0.08f, 1200);
    const std::vector<Vec4> others = uniform_cloud(random, cloud.domain, 300);
    cloud.x.insert(cloud.x.end(), others.begin(), others.end());
    return cloud;
  }

  NeighborSets find_of(const SortedSearch& sorted, const std::vector<Vec4>& queries, float h) const {
    const Buffer<Vec4> device_queries(device(), queries);
    Visits visits = visit_neighbors_of(sorted.search(), sorted.positions(), device_queries.data(),
                                       static_cast<int>(queries.size()), h);
    for (auto& set : visits.of)
      for (Neighbor& n : set) n.j = sorted.original()[n.j];
    return visits.of;
  }
};

TEST_P(FennsParts, ClumpsAreSearchedExactly) {
  for (const Axis axis : {Axis::Open, Axis::Periodic})
    for (const bool deterministic : {false, true}) {
      SCOPED_TRACE(testing::Message() << (axis == Axis::Open ? "open" : "periodic")
                                      << (deterministic ? ", deterministic" : ""));
      const int inside = axis == Axis::Open ? kMostSplit + 500 : 2 * kCrowded;
      const Cloud cloud = clumps(601, axis, inside);
      SortedSearch sorted(device(), with(cells(3), deterministic));
      sorted.build(cloud.x, cloud.domain, cloud.h);
      const NeighborSets expected = expected_neighbors(cloud.x, cloud.domain, cloud.h);
      EXPECT_TRUE(same_neighbors(expected, sorted.find(cloud.h)));
      EXPECT_GE(parts(sorted), double(inside) / kPartQueries);
      sorted.list_neighbors();
      EXPECT_TRUE(same_neighbors(expected, sorted.find(cloud.h))) << "from lists";
    }
}

TEST_P(FennsParts, ListsMadeOfPartsHaveEveryNeighbour) {
  const Cloud cloud = clumps(602, Axis::Periodic);
  SearchSettings settings = with(cells(3));
  settings.list_always = true;
  SortedSearch sorted(device(), settings);
  sorted.build(cloud.x, cloud.domain, cloud.h);
  sorted.list_neighbors();
  EXPECT_TRUE(same_neighbors(expected_neighbors(cloud.x, cloud.domain, cloud.h), sorted.find(cloud.h)));
}

TEST_P(FennsParts, ACellIsSearchedInPartsFromItsLimitOn) {
  Random random(603);
  for (const int together : {kCrowded, kCrowded + 1}) {
    Cloud cloud{box(dimension(), 0, 1), 0.05f, uniform_cloud(random, box(dimension(), 0.35f, 0.65f), together)};
    const std::vector<Vec4> others = uniform_cloud(random, box(dimension(), 0.7f, 1), kCrowded);
    cloud.x.insert(cloud.x.end(), others.begin(), others.end());
    SortedSearch sorted(device(), with(cells(3)));
    sorted.build(cloud.x, cloud.domain, cloud.h);
    // Halves of halves: 4 of about 216.
    EXPECT_EQ(parts(sorted), together > kCrowded ? 4 : 0);
    EXPECT_TRUE(same_neighbors(expected_neighbors(cloud.x, cloud.domain, cloud.h), sorted.find(cloud.h)));
  }
}

TEST_P(FennsParts, CoincidentParticlesAreSlicesOfOneBox) {
  Random random(604);
  Cloud cloud{box(dimension(), 0, 1), 0.06f, uniform_cloud(random, box(dimension(), 0, 1), 200)};
  add_coincident(cloud.x, dimension(), {0.45f, 0.52f, 0.5f}, 5 * kPartQueries + 1);
  SortedSearch sorted(device(), with(cells(3)));
  sorted.build(cloud.x, cloud.domain, cloud.h);
  EXPECT_GE(parts(sorted), 6);
  EXPECT_LE(parts(sorted), 6 + 12) << "beside the slices one box for each time that the cell is halved";
  EXPECT_TRUE(same_neighbors(expected_neighbors(cloud.x, cloud.domain, cloud.h), sorted.find(cloud.h)));
}

TEST_P(FennsParts, ParticlesThatMovedToOtherBoxesAndCellsAreFound) {
  Random random(605);
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    SCOPED_TRACE(axis == Axis::Open ? "open" : "periodic");
    const Cloud cloud = clumps(606, axis);
    const float h_build = 2 * cloud.h, step = 0.4999f * (h_build - cloud.h);
    SortedSearch sorted(device(), with(cells(3)));
    sorted.build(cloud.x, cloud.domain, h_build);
    ASSERT_GT(parts(sorted), 8);
    for (const bool together : {false, true}) {
      // Each by itself; and all the same way, so that a box may have more queries than when it was listed.
      std::vector<Vec4> moved = cloud.x;
      const Vec3 common = step * direction(random, dimension());
      for (Vec4& x : moved)
        x = particle(dimension(), xyz(x) + (together ? common : step * direction(random, dimension())));
      sorted.move(moved);
      EXPECT_TRUE(same_neighbors(expected_neighbors(moved, cloud.domain, cloud.h), sorted.find(cloud.h)));
    }
    // Everything gathers as far as it may, at the middle of the first clump.
    std::vector<Vec4> moved = cloud.x;
    for (Vec4& x : moved) {
      const Vec3 way = Vec3{0.52f, 0.47f, 0.5f} - xyz(particle(dimension(), xyz(x)));
      const Vec3 flat = dimension() == 3 ? way : Vec3{way.x, way.y, 0};
      const float distance = std::sqrt(length2(flat));
      x = particle(dimension(), xyz(x) + (distance > step ? step / distance : 1.0f) * flat);
    }
    sorted.move(moved);
    EXPECT_TRUE(same_neighbors(expected_neighbors(moved, cloud.domain, cloud.h), sorted.find(cloud.h)));
  }
}

TEST_P(FennsParts, CrowdedQueriesFromElsewhereAreSearchedInParts) {
  for (const Axis axis : {Axis::Open, Axis::Periodic}) {
    const Cloud cloud = clumps(607, axis);
    Random random(608);
    const Cloud sparse{cloud.domain, cloud.h, uniform_cloud(random, cloud.domain, 700)};
    for (const bool crowded_sources : {false, true}) {
      SCOPED_TRACE(crowded_sources ? "many among many" : "many among few");
      const Cloud& sources = crowded_sources ? cloud : sparse;
      SortedSearch sorted(device(), with(cells(3)));
      sorted.build(sources.x, sources.domain, sources.h);
      EXPECT_TRUE(same_neighbors(expected_neighbors_of(sources.x, cloud.x, cloud.domain, cloud.h),
                                 find_of(sorted, cloud.x, cloud.h)));
      EXPECT_TRUE(same_neighbors(expected_neighbors_of(sources.x, sparse.x, cloud.domain, cloud.h),
                                 find_of(sorted, sparse.x, cloud.h)))
          << "few queries";
    }
  }
}

TEST_P(FennsParts, ParticlesWithoutAPlaceAndFarOutsideBelongToOneBox) {
  Cloud cloud = clumps(609, Axis::Open);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (int k = 0; k < 400; ++k) {
    cloud.x.push_back(particle(dimension(), {-3.0f, -2.0f + 0.001f * static_cast<float>(k), 0.5f}));
    cloud.x.push_back({nan, 0.5f, 0.5f, 0});
  }
  SortedSearch sorted(device(), with(cells(3)));
  sorted.build(cloud.x, cloud.domain, cloud.h);
  EXPECT_TRUE(same_neighbors(expected_neighbors(cloud.x, cloud.domain, cloud.h), sorted.find(cloud.h)));
}

TEST_P(FennsParts, ADeterministicSearchVisitsNeighboursInOneOrder) {
  const Cloud cloud = clumps(610, Axis::Periodic, kMostSplit + 500);
  std::vector<std::vector<std::uint32_t>> orders;
  SortedSearch again(device(), with(cells(3), true));
  for (int run = 0; run < 4; ++run) {
    SortedSearch fresh(device(), with(cells(3), true));
    SortedSearch& sorted = run < 2 ? fresh : again;
    sorted.build(cloud.x, cloud.domain, cloud.h);
    std::vector<std::uint32_t> order;
    for (const auto& set : sorted.find(cloud.h))
      for (const Neighbor& n : set) order.push_back(n.j);
    orders.push_back(std::move(order));
  }
  for (const auto& order : orders) EXPECT_EQ(order, orders[0]);
}

TEST_P(FennsParts, MorePartsThanBlocksAreTakenInTurn) {
  // The number of blocks follows the number of parts late: in the first three builds, then in the sixteenth.
  Random random(611);
  const Domain domain = box(dimension(), 0, 1);
  const float h = dimension() == 3 ? 0.015f : 0.004f;
  std::vector<Vec4> few = uniform_cloud(random, domain, 2 * kCrowded), many = few;
  add_clump(many, random, {0.52f, 0.47f, 0.5f}, 0.15f, kPartBlocks * kPartQueries + 2000);
  SortedSearch sorted(device(), with(cells(3)));
  for (int k = 0; k < 4; ++k) sorted.build(few, domain, h);
  sorted.build(many, domain, h);
  ASSERT_GT(parts(sorted), kPartBlocks);
  SearchSettings reference;
  reference.method = NeighborMethod::Hoetzlein;
  SortedSearch other(device(), reference);
  other.build(many, domain, h);
  EXPECT_TRUE(same_neighbors(other.find(h), sorted.find(h)));
}

TEST_P(FennsParts, TwoSectionsHaveTheSameBorderAndTakeLessMemory) {
  Random random(612);
  const Cloud cloud{box(dimension(), 0, 1), 0.04f, uniform_cloud(random, box(dimension(), 0, 1), 20000)};
  SearchSettings other = with(cells(8));
  other.sections = GetParam().sections == TileSections::Two ? TileSections::TwentySeven : TileSections::Two;
  for (const bool deterministic : {false, true}) {
    SortedSearch these(device(), with(cells(8), deterministic));
    other.deterministic = deterministic;
    SortedSearch those(device(), other);
    these.build(cloud.x, cloud.domain, cloud.h);
    those.build(cloud.x, cloud.domain, cloud.h);
    EXPECT_GT(count(these, "border fraction"), 0.2);
    EXPECT_LT(count(these, "border fraction"), 0.95);
    EXPECT_EQ(count(these, "border fraction"), count(those, "border fraction"));
    const bool two = GetParam().sections == TileSections::Two;
    const double loads[] = {count(two ? these : those, "particles loaded per tile"),
                            count(two ? those : these, "particles loaded per tile")};
    EXPECT_GT(loads[0], 1.1 * loads[1]) << "a neighbour reads the whole border";
    // 24 words more per cell; deterministic builds count nothing but sections, 25 words more.
    const std::size_t bytes[] = {(two ? these : those).search().memory_bytes(),
                                 (two ? those : these).search().memory_bytes()};
    const std::size_t number = dimension() == 3 ? 512 : 64;
    const std::size_t more = (deterministic ? 25 : 24) * 4 * number;
    if (deterministic && device().is_cuda())
      EXPECT_GE(bytes[1] - bytes[0], more);  // a sort by more sections may need more passes, and memory for them
    else
      EXPECT_EQ(bytes[1] - bytes[0], more);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryDevice, FennsParts, testing::ValuesIn(parts_cases()),
                         [](const auto& info) { return name_of_case(info.param); });

}  // namespace
}  // namespace riffle::test
