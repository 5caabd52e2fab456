/// What NeighborSearch says about itself, and what it refuses.

#include <limits>
#include <utility>

#include "core/error.h"
#include "every_search.h"

namespace riffle::test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class Error, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another type of error: " << error.what();
    return "";
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

class Search : public EverySearch {
 protected:
  std::vector<Vec4> some(int count = 500) const {
    Random random(71);
    return uniform_cloud(random, box(dimension(), 0, 1), count);
  }
  Domain unit() const { return box(dimension(), 0, 1); }
};

TEST_P(Search, ADeterministicBuildGivesTheSameOrderEveryTime) {
  // Crowded cells, so that threads meet in them.
  Random random(72);
  const Domain domain = box(dimension(), 0, 1);
  std::vector<Vec4> x = uniform_cloud(random, domain, 60000);
  add_coincident(x, dimension(), {0.5f, 0.5f, 0.5f}, 5000);
  SortedSearch first(device(), settings(true));
  first.build(x, domain, 0.25f);
  for (int build = 0; build < 5; ++build) {
    SortedSearch again(device(), settings(true));
    again.build(x, domain, 0.25f);
    EXPECT_EQ(first.original(), again.original()) << "another search";
    SortedSearch& same = first;
    const std::vector<std::uint32_t> before = same.original();
    same.build(x, domain, 0.25f);
    EXPECT_EQ(before, same.original()) << "the same search built again";
  }
}

TEST_P(Search, ADeterministicTraversalVisitsInTheSameOrderEveryTime) {
  Random random(73);
  const std::vector<Vec4> x = uniform_cloud(random, unit(), 1000);
  std::vector<std::vector<std::uint32_t>> orders;
  for (int run = 0; run < 3; ++run) {
    SortedSearch sorted(device(), settings(true));
    sorted.build(x, unit(), 0.3f);
    for (const bool listed : {false, true}) {
      if (listed) sorted.list_neighbors();
      std::vector<std::uint32_t> order;
      for (const auto& set : sorted.find(0.3f))
        for (const Neighbor& n : set) order.push_back(n.j);
      orders.push_back(std::move(order));
    }
  }
  for (const auto& order : orders) EXPECT_EQ(order, orders[0]);  // lists keep the order of the cells
}

TEST_P(Search, TheOrderKeepsParticlesOfACellTogether) {
  SortedSearch sorted(device(), settings());
  sorted.build(some(), unit(), 0.2f);
  EXPECT_EQ(sorted.search().wants_reorder(), GetParam().method != NeighborMethod::BruteForce);
  if (!sorted.search().wants_reorder()) {
    EXPECT_EQ(sorted.search().order(), nullptr);
  }
}

TEST_P(Search, TheVersionGrowsWithEveryBuild) {
  SortedSearch sorted(device(), settings());
  std::uint64_t version = sorted.search().version();
  for (const int count : {10, 0, 10}) {
    sorted.build(some(count), unit(), 0.2f);
    EXPECT_GT(sorted.search().version(), version);
    version = sorted.search().version();
    EXPECT_EQ(sorted.search().count(), count);
    EXPECT_EQ(sorted.search().build_radius(), 0.2f);
  }
}

TEST_P(Search, OccupancyAddsUpToTheParticles) {
  SortedSearch sorted(device(), settings());
  sorted.build(some(1234), unit(), 0.1f);
  const OccupancyStats stats = sorted.search().occupancy();
  if (GetParam().method == NeighborMethod::BruteForce) {
    EXPECT_EQ(stats.cells, 0);
    return;
  }
  EXPECT_GT(stats.cells, 0);
  EXPECT_LE(stats.occupied, stats.cells);
  EXPECT_LE(stats.occupied, 1234);
  EXPECT_DOUBLE_EQ(stats.mean * static_cast<double>(stats.occupied), 1234);
  EXPECT_GE(stats.max, stats.mean);
}

TEST_P(Search, OccupancySeesOneFullCellAndEmptyOnes) {
  if (GetParam().method == NeighborMethod::BruteForce) return;  // has no cells
  std::vector<Vec4> x;
  add_coincident(x, dimension(), {0.3f, 0.3f, 0.3f}, 77);
  add_coincident(x, dimension(), {0.9f, 0.9f, 0.9f}, 3);
  SortedSearch sorted(device(), settings());
  sorted.build(x, unit(), 0.1f);
  OccupancyStats stats = sorted.search().occupancy();
  EXPECT_EQ(stats.occupied, 2);
  EXPECT_EQ(stats.max, 77u);
  EXPECT_DOUBLE_EQ(stats.mean, 40);
  sorted.build({}, unit(), 0.1f);
  stats = sorted.search().occupancy();
  EXPECT_GT(stats.cells, 0);
  EXPECT_EQ(stats.occupied, 0);
  EXPECT_EQ(stats.max, 0u);
  EXPECT_EQ(stats.mean, 0);
}

TEST_P(Search, ASearchThatWasNeverBuiltIsEmpty) {
  const NeighborSearch search(device(), settings());
  EXPECT_EQ(search.count(), 0);
  EXPECT_EQ(search.occupancy().occupied, 0);
  EXPECT_EQ(search.memory_bytes(), 0u);
  EXPECT_THROW(visit_neighbors(search, nullptr, 0.1f), std::logic_error);
}

