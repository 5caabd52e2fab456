#pragma once
/// A grid of signed distances for kernels, on both devices.
///
/// Blocks of kBlockCells^3 cells fill its box. Near the surface a block has the distance at every corner of its cells; any
/// other block has the distances at its own eight corners. Between corners distances are trilinear.

#include <cstdint>

#include "core/math/math.h"
#include "core/math/vec.h"

namespace riffle {

inline constexpr int kBlockCells = 8;
inline constexpr int kBlockNodes = kBlockCells + 1;  ///< along each side of a block
inline constexpr std::uint32_t kBlockValues = kBlockNodes * kBlockNodes * kBlockNodes;
inline constexpr std::uint32_t kFarBlock = 0xffffffffu;

struct DistanceGridView {
  const float* corners = nullptr;        ///< [m] of the blocks, x fastest
  const std::uint32_t* block = nullptr;  ///< which of the fine blocks a block is; kFarBlock: none
  const float* values = nullptr;         ///< [m] kBlockValues for each fine block
  Vec3 origin{};                         ///< [m] lower corner
  float width = 1;                       ///< [m] of a block
  Int3 blocks{0, 0, 0};                  ///< along each axis
};

namespace distance_grid_view {

/// Trilinear in a cell whose corners are value[0], value[1], value[y], value[z] and so on.
/// @param gradient  out, per cell
RIFFLE_INLINE float between(const float* value, int y, int z, Vec3 at, Vec3& gradient) {
  const float *low = value, *high = value + z;
  const float a = low[0], b = low[1], c = low[y], d = low[y + 1];
  const float e = high[0], f = high[1], g = high[y], h = high[y + 1];
  const float ab = a + at.x * (b - a), cd = c + at.x * (d - c), ef = e + at.x * (f - e), gh = g + at.x * (h - g);
  const float low_z = ab + at.y * (cd - ab), high_z = ef + at.y * (gh - ef);
  const float x0 = (b - a) + at.y * ((d - c) - (b - a)), x1 = (f - e) + at.y * ((h - g) - (f - e));
  gradient.x = x0 + at.z * (x1 - x0);
  gradient.y = (cd - ab) + at.z * ((gh - ef) - (cd - ab));
  gradient.z = high_z - low_z;
  return low_z + at.z * gradient.z;
}

/// Of NaN 0: a place that is no number must not become an index.
RIFFLE_INLINE float clamped(float x, float high) { return x > 0 ? (x < high ? x : high) : 0; }
/// How far x is outside of 0..high; exactly 0 within.
RIFFLE_INLINE float beyond_ends(float x, float high) { return x < 0 ? x : x > high ? x - high : 0; }
RIFFLE_INLINE int cell_of(float x, int cells) {
  const int k = static_cast<int>(x);
  return k < cells ? k : cells - 1;
}

}  // namespace distance_grid_view

/// The distance at x [m], negative inside. Outside the grid's box it is that at the box plus the way to it.
/// @param normal  out: the direction in which it grows fastest, of length 1
RIFFLE_INLINE float distance_in_grid(const DistanceGridView& grid, Vec3 x, Vec3& normal) {
  using distance_grid_view::beyond_ends;
  using distance_grid_view::cell_of;
  using distance_grid_view::clamped;
  const float per_width = quick_divide(1.0f, grid.width);
  const Vec3 wanted = per_width * (x - grid.origin);
  const Vec3 p{clamped(wanted.x, static_cast<float>(grid.blocks.x)),
               clamped(wanted.y, static_cast<float>(grid.blocks.y)),
               clamped(wanted.z, static_cast<float>(grid.blocks.z))};
  const int i = cell_of(p.x, grid.blocks.x), j = cell_of(p.y, grid.blocks.y), k = cell_of(p.z, grid.blocks.z);
  const Vec3 within{p.x - static_cast<float>(i), p.y - static_cast<float>(j), p.z - static_cast<float>(k)};
  const std::uint32_t fine =
      grid.block[(static_cast<std::size_t>(k) * static_cast<std::size_t>(grid.blocks.y) + static_cast<std::size_t>(j)) *
                     static_cast<std::size_t>(grid.blocks.x) +
                 static_cast<std::size_t>(i)];
  float distance;
  if (fine == kFarBlock) {
    const int y = grid.blocks.x + 1, z = y * (grid.blocks.y + 1);
    distance = distance_grid_view::between(
        grid.corners + (static_cast<std::size_t>(k) * static_cast<std::size_t>(z) +
                        static_cast<std::size_t>(j) * static_cast<std::size_t>(y) + static_cast<std::size_t>(i)),
        y, z, within, normal);
  } else {
    const Vec3 cells = static_cast<float>(kBlockCells) * within;
    const int u = cell_of(cells.x, kBlockCells), v = cell_of(cells.y, kBlockCells), w = cell_of(cells.z, kBlockCells);
    distance = distance_grid_view::between(
        grid.values + (static_cast<std::size_t>(fine) * kBlockValues +
                       static_cast<std::size_t>((w * kBlockNodes + v) * kBlockNodes + u)),
        kBlockNodes, kBlockNodes * kBlockNodes,
        {cells.x - static_cast<float>(u), cells.y - static_cast<float>(v), cells.z - static_cast<float>(w)}, normal);
  }
  // Not wanted - p: a compiler may fuse that with the product in `wanted`, and the rounding of the product is no way.
  const Vec3 beyond{beyond_ends(wanted.x, static_cast<float>(grid.blocks.x)),
                    beyond_ends(wanted.y, static_cast<float>(grid.blocks.y)),
                    beyond_ends(wanted.z, static_cast<float>(grid.blocks.z))};
  if (beyond.x != 0 || beyond.y != 0 || beyond.z != 0) {
    const float way = quick_sqrt(length2(beyond));
    normal = quick_divide(1.0f, way) * beyond;
    return distance + grid.width * way;
  }
  const float steepness = quick_sqrt(length2(normal));
  normal = steepness > 0 ? quick_divide(1.0f, steepness) * normal : Vec3{0, 1, 0};
  return distance;
}

}  // namespace riffle
