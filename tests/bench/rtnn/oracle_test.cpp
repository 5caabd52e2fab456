/// The oracle's bundles against every way to bundle, the line through times of builds, and queries in a raster.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bench/rtnn/least_bundles.h"
#include "bench/rtnn/line_fit.h"
#include "bench/rtnn/rtnn.h"
#include "support/random.h"

namespace riffle::test {
namespace {

using bench::bundles_to_measure;
using bench::fit_line;
using bench::least_bundles;
using Bundle = std::vector<int>;

bool never() { return false; }

double time_of_all(const Bundle& of, const std::function<double(const Bundle&)>& time) {
  std::map<int, Bundle> bundles;
  for (std::size_t p = 0; p < of.size(); ++p) bundles[of[p]].push_back(static_cast<int>(p));
  double sum = 0;
  for (const auto& [number, bundle] : bundles) sum += time(bundle);
  return sum;
}

TEST(Oracle, OfFewPartitionsNoBundlesTakeLess) {
  Random random(441);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % bench::kAllSetsUpTo;
    std::map<Bundle, double> times;  // any at all: not even of the widest alone
    int asked = 0;
    const auto time = [&](const Bundle& bundle) {
      const auto [known, added] = times.try_emplace(bundle, double{random.uniform(0.1f, 2)});
      asked += added;
      return known->second;
    };
    const Bundle best = least_bundles(n, time, never);
    EXPECT_EQ(asked, bundles_to_measure(n));
    ASSERT_EQ(best.size(), static_cast<std::size_t>(n));
    double least = 1e300;
    Bundle of(static_cast<std::size_t>(n));
    for (int code = 0; code < std::pow(n, n); ++code) {
      for (int p = 0, rest = code; p < n; ++p, rest /= n) of[static_cast<std::size_t>(p)] = rest % n;
      least = std::min(least, time_of_all(of, time));
    }
    EXPECT_NEAR(time_of_all(best, time), least, 1e-12);
    int next = 0;  // numbered as they come
    for (const int b : best) {
      EXPECT_LE(b, next);
      next = std::max(next, b + 1);
    }
  }
}

TEST(Oracle, OfManyNoRunsTakeLess) {
  Random random(442);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 6 + trial % 5;
    std::map<Bundle, double> times;
    std::size_t asked = 0;
    const auto time = [&](const Bundle& bundle) {
      EXPECT_EQ(bundle.back() - bundle.front() + 1, static_cast<int>(bundle.size())) << "a run";
      const auto [known, added] =
          times.try_emplace(bundle, double{random.uniform(0.1f, 2)} * std::sqrt(double(bundle.size())));
      asked += added;
      return known->second;
    };
    const Bundle best = least_bundles(n, time, never);
    EXPECT_EQ(asked, static_cast<std::size_t>(bundles_to_measure(n)));
    EXPECT_TRUE(std::is_sorted(best.begin(), best.end())) << "the narrowest first";
    EXPECT_EQ(best.front(), 0);
    double least = 1e300;
    Bundle of(static_cast<std::size_t>(n));
    for (int cuts = 0; cuts < 1 << (n - 1); ++cuts) {
      for (int p = 1; p < n; ++p)
        of[static_cast<std::size_t>(p)] = of[static_cast<std::size_t>(p - 1)] + (cuts >> (p - 1) & 1);
      least = std::min(least, time_of_all(of, time));
    }
    EXPECT_NEAR(time_of_all(best, time), least, 1e-12);
  }
}

TEST(Oracle, StoppedItJoinsAll) {
  for (const int n : {1, 4, 9}) {
    int asked = 0;
    const Bundle all = least_bundles(
        n, [&](const Bundle&) { return double(++asked); }, [&] { return asked == 2; });
    EXPECT_LE(asked, 2);
    EXPECT_EQ(std::set<int>(all.begin(), all.end()).size(), 1u);
    EXPECT_EQ(all.size(), static_cast<std::size_t>(n));
  }
}

TEST(LineFit, FindsALineAndSaysHowMuchItExplains) {
  const bench::LineFit line = fit_line({1, 2, 5, 9}, {5, 8, 17, 29});
  EXPECT_NEAR(line.slope, 3, 1e-12);
  EXPECT_NEAR(line.intercept, 2, 1e-12);
  EXPECT_NEAR(line.r2, 1, 1e-12);
  // By hand: means 2 and 2, sums xx 2, xy 1, yy 2.
  const bench::LineFit loose = fit_line({1, 2, 3}, {2, 1, 3});
  EXPECT_NEAR(loose.slope, 0.5, 1e-12);
  EXPECT_NEAR(loose.intercept, 1, 1e-12);
  EXPECT_NEAR(loose.r2, 0.25, 1e-12);
  EXPECT_EQ(fit_line({1, 2}, {4, 4}).r2, 1);
}

TEST(RasterQueries, OneIsInEachCellInTheirOrder) {
  const std::vector<Vec4> points{{1, 2, 3, 0}, {5, 4, 11, 0}, {2, 3, 4, 0}};
  const std::vector<Vec4> queries = bench::raster_queries(points, 4, 1);
  ASSERT_EQ(queries.size(), 64u);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    EXPECT_EQ(std::floor(queries[q].x - 1), double(q % 4)) << q;
    EXPECT_EQ(std::floor((queries[q].y - 2) * 2), double(q / 4 % 4)) << q;
    EXPECT_EQ(std::floor((queries[q].z - 3) / 2), double(q / 16)) << q;
  }
  const std::vector<Vec4> again = bench::raster_queries(points, 4, 1), other = bench::raster_queries(points, 4, 2);
  EXPECT_EQ(again[9].x, queries[9].x);
  EXPECT_NE(other[9].x, queries[9].x);
  std::multiset<float> mixed, first;
  for (const Vec4& x : bench::shuffled_points(queries, 64, 1)) mixed.insert(x.x);
  for (const Vec4& x : queries) first.insert(x.x);
  EXPECT_EQ(mixed, first);
  EXPECT_EQ(bench::shuffled_points(queries, 10, 1).size(), 10u);
  EXPECT_EQ(bench::shuffled_points(queries, 10, 1)[3].x, bench::shuffled_points(queries, 64, 1)[3].x);
}

}  // namespace
}  // namespace riffle::test
