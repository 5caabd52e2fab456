/// What is the grid's own: its levels, its tables, what its rings do not answer. That it finds what the tree finds, in the
/// same clouds, is in point_search_test.cpp.

#include "neighbors/points/grid_search.h"

#include <cmath>
#include <map>

#include "core/error.h"
#include "neighbors/points/point_oracle.h"
#include "tests/neighbors/points/expect_matches.h"

namespace riffle::test {
namespace {

class GridPoints : public OnEachDevice {
 protected:
  /// The nearest of every query, compared with the oracle.
  void expect_nearest_exact(GridSearch& search, const std::vector<Vec4>& points, const std::vector<Vec4>& queries,
                            int capacity, float radius) const {
    const Buffer<Vec4> device_queries(device(), queries);
    PointMatches matches(device());
    search.knn(device_queries.data(), static_cast<int>(queries.size()), capacity, radius, {}, matches);
    const auto expected = points_within(points, queries, radius, static_cast<std::size_t>(capacity));
    const std::vector<std::int32_t> index = matches.index.to_host();
    for (std::size_t q = 0; q < queries.size(); ++q)
      for (std::size_t k = 0; k < static_cast<std::size_t>(capacity); ++k)
        ASSERT_EQ(index[q * static_cast<std::size_t>(capacity) + k],
                  k < expected[q].nearest.size() ? expected[q].nearest[k].index : -1)
            << "query " << q << ", place " << k;
  }
};

/// A dense cluster, a sparse cloud a million times as wide, and a point far away.
std::vector<Vec4> clustered(Random& random, int in_cluster, int outside) {
  std::vector<Vec4> points;
  for (int k = 0; k < in_cluster; ++k)
    points.push_back(particle(3, 1e-3f * std::pow(random.uniform(0.001f, 1), 3.0f) * direction(random, 3)));
  for (int k = 0; k < outside; ++k) points.push_back(particle(3, 1e3f * uniform_in_ball(random, 3)));
  points.push_back(particle(3, {3e6f, -2e6f, 1e6f}));
  return points;
}

TEST_P(GridPoints, AnAlmostEmptyBoxTakesNoMoreMemoryThanAFullOne) {
  Random random(431);
  for (const bool full : {true, false}) {
    const std::vector<Vec4> points = full ? uniform_cloud(random, box(3, 0, 1), 6000) : clustered(random, 5000, 999);
    const Buffer<Vec4> device_points(device(), points);
    for (const float edge : {0.0f, 1e-30f, 1e-5f}) {
      SCOPED_TRACE(testing::Message() << (full ? "full" : "empty") << ", cells of " << edge);
      GridSearch search(device());
      search.build(device_points.data(), 6000, 3, edge);
      expect_nearest_exact(search, points, {points.begin(), points.begin() + 200}, 8, kInfinity);
      PointMatches matches(device());
      search.range_search(device_points.data(), 6000, 1e-4f, 8, {}, matches);
      const double sorting = device().is_cuda() ? 6000 * 8.0 * 2 + (1 << 20) : 0;
      EXPECT_LE(double(search.memory_bytes()), 6000 * (110.0 + 25.0) * 1.125 + 8192 + sorting);
    }
  }
}

TEST_P(GridPoints, WhatRingsDoNotAnswerIsWalkedAndExact) {
  Random random(432);
  const std::vector<Vec4> points = clustered(random, 3000, 300);
  const Buffer<Vec4> device_points(device(), points);
  GridSearch search(device());
  search.build(device_points.data(), static_cast<int>(points.size()), 3);
  std::vector<Vec4> queries(points.begin() + 2900, points.end());
  for (const float distance : {1e4f, 1e8f, 1e15f, 3e38f})
    for (int k = 0; k < 4; ++k) queries.push_back(particle(3, distance * direction(random, 3)));
  for (const int capacity : {1, 7, 40, 4000})
    for (const float radius : {0.5f, 2e3f, kInfinity}) {
      SCOPED_TRACE(testing::Message() << "K = " << capacity << ", radius " << radius);
      expect_nearest_exact(search, points, queries, capacity, radius);
      if (capacity == 7 && radius == kInfinity) {
        EXPECT_GT(search.walked(), 250) << "the sparse part and what is far outside";
        EXPECT_LT(search.walked(), 380) << "and not the dense part";
      }
    }
}

TEST_P(GridPoints, AnEvenCloudIsAnsweredByRings) {
  Random random(433);
  for (const int dimension : {2, 3}) {
    const std::vector<Vec4> points = uniform_cloud(random, box(dimension, 0, 1), 20000);
    const Buffer<Vec4> device_points(device(), points);
    GridSearch search(device());
    search.build(device_points.data(), 20000, dimension);
    PointMatches matches(device());
    double edge = 0;
    for (const int capacity : {1, 8, 32, 128}) {
      SCOPED_TRACE(testing::Message() << dimension << "-D, K = " << capacity);
      search.knn(device_points.data(), 20000, capacity, kInfinity, {}, matches);
      EXPECT_EQ(search.walked(), 0);
      EXPECT_GE(search.cell_edge(), edge) << "wider cells for more";
      edge = search.cell_edge();
    }
    EXPECT_GT(edge, 1.5 * std::pow(2.0 / 20000, 1.0 / dimension));
  }
}

TEST_P(GridPoints, QueriesFarOutsideTestFewPoints) {
  // Their ball meets the cloud in a thin layer: no time that grows with the distance, and none with all points.
  Random random(434);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 4000);
  const Buffer<Vec4> device_points(device(), points);
  GridSearch search(device());
  search.build(device_points.data(), 4000, 3);
  std::vector<Vec4> queries;
  for (int k = 0; k < 30; ++k) queries.push_back(particle(3, std::pow(10.0f, 0.3f * float(k)) * direction(random, 3)));
  for (const float radius : {0.5f, 20.0f, kInfinity}) expect_nearest_exact(search, points, queries, 5, radius);
}

TEST_P(GridPoints, CellsAreAsWideAsGivenOrSuitTheRadius) {
  Random random(435);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 3000);
  const Buffer<Vec4> device_points(device(), points);
  GridSearch search(device());
  PointMatches matches(device());
  for (const float edge : {0.01f, 0.1f}) {
    search.build(device_points.data(), 3000, 3, edge);
    EXPECT_NEAR(search.cell_edge(), edge, 1e-6 * double{edge});
    search.range_search(device_points.data(), 3000, edge, 4, {}, matches);
    EXPECT_NEAR(search.cell_edge(), edge, 1e-6 * double{edge});
  }
  search.build(device_points.data(), 3000, 3, 1e-12f);
  EXPECT_GE(search.cell_edge() * (1 << 21), 0.99) << "at most 2^21 cells along an axis";
  search.build(device_points.data(), 3000, 3);
  for (const float radius : {0.01f, 0.1f, 0.3f}) {
    search.range_search(device_points.data(), 3000, radius, 4, {}, matches);
    EXPECT_GE(search.cell_edge(), 0.74 * double{radius});
    EXPECT_LE(search.cell_edge(), 1.51 * double{radius});
  }
}

