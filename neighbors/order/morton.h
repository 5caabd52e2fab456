#pragma once
/// Morton codes (Z order) of positions, relative to the box round all of them.

#include <cstdint>

#include "core/math/vec.h"

namespace riffle {

inline constexpr int kMortonBits = 21;  ///< per axis: 63 in 3-D, 42 in 2-D

/// A code in two words, because it is sorted word by word.
struct MortonCode {
  std::uint32_t low = 0, high = 0;
};

/// Cells of the codes are cubes, so that boxes round a run of codes are equally compact in a long box and in a cube.
struct MortonFrame {
  Vec3 low{};
  float inverse_cell = 0;
  int dimension = 3;

  /// Computes with halves: the difference of two floats may overflow.
  RIFFLE_HD static MortonFrame around(Vec3 low, Vec3 high, int dimension) {
    const Vec3 half = 0.5f * high - 0.5f * low;
    const float longest = half.x > half.y ? (half.x > half.z ? half.x : half.z) : (half.y > half.z ? half.y : half.z);
    const float cells = static_cast<float>(1 << kMortonBits);
    return {low, longest > 0 ? cells / longest : 0, dimension};
  }

  /// The cell of a position; outside the frame, the nearest cell.
  RIFFLE_HD std::uint32_t cell(float x, float from) const {
    const float u = (0.5f * x - 0.5f * from) * inverse_cell;
    constexpr float last = static_cast<float>((1 << kMortonBits) - 1);
    if (!(u > 0)) return 0;  // NaN too: 0 * infinity, if all are within the smallest of floats
    return static_cast<std::uint32_t>(u < last ? u : last);
  }

  RIFFLE_HD MortonCode code(Vec3 x) const;
};

/// Moves bits of `a` two places apart each: bit k to bit 3 k.
RIFFLE_INLINE std::uint64_t spread_by_3(std::uint32_t a) {
  std::uint64_t x = a & 0x1fffffu;
  x = (x | x << 32) & 0x001f00000000ffffull;
  x = (x | x << 16) & 0x001f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/// Moves bit k to bit 2 k.
RIFFLE_INLINE std::uint64_t spread_by_2(std::uint32_t a) {
  std::uint64_t x = a;
  x = (x | x << 16) & 0x0000ffff0000ffffull;
  x = (x | x << 8) & 0x00ff00ff00ff00ffull;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
  x = (x | x << 2) & 0x3333333333333333ull;
  return (x | x << 1) & 0x5555555555555555ull;
}

RIFFLE_HD inline MortonCode MortonFrame::code(Vec3 x) const {
  const std::uint32_t cx = cell(x.x, low.x), cy = cell(x.y, low.y);
  const std::uint64_t bits = dimension == 2
                                 ? spread_by_2(cx) | spread_by_2(cy) << 1
                                 : spread_by_3(cx) | spread_by_3(cy) << 1 | spread_by_3(cell(x.z, low.z)) << 2;
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

}  // namespace riffle
