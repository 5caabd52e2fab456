/// Rays through point clouds without a GPU: every query's ray meets the boxes that contain its origin in a random order,
/// as a tree may have them, until it may end. What is found is compared with every point.

#include "neighbors/optix/point_rays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/error.h"
#include "neighbors/optix/optix_points.h"
#include "neighbors/points/point_optix.h"
#include "neighbors/points/point_oracle.h"
#include "neighbors/points/point_search.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/non_finite.h"
#include "support/point_answers.h"

namespace riffle::test {
namespace {

/// Faces count as inside; `margin` of a coordinate more, or less if it is negative, as a tree may round.
bool holds(const RayBox& box, Vec3 x, float margin) {
  const auto within = [&](float low, float high, float at) {
    const float some = margin * std::fmax(std::fabs(low), std::fabs(high));
    return low - some <= at && at <= high + some;
  };
  return within(box.low.x, box.high.x, x.x) && within(box.low.y, box.high.y, x.y) && within(box.low.z, box.high.z, x.z);
}

struct Found {
  std::vector<std::int32_t> index;
  std::vector<float> distance;
  std::vector<std::uint32_t> hit, calls, met_twice;  ///< met_twice: the queries that a heap has no answer to
};

/// The same steps as the ray programs.
class Emulated {
 public:
  Emulated(std::vector<Vec4> points, std::vector<Vec4> queries, float half, float margin = 0)
      : points_(std::move(points)), queries_(std::move(queries)), margin_(margin) {
    launch.points = points_.data();
    launch.point_count = static_cast<std::uint32_t>(points_.size());
    launch.queries = queries_.data();
    launch.frame = point_frame(half);
    launch.box = kInfinity;
    launch.sphere = true;
    for (const Vec4& p : points_) boxes_.push_back(ray_box(xyz(p), launch.frame));
  }

  PointLaunch launch;

  /// Whether a ray that has enough is ended. Otherwise it meets all boxes, as if the driver did not heed its report.
  bool ends = true;

  /// Up to so many times the program is called for a box, as often as chance has it.
  int times = 1;

  /// Ray: PointRay, or a NearestRay for at least K.
  template <class Ray = PointRay>
  Found trace(Random& random) {
    const std::size_t n = queries_.size(), places = n * static_cast<std::size_t>(launch.capacity);
    Found found{std::vector<std::int32_t>(places, -7), std::vector<float>(places, -7),
                std::vector<std::uint32_t>(n, 77), std::vector<std::uint32_t>(n, 77),
                std::vector<std::uint32_t>(1 + n)};
    launch.index = found.index.data(), launch.distance = found.distance.data();
    launch.hit = found.hit.data(), launch.calls = found.calls.data(), launch.met_twice = found.met_twice.data();
    for (std::uint32_t thread = 0; thread < n; ++thread) {
      Ray ray;
      ray.query = launch.query(thread);
      if constexpr (!std::is_same_v<Ray, PointRay>) ray.nearest.clear(launch.capacity);
      const Vec3 x = xyz(queries_[ray.query]);
      if (is_finite(x)) meet(random, x, ray);
      end_point_ray(launch, ray);
    }
    found.met_twice.resize(1 + found.met_twice.front());
    found.met_twice.erase(found.met_twice.begin());
    return found;
  }

 private:
  template <class Ray>
  void meet(Random& random, Vec3 x, Ray& ray) const {
    const Vec3 origin = ray_point(x, launch.frame).at;
    std::vector<std::uint32_t> met;
    for (std::uint32_t p = 0; p < boxes_.size(); ++p)
      if (holds(boxes_[p], origin, margin_))
        met.insert(met.end(), 1 + static_cast<std::size_t>(random.below(times)), p);
    for (std::size_t k = met.size(); k > 1; --k)
      std::swap(met[k - 1], met[static_cast<std::size_t>(random.below(static_cast<int>(k)))]);
    for (const std::uint32_t p : met)
      if constexpr (std::is_same_v<Ray, PointRay>) {
        if (meet_point(launch, x, p, ray) && ends) return;
      } else {
        meet_point(launch, x, p, ray);
      }
  }

