/// The structure of boxes: what each query costs, by a count of the boxes that contain it; the order of a first pass;
/// bundles, and what they are chosen by.

#include "neighbors/points/point_boxes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "neighbors/points/point_costs.h"
#include "neighbors/points/point_oracle.h"
#include "neighbors/separation.h"
#include "neighbors/tree/lbvh.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/non_finite.h"

namespace riffle::test {
namespace {

/// Whether the box of half-width `half` round p contains x. Its surface is not part of it.
bool box_contains(Vec4 p, Vec4 x, float half) {
  const Vec3 d = separation(xyz(x), xyz(p), {});
  return std::fabs(d.x) < half && std::fabs(d.y) < half && std::fabs(d.z) < half;
}

std::uint32_t boxes_round(const std::vector<Vec4>& points, Vec4 x, float half) {
  return static_cast<std::uint32_t>(
      std::count_if(points.begin(), points.end(), [&](Vec4 p) { return box_contains(p, x, half); }));
}

class Boxes : public OnEachDevice {
 protected:
  /// Dense in a corner, and a few points far from it.
  std::vector<Vec4> uneven_cloud(int dimension) const {
    Random random(431);
    std::vector<Vec4> points = uniform_cloud(random, box(dimension, 0, 0.2f), 1500);
    const std::vector<Vec4> sparse = uniform_cloud(random, box(dimension, 0, 1), 200);
    points.insert(points.end(), sparse.begin(), sparse.end());
    return points;
  }
};

TEST_P(Boxes, CallsAreTheBoxesThatContainTheQuery) {
  Random random(430);
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(dimension);
    std::vector<Vec4> points = uniform_cloud(random, box(dimension, 0, 1), 1200);
    points[7].x = kNaN;
    std::vector<Vec4> queries = uniform_cloud(random, box(dimension, -0.2f, 1.2f), 200);
    queries[3].y = kInfinity;
    queries[4] = particle(dimension, {50, 50, 50});
    const Buffer<Vec4> device_points(device(), points), device_queries(device(), queries);
    for (const int leaf : {0, 1}) {
      PointSearch search(device(), leaf);
      search.build(device_points.data(), 1200, dimension);
      PointMatches matches(device());
      SearchCounts counts(device());
      search.count_work(&counts);
      for (const float radius : {0.0f, 0.05f, 0.3f, 5.0f, kInfinity}) {
        SCOPED_TRACE(radius);
        for (const QueryOrder order : {QueryOrder::AsGiven, QueryOrder::Morton, QueryOrder::FirstHit})
          for (const bool nearest : {false, true}) {
            PointSearchSettings settings{.structure = PointStructure::Boxes, .order = order};
            settings.count = true;
            if (nearest)
              search.knn(device_queries.data(), 200, 5, radius, settings, matches);
            else
              search.range_search(device_queries.data(), 200, radius, 5, settings, matches);
            const std::vector<std::uint32_t> calls = counts.calls.to_host();
            ASSERT_EQ(calls.size(), queries.size());
            for (std::size_t q = 0; q < queries.size(); ++q)
              ASSERT_EQ(calls[q], q == 3 ? 0 : boxes_round(points, queries[q], radius)) << q;
          }
      }
    }
  }
}

TEST_P(Boxes, NodesAreTheChildrenOfThoseThatContainTheQuery) {
  Random random(432);
  const std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 777);
  const std::vector<Vec4> queries{particle(3, {0.5f, 0.5f, 0.5f}), particle(3, {9, 9, 9}), Vec4{kNaN, 0, 0, 0}};
  const Buffer<Vec4> device_points(device(), points), device_queries(device(), queries);
  PointSearch search(device(), 1);
  search.build(device_points.data(), 777, 3);
  PointMatches matches(device());
  SearchCounts counts(device());
  search.count_work(&counts);
  PointSearchSettings settings{.structure = PointStructure::Boxes, .order = QueryOrder::AsGiven};
  search.knn(device_queries.data(), 3, 5, 0.1f, settings, matches);
  std::vector<std::uint32_t> nodes = counts.nodes.to_host();
  const std::uint32_t calls = counts.calls.to_host()[0];
  EXPECT_EQ(nodes[0] % 2, 1u) << "the root and pairs of children";
  EXPECT_GE(nodes[0], 2 * calls - 1) << "leaves hold one box each, and have ancestors";
  EXPECT_LT(nodes[0], 777u);
  EXPECT_EQ(nodes[1], 1u) << "the root";
  EXPECT_EQ(nodes[2], 0u);
  for (const PointStructure structure : {PointStructure::Points, PointStructure::Boxes}) {
    settings.structure = structure;
    settings.count = true;
    search.range_search(device_queries.data(), 3, 100, 5, settings, matches);
    EXPECT_EQ(counts.nodes.to_host(), (std::vector<std::uint32_t>{2 * 777 - 1, 2 * 777 - 1, 0}));
    EXPECT_EQ(counts.calls.to_host(), (std::vector<std::uint32_t>{777, 777, 0}));
  }
  search.count_work(nullptr);
  counts.calls.fill_zero();
  search.range_search(device_queries.data(), 3, 100, 5, settings, matches);
  EXPECT_EQ(counts.calls.to_host(), (std::vector<std::uint32_t>{0, 0, 0})) << "no longer counted";
}

