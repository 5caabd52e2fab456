/// Range search and nearest neighbours against all pairs, for clouds and settings that leave no shortcut untried.

#include "neighbors/points/point_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "neighbors/points/point_oracle.h"
#include "neighbors/points/query_bundles.h"
#include "neighbors/separation.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/non_finite.h"
#include "support/point_cases.h"

namespace riffle::test {
namespace {

struct Match {
  float r2;
  std::int32_t index;
  friend auto operator<=>(const Match&, const Match&) = default;
};

/// All points within the radius of each query, the nearest first.
std::vector<std::vector<Match>> all_matches(const std::vector<Vec4>& points, const std::vector<Vec4>& queries,
                                            float radius) {
  std::vector<std::vector<Match>> all(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    for (std::size_t p = 0; p < points.size(); ++p) {
      const float r2 = squared_length(separation(xyz(queries[q]), xyz(points[p]), {}));
      if (r2 < radius * radius) all[q].push_back({r2, static_cast<std::int32_t>(p)});
    }
    std::sort(all[q].begin(), all[q].end());
  }
  return all;
}

struct Settings {
  const char* name;
  PointSearchSettings settings;
};

/// Every exact variant of the search in a structure.
std::vector<Settings> exact_settings(PointStructure structure) {
  std::vector<Settings> all;
  for (const QueryOrder order : {QueryOrder::AsGiven, QueryOrder::Morton, QueryOrder::FirstHit}) {
    const char* names[] = {"as given", "Morton", "first hit"};
    PointSearchSettings s;
    s.order = order;
    all.push_back({names[static_cast<int>(order)], s});
  }
  for (const bool bundle : {false, true}) {
    PointSearchSettings s;
    s.partition = true;
    s.bundle = bundle;
    s.order = bundle ? QueryOrder::FirstHit : QueryOrder::Morton;
    all.push_back({bundle ? "bundled" : "partitioned", s});
  }
  PointSearchSettings coarse;
  coarse.partition = true;
  coarse.order = QueryOrder::AsGiven;
  coarse.grid_memory = 4096;
  all.push_back({"partitioned by coarse cells", coarse});
  for (Settings& s : all) s.settings.structure = structure;
  return all;
}

class Points : public OnEachDevice {
 protected:
  void expect_exact(const std::vector<Vec4>& points, const std::vector<Vec4>& queries, float radius, int capacity,
                    int dimension = 3) const {
    const auto expected = all_matches(points, queries, radius);
    const Buffer<Vec4> device_points(device(), points), device_queries(device(), queries);
    const int n = static_cast<int>(queries.size());
    PointSearch search(device());
    search.build(device_points.data(), static_cast<int>(points.size()), dimension);
    PointMatches matches(device());
    for (const PointStructure structure : {PointStructure::Points, PointStructure::Boxes}) {
      for (const auto& [name, settings] : exact_settings(structure)) {
        SCOPED_TRACE(testing::Message() << to_string(structure) << ", " << name << ", K = " << capacity << ", radius "
                                        << radius);
        search.range_search(device_queries.data(), n, radius, capacity, settings, matches);
        expect_subset(points, queries, expected, matches);
        search.knn(device_queries.data(), n, capacity, radius, settings, matches);
        expect_nearest(expected, matches);
        std::int64_t parted = 0;
        for (const SearchPart& part : search.parts()) parted += part.queries;
        EXPECT_EQ(parted, n);
        if (HasFailure()) return;
      }
      PointSearchSettings counting;
      counting.structure = structure;
      counting.count = true;
      search.range_search(device_queries.data(), n, radius, capacity, counting, matches);
      expect_subset(points, queries, expected, matches);
      const std::vector<std::uint32_t> count = matches.count.to_host();
      ASSERT_EQ(count.size(), queries.size());
      for (std::size_t q = 0; q < queries.size(); ++q) EXPECT_EQ(count[q], expected[q].size());
    }
  }

