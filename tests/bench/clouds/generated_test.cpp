/// The properties for which each kind of cloud was made.

#include "bench/clouds/generated.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "core/error.h"

namespace riffle::test {
namespace {

struct Extent {
  double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30};
  explicit Extent(const std::vector<Vec4>& points) {
    for (const Vec4& p : points)
      for (int a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], double{component(xyz(p), a)});
        high[a] = std::max(high[a], double{component(xyz(p), a)});
      }
  }
  double of(int a) const { return high[a] - low[a]; }
};

/// Variance over mean of the points in cells: 1 if they are independent and uniform.
double clumpiness(const std::vector<Vec4>& points, int cells) {
  const Extent extent(points);
  std::map<std::array<int, 3>, int> counts;
  for (const Vec4& p : points) {
    std::array<int, 3> cell;
    for (int a = 0; a < 3; ++a)
      cell[static_cast<std::size_t>(a)] =
          std::min(cells - 1, static_cast<int>(cells * (double{component(xyz(p), a)} - extent.low[a]) / extent.of(a)));
    ++counts[cell];
  }
  double squares = 0;
  for (const auto& [cell, n] : counts) squares += double(n) * n;
  const double all = std::pow(cells, 3), mean = double(points.size()) / all;
  return (squares / all - mean * mean) / mean;
}

bool same(const std::vector<Vec4>& a, const std::vector<Vec4>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec4)) == 0);
}

TEST(GeneratedClouds, HaveAsManyPointsAsAskedForTheSameForASeed) {
  for (const bench::CloudKindInfo& info : bench::cloud_kinds()) {
    SCOPED_TRACE(info.name);
    EXPECT_EQ(bench::cloud_kind_from(info.name), info.kind);
    for (const std::int64_t count : {0, 1, 777, 20000}) {
      const auto cloud = bench::generate_cloud(info.kind, count, 1);
      ASSERT_EQ(cloud.size(), static_cast<std::size_t>(count));
      for (const Vec4& p : cloud)
        ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z) && p.w == 0);
      EXPECT_TRUE(same(cloud, bench::generate_cloud(info.kind, count, 1)));
      if (count > 1) {
        EXPECT_FALSE(same(cloud, bench::generate_cloud(info.kind, count, 2))) << "another seed";
      }
    }
    EXPECT_THROW(bench::generate_cloud(info.kind, -1, 1), InputError);
  }
  EXPECT_FALSE(bench::cloud_kind_from("milky way").has_value());
}

