#pragma once
/// Points that fill a box or a rectangle evenly, for volumes that are counted.

#include <atomic>
#include <cstdint>

#include "core/device/threads.h"
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

/// The share of a box, in 2-D of a rectangle, for whose places is_inside(x) holds, by a million points: within 1e-4, of a
/// slab within 1e-5. Asks on several threads.
template <class IsInside>
double share_of_box(Vec3 min, Vec3 max, int dimension, const IsInside& is_inside) {
  constexpr std::int64_t kPoints = 1 << 20, kGrain = 4096;
  const Vec3 extent = max - min;
  std::atomic<std::int64_t> inside{0};
  parallel_ranges(kPoints, kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t found = 0;
    for (std::int64_t k = begin; k != end; ++k) {
      const Vec3 u = spread_point(static_cast<std::uint64_t>(k), dimension);
      const Vec3 x = min + Vec3{u.x * extent.x, u.y * extent.y, u.z * extent.z};
      found += is_inside(dimension == 2 ? Vec3{x.x, x.y, 0} : x) ? 1 : 0;
    }
    inside += found;
  });
  return static_cast<double>(inside) / static_cast<double>(kPoints);
}

}  // namespace riffle