 private:
  void expect_subset(const std::vector<Vec4>& points, const std::vector<Vec4>& queries,
                     const std::vector<std::vector<Match>>& expected, const PointMatches& matches) const {
    const std::vector<std::int32_t> index = matches.index.to_host();
    const std::vector<float> distance = matches.distance.to_host();
    const auto k = static_cast<std::size_t>(matches.capacity);
    ASSERT_EQ(index.size(), queries.size() * k);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      std::set<std::int32_t> within, seen;
      for (const Match& m : expected[q]) within.insert(m.index);
      const std::size_t wanted = std::min(k, expected[q].size());
      for (std::size_t place = 0; place < k; ++place) {
        const std::int32_t i = index[q * k + place];
        if (place >= wanted) {
          ASSERT_EQ(i, -1) << "query " << q << ", place " << place;
          ASSERT_EQ(distance[q * k + place], kInfinity);
          continue;
        }
        ASSERT_TRUE(within.contains(i)) << "query " << q << " got " << i << " in place " << place;
        ASSERT_TRUE(seen.insert(i).second) << "query " << q << " got " << i << " twice";
        const auto p = static_cast<std::size_t>(i);
        ASSERT_EQ(distance[q * k + place], std::sqrt(squared_length(separation(xyz(queries[q]), xyz(points[p]), {}))));
      }
    }
  }

  void expect_nearest(const std::vector<std::vector<Match>>& expected, const PointMatches& matches) const {
    const std::vector<std::int32_t> index = matches.index.to_host();
    const std::vector<float> distance = matches.distance.to_host();
    const auto k = static_cast<std::size_t>(matches.capacity);
    for (std::size_t q = 0; q < expected.size(); ++q)
      for (std::size_t place = 0; place < k; ++place) {
        const bool any = place < expected[q].size();
        ASSERT_EQ(index[q * k + place], any ? expected[q][place].index : -1) << "query " << q << ", place " << place;
        ASSERT_EQ(distance[q * k + place], any ? std::sqrt(expected[q][place].r2) : kInfinity);
      }
  }
};

TEST_P(Points, AUniformCloudIsSearchedExactlyWhateverK) {
  Random random(401);
  for (const int dimension : {2, 3}) {
    const Domain domain = box(dimension, 0, 1);
    const std::vector<Vec4> points = uniform_cloud(random, domain, 900);
    const std::vector<Vec4> queries = uniform_cloud(random, box(dimension, -0.2f, 1.2f), 150);
    // Below, near and above the existing number.
    for (const int capacity : {1, 3, 8, 30, 200, 1000}) expect_exact(points, queries, 0.15f, capacity, dimension);
    for (const float radius : {0.01f, 0.5f, 3.0f, kInfinity}) expect_exact(points, queries, radius, 10, dimension);
  }
}

TEST_P(Points, PointsThatAskFindThemselvesAndTheirDuplicates) {
  Random random(402);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 200);
  add_coincident(points, 3, {0.5f, 0.5f, 0.5f}, 40);
  add_coincident(points, 3, {0.51f, 0.5f, 0.5f}, 40);
  for (const int capacity : {1, 20, 40, 60, 100}) expect_exact(points, points, 0.1f, capacity);
  expect_exact(points, points, 1e-6f, 5);
}

TEST_P(Points, FewNearestInRegistersAreThoseOfAHeap) {
  // Lists of 8 and 16, and a heap beyond.
  for_few_nearest(414, {1, 7, 8, 9, 15, 16, 17, 33, 80}, [&](const auto&... search) { expect_exact(search...); });
}

TEST_P(Points, CrowdedQueriesFromElsewhereAreExact) {
  for_crowded_queries(16, [&](const auto&... search) { expect_exact(search...); });
}

