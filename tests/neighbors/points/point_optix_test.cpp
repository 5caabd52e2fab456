/// Point clouds by OptiX beside every point. Runs on a GPU whose driver has OptiX; what a ray does is also tested without
/// (tests/neighbors/optix/point_rays_test.cpp).

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "neighbors/optix/optix_points.h"
#include "neighbors/points/point_search.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/optix.h"
#include "support/point_answers.h"
#include "support/point_cases.h"

namespace riffle::test {
namespace {

struct NamedSettings {
  const char* name;
  PointSearchSettings settings;
};

/// Every exact variant by OptiX.
std::vector<NamedSettings> exact_by_optix() {
  const PointSearchSettings plain{.structure = PointStructure::Optix, .order = QueryOrder::AsGiven};
  std::vector<NamedSettings> all{{"as given", plain},    {"Morton", plain},  {"first hit", plain},
                                 {"partitioned", plain}, {"bundled", plain}, {"coarse", plain}};
  all[1].settings.order = QueryOrder::Morton;
  all[2].settings.order = QueryOrder::FirstHit;
  all[3].settings.partition = true;
  all[4].settings.partition = all[4].settings.bundle = true;
  all[4].settings.order = QueryOrder::FirstHit;
  all[5].settings.partition = true;
  all[5].settings.grid_memory = 4096;
  return all;
}

class PointsByOptix : public OnEachDevice {
 protected:
  void SetUp() override {
    OnEachDevice::SetUp();
    if (!IsSkipped()) require_optix(device());
  }

  void expect_exact(const std::vector<Vec4>& points, const std::vector<Vec4>& queries, float radius, int capacity,
                    int dimension = 3) const {
    const auto within = points_within(points, queries, radius, points.size());
    const Buffer<Vec4> device_points(device(), points), device_queries(device(), queries);
    const int n = static_cast<int>(queries.size());
    PointSearch search(device());
    search.build(device_points.data(), static_cast<int>(points.size()), dimension);
    PointMatches matches(device());
    for (const auto& [name, settings] : exact_by_optix()) {
      SCOPED_TRACE(testing::Message() << name << ", K = " << capacity << ", radius " << radius);
      search.range_search(device_queries.data(), n, radius, capacity, settings, matches);
      expect_any_points(matches.index.to_host(), matches.distance.to_host(), within, capacity, points, queries);
      search.knn(device_queries.data(), n, capacity, radius, settings, matches);
      expect_nearest_points(matches.index.to_host(), matches.distance.to_host(), within, capacity);
      if (HasFailure()) return;
    }
    PointSearchSettings counting{.structure = PointStructure::Optix};
    counting.count = true;
    search.range_search(device_queries.data(), n, radius, capacity, counting, matches);
    expect_any_points(matches.index.to_host(), matches.distance.to_host(), within, capacity, points, queries);
    const std::vector<std::uint32_t> count = matches.count.to_host();
    for (std::size_t q = 0; q < queries.size(); ++q) ASSERT_EQ(count[q], within[q].count);
  }
};

TEST_P(PointsByOptix, AreExactForEveryKAndRadius) {
  Random random(931);
  for (const int dimension : {2, 3}) {
    const std::vector<Vec4> points = uniform_cloud(random, box(dimension, 0, 1), 900);
    const std::vector<Vec4> queries = uniform_cloud(random, box(dimension, -0.2f, 1.2f), 150);
    for (const int capacity : {1, 3, 8, 30, 200, 1000}) expect_exact(points, queries, 0.15f, capacity, dimension);
    for (const float radius : {0.0f, 0.01f, 0.5f, 3.0f, kInfinity})
      expect_exact(points, queries, radius, 10, dimension);
  }
}

TEST_P(PointsByOptix, FewNearestInThePayloadAreThoseOfAHeap) {
  // Payloads of 8 and 15, and a heap beyond.
  for_few_nearest(938, {1, 7, 8, 9, 14, 15, 16, 17, 33, 80}, [&](const auto&... search) { expect_exact(search...); });
}

TEST_P(PointsByOptix, CrowdedQueriesFromElsewhereAreExact) {
  for_crowded_queries(15, [&](const auto&... search) { expect_exact(search...); });
}

TEST_P(PointsByOptix, TiesDuplicatesAndLargeCoordinatesAreExact) {
  Random random(932);
  const std::vector<Vec4> grid = lattice(3, {0, 0, 0}, 0.125f, 8);
  for (const int capacity : {4, 7, 20})
    for (const float radius : {0.125f, std::nextafter(0.125f, 1.0f), kInfinity})
      expect_exact(grid, {grid.begin() + 100, grid.begin() + 200}, radius, capacity);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 200);
  add_coincident(points, 3, {0.5f, 0.5f, 0.5f}, 40);
  for (const int capacity : {1, 40, 60}) expect_exact(points, points, 0.1f, capacity);
  for (const float offset : {1e6f, -1e6f}) {
    const std::vector<Vec4> far = uniform_cloud(random, box(3, offset, offset + 16), 500);
    for (const float radius : {0.0625f, 1.0f, std::nextafter(1.0f, 2.0f), 4.0f}) expect_exact(far, far, radius, 6);
  }
  // Farther away the driver was seen to miss boxes: such points are refused.
  points.push_back(particle(3, {1e18f, 0, 0}));
  const Buffer<Vec4> too_far(device(), points);
  PointSearch search(device());
  search.build(too_far.data(), static_cast<int>(points.size()), 3);
  PointMatches matches(device());
  EXPECT_THROW(search.knn(too_far.data(), 5, 3, 0.1f, {.structure = PointStructure::Optix}, matches), Unavailable);
  EXPECT_NO_THROW(search.knn(too_far.data(), 5, 3, kInfinity, {.structure = PointStructure::Optix}, matches));
}

TEST_P(PointsByOptix, WhatIsNotFiniteFindsNothingAndIsNotFound) {
  Random random(933);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 300),
                    queries = uniform_cloud(random, box(3, 0, 1), 40);
  for (std::size_t k = 0; k < points.size(); k += 9) points[k].y = k % 2 == 0 ? kNaN : kInfinity;
  for (std::size_t k = 0; k < queries.size(); k += 5) queries[k].x = k % 2 == 0 ? kNaN : -kInfinity;
  expect_exact(points, queries, 0.3f, 6);
  expect_exact(points, queries, kInfinity, 400);
  expect_exact(std::vector<Vec4>(50, Vec4{kNaN, 0, 0, 0}), queries, 0.5f, 4);
}

