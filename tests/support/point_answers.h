#pragma once
/// Answers of searches of point clouds beside the points that are there.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "neighbors/points/point_oracle.h"
#include "neighbors/separation.h"
#include "support/non_finite.h"

namespace riffle::test {

/// index, distance: (queries * capacity) of a search for the nearest. within: with all points within the radius.
inline void expect_nearest_points(const std::vector<std::int32_t>& index, const std::vector<float>& distance,
                                  const std::vector<PointsWithin>& within, int capacity) {
  const auto k = static_cast<std::size_t>(capacity);
  ASSERT_EQ(index.size(), within.size() * k);
  for (std::size_t q = 0; q < within.size(); ++q)
    for (std::size_t place = 0; place < k; ++place) {
      const bool any = place < within[q].nearest.size();
      ASSERT_EQ(index[q * k + place], any ? within[q].nearest[place].index : -1) << q << ", " << place;
      ASSERT_EQ(distance[q * k + place], any ? std::sqrt(within[q].nearest[place].r2) : kInfinity)
          << q << ", " << place;
    }
}

/// The same of a search for any points within the radius.
inline void expect_any_points(const std::vector<std::int32_t>& index, const std::vector<float>& distance,
                              const std::vector<PointsWithin>& within, int capacity, const std::vector<Vec4>& points,
                              const std::vector<Vec4>& queries) {
  const auto k = static_cast<std::size_t>(capacity);
  ASSERT_EQ(index.size(), within.size() * k);
  for (std::size_t q = 0; q < within.size(); ++q) {
    std::set<std::int32_t> all, seen;
    for (const PointMatch& match : within[q].nearest) all.insert(match.index);
    for (std::size_t place = 0; place < k; ++place) {
      const std::int32_t i = index[q * k + place];
      if (place >= all.size()) {
        ASSERT_EQ(i, -1) << q << ", " << place;
        ASSERT_EQ(distance[q * k + place], kInfinity) << q << ", " << place;
        continue;
      }
      ASSERT_TRUE(all.contains(i) && seen.insert(i).second) << q << ", " << place << ": " << i;
      const Vec3 r = separation(xyz(queries[q]), xyz(points[static_cast<std::size_t>(i)]), {});
      ASSERT_EQ(distance[q * k + place], std::sqrt(squared_length(r))) << q << ", " << place;
    }
  }
}

}  // namespace riffle::test