TEST_P(Points, LinesAndPlanesAreSearchedExactly) {
  Random random(403);
  std::vector<Vec4> line, plane, queries = uniform_cloud(random, box(3, -0.1f, 1.1f), 60);
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

TEST_P(Points, ALatticeHasManyAtTheSameDistance) {
  // At equal distance the smaller index is nearer, whichever is met first.
  const std::vector<Vec4> points = lattice(3, {0, 0, 0}, 0.125f, 8);
  std::vector<Vec4> queries(points.begin() + 100, points.begin() + 200);
  for (const int capacity : {4, 7, 20}) {
    expect_exact(points, queries, 0.125f, capacity);
    expect_exact(points, queries, std::nextafter(0.125f, 1.0f), capacity);
    expect_exact(points, queries, kInfinity, capacity);
  }
}

TEST_P(Points, HugeCoordinatesWithASmallRadiusAreExact) {
  Random random(404);
  for (const float offset : {1e6f, -1e6f}) {
    const std::vector<Vec4> points = uniform_cloud(random, box(3, offset, offset + 16), 800);
    const std::vector<Vec4> queries = uniform_cloud(random, box(3, offset - 1, offset + 17), 100);
    for (const float radius : {0.0625f, 0.5f, 1.0f, std::nextafter(1.0f, 2.0f), 4.0f})
      expect_exact(points, queries, radius, 6);
    expect_exact(points, points, 1, 3);
    expect_exact(points, queries, kInfinity, 6);
  }
}

TEST_P(Points, ClustersOfVeryDifferentDensityAreExact) {
  Random random(405);
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

TEST_P(Points, NoPointsOnePointNoQueriesAndNoRadiusAreNoErrors) {
  const std::vector<Vec4> one{particle(3, {0.5f, 0.5f, 0.5f})};
  for (const float radius : {0.0f, 1.0f, kInfinity}) {
    expect_exact({}, one, radius, 3);
    expect_exact(one, one, radius, 3);
    expect_exact(one, {}, radius, 3);
    expect_exact({one[0], one[0], one[0]}, one, radius, 2);
  }
}

TEST_P(Points, WhatIsNotFiniteFindsNothingAndIsNotFound) {
  Random random(406);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 300),
                    queries = uniform_cloud(random, box(3, 0, 1), 40);
  for (std::size_t k = 0; k < points.size(); k += 9) points[k].y = k % 2 == 0 ? kNaN : kInfinity;
  for (std::size_t k = 0; k < queries.size(); k += 5) queries[k].x = k % 2 == 0 ? kNaN : -kInfinity;
  expect_exact(points, queries, 0.3f, 6);
  expect_exact(points, queries, kInfinity, 400);
  expect_exact(std::vector<Vec4>(50, Vec4{kNaN, 0, 0, 0}), queries, kInfinity, 4);
}

TEST_P(Points, ASearchCanBeBuiltAgainAndAskedForOtherThings) {
  Random random(407);
  PointSearch search(device());
  PointMatches matches(device());
  for (const int count : {500, 3, 900}) {
    const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), count);
    const Buffer<Vec4> device_points(device(), points);
    search.build(device_points.data(), count, 3);
    EXPECT_EQ(search.count(), count);
    for (const PointStructure structure : {PointStructure::Points, PointStructure::Boxes}) {
      search.knn(device_points.data(), count, 1, 0.5f, {.structure = structure}, matches);
      const std::vector<std::int32_t> nearest = matches.index.to_host();
      ASSERT_EQ(nearest.size(), points.size());
      for (std::size_t p = 0; p < points.size(); ++p)
        EXPECT_EQ(nearest[p], static_cast<std::int32_t>(p)) << to_string(structure);
    }
  }
}

TEST_P(Points, LeavesOfAnySizeFindTheSame) {
  Random random(411);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 700);
  const Buffer<Vec4> device_points(device(), points);
  const int n = static_cast<int>(points.size());
  PointSearchSettings settings;
  settings.partition = true;
  std::vector<std::int32_t> nearest;
  std::vector<std::uint32_t> counts;
  for (const auto& [structure, leaf] :
       std::initializer_list<std::pair<PointStructure, int>>{{PointStructure::Points, 0},
                                                             {PointStructure::Points, 1},
                                                             {PointStructure::Points, 3},
                                                             {PointStructure::Points, 8},
                                                             {PointStructure::Points, 32},
                                                             {PointStructure::Points, 256},
                                                             {PointStructure::Boxes, 0},
                                                             {PointStructure::Boxes, 1},
                                                             {PointStructure::Boxes, 3},
                                                             {PointStructure::Boxes, 256}}) {
    SCOPED_TRACE(testing::Message() << to_string(structure) << ", " << leaf);
    settings.structure = structure;
    PointSearch search(device(), leaf);
    search.build(device_points.data(), n, 3);
    PointMatches matches(device());
    search.knn(device_points.data(), n, 5, kInfinity, settings, matches);
    const std::vector<std::int32_t> found = matches.index.to_host();
    PointSearchSettings counting;
    counting.structure = structure;
    counting.count = true;
    search.range_search(device_points.data(), n, 0.2f, 4, counting, matches);
    const std::vector<std::uint32_t> count = matches.count.to_host();
    if (nearest.empty()) nearest = found, counts = count;
    EXPECT_EQ(found, nearest);
    EXPECT_EQ(count, counts);
  }
  EXPECT_THROW(PointSearch(device(), -1), InputError);
  EXPECT_THROW(PointSearch(device(), 257), InputError);
}