  std::vector<Vec4> points_, queries_;
  std::vector<RayBox> boxes_;
  float margin_;
};

class PointRays : public testing::TestWithParam<int> {
 protected:
  int dimension() const { return GetParam(); }

  void expect_exact(const std::vector<Vec4>& points, const std::vector<Vec4>& queries, float radius, int capacity) {
    const auto within = points_within(points, queries, radius, points.size());
    for (const float margin : {0.0f, 1e-3f, -0x1p-24f})
      for (const bool ends : {true, false}) {
        if (!ends && margin != 0) continue;
        SCOPED_TRACE(testing::Message() << "K = " << capacity << ", radius " << radius << ", margin " << margin
                                        << (ends ? "" : ", no ray ends and boxes are met again"));
        Emulated rays(points, queries, radius, margin);
        rays.ends = ends;
        rays.times = ends ? 1 : 3;
        rays.launch.radius2 = radius * radius;
        rays.launch.capacity = capacity;
        rays.launch.task = PointTask::Nearest;
        Found nearest = rays.trace(random_);
        if (ends) {
          EXPECT_TRUE(nearest.met_twice.empty()) << "no box is met again";
        }
        put_nearest(points, queries, radius, capacity, nearest);
        expect_nearest_points(nearest.index, nearest.distance, within, capacity);
        if (capacity <= kFewNearest) {
          const Found few = rays.trace<NearestRay<kFewNearest>>(random_);
          expect_nearest_points(few.index, few.distance, within, capacity);
        }
        if (capacity <= kMostNearest) {
          const Found few = rays.trace<NearestRay<kMostNearest>>(random_);
          expect_nearest_points(few.index, few.distance, within, capacity);
        }
        rays.launch.task = PointTask::Any;
        const Found any = rays.trace(random_);
        expect_any_points(any.index, any.distance, within, capacity, points, queries);
        if (HasFailure()) return;
      }
  }

  /// The tree's rows of the queries that met a point twice.
  static void put_nearest(const std::vector<Vec4>& points, const std::vector<Vec4>& queries, float radius, int capacity,
                          Found& rows) {
    if (rows.met_twice.empty()) return;
    const Buffer<Vec4> at(Device{}, points), asking(Device{}, queries);
    PointSearch search{Device{}};
    search.build(at.data(), static_cast<int>(points.size()), 3);
    PointMatches matches{Device{}};
    search.knn(asking.data(), static_cast<int>(queries.size()), capacity, radius, {}, matches);
    const auto k = static_cast<std::size_t>(capacity);
    for (const std::uint32_t q : rows.met_twice) {
      std::copy_n(matches.index.data() + q * k, k, rows.index.data() + q * k);
      std::copy_n(matches.distance.data() + q * k, k, rows.distance.data() + q * k);
    }
  }

  Random random_{911};
};

/// OptiX as search_by_optix() sees it: every ray meets all points, and that of an odd query meets them twice.
class OddQueriesMeetTwice : public OptixPoints {
 public:
  void take(const Vec4* points, const std::uint32_t* original, int count) override {
    points_ = points, original_ = original, count_ = static_cast<std::uint32_t>(count);
  }
  bool has(float) const override { return true; }
  void build(float) override {}
  void trace(PointLaunch launch, std::int64_t rays) override {
    launch.points = points_, launch.original = original_, launch.point_count = count_;
    for (std::uint32_t thread = 0; thread < rays; ++thread) {
      PointRay ray;
      ray.query = launch.query(thread);
      for (std::uint32_t met = 0; met < (ray.query % 2 + 1) * count_; ++met)
        if (meet_point(launch, xyz(launch.queries[ray.query]), met % count_, ray)) break;
      end_point_ray(launch, ray);
    }
  }
  std::int64_t builds() const override { return 0; }
  std::size_t memory_bytes() const override { return 0; }

