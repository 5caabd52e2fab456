/// The grid against all points: in the clouds of point_search_test.cpp, and what is its own: its levels, its tables, what its
/// rings do not answer.

#include "neighbors/points/grid_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "neighbors/points/point_oracle.h"
#include "neighbors/separation.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/non_finite.h"
#include "support/point_cases.h"

namespace riffle::test {
namespace {

class GridPoints : public OnEachDevice {
 protected:
  /// Every search with cells of several widths.
  void expect_exact(const std::vector<Vec4>& points, const std::vector<Vec4>& queries, float radius, int capacity,
                    int dimension = 3) const {
    const auto expected = points_within(points, queries, radius, points.size());
    const Buffer<Vec4> device_points(device(), points), device_queries(device(), queries);
    const int n = static_cast<int>(queries.size());
    GridSearch search(device());
    PointMatches matches(device());
    for (const float edge : {0.0f, 0.03f, radius < 1e30f ? radius : 0.4f}) {
      SCOPED_TRACE(testing::Message() << "cells of " << edge << ", K = " << capacity << ", radius " << radius);
      search.build(device_points.data(), static_cast<int>(points.size()), dimension, edge);
      EXPECT_EQ(search.count(), static_cast<int>(points.size()));
      PointSearchSettings settings;
      settings.order = edge == 0.03f ? QueryOrder::AsGiven : QueryOrder::Morton;
      search.range_search(device_queries.data(), n, radius, capacity, settings, matches);
      expect_any(expected, matches);
      EXPECT_TRUE(matches.count.empty());
      search.knn(device_queries.data(), n, capacity, radius, settings, matches);
      expect_nearest(expected, matches);
      settings.count = true;
      search.range_search(device_queries.data(), n, radius, capacity, settings, matches);
      expect_any(expected, matches);
      const std::vector<std::uint32_t> count = matches.count.to_host();
      ASSERT_EQ(count.size(), queries.size());
      for (std::size_t q = 0; q < queries.size(); ++q) EXPECT_EQ(count[q], expected[q].count);
      if (HasFailure()) return;
    }
  }

  /// The nearest of every query by a search that is built.
  void expect_nearest_exact(GridSearch& search, const std::vector<Vec4>& points, const std::vector<Vec4>& queries,
                            int capacity, float radius) const {
    const Buffer<Vec4> device_queries(device(), queries);
    PointMatches matches(device());
    search.knn(device_queries.data(), static_cast<int>(queries.size()), capacity, radius, {}, matches);
    expect_nearest(points_within(points, queries, radius, static_cast<std::size_t>(capacity)), matches);
  }

 private:
  static void expect_any(const std::vector<PointsWithin>& expected, const PointMatches& matches) {
    const std::vector<std::int32_t> index = matches.index.to_host();
    const std::vector<float> distance = matches.distance.to_host();
    const auto k = static_cast<std::size_t>(matches.capacity);
    ASSERT_EQ(index.size(), expected.size() * k);
    for (std::size_t q = 0; q < expected.size(); ++q) {
      std::map<std::int32_t, float> within;
      for (const PointMatch& match : expected[q].nearest) within[match.index] = match.r2;
      for (std::size_t place = 0; place < k; ++place) {
        const std::int32_t i = index[q * k + place];
        if (place >= expected[q].count) {
          ASSERT_EQ(i, -1) << "query " << q << ", place " << place;
          ASSERT_EQ(distance[q * k + place], kInfinity);
          continue;
        }
        const auto found = within.find(i);
        ASSERT_NE(found, within.end()) << "query " << q << " got " << i << " in place " << place << ", or twice";
        ASSERT_EQ(distance[q * k + place], std::sqrt(found->second));
        within.erase(found);
      }
    }
  }