TEST_P(Points, StagesAreTimedWhereThereAreAny) {
  Random random(412);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 300);
  const Buffer<Vec4> device_points(device(), points);
  StageTimer timer(device());
  PointSearch search(device());
  PointMatches matches(device());
  const auto stages_of = [&](const PointSearchSettings& settings) {
    timer.reset();
    search.time_stages(&timer);
    search.build(device_points.data(), 300, 3);
    search.knn(device_points.data(), 300, 3, 0.5f, settings, matches);
    search.time_stages(nullptr);
    search.knn(device_points.data(), 300, 3, 0.5f, settings, matches);  // nothing is known of them
    timer.collect(true);
    std::map<std::string, int> stages;
    for (const StageStats& s : timer.stats())
      if (s.count > 0) stages[s.name] = static_cast<int>(s.count);
    return stages;
  };
  using Stages = std::map<std::string, int>;
  EXPECT_EQ(stages_of({.order = QueryOrder::AsGiven}), (Stages{{"bvh", 1}, {"search", 1}}));
  EXPECT_EQ(stages_of({.order = QueryOrder::Morton}), (Stages{{"bvh", 1}, {"opt", 1}, {"search", 1}}));
  EXPECT_EQ(stages_of({.order = QueryOrder::FirstHit, .partition = true}),
            (Stages{{"bvh", 1}, {"first search", 1}, {"opt", 2}, {"search", 1}}));
}

TEST_P(Points, WrongRequestsAreRefusedByName) {
  const std::vector<Vec4> one{particle(3, {0, 0, 0})};
  const Buffer<Vec4> point(device(), one);
  PointSearch search(device());
  PointMatches matches(device());
  EXPECT_THROW(search.build(point.data(), -1, 3), InputError);
  EXPECT_THROW(search.build(point.data(), 1, 4), InputError);
  search.build(point.data(), 1, 3);
  for (const float radius : {-1.0f, kNaN, -kInfinity}) {
    EXPECT_THROW(search.range_search(point.data(), 1, radius, 1, {}, matches), InputError);
    EXPECT_THROW(search.knn(point.data(), 1, 1, radius, {}, matches), InputError);
  }
  EXPECT_THROW(search.knn(point.data(), 1, 0, 1, {}, matches), InputError);
  EXPECT_THROW(search.range_search(point.data(), -1, 1, 1, {}, matches), InputError);
  PointSearchSettings settings;
  settings.box_scale = 0;
  EXPECT_THROW(search.range_search(point.data(), 1, 1, 1, settings, matches), InputError);
  settings.box_scale = 0.5f;
  EXPECT_THROW(search.range_search(point.data(), 1, kInfinity, 1, settings, matches), InputError);
}

/// In one structure, on a GPU or not.
class PointApproximations : public testing::TestWithParam<std::tuple<DeviceKind, PointStructure>> {
 protected:
  void SetUp() override { skip_without(std::get<0>(GetParam())); }
  Device device() const { return device_of(std::get<0>(GetParam())); }
  PointSearchSettings settings() const { return {.structure = std::get<1>(GetParam())}; }
};

