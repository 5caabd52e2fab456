#pragma once
/// What a search of points has to find, by looking at every point, on the host. It shares nothing with the searches but
/// separation().

#include <cstdint>
#include <span>
#include <vector>

#include "core/math/vec.h"

namespace riffle {

/// Sorted by distance, and where that is equal by index.
struct PointMatch {
  float r2;            ///< squared distance
  std::int32_t index;  ///< of the point
  friend auto operator<=>(const PointMatch&, const PointMatch&) = default;
};

/// Of one query.
struct PointsWithin {
  std::uint64_t count = 0;          ///< within the radius
  std::vector<PointMatch> nearest;  ///< of them, ascending: as many as are kept
};

/// (queries) what is within the radius of each. Memory follows `keep`, however many points there are: 16 bytes for each that
/// a query keeps.
std::vector<PointsWithin> points_within(std::span<const Vec4> points, std::span<const Vec4> queries, float radius,
                                        std::size_t keep);

/// For each of `means` the radius within which the queries have so many points on average, to about a hundredth. Where
/// there are not as many, one that holds them all.
std::vector<double> radii_of_mean_counts(std::span<const Vec4> points, std::span<const Vec4> queries,
                                         std::span<const double> means);

}  // namespace riffle
