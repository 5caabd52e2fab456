#pragma once
/// Points that fill a box or a rectangle evenly, for volumes that are counted.

#include <cstdint>

#include "core/math/vec.h"

namespace riffle {

/// Point number k of a sequence that fills the unit cube or square [0, 1)^dimension: the first n lie evenly for any n, and
/// so do their coordinates along each axis. (The additive recurrence by the root of x^(dimension + 1) = x + 1, a
/// generalised golden ratio.)
inline Vec3 spread_point(std::uint64_t k, int dimension) {
  constexpr double kRoot2 = 1.32471795724474602596, kRoot3 = 1.22074408460575947536;
  const double step = 1 / (dimension == 2 ? kRoot2 : kRoot3);
  double at[3], multiple = step;
  for (double& x : at) {
    x = 0.5 + multiple * static_cast<double>(k);
    x -= static_cast<double>(static_cast<std::uint64_t>(x));
    multiple *= step;
  }
  return {static_cast<float>(at[0]), static_cast<float>(at[1]), dimension == 2 ? 0.0f : static_cast<float>(at[2])};
}

/// Point number k in a box, in 2-D in a rectangle at z = 0.
inline Vec3 spread_point(std::uint64_t k, Vec3 min, Vec3 max, int dimension) {
  const Vec3 u = spread_point(k, dimension), extent = max - min;
  const Vec3 x = min + Vec3{u.x * extent.x, u.y * extent.y, u.z * extent.z};
  return dimension == 2 ? Vec3{x.x, x.y, 0} : x;
}

}  // namespace riffle