TEST_P(PointsByOptix, NoPointsOnePointAndNoQueriesAreNoErrors) {
  const std::vector<Vec4> one{particle(3, {0.5f, 0.5f, 0.5f})};
  for (const float radius : {0.0f, 1.0f, kInfinity}) {
    expect_exact({}, one, radius, 3);
    expect_exact(one, one, radius, 3);
    expect_exact(one, {}, radius, 3);
  }
}

TEST_P(PointsByOptix, EveryPartHasItsOwnTreeOfBoxes) {
  Random random(934);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 2000);
  for (int k = 0; k < 2000; ++k) points.push_back(particle(3, Vec3{0.5f, 0.5f, 0.5f} + 0.05f * direction(random, 3)));
  const Buffer<Vec4> device_points(device(), points);
  const int n = static_cast<int>(points.size());
  PointSearch search(device());
  StageTimer timer(device());
  search.build(device_points.data(), n, 3);
  PointMatches matches(device());
  PointSearchSettings settings{.structure = PointStructure::Optix};
  settings.partition = true;
  search.time_stages(&timer);
  search.knn(device_points.data(), n, 4, 0.4f, settings, matches);
  timer.collect(true);
  search.time_stages(nullptr);
  ASSERT_GT(search.parts().size(), 2u);
  for (const StageStats& s : timer.stats()) {
    if (s.name == "bvh") {
      EXPECT_EQ(s.count, search.parts().size());
    }
    if (s.name == "search") {
      EXPECT_EQ(s.count, search.parts().size());
    }
  }
  expect_nearest_points(matches.index.to_host(), matches.distance.to_host(), points_within(points, points, 0.4f, 4), 4);
}

TEST_P(PointsByOptix, CallsOfTheIntersectionProgramAreThoseOfTheBoxes) {
  Random random(935);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 1500);
  const Buffer<Vec4> device_points(device(), points);
  const int n = static_cast<int>(points.size());
  PointSearch search(device());
  search.build(device_points.data(), n, 3);
  PointMatches matches(device());
  SearchCounts counts(device());
  search.count_work(&counts);
  const PointSearchSettings settings{.structure = PointStructure::Optix};
  search.knn(device_points.data(), n, 5, 0.15f, settings, matches);
  const std::vector<std::uint32_t> calls = counts.calls.to_host();
  ASSERT_EQ(calls.size(), points.size());
  EXPECT_EQ(counts.nodes.size(), 0u) << "the driver does not tell";
  // The driver must call the program for each box that holds the query. It may call it for a box again, or for another one:
  // without RT cores it was seen to.
  double held = 0, called = 0;
  for (std::size_t q = 0; q < points.size(); ++q) {
    std::uint32_t least = 0;
    for (const Vec4& p : points) least += in_box(separation(xyz(points[q]), xyz(p), {}), 0.15f);
    ASSERT_GE(calls[q], least) << q;
    held += least, called += calls[q];
  }
  EXPECT_LT(called, 2 * held);
  search.range_search(device_points.data(), n, 0.15f, 2, settings, matches);
  const std::vector<std::uint32_t> ended = counts.calls.to_host();
  double all = 0, few = 0;
  for (std::size_t q = 0; q < points.size(); ++q) all += calls[q], few += ended[q];
  EXPECT_LT(few, 0.7 * all) << "a ray ends at the K-th point";
  search.count_work(nullptr);
}