  static void expect_nearest(const std::vector<PointsWithin>& expected, const PointMatches& matches) {
    const std::vector<std::int32_t> index = matches.index.to_host();
    const std::vector<float> distance = matches.distance.to_host();
    const auto k = static_cast<std::size_t>(matches.capacity);
    ASSERT_EQ(index.size(), expected.size() * k);
    for (std::size_t q = 0; q < expected.size(); ++q)
      for (std::size_t place = 0; place < k; ++place) {
        const bool any = place < expected[q].nearest.size();
        ASSERT_EQ(index[q * k + place], any ? expected[q].nearest[place].index : -1)
            << "query " << q << ", place " << place;
        ASSERT_EQ(distance[q * k + place], any ? std::sqrt(expected[q].nearest[place].r2) : kInfinity);
      }
  }
};

TEST_P(GridPoints, AUniformCloudIsSearchedExactlyWhateverK) {
  Random random(421);
  for (const int dimension : {2, 3}) {
    const std::vector<Vec4> points = uniform_cloud(random, box(dimension, 0, 1), 900);
    const std::vector<Vec4> queries = uniform_cloud(random, box(dimension, -0.2f, 1.2f), 150);
    for (const int capacity : {1, 3, 8, 30, 200, 1000}) expect_exact(points, queries, 0.15f, capacity, dimension);
    for (const float radius : {0.01f, 0.5f, 3.0f, kInfinity}) expect_exact(points, queries, radius, 10, dimension);
  }
}

TEST_P(GridPoints, PointsThatAskFindThemselvesAndTheirDuplicates) {
  Random random(422);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 200);
  add_coincident(points, 3, {0.5f, 0.5f, 0.5f}, 40);
  add_coincident(points, 3, {0.51f, 0.5f, 0.5f}, 40);
  for (const int capacity : {1, 20, 40, 60, 100}) expect_exact(points, points, 0.1f, capacity);
  expect_exact(points, points, 1e-6f, 5);
}

TEST_P(GridPoints, FewNearestInRegistersAreThoseOfAHeap) {
  // Lists of 8 and 16, and a heap beyond.
  for_few_nearest(436, {1, 7, 8, 9, 15, 16, 17, 33, 80}, [&](const auto&... search) { expect_exact(search...); });
}

TEST_P(GridPoints, CrowdedQueriesFromElsewhereAreExact) {
  for_crowded_queries(16, [&](const auto&... search) { expect_exact(search...); });
}

TEST_P(GridPoints, LinesAndPlanesAreSearchedExactly) {
  Random random(423);
  std::vector<Vec4> line, plane;
  const std::vector<Vec4> queries = uniform_cloud(random, box(3, -0.1f, 1.1f), 60);
  for (int k = 0; k < 400; ++k) {
    line.push_back(particle(3, {0.25f, random.uniform(0, 1), 0.75f}));
    plane.push_back(particle(3, {random.uniform(0, 1), 0.5f, random.uniform(0, 1)}));
  }
  for (const auto& points : {line, plane}) {
    std::vector<Vec4> asking = queries;
    asking.insert(asking.end(), points.begin(), points.begin() + 60);
    for (const int capacity : {2, 12}) expect_exact(points, asking, 0.2f, capacity);
    expect_exact(points, asking, kInfinity, 7);
  }
}

TEST_P(GridPoints, ALatticeHasManyAtTheSameDistance) {
  // At equal distance the smaller index is nearer, whichever is met first.
  const std::vector<Vec4> points = lattice(3, {0, 0, 0}, 0.125f, 8);
  const std::vector<Vec4> queries(points.begin() + 100, points.begin() + 200);
  for (const int capacity : {4, 7, 20}) {
    expect_exact(points, queries, 0.125f, capacity);
    expect_exact(points, queries, std::nextafter(0.125f, 1.0f), capacity);
    expect_exact(points, queries, kInfinity, capacity);
  }
}

TEST_P(GridPoints, HugeCoordinatesWithASmallRadiusAreExact) {
  Random random(424);
  for (const float offset : {1e6f, -1e6f}) {
    const std::vector<Vec4> points = uniform_cloud(random, box(3, offset, offset + 16), 800);
    const std::vector<Vec4> queries = uniform_cloud(random, box(3, offset - 1, offset + 17), 100);
    for (const float radius : {0.0625f, 0.5f, 1.0f, std::nextafter(1.0f, 2.0f), 4.0f})
      expect_exact(points, queries, radius, 6);
    expect_exact(points, points, 1, 3);
    expect_exact(points, queries, kInfinity, 6);
  }
}

TEST_P(GridPoints, ClustersOfVeryDifferentDensityAreExact) {
  Random random(425);
  std::vector<Vec4> points;
  for (int c = 0; c < 4; ++c) {
    const Vec3 center = uniform_in(random, box(3, 0, 1));
    for (int k = 0; k < 120; ++k)
      points.push_back(particle(3, center + std::pow(random.uniform(0.001f, 1), 4.0f) * 0.3f * direction(random, 3)));
  }
  points.push_back(particle(3, {1000, 0, 0}));
  for (const int capacity : {5, 60}) {
    expect_exact(points, points, 0.05f, capacity);
    expect_exact(points, points, kInfinity, capacity);
  }
}

TEST_P(GridPoints, NoPointsOnePointNoQueriesAndNoRadiusAreNoErrors) {
  const std::vector<Vec4> one{particle(3, {0.5f, 0.5f, 0.5f})};
  for (const float radius : {0.0f, 1.0f, kInfinity}) {
    expect_exact({}, one, radius, 3);
    expect_exact(one, one, radius, 3);
    expect_exact(one, {}, radius, 3);
    expect_exact({one[0], one[0], one[0]}, one, radius, 2);
  }
}

TEST_P(GridPoints, WhatIsNotFiniteFindsNothingAndIsNotFound) {
  Random random(426);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 300),
                    queries = uniform_cloud(random, box(3, 0, 1), 40);
  for (std::size_t k = 0; k < points.size(); k += 9) points[k].y = k % 2 == 0 ? kNaN : kInfinity;
  for (std::size_t k = 0; k < queries.size(); k += 5) queries[k].x = k % 2 == 0 ? kNaN : -kInfinity;
  expect_exact(points, queries, 0.3f, 6);
  expect_exact(points, queries, kInfinity, 400);
  expect_exact(std::vector<Vec4>(50, Vec4{kNaN, 0, 0, 0}), queries, kInfinity, 4);
}

