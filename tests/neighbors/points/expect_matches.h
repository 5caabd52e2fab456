#pragma once
/// What a search of points must find, and checks of what it has found.

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "neighbors/points/point_search.h"
#include "neighbors/separation.h"
#include "support/clouds.h"
#include "support/devices.h"
#include "support/non_finite.h"

namespace riffle::test {

struct Match {
  float r2;
  std::int32_t index;
  friend auto operator<=>(const Match&, const Match&) = default;
};

/// All points within the radius of each query, the nearest first.
inline std::vector<std::vector<Match>> all_matches(const std::vector<Vec4>& points, const std::vector<Vec4>& queries,
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

/// Any K of the points within the radius.
inline void expect_subset(const std::vector<Vec4>& points, const std::vector<Vec4>& queries,
                          const std::vector<std::vector<Match>>& expected, const PointMatches& matches) {
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

/// The K nearest of them, the nearest first.
inline void expect_nearest(const std::vector<std::vector<Match>>& expected, const PointMatches& matches) {
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

inline void expect_counts(const std::vector<std::vector<Match>>& expected, const PointMatches& matches) {
  const std::vector<std::uint32_t> count = matches.count.to_host();
  ASSERT_EQ(count.size(), expected.size());
  for (std::size_t q = 0; q < expected.size(); ++q) EXPECT_EQ(count[q], expected[q].size());
}

}  // namespace riffle::test