TEST_P(PointsByOptix, ApproximationsKeepTheirBounds) {
  Random random(936);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 1500);
  const Buffer<Vec4> device_points(device(), points);
  const int n = static_cast<int>(points.size()), k = 300;
  PointSearch search(device());
  search.build(device_points.data(), n, 3);
  PointMatches matches(device());
  PointSearchSettings boxes{.structure = PointStructure::Optix}, narrow = boxes;
  boxes.sphere_test = false;
  narrow.box_scale = 0.8f;
  for (const bool sphere : {false, true}) {
    search.range_search(device_points.data(), n, 0.15f, k, sphere ? narrow : boxes, matches);
    const std::vector<std::int32_t> index = matches.index.to_host();
    for (std::size_t q = 0; q < points.size(); ++q) {
      std::set<std::int32_t> expected, found;
      for (std::size_t p = 0; p < points.size(); ++p) {
        const Vec3 r = separation(xyz(points[q]), xyz(points[p]), {});
        const bool near = !sphere || squared_length(r) < 0.15f * 0.15f;
        if (near && in_box(r, sphere ? 0.8f * 0.15f : 0.15f)) expected.insert(static_cast<std::int32_t>(p));
      }
      for (std::size_t place = 0; place < k && index[q * k + place] >= 0; ++place) found.insert(index[q * k + place]);
      ASSERT_EQ(found, expected) << q;
    }
  }
}

TEST_P(PointsByOptix, ATreeBelongsToItsWidthAndItsPoints) {
  Random random(937);
  const auto boxes = OptixPoints::make(device());
  const Buffer<Vec4> first(device(), uniform_cloud(random, box(3, 0, 1), 100)),
      second(device(), uniform_cloud(random, box(3, 0, 1), 100));
  boxes->take(first.data(), nullptr, 100);
  EXPECT_FALSE(boxes->has(0.1f));
  boxes->build(0.1f);
  EXPECT_TRUE(boxes->has(0.1f));
  EXPECT_FALSE(boxes->has(0.2f));
  boxes->build(0.2f);
  EXPECT_EQ(boxes->builds(), 2);
  boxes->take(second.data(), nullptr, 100);
  EXPECT_FALSE(boxes->has(0.2f)) << "of other points";
  boxes->build(0.2f);
  EXPECT_EQ(boxes->builds(), 3);
  boxes->take(second.data(), nullptr, 0);
  boxes->build(0.2f);
  EXPECT_EQ(boxes->builds(), 3) << "there is nothing to build";
  EXPECT_GT(boxes->memory_bytes(), 100 * sizeof(RayBox));

  PointSearch search(device());
  PointMatches matches(device());
  for (const Buffer<Vec4>* points : {&first, &second}) {
    search.build(points->data(), 100, 3);
    search.knn(points->data(), 100, 3, 0.3f, {.structure = PointStructure::Optix}, matches);
    const std::vector<Vec4> x = points->to_host();
    expect_nearest_points(matches.index.to_host(), matches.distance.to_host(), points_within(x, x, 0.3f, 3), 3);
  }
}

#if RIFFLE_WITH_CUDA
INSTANTIATE_TEST_SUITE_P(OnTheGpu, PointsByOptix, testing::Values(DeviceKind::Cuda),
                         [](const auto&) { return std::string("cuda"); });
#else
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PointsByOptix);
#endif

/// Sets RIFFLE_OPTIX_LIBRARY to what is not there.
class PointsWithoutOptix : public OnEachDevice {
 protected:
  void SetUp() override {
    OnEachDevice::SetUp();
    setenv("RIFFLE_OPTIX_LIBRARY", "/nowhere/libnvoptix.so.1", 1);
  }
  void TearDown() override { unsetenv("RIFFLE_OPTIX_LIBRARY"); }
};

TEST_P(PointsWithoutOptix, AreRefusedByNameWithWhatIsAllowed) {
  try {
    OptixPoints::make(device());
    ADD_FAILURE() << "OptiX was found nowhere";
  } catch (const Unavailable& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("structure: optix"), std::string::npos) << said;
    EXPECT_NE(said.find(device().is_cpu() ? "on the CPU" : "/nowhere/libnvoptix.so.1"), std::string::npos) << said;
    EXPECT_NE(said.find("allowed there: points, boxes"), std::string::npos) << said;
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(PointsWithoutOptix);

}  // namespace
}  // namespace riffle::test
