#pragma once
/// Receives the points of the readers. Private to clouds/.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/clouds/point_file.h"
#include "core/device/particle_limit.h"
#include "core/error.h"

namespace riffle::bench {

class PointSink {
 public:
  PointSink(std::string file, BadPoints bad) : file_(std::move(file)), bad_(bad) {}

  /// Reserves room for as many points as the remaining bytes can hold, whatever number the file claims.
  /// @throws InputError for too many
  void expect(std::uint64_t stated, std::uint64_t bytes_left, std::uint64_t least_bytes_per_point) {
    const std::uint64_t held = std::min(stated, bytes_left / least_bytes_per_point);
    if (held > kMostPoints)
      throw InputError(fmt::format("{}: found {} points; allowed are {}", file_, held, kMostPoints));
    points_.reserve(static_cast<std::size_t>(held));
  }

  /// where() -> "vertex 17 (line 30)"; called only when the point is wrong.
  template <class Where>
  void add(const std::array<double, 3>& x, const Where& where) {
    if (!(std::abs(x[0]) <= kMost && std::abs(x[1]) <= kMost && std::abs(x[2]) <= kMost)) {
      const std::string what = fmt::format("{}: found {} {} {}", where(), x[0], x[1], x[2]);
      if (bad_ == BadPoints::Refuse)
        throw InputError(fmt::format(
            "{}: {}; allowed: finite numbers up to {:.0e} (--drop-bad-points leaves others out)", file_, what, kMost));
      if (result_.dropped++ == 0) result_.first_dropped = what;
      return;
    }
    if (points_.size() == kMostPoints)
      throw InputError(fmt::format("{}: {}: allowed are {} points", file_, where(), kMostPoints));
    points_.push_back(x);
  }

  std::size_t count() const { return points_.size(); }

  PointFile finish() {
    Extent extent = extent_without(kOutliers);
    if (!(extent.size() > 0)) extent = extent_without(0);
    if (extent.size() > 0 && extent.farthest() > kFar * extent.size())
      for (std::size_t a = 0; a < 3; ++a) result_.origin[a] = std::round(extent.low[a] / 2 + extent.high[a] / 2);
    result_.points.reserve(points_.size());
    const double* o = result_.origin;
    for (const auto& x : points_)
      result_.points.push_back(
          {static_cast<float>(x[0] - o[0]), static_cast<float>(x[1] - o[1]), static_cast<float>(x[2] - o[2]), 0});
    return std::move(result_);
  }

 private:
  struct Extent {
    std::array<double, 3> low{}, high{};

    double size() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
    double farthest() const {
      double most = 0;
      for (std::size_t a = 0; a < 3; ++a) most = std::max({most, std::abs(low[a]), std::abs(high[a])});
      return most;
    }
  };

  /// The extent of each axis, without a share of the points at either end. For many points a sample is used.
  Extent extent_without(double share) const {
    const std::size_t n = share > 0 ? std::min(points_.size(), kSample) : points_.size();
    Extent extent;
    if (n == 0) return extent;
    const std::size_t out =
        n >= kFewest && share > 0 ? std::max<std::size_t>(1, static_cast<std::size_t>(share * double(n))) : 0;
    std::vector<double> values(n);
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t i = 0; i < n; ++i) values[i] = points_[i * (points_.size() / n)][a];
      const auto nth = [&](std::size_t k) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(k);
        std::nth_element(values.begin(), at, values.end());
        return *at;
      };
      extent.low[a] = nth(out);
      extent.high[a] = nth(n - 1 - out);
    }
    return extent;
  }

  static constexpr double kMost = 1e18;  ///< squares of distances still fit a float
  static constexpr double kFar = 16;     ///< 20 of 24 bits remain
  /// Single points far from all others have no neighbours, so their coordinates may be imprecise.
  static constexpr double kOutliers = 0.01;  ///< share of the points, at either end of an axis
  static constexpr std::size_t kFewest = 8;  ///< with fewer points, each may matter
  static constexpr std::size_t kSample = 1 << 20;
  static constexpr std::size_t kMostPoints = kMostParticles;

  std::string file_;
  BadPoints bad_;
  std::vector<std::array<double, 3>> points_;
  PointFile result_;
};

}  // namespace riffle::bench