TEST_P(GridPoints, EveryRunFindsTheSameInTheSameOrder) {
  Random random(436);
  const std::vector<Vec4> points = clustered(random, 3000, 300);
  const Buffer<Vec4> device_points(device(), points);
  std::vector<std::int32_t> first;
  for (int run = 0; run < 4; ++run) {
    GridSearch search(device());
    search.build(device_points.data(), static_cast<int>(points.size()), 3);
    PointMatches matches(device());
    search.range_search(device_points.data(), static_cast<int>(points.size()), 2e-4f, 5, {}, matches);
    if (run == 0) first = matches.index.to_host();
    EXPECT_EQ(matches.index.to_host(), first);
  }
}

TEST_P(GridPoints, StagesAreTimedUnderTheNamesOfTheTree) {
  Random random(437);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 300);
  const Buffer<Vec4> device_points(device(), points);
  StageTimer timer(device());
  GridSearch search(device());
  PointMatches matches(device());
  const auto stages_of = [&](QueryOrder order) {
    timer.reset();
    search.time_stages(&timer);
    search.build(device_points.data(), 300, 3);
    search.knn(device_points.data(), 300, 3, 0.5f, {.order = order}, matches);
    search.time_stages(nullptr);
    search.knn(device_points.data(), 300, 3, 0.5f, {.order = order}, matches);
    timer.collect(true);
    std::map<std::string, int> stages;
    for (const StageStats& s : timer.stats())
      if (s.count > 0) stages[s.name] = static_cast<int>(s.count);
    return stages;
  };
  using Stages = std::map<std::string, int>;
  EXPECT_EQ(stages_of(QueryOrder::AsGiven), (Stages{{"bvh", 2}, {"search", 1}}));
  EXPECT_EQ(stages_of(QueryOrder::Morton), (Stages{{"bvh", 2}, {"opt", 1}, {"search", 1}}));
}