 private:
  const Vec4* points_ = nullptr;
  const std::uint32_t* original_ = nullptr;
  std::uint32_t count_ = 0;
};

TEST_P(PointRays, AreExactForEveryKAndRadius) {
  const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 400);
  const std::vector<Vec4> queries = uniform_cloud(random_, box(dimension(), -0.2f, 1.2f), 30);
  for (const int capacity : {1, 8, 9, 15, 16, 33, 500}) expect_exact(points, queries, 0.2f, capacity);
  for (const float radius : {0.0f, 0.01f, 3.0f, kInfinity}) expect_exact(points, queries, radius, 6);
}

TEST_P(PointRays, TiesGoToTheSmallerIndexWhateverIsMetFirst) {
  const std::vector<Vec4> points = lattice(dimension(), {}, 0.125f, 6);
  for (const int capacity : {3, 5, 9})
    for (const float radius : {0.125f, std::nextafter(0.125f, 1.0f), 0.3f, kInfinity})
      expect_exact(points, {points[7], points[20], points[31]}, radius, capacity);
}

TEST_P(PointRays, APointThatIsMetAgainIsFoundOnce) {
  // Few points, so that places in the row are left that a second copy could take, and many at one place and distance.
  std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 150);
  add_coincident(points, dimension(), {0.5f, 0.5f, 0}, 10);
  const std::vector<Vec4> queries{points[0], points[155], particle(dimension(), {0.5f, 0.25f, 0})};
  for (const int capacity : {1, 8, 11, 15, 16, 20, 170})
    for (const float radius : {0.15f, 0.6f, kInfinity}) expect_exact(points, queries, radius, capacity);
  Emulated rays(points, queries, 0.6f);
  rays.launch.task = PointTask::First;
  rays.times = 3;
  rays.ends = false;
  for (const std::uint32_t calls : rays.trace(random_).calls) EXPECT_EQ(calls, 1u) << "the first box is the first box";
}

TEST_P(PointRays, QueriesThatMetAPointTwiceAreCountedAndTheTreeAnswersThem) {
  const Device cpu;
  const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 300);
  std::vector<Vec4> queries = uniform_cloud(random_, box(dimension(), 0, 1), 41);
  queries[3] = particle(dimension(), {9, 0, 0});  // no point is within its radius
  const Buffer<Vec4> asking(cpu, queries);
  Lbvh tree(cpu);
  const Buffer<Vec4> given(cpu, points);
  tree.build(given.data(), 300, dimension(), BoundingBox::everything());
  std::vector<Vec4> sorted;
  for (int p = 0; p < 300; ++p) sorted.push_back(points[tree.order()[p]]);
  OddQueriesMeetTwice rays;
  rays.take(sorted.data(), tree.order(), 300);
  std::vector<std::uint32_t> order(queries.size());
  std::iota(order.begin(), order.end(), 0u);
  std::reverse(order.begin(), order.end());
  PointMatches matches(cpu);
  Buffer<std::uint32_t> met_twice(cpu);
  for (const bool nearest : {true, false})
    for (const int capacity : {16, 40, 310}) {
      SCOPED_TRACE(testing::Message() << (nearest ? "nearest " : "any ") << capacity);
      const auto places = queries.size() * static_cast<std::size_t>(capacity);
      matches.capacity = capacity;
      matches.index.assign(std::vector<std::int32_t>(places, -7));
      matches.distance.assign(std::vector<float>(places, -7));
      const PointSearchSettings settings{.structure = PointStructure::Optix};
      // Two parts, the second of which has the odd queries too: all are answered within the whole radius.
      const std::vector<SearchPart> parts{{20, 0.4, 0.4}, {21, 0.4, 0.4}};
      const PartsSearch search{sorted.data(), tree.order(), 300,     dimension(), asking.data(),
                               order.data(),  41,           0.4f,    capacity,    nearest,
                               settings,      parts,        matches, nullptr,     nullptr};
      const std::int64_t twice = search_by_optix(cpu, rays, tree.view(), search, met_twice);
      EXPECT_EQ(twice, nearest ? 20 - 1 : 0) << "the odd queries with a point";
      const auto within = points_within(points, queries, 0.4f, points.size());
      if (nearest)
        expect_nearest_points(matches.index.to_host(), matches.distance.to_host(), within, capacity);
      else
        expect_any_points(matches.index.to_host(), matches.distance.to_host(), within, capacity, points, queries);
    }
}

