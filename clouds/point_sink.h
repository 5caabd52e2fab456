#pragma once
/// Where the readers put their points. Private to clouds/.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "clouds/point_file.h"
#include "core/error.h"

namespace riffle {

class PointSink {
 public:
  PointSink(std::string file, BadPoints bad) : file_(std::move(file)), bad_(bad) {}

  /// As many as there may be in the bytes that are left, whatever is said of their number.
  void expect(std::uint64_t stated, std::uint64_t bytes_left, std::uint64_t least_bytes_per_point) {
    points_.reserve(static_cast<std::size_t>(std::min(stated, bytes_left / least_bytes_per_point)));
  }

  /// where() -> "vertex 17 (line 30)", asked for only when something is wrong with it.
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
    std::array<double, 3> low{}, high{};
    if (!points_.empty()) low = high = points_.front();
    for (const auto& x : points_)
      for (std::size_t a = 0; a < 3; ++a) low[a] = std::min(low[a], x[a]), high[a] = std::max(high[a], x[a]);
    double extent = 0, farthest = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      extent = std::max(extent, high[a] - low[a]);
      farthest = std::max({farthest, std::abs(low[a]), std::abs(high[a])});
    }
    if (extent > 0 && farthest > kFar * extent)
      for (std::size_t a = 0; a < 3; ++a) result_.origin[a] = std::round(low[a] / 2 + high[a] / 2);
    result_.points.reserve(points_.size());
    const double* o = result_.origin;
    for (const auto& x : points_)
      result_.points.push_back(
          {static_cast<float>(x[0] - o[0]), static_cast<float>(x[1] - o[1]), static_cast<float>(x[2] - o[2]), 0});
    return std::move(result_);
  }

 private:
  static constexpr double kMost = 1e18;  ///< squares of distances still have room in a float
  static constexpr double kFar = 16;     ///< of 24 bits 20 are left
  static constexpr std::size_t kMostPoints = std::numeric_limits<std::int32_t>::max();

  std::string file_;
  BadPoints bad_;
  std::vector<std::array<double, 3>> points_;
  PointFile result_;
};

}  // namespace riffle
