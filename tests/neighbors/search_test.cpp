/// NeighborSearch's reports about itself, and the inputs it refuses.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <variant>

#include "core/error.h"
#include "every_search.h"
#include "support/non_finite.h"

namespace riffle::test {
namespace {

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
  // Crowded cells, so that threads meet in them. Half a billion pairs within 0.25 are too many for a method that lists
  // them, and so are those of 5000 particles at one point, eleven times.
  const bool lists = GetParam().method == NeighborMethod::ThrustPairs;
  const float h = lists ? 0.03f : 0.25f;
  Random random(72);
  const Domain domain = box(dimension(), 0, 1);
  std::vector<Vec4> x = uniform_cloud(random, domain, 60000);
  add_coincident(x, dimension(), {0.5f, 0.5f, 0.5f}, lists ? 1000 : 5000);
  SortedSearch first(device(), settings(true));
  first.build(x, domain, h);
  for (int build = 0; build < 5; ++build) {
    SortedSearch again(device(), settings(true));
    again.build(x, domain, h);
    EXPECT_EQ(first.original(), again.original()) << "another search";
    SortedSearch& same = first;
    const std::vector<std::uint32_t> before = same.original();
    same.build(x, domain, h);
    EXPECT_EQ(before, same.original()) << "the same search built again";
  }
}

TEST_P(Search, OnTheCpuTheOrderDoesNotDependOnThreads) {
  if (GetParam().device != DeviceKind::Cpu) GTEST_SKIP() << "on CUDA it does, unless the search is deterministic";
  const bool lists = GetParam().method == NeighborMethod::ThrustPairs;
  Random random(73);
  const Domain domain = box(dimension(), 0, 1);
  std::vector<Vec4> x = uniform_cloud(random, domain, 60000);
  add_coincident(x, dimension(), {0.5f, 0.5f, 0.5f}, lists ? 1000 : 5000);
  for (const float h : {0.03f, lists ? 0.03f : 0.25f}) {
    SortedSearch first(device(), settings());
    first.build(x, domain, h);
    for (int build = 0; build < 3; ++build) {
      SortedSearch again(device(), settings());
      again.build(x, domain, h);
      EXPECT_TRUE(first.original() == again.original()) << "radius " << h;
    }
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

/// All searches but brute force.
class OrderedSearch : public Search {};

TEST_P(OrderedSearch, TheOrderKeepsParticlesOfACellTogether) {
  constexpr float h = 0.2f;
  const std::vector<Vec4> x = some(5000);
  SortedSearch sorted(device(), settings());
  sorted.build(x, unit(), h);
  ASSERT_TRUE(sorted.search().wants_reorder());
  std::vector<double> apart;  // of particles that follow each other
  for (std::size_t k = 1; k < x.size(); ++k)
    apart.push_back(std::sqrt(double{length2(xyz(x[sorted.original()[k]]) - xyz(x[sorted.original()[k - 1]]))}));
  std::nth_element(apart.begin(), apart.begin() + 2500, apart.end());
  // In a coarse cell of `fenns` the border is in any order: with two sections all of it.
  const float expected = (GetParam().sections == TileSections::Two ? 2 : 1) * h;
  EXPECT_LT(apart[2500], expected) << "in the given order it is 0.5 to 0.7";
  const Grid* grid = std::visit([](const auto& view) { return view.shown().grid; }, sorted.search().method_view());
  if (GetParam().method == NeighborMethod::Rtnn) {
    EXPECT_EQ(grid, nullptr) << "a tree has no cells";
    return;
  }
  ASSERT_NE(grid, nullptr);
  std::set<std::int64_t> met;
  std::int64_t last = -1;
  for (const std::uint32_t i : sorted.original()) {
    const std::int64_t cell = grid->linear(grid->cell_of(xyz(x[i])));
    if (std::exchange(last, cell) == cell) continue;
    EXPECT_TRUE(met.insert(cell).second) << "cell " << cell << " is left and met again";
  }
  EXPECT_LT(met.size(), x.size() / 4) << "cells hold several particles";
}

TEST(BruteForceSearch, KeepsTheGivenOrderAndHasNoCells) {
  Random random(76);
  SortedSearch sorted(Device{}, {NeighborMethod::BruteForce});
  sorted.build(uniform_cloud(random, box(3, 0, 1), 500), box(3, 0, 1), 0.2f);
  EXPECT_FALSE(sorted.search().wants_reorder());
  EXPECT_EQ(sorted.search().order(), nullptr);
  EXPECT_EQ(sorted.search().occupancy().cells, 0);
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

TEST_P(OrderedSearch, OccupancyAddsUpToTheParticles) {
  SortedSearch sorted(device(), settings());
  sorted.build(some(1234), unit(), 0.1f);
  const OccupancyStats stats = sorted.search().occupancy();
  EXPECT_GT(stats.cells, 0);
  EXPECT_LE(stats.occupied, stats.cells);
  EXPECT_LE(stats.occupied, 1234);
  EXPECT_DOUBLE_EQ(stats.mean * static_cast<double>(stats.occupied), 1234);
  EXPECT_GE(stats.max, stats.mean);
}

TEST_P(OrderedSearch, OccupancySeesOneFullCellAndEmptyOnes) {
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
  for (const bool kept : {false, true})
    for (const int count : {0, 1, 3000}) {
      SearchSettings settings = this->settings(kept);
      settings.static_sources = kept;
      settings.skin = kept ? 0.25f : 0;
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

TEST_P(Search, ABoxOfTooManyCellsIsSearchedAllTheSameAndRefusedOnlyIfTheyWereAskedFor) {
  // 10^8 cells of h per axis.
  const Domain vast = box(dimension(), 0, 1e6f);
  const float h = 1e-2f;
  std::vector<Vec4> x = some();  // all in one corner
  for (Vec4& p : x) p = {0.05f * p.x, 0.05f * p.y, 0.05f * p.z, 0};
  const NeighborMethod method = GetParam().method;
  SortedSearch sorted(device(), settings());
  const bool has_a_table_of_the_box =
      method == NeighborMethod::Hoetzlein || method == NeighborMethod::Bucket || method == NeighborMethod::ThrustPairs;
  sorted.build(x, vast, h);
  EXPECT_TRUE(same_neighbors(expected_neighbors(x, vast, h), sorted.find(h)));
  EXPECT_LT(sorted.search().memory_bytes(), std::size_t{8} << 20) << "memory follows the particles, not the box";
  if (!has_a_table_of_the_box) return;
  SearchSettings asked = settings();
  asked.cell_ratio = 1;
  SortedSearch refused(device(), asked);
  const std::string message = message_of<Unavailable>([&] { refused.build(x, vast, h); });
  for (const char* part : {"bytes", "larger support radius", "fenns"})
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

TEST_P(OrderedSearch, ARefusedBuildLeavesNothingToCount) {
  // By then the new grid is known, but its arrays do not exist.
  SearchSettings cells_of_h = settings();
  cells_of_h.cell_ratio = 1;
  SortedSearch sorted(device(), cells_of_h);
  sorted.build(some(), unit(), 0.2f);
  EXPECT_THROW(sorted.search().build(sorted.positions(), 500, box(dimension(), 0, 1), -1), InputError);
  EXPECT_EQ(sorted.search().occupancy().occupied, 0);
  if (GetParam().method == NeighborMethod::Hoetzlein || GetParam().method == NeighborMethod::Bucket) {
    EXPECT_THROW(sorted.search().build(sorted.positions(), 500, box(dimension(), 0, 1e6f), 0.01f), Unavailable);
  }
  EXPECT_EQ(sorted.search().stats().occupancy.occupied, 0);
  sorted.build(some(), unit(), 0.2f);
  EXPECT_GT(sorted.search().occupancy().occupied, 0);
}

TEST_P(Search, ImpossibleSkinsAndNumbersOfCellsAreRefused) {
  for (const float skin : {-0.1f, kNaN, kInfinity, 11.0f}) {
    SearchSettings settings = this->settings();
    settings.skin = skin;
    EXPECT_THROW(NeighborSearch(device(), settings), InputError) << skin;
  }
  if (!method_info(GetParam().method).has_cells) return;
  SearchSettings settings = this->settings();
  settings.cell_count = {1 << 20, 4, 1};
  SortedSearch sorted(device(), settings);
  EXPECT_NE(message_of<InputError>([&] { sorted.build(some(), unit(), 0.1f); }).find("cells"), std::string::npos);
}

TEST_P(Search, AQueryRadiusBeyondTheBuiltOneIsAnError) {
  SortedSearch sorted(device(), settings());
  sorted.build(some(), unit(), 0.2f);
  EXPECT_THROW(visit_neighbors(sorted.search(), sorted.positions(), std::nextafter(0.2f, 1.0f)), std::logic_error);
  EXPECT_NO_THROW(visit_neighbors(sorted.search(), sorted.positions(), 0.2f));
}

TEST_P(Search, AQueryRadiusThatIsNotANumberIsAnError) {
  // It would compare false with every distance: a fluid without neighbours and without a message.
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
RIFFLE_INSTANTIATE_EVERY_ORDERED_SEARCH(OrderedSearch);

}  // namespace
}  // namespace riffle::test