TEST(GeneratedClouds, MoreThanCanBeNumberedIsRefused) {
  for (const bench::CloudKindInfo& info : bench::cloud_kinds())
    for (const std::int64_t count : {std::int64_t{-1}, std::int64_t{2'000'000'001}, std::int64_t{1} << 40}) try {
        bench::generate_cloud(info.kind, count, 1);
        ADD_FAILURE() << info.name << ": " << count;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("allowed: 0 to 2000000000"), std::string::npos) << error.what();
      }
}

TEST(GeneratedClouds, LidarIsThinInZAndItsDensityFallsOffWithDistance) {
  const auto cloud = bench::lidar_cloud(60000, 3);  // less than one turn: all as seen from the start
  const Extent extent(cloud);
  EXPECT_GT(extent.of(0), 80);
  EXPECT_LT(extent.of(2), 0.1 * extent.of(0));
  EXPECT_GT(extent.low[2], -0.5) << "nothing below the street";
  EXPECT_LT(extent.high[2], 6);
  // Points on the ground per area of rings round the scanner.
  double density[3] = {};
  const double edges[4] = {4, 6, 12, 24};
  const double turned = 60000.0 / (64 * 1800);  // about; the same in every ring
  for (const Vec4& p : cloud) {
    const double distance = std::hypot(double{p.x}, double{p.y} + 1.6);
    for (int k = 0; k < 3; ++k)
      if (std::abs(p.z) < 0.2f && distance >= edges[k] && distance < edges[k + 1])
        density[k] += 1 / (turned * 3.14159 * (edges[k + 1] * edges[k + 1] - edges[k] * edges[k]));
  }
  EXPECT_GT(density[0], 2 * density[1]);
  EXPECT_GT(density[1], 2 * density[2]);
  EXPECT_GT(density[2], 0);
  // Rings: few points on the ground lie between two beams' circles.
  std::map<int, int> by_distance;
  for (const Vec4& p : cloud) {
    const double distance = std::hypot(double{p.x}, double{p.y} + 1.6);
    if (std::abs(p.z) < 0.02f && distance > 8 && distance < 12) ++by_distance[static_cast<int>(distance / 0.1)];
  }
  int most = 0, fewest = 1 << 30;
  for (int k = 80; k < 120; ++k) most = std::max(most, by_distance[k]), fewest = std::min(fewest, by_distance[k]);
  EXPECT_GT(most, 10 * (fewest + 1));
}

TEST(GeneratedClouds, LidarGoesOnAlongTheStreet) {
  const auto cloud = bench::lidar_cloud(400000, 3);
  EXPECT_GT(Extent(cloud).of(0), Extent(bench::lidar_cloud(60000, 3)).of(0) + 3);
}

TEST(GeneratedClouds, SurfaceIsUniformOnItsArea) {
  const auto cloud = bench::surface_cloud(40000, 5);
  double nearest = 1e30, farthest = 0;
  for (const Vec4& p : cloud) {
    const double r = std::sqrt(double{p.x} * p.x + double{p.y} * p.y + double{p.z} * p.z);
    nearest = std::min(nearest, r), farthest = std::max(farthest, r);
  }
  EXPECT_GT(nearest, 0.7);
  EXPECT_LT(farthest, 1.3);
  EXPECT_GT(farthest - nearest, 0.1) << "bumpy";
  // Balls round the surface's points cut discs of similar area from it, however bent: counts are about Poisson's.
  const double reach = 0.05;
  double sum = 0, squares = 0;
  constexpr int kBalls = 300;
  for (int b = 0; b < kBalls; ++b) {
    const Vec4 c = cloud[static_cast<std::size_t>(b) * cloud.size() / kBalls];
    int n = -1;
    for (const Vec4& p : cloud) n += length2(xyz(p) - xyz(c)) < reach * reach;
    sum += n, squares += double(n) * n;
  }
  const double mean = sum / kBalls, variance = squares / kBalls - mean * mean;
  EXPECT_GT(mean, 10);
  EXPECT_LT(variance / mean, 1.5);
  // A surface: twice the distance gives four times the area, not eight times.
  EXPECT_LT(clumpiness(cloud, 1), 1e-6);
  EXPECT_GT(clumpiness(cloud, 20), 5) << "most cells are empty";
}

TEST(GeneratedClouds, GalaxiesAreClusteredOnEveryScale) {
  const auto cloud = bench::galaxy_cloud(40000, 7), uniform = bench::uniform_points(40000, 7);
  for (const int cells : {4, 12, 36}) {
    EXPECT_GT(clumpiness(cloud, cells), 10) << cells;
    EXPECT_NEAR(clumpiness(uniform, cells), 1, 0.3) << cells;
  }
  // Few clusters with many points and many with few.
  std::map<std::array<int, 3>, int> counts;
  for (const Vec4& p : cloud)
    ++counts[{static_cast<int>(std::floor(p.x / 4)), static_cast<int>(std::floor(p.y / 4)),
              static_cast<int>(std::floor(p.z / 4))}];
  int small = 0, large = 0;
  for (const auto& [cell, n] : counts) small += n<10, large += n> 500;
  EXPECT_GT(large, 3);
  EXPECT_GT(small, 100 * large);
}

}  // namespace
}  // namespace riffle::test
