#pragma once
/// What every reader of point clouds promises.

#include <cmath>
#include <string>
#include <string_view>

#include "bench/clouds/point_file.h"
#include "tests/fuzz/reader.h"

namespace riffle::fuzz {

/// @param ending  ".xyz": of the file, which decides the reader
inline void read_points(const std::string& ending, std::string_view input) {
  const bench::PointFile cloud = bench::read_points(input_file(ending, input), bench::BadPoints::Drop);
  require(cloud.points.size() + cloud.dropped <= input.size(), "more points than bytes");
  for (const Vec4& x : cloud.points)
    require(std::isfinite(x.x) && std::isfinite(x.y) && std::isfinite(x.z), "a point that is not finite");
}

}  // namespace riffle::fuzz