TEST_P(PointApproximations, SayWhatTheyAreAndKeepTheirBounds) {
  Random random(408);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 3000);
  const Buffer<Vec4> device_points(device(), points);
  const int n = static_cast<int>(points.size()), capacity = 400;
  const float radius = 0.1f;
  PointSearch search(device());
  search.build(device_points.data(), n, 3);
  PointMatches matches(device());
  const auto found = [&] {
    std::vector<std::set<std::int32_t>> sets(points.size());
    const std::vector<std::int32_t> index = matches.index.to_host();
    for (std::size_t place = 0; place < index.size(); ++place)
      if (index[place] >= 0) sets[place / static_cast<std::size_t>(capacity)].insert(index[place]);
    return sets;
  };
  search.range_search(device_points.data(), n, radius, capacity, settings(), matches);
  const auto exact = found();
  EXPECT_FALSE(PointSearchSettings{}.approximate());

  PointSearchSettings no_test = settings();
  no_test.sphere_test = false;
  EXPECT_TRUE(no_test.approximate());
  search.range_search(device_points.data(), n, radius, capacity, no_test, matches);
  const auto cubes = found();
  for (const float d : matches.distance.to_host())
    ASSERT_TRUE(d == kInfinity || d < std::sqrt(3.0f) * radius * 1.00001f) << d;
  // Fractions of the queries with a cube inside the box, not counting the queries themselves as points.
  const auto counts = [&](std::size_t q) {
    const Vec4 x = points[q];
    return std::min({x.x, x.y, x.z, 1 - x.x, 1 - x.y, 1 - x.z}) > radius;
  };
  std::size_t inside = 0, in_cubes = 0;
  for (std::size_t q = 0; q < points.size(); ++q) {
    EXPECT_TRUE(std::includes(cubes[q].begin(), cubes[q].end(), exact[q].begin(), exact[q].end()));
    if (counts(q)) inside += exact[q].size() - 1, in_cubes += cubes[q].size() - 1;
  }
  EXPECT_NEAR(double(in_cubes) / double(inside), 6 / 3.14159, 0.1) << "a cube's volume by its ball's";

  PointSearchSettings narrow = settings();
  narrow.box_scale = 0.8f;
  EXPECT_TRUE(narrow.approximate());
  search.range_search(device_points.data(), n, radius, capacity, narrow, matches);
  const auto fewer = found();
  std::size_t left = 0;
  for (std::size_t q = 0; q < points.size(); ++q) {
    EXPECT_TRUE(std::includes(exact[q].begin(), exact[q].end(), fewer[q].begin(), fewer[q].end()));
    if (counts(q)) left += fewer[q].size() - 1;
  }
  // The box cuts 6 caps of height 0.2 r from a ball's volume: 6 (0.2^2 (3 - 0.2) / 4).
  EXPECT_NEAR(double(left) / double(inside), 1 - 6 * 0.04 * 2.8 / 4, 0.03);

  PointSearchSettings heuristic = settings();
  heuristic.partition = true;
  heuristic.reach = MegacellReach::EqualVolume;
  EXPECT_TRUE(heuristic.approximate());
  search.knn(device_points.data(), n, 8, kInfinity, settings(), matches);
  const std::vector<std::int32_t> nearest = matches.index.to_host();
  search.knn(device_points.data(), n, 8, kInfinity, heuristic, matches);
  const std::vector<std::int32_t> by_heuristic = matches.index.to_host();
  std::size_t same = 0;
  for (std::size_t q = 0; q < points.size(); ++q) {
    const auto row = [&](const std::vector<std::int32_t>& all) {
      return std::set<std::int32_t>(all.begin() + static_cast<std::ptrdiff_t>(8 * q),
                                    all.begin() + static_cast<std::ptrdiff_t>(8 * q + 8));
    };
    for (const std::int32_t i : row(by_heuristic)) same += row(nearest).contains(i);
  }
  EXPECT_GT(double(same) / double(nearest.size()), 0.95) << "recall";
}

INSTANTIATE_TEST_SUITE_P(OnEachDevice, PointApproximations,
                         testing::Combine(testing::ValuesIn(built_devices()),
                                          testing::Values(PointStructure::Points, PointStructure::Boxes)),
                         [](const auto& test) {
                           return std::string(to_string(std::get<0>(test.param))) + "_" +
                                  std::string(to_string(std::get<1>(test.param)));
                         });