TEST_P(Search, MemoryBytesIsWhatWasAllocated) {
  for (const bool tracking : {false, true})
    for (const int count : {0, 1, 3000}) {
      SearchSettings settings = this->settings(tracking);
      settings.track_displacement = settings.static_sources = tracking;
      const std::vector<Vec4> x = some(count);
      const Buffer<Vec4> positions(device(), x);
      const std::size_t before = allocated_bytes(GetParam().device);
      {
        NeighborSearch search(device(), settings);
        search.build(positions.data(), count, unit(), 0.1f);
        EXPECT_EQ(search.memory_bytes(), allocated_bytes(GetParam().device) - before);
        if (GetParam().method != NeighborMethod::BruteForce) {
          EXPECT_GT(search.memory_bytes(), 0u);
        }
        search.list_neighbors(positions.data());
        EXPECT_EQ(search.memory_bytes(), allocated_bytes(GetParam().device) - before) << "with lists";
      }
      EXPECT_EQ(allocated_bytes(GetParam().device), before) << "leaked";
    }
}

TEST_P(Search, AMovedSearchAnswersAsBefore) {
  SortedSearch sorted(device(), settings());
  sorted.build(some(), unit(), 0.2f);
  const Visits before = visit_neighbors(sorted.search(), sorted.positions(), 0.2f);
  NeighborSearch moved = std::move(sorted.search());
  const Visits after = visit_neighbors(moved, sorted.positions(), 0.2f);
  EXPECT_TRUE(same_neighbors(before.of, after.of));
}

TEST_P(Search, AnImpossibleRadiusIsRefused) {
  for (const float h : {0.0f, -0.1f, kNaN, kInfinity, -kInfinity}) {
    SortedSearch sorted(device(), settings());
    EXPECT_NE(message_of<InputError>([&] { sorted.build(some(), unit(), h); }).find("support radius"),
              std::string::npos)
        << h;
  }
}

TEST_P(Search, APeriodicAxisShorterThan2hIsRefusedByName) {
  for (int axis = 0; axis < dimension(); ++axis) {
    Domain domain = unit();
    domain.axis[axis] = Axis::Periodic;
    SortedSearch sorted(device(), settings());
    sorted.build(some(), domain, 0.5f);
    const std::string message =
        message_of<InputError>([&] { sorted.build(some(), domain, std::nextafter(0.5f, 1.0f)); });
    EXPECT_NE(message.find(std::string("axis ") + "xyz"[axis]), std::string::npos) << message;
  }
}

TEST_P(Search, AnEmptyInvertedOrEndlessBoxIsRefused) {
  for (int axis = 0; axis < dimension(); ++axis)
    for (const float high : {0.0f, -1.0f, kNaN, kInfinity}) {
      Domain domain = unit();
      (axis == 0 ? domain.max.x : axis == 1 ? domain.max.y : domain.max.z) = high;
      SortedSearch sorted(device(), settings());
      message_of<InputError>([&] { sorted.build(some(), domain, 0.1f); });
    }
}

TEST_P(Search, MoreCellsThanThereAreNumbersForIsUnavailable) {
  SortedSearch sorted(device(), settings());
  const std::string message = message_of<Unavailable>([&] { sorted.build(some(), box(dimension(), 0, 1e6f), 1e-2f); });
  EXPECT_NE(message.find("larger support radius"), std::string::npos) << message;
}

TEST_P(Search, AQueryRadiusBeyondTheBuiltOneIsAnError) {
  SortedSearch sorted(device(), settings());
  sorted.build(some(), unit(), 0.2f);
  EXPECT_THROW(visit_neighbors(sorted.search(), sorted.positions(), std::nextafter(0.2f, 1.0f)), std::logic_error);
  EXPECT_NO_THROW(visit_neighbors(sorted.search(), sorted.positions(), 0.2f));
}

TEST_P(Search, AQueryRadiusThatIsNotANumberIsAnError) {
  // It would compare false with every distance: a fluid without neighbours, and no message.
  SortedSearch sorted(device(), settings());
  sorted.build(some(), unit(), 0.2f);
  EXPECT_THROW(visit_neighbors(sorted.search(), sorted.positions(), kNaN), std::logic_error);
  EXPECT_THROW(visit_neighbors_of(sorted.search(), sorted.positions(), sorted.positions(), 1, kNaN), std::logic_error);
}

TEST_P(Search, AFailedBuildIsNotAnsweredFromTheOneBefore) {
  // Half a build may have replaced the arrays that the earlier view points to.
  SortedSearch sorted(device(), settings());
  sorted.build(some(), unit(), 0.2f);
  EXPECT_THROW(sorted.search().build(sorted.positions(), 500, unit(), -1), InputError);
  EXPECT_THROW(visit_neighbors(sorted.search(), sorted.positions(), 0.2f), std::logic_error);
  sorted.build(some(), unit(), 0.2f);
  EXPECT_TRUE(same_neighbors(expected_neighbors(some(), unit(), 0.2f), sorted.find(0.2f)));
}

RIFFLE_INSTANTIATE_EVERY_SEARCH(Search);

}  // namespace
}  // namespace riffle::test
