#include "neighbors/audit/measure_search.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/neighbors/every_search.h"

namespace riffle::test {
namespace {

TEST(CheckCounts, SaysWhichParticleIsWrong) {
  NeighborDigest three, four;
  three.count = 3;
  four.count = 4;
  EXPECT_EQ(check_counts({9, 3, 9, 4}, {1, 3}, {three, four}).wrong, 0u);
  const CountCheck check = check_counts({9, 3, 9, 5}, {1, 3}, {three, four});
  EXPECT_EQ(check.compared, 2u);
  EXPECT_EQ(check.wrong, 1u);
  EXPECT_EQ(check.first, "particle 3 has 4 neighbours, 5 were found");
}

class MeasureEverySearch : public EverySearch {
 protected:
  Cloud cloud(std::uint32_t seed) const {
    Random random(seed);
    Cloud cloud{box(dimension(), 0, 4), 0.5f, {}};
    cloud.x = uniform_cloud(random, cloud.domain, 2000);
    return cloud;
  }
};
RIFFLE_INSTANTIATE_EVERY_SEARCH(MeasureEverySearch);

TEST_P(MeasureEverySearch, CountsAreThoseOfTheInputsParticlesInAnyOrder) {
  const Cloud now = cloud(1);
  Cloud before = now;
  Random random(2);
  for (Vec4& x : before.x) x.x += random.uniform(-0.3f, 0.3f);
  const NeighborSets expected = expected_neighbors(now.x, now.domain, now.h);
  const Buffer<Vec4> device_now(device(), now.x), device_before(device(), before.x);
  for (const bool previous : {false, true})
    for (const bool rebuild : {false, true})
      for (const bool lists : {false, true}) {
        SearchMeasureInput input;
        input.cloud = {device_now.data(), static_cast<int>(now.x.size()), now.domain, now.h};
        input.previous = device_before.data();
        input.in_previous_order = previous;
        input.rebuild = rebuild;
        input.lists = lists;
        input.runs = 4;
        input.warm_up = 1;
        const SearchMeasurement m = measure_search(device(), settings(), input);
        EXPECT_EQ(m.runs, 4);
        ASSERT_EQ(m.neighbors.size(), now.x.size());
        for (std::size_t i = 0; i < now.x.size(); ++i)
          ASSERT_EQ(m.neighbors[i], expected[i].size()) << i << (previous ? ", in the previous order" : "");
        EXPECT_NEAR(m.mean, double(pair_count(expected)) / double(now.x.size()), 1e-9);
        EXPECT_LE(m.min, m.mean);
        EXPECT_GE(m.max, m.mean);
        for (const Spread& s : {m.build, m.query, m.total}) {
          EXPECT_LE(s.min, s.median);
          EXPECT_LE(s.median, s.max);
        }
        EXPECT_GT(m.query.min, 0);
        EXPECT_GE(m.total.max, m.query.min);
        EXPECT_TRUE(m.reordered_bytes == 0 || m.reordered_bytes == 16);
        if (m.reordered_bytes == 0) {
          EXPECT_EQ(m.reorder.max, 0) << "nothing is reordered and takes time";
        }
      }
}

TEST_P(MeasureEverySearch, OnlyFennsWithoutListsScatters) {
  const Cloud now = cloud(4);
  const Buffer<Vec4> x(device(), now.x);
  SearchMeasureInput input;
  input.cloud = {x.data(), static_cast<int>(now.x.size()), now.domain, now.h};
  input.runs = 2;
  input.sums = TileSums::Scatter;
  if (GetParam().method != NeighborMethod::Fenns) {
    EXPECT_THROW(measure_search(device(), settings(), input), std::logic_error);
    return;
  }
  const NeighborSets expected = expected_neighbors(now.x, now.domain, now.h);
  const SearchMeasurement m = measure_search(device(), settings(), input);
  ASSERT_EQ(m.neighbors.size(), now.x.size());
  for (std::size_t i = 0; i < now.x.size(); ++i) ASSERT_EQ(m.neighbors[i], expected[i].size()) << i;
  input.lists = true;
  EXPECT_THROW(measure_search(device(), settings(), input), std::logic_error);
}

TEST_P(MeasureEverySearch, ARowEndsWhenItsTimeIsUpButNotBeforeARun) {
  const Cloud now = cloud(3);
  const Buffer<Vec4> x(device(), now.x);
  SearchMeasureInput input;
  input.cloud = {x.data(), static_cast<int>(now.x.size()), now.domain, now.h};
  input.runs = 1000000;
  input.seconds = 1e-6;
  EXPECT_EQ(measure_search(device(), settings(), input).runs, 1);
}

}  // namespace
}  // namespace riffle::test