TEST_P(GridPoints, TheWholeRangeOfFloatsIsSearched) {
  Random random(427);
  std::vector<Vec4> points = uniform_cloud(random, box(3, -1.6e38f, 1.6e38f), 300);
  points.push_back(particle(3, {3.4e38f, -3.4e38f, 3.4e38f}));
  points.push_back(particle(3, {-3.4e38f, 3.4e38f, 0}));
  for (int k = 0; k < 40; ++k) points.push_back(particle(3, {1e-44f * float(k), 0, 1e-40f}));
  for (const float radius : {1e-30f, 1e18f, kInfinity}) expect_exact(points, points, radius, 5);
}

TEST_P(GridPoints, ASearchCanBeBuiltAgainAndAskedForOtherThings) {
  Random random(428);
  GridSearch search(device());
  PointMatches matches(device());
  for (const int count : {500, 3, 900}) {
    const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), count);
    const Buffer<Vec4> device_points(device(), points);
    search.build(device_points.data(), count, 3);
    search.knn(device_points.data(), count, 1, kInfinity, {}, matches);
    const std::vector<std::int32_t> nearest = matches.index.to_host();
    ASSERT_EQ(nearest.size(), points.size());
    for (std::size_t p = 0; p < points.size(); ++p) EXPECT_EQ(nearest[p], static_cast<std::int32_t>(p));
  }
}

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

TEST_P(GridPoints, QueriesFarOutsideAreExactWhateverTheDistance) {
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
  PointSearchSettings bundled, narrow, leaves, boxes;
  bundled.bundle = true;
  narrow.box_scale = 0.5f;
  leaves.order = QueryOrder::FirstHit;
  boxes.structure = PointStructure::Boxes;
  for (const PointSearchSettings& settings : {bundled, narrow, leaves, boxes})
    EXPECT_THROW(search.knn(point.data(), 1, 1, 1, settings, matches), InputError);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(GridPoints);

TEST(PointCells, PlanesLieBetweenThePointsOfAdjacentCells) {
  Random random(438);
  for (const double scale : {1e-30, 1e-3, 1.0, 1e7, 1e34})
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

TEST(PointCells, FromOutsideEverythingIsAtLeastAsFarAsTheBox) {
  // Otherwise a query far away would visit ring after ring of cells, although its ball ends before them.
  Random random(440);
  const PointCells cells = point_cells({{0, 0, 0}, {1, 1, 1}}, 3, 0.01, false);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 x = Vec3{0.5f, 0.5f, 0.5f} + random.uniform(0, 3) * direction(random, 3);
    const Int3 c = cells.cell_of(x);
    const float box2 = squared_length(cells.gap_of_box(x));
    for (const int rings : {0, 1, 3, 50}) {
      ASSERT_GE(cells.gap2_beyond(x, c, rings, 0), box2);
      ASSERT_GE(cells.gap2_beyond(x, c, rings + 1, 0), cells.gap2_beyond(x, c, rings, 0));
    }
    ASSERT_EQ(cells.gap2_beyond(x, c, 100, 0), kInfinity) << "no cell is outside the cube";
    const Int3 other{trial % 100, trial * 7 % 100, trial * 13 % 100};
    ASSERT_GE(cells.gap2(x, other, 0), box2);
    const int apart = std::max({std::abs(other.x - c.x), std::abs(other.y - c.y), std::abs(other.z - c.z)});
    if (apart > 0) {
      ASSERT_GE(cells.gap2(x, other, 0), cells.gap2_beyond(x, c, apart - 1, 0)) << "a cell is not outside by more";
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