TEST_P(Points, PartsAreNarrowWherePointsAreDense) {
  Random random(409);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 0.2f), 3000);
  const std::vector<Vec4> sparse = uniform_cloud(random, box(3, 0, 1), 300);
  points.insert(points.end(), sparse.begin(), sparse.end());
  const Buffer<Vec4> device_points(device(), points);
  PointSearch search(device());
  search.build(device_points.data(), 3300, 3);
  PointMatches matches(device());
  PointSearchSettings settings;
  settings.partition = true;
  search.knn(device_points.data(), 3300, 8, 0.5f, settings, matches);
  const std::vector<SearchPart> parts = search.parts();
  ASSERT_GT(parts.size(), 2u);
  std::int64_t narrow = 0;
  for (const SearchPart& part : parts)
    if (part.reach < 0.1) narrow += part.queries;
  EXPECT_GT(narrow, 2500);
  settings.bundle = true;
  search.knn(device_points.data(), 3300, 8, 0.5f, settings, matches);
  EXPECT_LE(search.parts().size(), parts.size());
  EXPECT_GE(search.parts().size(), 2u) << "a search of the dense points as wide as that of the others costs far more";
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Points);

TEST(PointOracle, PointsInOrderOfXGiveWhatAllPointsGive) {
  Random random(415);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 400);
  add_coincident(points, 3, {0.5f, 0.5f, 0.5f}, 20);
  const std::vector<Vec4> grid = lattice(3, {0, 0, 0}, 0.125f, 6);
  points.insert(points.end(), grid.begin(), grid.end());
  points[3].x = kNaN;
  points[4].y = kNaN;
  points[5].x = kInfinity;
  points[6].x = -kInfinity;
  points.push_back(particle(3, {3e38f, 0, 0}));
  std::vector<Vec4> queries(points.begin(), points.begin() + 60);
  queries.push_back(particle(3, {0.25f, 0.25f, 0.25f}));
  queries.push_back(particle(3, {-3e38f, 0, 0}));
  const PointsByX sorted = PointsByX::of(points);
  EXPECT_EQ(sorted.point.size(), points.size() - 1);
  for (const float radius : {0.0f, 0.125f, std::nextafter(0.125f, 1.0f), 0.3f, 1e30f, kInfinity})
    for (const std::size_t keep : {std::size_t{0}, std::size_t{5}, points.size()}) {
      const auto expected = points_within(points, queries, radius, keep),
                 found = points_within(sorted, queries, radius, keep);
      for (std::size_t q = 0; q < queries.size(); ++q) {
        EXPECT_EQ(found[q].count, expected[q].count) << q << ", radius " << radius;
        EXPECT_EQ(found[q].nearest, expected[q].nearest) << q << ", radius " << radius;
      }
    }
}

TEST(PointOracle, RadiiHaveTheMeanCountsThatTheyAreMadeFor) {
  Random random(413);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 3000);
  add_coincident(points, 3, {0.5f, 0.5f, 0.5f}, 10);
  const std::vector<Vec4> queries(points.begin(), points.begin() + 200);
  const std::vector<double> means{2, 8, 64, 512, 5000};
  const std::vector<double> radii = radii_of_mean_counts(points, queries, means);
  ASSERT_EQ(radii.size(), means.size());
  for (std::size_t k = 0; k + 1 < means.size(); ++k) {
    double sum = 0;
    for (const auto& all : points_within(points, queries, static_cast<float>(radii[k]), 0)) sum += double(all.count);
    EXPECT_NEAR(sum / 200 / means[k], 1, 0.05) << means[k];
  }
  for (const auto& all : points_within(points, queries, static_cast<float>(radii.back()), 0))
    EXPECT_EQ(all.count, points.size()) << "there are not as many: all of them";
}

TEST(PointOracle, AgreesWithItsTwin) {
  Random random(414);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 400);
  const std::vector<Vec4> queries = uniform_cloud(random, box(3, 0, 1), 50);
  const auto expected = all_matches(points, queries, 0.3f);
  for (const std::size_t keep : {0, 1, 7, 30, 400}) {
    const auto found = points_within(points, queries, 0.3f, keep);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
      EXPECT_EQ(found[q].count, expected[q].size());
      ASSERT_EQ(found[q].nearest.size(), std::min(keep, expected[q].size()));
      for (std::size_t k = 0; k < found[q].nearest.size(); ++k) {
        EXPECT_EQ(found[q].nearest[k].index, expected[q][k].index);
        EXPECT_EQ(found[q].nearest[k].r2, expected[q][k].r2);
      }
    }
  }
}