TEST_P(PointRays, FarAndTinyCloudsAreExact) {
  for (const float offset : {1e6f, -1e6f}) {
    const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), offset, offset + 8), 200);
    for (const float radius : {0.0625f, 0.1f, 1.0f, 5.0f, kInfinity}) expect_exact(points, points, radius, 4);
  }
  for (const float size : {1e-12f, 1e-17f, 1e15f}) {
    const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, size), 150);
    expect_exact(points, points, 0.3f * size, 4);
  }
  // Beyond the frame all are on its faces.
  std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 40);
  for (const float x : {1e18f, -1e18f, 3e38f})
    for (int k = 0; k < 2; ++k) points.push_back(particle(dimension(), {x, x, x}));
  expect_exact(points, points, 0.3f, 3);
  expect_exact(points, points, kInfinity, 3);
}

TEST_P(PointRays, WhatIsNotFiniteFindsNothingAndIsNotFound) {
  std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 60);
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    points.push_back({bad, 0, 0, 0});
    points.push_back({0, bad, 0, 0});
  }
  for (const float corner : {-1e15f, -3e38f}) points.push_back(particle(dimension(), {corner, corner, corner}));
  expect_exact(points, points, 0.4f, 5);
  expect_exact(points, points, kInfinity, 80);
  Emulated rays(points, points, 0.4f);
  rays.launch.task = PointTask::Any;
  rays.launch.capacity = 80;
  rays.launch.box = 0.4f;
  rays.launch.sphere = false;
  const Found found = rays.trace(random_);
  for (const std::int32_t i : found.index) EXPECT_TRUE(i < 60 || i > 65) << i;
}

TEST_P(PointRays, ARayWithEnoughEndsAndCountsTheBoxesItMet) {
  const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 300);
  const std::vector<Vec4> queries = uniform_cloud(random_, box(dimension(), 0.3f, 0.7f), 40);
  Emulated rays(points, queries, 0.25f);
  rays.launch.radius2 = 0.25f * 0.25f;
  rays.launch.capacity = 3;
  std::vector<std::uint32_t> in_boxes(queries.size()), in_balls(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q)
    for (const Vec4& p : points) {
      const Vec3 r = separation(xyz(queries[q]), xyz(p), {});
      in_boxes[q] += in_box(r, 0.25f);
      in_balls[q] += squared_length(r) < 0.25f * 0.25f;
    }
  rays.launch.task = PointTask::Nearest;
  EXPECT_EQ(rays.trace(random_).calls, in_boxes) << "every box may hold a nearer point";
  EXPECT_EQ(rays.trace<NearestRay<kFewNearest>>(random_).calls, in_boxes);
  rays.launch.task = PointTask::Any;
  const Found any = rays.trace(random_);
  double met = 0, there = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    ASSERT_GT(in_balls[q], 3u);
    EXPECT_GE(any.calls[q], 3u);
    met += any.calls[q], there += in_boxes[q];
  }
  EXPECT_LT(met, 0.7 * there) << "rays end at the K-th point";
}

TEST_P(PointRays, TheFirstBoxIsOneThatHoldsTheQuery) {
  const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 200);
  const std::vector<Vec4> queries = uniform_cloud(random_, box(dimension(), -0.3f, 1.3f), 80);
  for (const bool ends : {true, false}) {
    Emulated rays(points, queries, 0.1f);
    rays.ends = ends;
    rays.launch.task = PointTask::First;
    rays.launch.capacity = 0;
    const Found found = rays.trace(random_);
    int none = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (found.hit[q] < points.size()) {
        EXPECT_TRUE(in_box(separation(xyz(queries[q]), xyz(points[found.hit[q]]), {}), 0.10001f));
        EXPECT_EQ(found.calls[q], 1u);
        continue;
      }
      EXPECT_EQ(found.hit[q], points.size());
      for (const Vec4& p : points) EXPECT_FALSE(in_box(separation(xyz(queries[q]), xyz(p), {}), 0.1f));
      ++none;
    }
    EXPECT_GT(none, 5);
    EXPECT_LT(none, 75);
  }
}

