#pragma once
/// The points that a search must find, by testing every point, on the host. It shares nothing with the searches but
/// separation().

#include <cstdint>
#include <span>
#include <vector>

#include "core/math/vec.h"

namespace riffle {

/// Sorted by distance and, at equal distance, by index.
struct PointMatch {
  float r2;            ///< squared distance
  std::int32_t index;  ///< of the point
  friend auto operator<=>(const PointMatch&, const PointMatch&) = default;
};

/// The points within the radius of one query.
struct PointsWithin {
  std::uint64_t count = 0;          ///< within the radius
  std::vector<PointMatch> nearest;  ///< the nearest of them, ascending: as many as are kept
};

/// (queries) the points within the radius of each query. Memory grows with `keep`, not with the number of points: 16
/// bytes for each point that a query keeps.
std::vector<PointsWithin> points_within(std::span<const Vec4> points, std::span<const Vec4> queries, float radius,
                                        std::size_t keep);

/// Points in ascending order of x. Those whose x is NaN are left out. A point that is farther from a query in x than the radius
/// is not tested. No match is lost: squares and sums of rounded numbers keep their order.
struct PointsByX {
  std::vector<Vec4> point;
  std::vector<std::int32_t> index;  ///< in the order given
  static PointsByX of(std::span<const Vec4> points);
};

/// The same as of the points in the order given.
std::vector<PointsWithin> points_within(const PointsByX& points, std::span<const Vec4> queries, float radius,
                                        std::size_t keep);

/// For each of `means`, the radius within which the queries have that many points on average, to about a hundredth. If
/// there are fewer points, a radius that contains them all.
std::vector<double> radii_of_mean_counts(std::span<const Vec4> points, std::span<const Vec4> queries,
                                         std::span<const double> means);

}  // namespace riffle