TEST(PointOracle, OfEveryPointItKeepsTheNearestAlone) {
  Random random(415);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 50000);
  const std::vector<Vec4> queries(points.begin(), points.begin() + 20);
  const auto few = points_within(points, queries, 0.1f, 100), all = points_within(points, queries, 1e18f, 16);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    EXPECT_EQ(all[q].count, points.size());
    EXPECT_LE(all[q].nearest.capacity(), 2u * 16) << "memory grew with the points";
    ASSERT_EQ(all[q].nearest.size(), 16u);
    for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(all[q].nearest[k], few[q].nearest[k]);
  }
}

TEST(QueryBundles, NoBundlingOfAllCostsLess) {
  Random random(410);
  int scan_is_best = 0, falling = 0, falling_best = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const bool falls = trial % 3 == 0;  // as in the paper's theorem: fewer queries the wider, and much fewer
    std::vector<QueryPartition> partitions;
    double queries = 1e5, cell = 0.01;
    for (int p = 0; p < 5; ++p) {
      partitions.push_back({.queries = queries, .cell = cell, .width = std::sqrt(3.0) * cell});
      queries *= double{falls ? random.uniform(0.003f, 0.02f) : random.uniform(0.2f, 2)};
      cell *= double{falls ? random.uniform(1.3f, 1.6f) : random.uniform(1.05f, 2)};
    }
    const QueryEnd end = trial % 2 == 0 ? QueryEnd::Nearest : QueryEnd::Enough;
    const BundleCosts costs{.build = std::pow(10.0, double{random.uniform(-3, 2)}), .test = 1e-6};
    double least = 1e300;
    std::vector<int> bundle(5, 0);
    for (int code = 0; code < 5 * 5 * 5 * 5 * 5; ++code) {
      for (int p = 0, rest = code; p < 5; ++p, rest /= 5) bundle[static_cast<std::size_t>(p)] = rest % 5;
      least = std::min(least, bundling_cost(partitions, bundle, end, 8, 3, costs));
    }
    const auto cost = [&](const std::vector<int>& of) { return bundling_cost(partitions, of, end, 8, 3, costs); };
    EXPECT_LE(cost(bundle_partitions(partitions, end, 8, 3, costs)), least * (1 + 1e-12));
    const bool scan_best = cost(bundle_by_query_counts(partitions, end, 8, 3, costs)) <= least * (1 + 1e-12);
    scan_is_best += scan_best, falling += falls, falling_best += falls && scan_best;
  }
  EXPECT_EQ(falling_best, falling) << "the theorem holds where its assumption does";
  EXPECT_LT(scan_is_best, 300) << "and not elsewhere";
}

TEST(QueryBundles, DearBuildsGiveOneBundleAndFreeOnesGiveAll) {
  std::vector<QueryPartition> partitions;
  for (int p = 0; p < 6; ++p)
    partitions.push_back({.queries = 1000.0 / (p + 1), .cell = 0.1 * (p + 1), .width = 0.2 * (p + 1)});
  const auto bundles = [&](double build) {
    const std::vector<int> of = bundle_partitions(partitions, QueryEnd::Nearest, 4, 3, {.build = build, .test = 1e-6});
    return std::set<int>(of.begin(), of.end()).size();
  };
  EXPECT_EQ(bundles(1e6), 1u);
  EXPECT_EQ(bundles(0), 6u);
  EXPECT_TRUE(bundle_partitions({}, QueryEnd::Nearest, 4, 3, {}).empty());
}

TEST(QueryBundles, OnlyTheWholeSphereIsKeptApartWhereQueriesEndWithEnough) {
  const std::vector<QueryPartition> partitions{{1000, 0.1, 0.2, false}, {500, 0.2, 0.4, false}, {100, 1, 2, true}};
  const std::vector<int> of = bundle_partitions(partitions, QueryEnd::Enough, 8, 3, {.build = 1e-3, .test = 1e-5});
  EXPECT_NE(of[0], of[2]) << "1000 queries are not to be searched at ten times the cost for the sake of 100";
}

}  // namespace
}  // namespace riffle::test