TEST_P(Boxes, CellsAreFinerWhereMostQueriesAreInACrowdedOne) {
  Random random(433);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0.4f, 0.5f), 3000);
  points.push_back(particle(3, {0, 0, 0}));
  points.push_back(particle(3, {1, 1, 1}));
  const int n = static_cast<int>(points.size()), capacity = 8;
  const Buffer<Vec4> device_points(device(), points);
  const auto calls_and_memory = [&](float radius, PointSearchSettings settings) {
    settings.structure = PointStructure::Boxes;
    PointSearch search(device());
    search.build(device_points.data(), n, 3);
    PointMatches matches(device());
    SearchCounts counts(device());
    search.count_work(&counts);
    search.knn(device_points.data(), n, capacity, radius, settings, matches);
    const std::vector<std::int32_t> index = matches.index.to_host();
    const auto expected = points_within(points, points, radius, capacity);
    for (std::size_t q = 0; q < points.size(); ++q)
      for (std::size_t k = 0; k < std::min<std::size_t>(capacity, expected[q].count); ++k)
        EXPECT_EQ(index[q * capacity + k], expected[q].nearest[k].index) << q;
    double calls = 0;
    for (const std::uint32_t one : counts.calls.to_host()) calls += one;
    return std::pair{calls / n, search.memory_bytes()};
  };
  PointSearchSettings partitioned, coarse;
  partitioned.partition = coarse.partition = true;
  coarse.grid_memory = std::size_t{4} * 4 * points.size();
  // 4 cells per point are 0.044 wide, so that the smallest box is wider than the crowd.
  EXPECT_GT(calls_and_memory(0.2f, coarse).first, 2500);
  const auto [calls, memory] = calls_and_memory(0.2f, partitioned);
  EXPECT_LT(calls, 700) << "64 cells per point are 0.017 wide";
  EXPECT_GT(calls, 100);
  EXPECT_LT(calls_and_memory(0.05f, partitioned).second + std::size_t{40} * 4 * points.size(), memory)
      << "the radius itself is not much wider than the smallest box of fine cells";
}

TEST_P(Boxes, EachPartHasBoxesAsWideAsItNeeds) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(dimension);
    const std::vector<Vec4> points = uneven_cloud(dimension);
    const int n = static_cast<int>(points.size()), capacity = 8;
    const float radius = 0.3f;
    const Buffer<Vec4> device_points(device(), points);
    PointSearch search(device());
    search.build(device_points.data(), n, dimension);
    PointMatches matches(device());
    SearchCounts counts(device());
    search.count_work(&counts);
    PointSearchSettings settings{.structure = PointStructure::Boxes, .order = QueryOrder::FirstHit, .partition = true};
    for (const bool nearest : {false, true}) {
      SCOPED_TRACE(nearest ? "nearest" : "any");
      if (nearest)
        search.knn(device_points.data(), n, capacity, radius, settings, matches);
      else
        search.range_search(device_points.data(), n, radius, capacity, settings, matches);
      const std::vector<SearchPart>& parts = search.parts();
      ASSERT_EQ(parts.size(), search.partitions().size());
      ASSERT_GT(parts.size(), 2u);
      const std::vector<std::uint32_t> calls = counts.calls.to_host(), part_of = search.partition_of_queries();
      ASSERT_EQ(part_of.size(), points.size());
      std::vector<std::int64_t> queries(parts.size());
      for (std::size_t q = 0; q < points.size(); ++q) {
        const SearchPart& part = parts[part_of[q]];
        ++queries[part_of[q]];
        const std::uint32_t boxes = boxes_round(points, points[q], static_cast<float>(part.box));
        // A box that is known to lie within the sphere and to hold K points ends the search with the K-th call.
        if (nearest)
          ASSERT_EQ(calls[q], boxes) << q;
        else if (!part.sphere)
          ASSERT_EQ(calls[q], std::uint32_t{capacity}) << q;
        else
          ASSERT_LE(calls[q], boxes) << q;
        ASSERT_GE(boxes, calls[q]);
      }
      int whole = 0;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        EXPECT_EQ(queries[p], parts[p].queries);
        EXPECT_LE(parts[p].box, double{radius});
        if (p > 0) {
          EXPECT_GT(parts[p].box, parts[p - 1].box);
        }
        if (!nearest) {
          whole += parts[p].sphere;
          EXPECT_EQ(parts[p].sphere, parts[p].box == double{radius});
          if (!parts[p].sphere) {
            EXPECT_LT(parts[p].box * std::sqrt(double(dimension)), double{radius});
          }
        } else {
          EXPECT_TRUE(parts[p].sphere);
        }
      }
      EXPECT_LE(whole, 1);
    }
  }
}