TEST_P(PointRays, PlacesAndOrdersAreTranslatedBack) {
  const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 120);
  std::vector<std::uint32_t> original(points.size()), order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::reverse(order.begin(), order.end());
  for (std::size_t p = 0; p < points.size(); ++p) original[p] = static_cast<std::uint32_t>(1000 + 3 * p);
  Emulated rays(points, points, 0.3f);
  rays.launch.radius2 = 0.09f;
  rays.launch.capacity = 1;
  rays.launch.original = original.data();
  rays.launch.order = order.data();
  for (const PointTask task : {PointTask::Nearest, PointTask::Any}) {
    rays.launch.task = task;
    const Found found = rays.trace(random_);
    for (std::size_t q = 0; q < points.size(); ++q) {
      EXPECT_EQ(found.index[q] % 3, 1);
      if (task == PointTask::Nearest) {
        EXPECT_EQ(found.index[q], static_cast<std::int32_t>(original[q]));
      }
    }
  }
  rays.launch.first = 5;
  EXPECT_EQ(rays.launch.query(0), order[5]);
  rays.launch.order = nullptr;
  EXPECT_EQ(rays.launch.query(2), 7u);
}

TEST_P(PointRays, WithoutASphereTestABoxAloneDecides) {
  const std::vector<Vec4> points = uniform_cloud(random_, box(dimension(), 0, 1), 200);
  const std::vector<Vec4> queries = uniform_cloud(random_, box(dimension(), 0, 1), 40);
  Emulated rays(points, queries, 0.2f, 1e-2f);  // a tree whose boxes are too wide
  rays.launch.task = PointTask::Any;
  rays.launch.capacity = 200;
  rays.launch.box = 0.2f;
  rays.launch.sphere = false;
  const Found found = rays.trace(random_);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    std::set<std::int32_t> expected, seen;
    for (std::size_t p = 0; p < points.size(); ++p)
      if (in_box(separation(xyz(queries[q]), xyz(points[p]), {}), 0.2f)) expected.insert(static_cast<std::int32_t>(p));
    for (std::size_t place = 0; place < 200 && found.index[q * 200 + place] >= 0; ++place)
      seen.insert(found.index[q * 200 + place]);
    EXPECT_EQ(seen, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(InEachDimension, PointRays, testing::Values(2, 3),
                         [](const auto& info) { return std::to_string(info.param) + "d"; });

TEST(OptixPointsOnTheCpu, AreRefusedByName) {
  const std::vector<Vec4> one{{0, 0, 0, 0}};
  const Buffer<Vec4> point(Device{}, one);
  PointSearch search{Device{}};
  search.build(point.data(), 1, 3);
  PointMatches matches{Device{}};
  const PointSearchSettings optix{.structure = PointStructure::Optix};
  for (const bool nearest : {true, false}) try {
      if (nearest)
        search.knn(point.data(), 1, 1, 1, optix, matches);
      else
        search.range_search(point.data(), 1, 1, 1, optix, matches);
      ADD_FAILURE() << "a CPU searched with OptiX";
    } catch (const Unavailable& error) {
      const std::string said = error.what();
      EXPECT_NE(said.find("structure: optix runs only on an NVIDIA GPU"), std::string::npos) << said;
      EXPECT_NE(said.find("allowed there: points, boxes"), std::string::npos) << said;
    }
  search.knn(point.data(), 1, 1, 1, {}, matches);
  EXPECT_EQ(matches.index.to_host(), std::vector<std::int32_t>{0}) << "the refusal spoilt the next search";
}

}  // namespace
}  // namespace riffle::test