TEST_P(GridPoints, WrongRequestsAreRefusedByName) {
  const std::vector<Vec4> one{particle(3, {0, 0, 0})};
  const Buffer<Vec4> point(device(), one);
  GridSearch search(device());
  PointMatches matches(device());
  EXPECT_THROW(search.build(point.data(), -1, 3), InputError);
  EXPECT_THROW(search.build(point.data(), 1, 4), InputError);
  for (const float edge : {-1.0f, kNaN, kInfinity}) EXPECT_THROW(search.build(point.data(), 1, 3, edge), InputError);
  search.build(point.data(), 1, 3);
  for (const float radius : {-1.0f, kNaN, -kInfinity}) {
    EXPECT_THROW(search.range_search(point.data(), 1, radius, 1, {}, matches), InputError);
    EXPECT_THROW(search.knn(point.data(), 1, 1, radius, {}, matches), InputError);
  }
  EXPECT_THROW(search.knn(point.data(), 1, 0, 1, {}, matches), InputError);
  EXPECT_THROW(search.range_search(point.data(), -1, 1, 1, {}, matches), InputError);
  PointSearchSettings bundled, narrow, leaves;
  bundled.bundle = true;
  narrow.box_scale = 0.5f;
  leaves.order = QueryOrder::FirstHit;
  for (const PointSearchSettings& settings : {bundled, narrow, leaves})
    EXPECT_THROW(search.knn(point.data(), 1, 1, 1, settings, matches), InputError);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(GridPoints);

TEST(PointCells, PlanesLieBetweenThePointsOfAdjacentCells) {
  Random random(438);
  for (const double scale : {1e-30, 1e-3, 1.0, 1e7, 1e37})
    for (const float offset : {0.0f, 1.0f, -1000.0f}) {
      const auto width = static_cast<float>(scale);
      const BoundingBox bounds{{offset * width, 0, 0}, {offset * width + width, 0.5f * width, 0}};
      for (const bool finest : {true, false}) {
        const PointCells cells = point_cells(bounds, 3, 0.0103 * scale, finest);
        EXPECT_LE(cells.bits, PointCells::kMostBits);
        for (int trial = 0; trial < 3000; ++trial) {
          float x = bounds.low.x + random.uniform(0, 1) * (bounds.high.x - bounds.low.x);
          // Half of them at a plane, or a float beside it.
          if (trial % 2 == 0) {
            x = cells.plane_below(cells.cell(x, cells.low.x, cells.size.x), cells.low.x);
            for (int k = trial % 5; k > 0; --k) x = std::nextafter(x, trial % 3 == 0 ? kInfinity : -kInfinity);
            x = std::clamp(x, bounds.low.x, bounds.high.x);
          }
          const int k = cells.cell(x, cells.low.x, cells.size.x);
          ASSERT_GE(x, cells.plane_below(k, cells.low.x)) << scale << ", cell " << k;
          ASSERT_LE(x, cells.plane_above(k + 1, cells.low.x, cells.high.x, cells.size.x)) << scale << ", cell " << k;
          ASSERT_EQ(cells.gap_x(x, k, 0), 0.0f);
        }
      }
    }
}

TEST(PointCells, CodesAndCellsAreTheSame) {
  Random random(439);
  for (const int dimension : {2, 3}) {
    PointCells cells;
    cells.dimension = dimension;
    for (int trial = 0; trial < 1000; ++trial) {
      const auto any = [&] { return static_cast<int>(random.uniform(0, 1) * float((1 << 21) - 1)); };
      const Int3 c{any(), any(), dimension == 2 ? 0 : any()};
      EXPECT_TRUE(cells.cell_of_code(cells.code(c)) == c);
      const int level = trial % 21;
      EXPECT_TRUE(cells.cell_of_code(cells.code(c) >> cells.shift(level)) == cells.on_level(c, level));
    }
  }
}

}  // namespace
}  // namespace riffle::test