TEST_P(Boxes, TheFirstPassFindsTheFirstBoxInTheOrderOfTheTree) {
  Random random(433);
  std::vector<Vec4> points = uniform_cloud(random, box(3, 0, 1), 900);
  points[5].z = kNaN;
  std::vector<Vec4> queries = uniform_cloud(random, box(3, -0.3f, 1.3f), 300);
  queries[9].x = kNaN;
  const Buffer<Vec4> device_points(device(), points), device_queries(device(), queries);
  Lbvh tree(device());
  tree.build(device_points.data(), 900, 3, BoundingBox::everything());
  std::vector<std::uint32_t> order(900);
  copy_to_host(device(), order.data(), tree.order(), order.size() * sizeof(std::uint32_t));
  std::vector<Vec4> sorted;
  for (const std::uint32_t i : order) sorted.push_back(points[i]);
  const Buffer<Vec4> device_sorted(device(), sorted);
  Buffer<std::uint32_t> hit(device(), 300), index(device(), 300);
  PointBoxes boxes(device());
  for (const float half : {0.02f, 0.1f, 0.6f}) {
    boxes.build(tree.view(), half);
    find_first_boxes(device(), tree.view(), boxes, device_sorted.data(), device_queries.data(), 300, hit.data(),
                     index.data());
    const std::vector<std::uint32_t> first = hit.to_host(), number = index.to_host();
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const auto found =
          std::find_if(sorted.begin(), sorted.end(), [&](Vec4 p) { return box_contains(p, queries[q], half); });
      ASSERT_EQ(first[q], q == 9 ? 900 : static_cast<std::uint32_t>(found - sorted.begin())) << half << ", " << q;
      ASSERT_EQ(number[q], q);
    }
  }
  boxes.build(tree.view(), kInfinity);
  find_first_boxes(device(), tree.view(), boxes, device_sorted.data(), device_queries.data(), 300, hit.data(),
                   index.data());
  std::set<std::uint32_t> places;
  for (const std::uint32_t place : hit.to_host()) places.insert(place);
  EXPECT_GT(places.size(), 50u) << "in infinite boxes the first one says nothing";
}

TEST_P(Boxes, EveryPartBuildsItsOwn) {
  const std::vector<Vec4> points = uneven_cloud(3);
  const int n = static_cast<int>(points.size());
  const Buffer<Vec4> device_points(device(), points);
  StageTimer timer(device());
  PointSearch search(device());
  PointMatches matches(device());
  search.build(device_points.data(), n, 3);
  search.time_stages(&timer);
  const auto stages_of = [&](const PointSearchSettings& settings, float radius) {
    timer.reset();
    search.knn(device_points.data(), n, 8, radius, settings, matches);
    timer.collect(true);
    std::map<std::string, std::size_t> stages;
    for (const StageStats& s : timer.stats())
      if (s.count > 0) stages[s.name] = static_cast<std::size_t>(s.count);
    return stages;
  };
  using Stages = std::map<std::string, std::size_t>;
  PointSearchSettings settings{.structure = PointStructure::Boxes, .order = QueryOrder::AsGiven};
  EXPECT_EQ(stages_of(settings, 0.3f), (Stages{{"bvh", 1}, {"search", 1}}));
  settings.order = QueryOrder::FirstHit;
  EXPECT_EQ(stages_of(settings, 0.4f), (Stages{{"bvh", 1}, {"first search", 1}, {"opt", 1}, {"search", 1}}))
      << "both passes are in the same boxes";
  settings.partition = true;
  const Stages stages = stages_of(settings, 0.3f);
  const std::size_t parts = search.parts().size();
  ASSERT_GT(parts, 2u);
  EXPECT_EQ(stages, (Stages{{"bvh", 1 + parts}, {"first search", 1}, {"opt", 2}, {"search", parts}}));
}

TEST_P(Boxes, BundlesCanBeGiven) {
  const std::vector<Vec4> points = uneven_cloud(3);
  const int n = static_cast<int>(points.size());
  const Buffer<Vec4> device_points(device(), points);
  PointSearch search(device());
  PointMatches matches(device());
  search.build(device_points.data(), n, 3);
  PointSearchSettings settings{.structure = PointStructure::Boxes, .partition = true};
  search.knn(device_points.data(), n, 8, 0.3f, settings, matches);
  const std::vector<SearchPart> alone = search.parts();
  const std::vector<std::int32_t> expected = matches.index.to_host();
  const std::size_t partitions = search.partitions().size();
  ASSERT_GT(partitions, 2u);
  settings.bundles.assign(partitions, 5);
  search.knn(device_points.data(), n, 8, 0.3f, settings, matches);
  ASSERT_EQ(search.parts().size(), 1u);
  EXPECT_EQ(search.parts()[0].queries, n);
  EXPECT_EQ(search.parts()[0].box, alone.back().box);
  EXPECT_EQ(matches.index.to_host(), expected);
  settings.bundles.assign(partitions, 1);
  settings.bundles.front() = 7;
  search.knn(device_points.data(), n, 8, 0.3f, settings, matches);
  ASSERT_EQ(search.parts().size(), 2u);
  EXPECT_EQ(search.parts()[0].queries, alone[0].queries);
  EXPECT_EQ(search.parts()[0].box, alone[0].box);
  EXPECT_EQ(search.parts()[1].box, alone.back().box);
  EXPECT_EQ(matches.index.to_host(), expected);
  settings.bundles.push_back(0);
  EXPECT_THROW(search.knn(device_points.data(), n, 8, 0.3f, settings, matches), InputError);
  settings = {};
  search.knn(device_points.data(), n, 8, 0.3f, settings, matches);
  EXPECT_TRUE(search.partitions().empty());
  EXPECT_TRUE(search.partition_of_queries().empty());
}

TEST_P(Boxes, CostsAreMeasuredAndGrowWithTheBoxes) {
  const BoxCosts& costs = box_costs(device(), PointStructure::Boxes);
  for (const double cost : {costs.nearest, costs.call, costs.sphere_call}) {
    EXPECT_GT(cost, 0);
    EXPECT_LT(cost, 1e-2) << "10 microseconds for one point";
  }
  EXPECT_GT(costs.box, 0);
  EXPECT_GE(costs.start, 0);
  EXPECT_EQ(&costs, &box_costs(device(), PointStructure::Boxes)) << "measured once";
  for (const QueryEnd end : {QueryEnd::Nearest, QueryEnd::Enough}) {
    const BundleCosts few = costs.bundle_costs(1000, end), many = costs.bundle_costs(1001000, end);
    EXPECT_NEAR(many.build - few.build, 1e6 * costs.box, 1e-6 * many.build);
    EXPECT_EQ(few.test, end == QueryEnd::Nearest ? costs.nearest : costs.call);
  }
  const BundleCosts any = costs.bundle_costs(1, QueryEnd::Enough);
  EXPECT_NEAR(any.test * any.whole, std::max(costs.sphere_call, costs.call), 1e-6 * any.test);
  EXPECT_EQ(bundle_costs_of(device(), PointStructure::Boxes, 1000, QueryEnd::Nearest).build,
            costs.bundle_costs(1000, QueryEnd::Nearest).build);
  EXPECT_GT(bundle_costs_of(device(), PointStructure::Points, 1000, QueryEnd::Nearest).build, 0);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Boxes);

}  // namespace
}  // namespace riffle::test
