#pragma once
/// The kernels from particles to the field on the nodes of blocks.

#include <cstdint>

#include "core/device/parallel.cuh"
#include "sim/fluid_surface/block_set.h"
#include "sim/fluid_surface/surface_field.h"

namespace riffle::fluid_surface {

inline constexpr int kSideCells = 4;
inline constexpr int kBlockPlaces = kSideCells * kSideCells * kSideCells;
inline constexpr int kPlanes = kSideCells, kPlaneNodes = kSideCells * kSideCells;

// Nodes that kernels reach, and the node before each in every direction, where a cell may begin, are in the blocks that
// touch a particle's block: blocks are bounded half a cell further up for that.
static_assert(kMostWidth + 0.5f * kCell <= kSideCells * kCell && kSpreadReach <= kSideCells * kCell);

struct SurfaceGrid {
  Vec3 origin;  ///< of node 0
  float cell;   ///< [m]

  RIFFLE_HD Vec3 node(int x, int y, int z) const {
    return {origin.x + cell * static_cast<float>(x), origin.y + cell * static_cast<float>(y),
            origin.z + cell * static_cast<float>(z)};
  }
  /// The block of a particle, as a number that need not fit into an int.
  RIFFLE_HD float block(float x, float from) const { return floorf(((x - from) / cell - 0.5f) * (1.0f / kSideCells)); }
};

/// Which particles a surface is of, and their images behind the faces of periodic axes.
struct ChosenParticles {
  const Vec4* position;
  const std::uint32_t* fluid;
  std::uint32_t which;  ///< if fluid != nullptr
  SurfaceGrid grid;
  float farthest;  ///< [blocks]
  Vec3 low, high;  ///< images within that box count
  Vec3 period;     ///< [m] 0: none along that axis

  enum class Use { Yes, OtherFluid, NotFinite, TooFar };

  RIFFLE_HD Use use(std::int64_t i) const {
    if (fluid != nullptr && fluid[i] != which) return Use::OtherFluid;
    const Vec3 x = xyz(position[i]);
    if (!is_finite(x)) return Use::NotFinite;
    for (int a = 0; a < 3; ++a) {
      const float block = grid.block(component(x, a), component(grid.origin, a));
      if (!(block > -farthest && block < farthest)) return Use::TooFar;
    }
    return Use::Yes;
  }
  RIFFLE_HD Int3 block(Vec3 x) const {
    return {static_cast<int>(grid.block(x.x, grid.origin.x)), static_cast<int>(grid.block(x.y, grid.origin.y)),
            static_cast<int>(grid.block(x.z, grid.origin.z))};
  }
  /// Turns round the period after which an image is within the box; the particle itself, 0 turns, always counts. A particle that
  /// is many periods outside has no more images than others.
  struct Turns {
    int first, count;  ///< within the box
    bool itself;       ///< 0 turns come on top

    RIFFLE_HD int all() const { return count + (itself ? 1 : 0); }
    RIFFLE_HD float at(int k) const { return k < count ? static_cast<float>(first + k) : 0.0f; }
  };
  RIFFLE_HD Turns turns(float x, int a) const {
    const float p = component(period, a);
    if (!(p > 0)) return {0, 1, false};
    const int first = static_cast<int>(ceilf((component(low, a) - x) / p)),
              last = static_cast<int>(floorf((component(high, a) - x) / p));
    const int count = last >= first ? last - first + 1 : 0;
    return {first, count, !(first <= 0 && last >= 0)};
  }
  template <class Visit>
  RIFFLE_HD void for_each_image(Vec3 x, const Visit& visit) const {
    const Turns tx = turns(x.x, 0), ty = turns(x.y, 1), tz = turns(x.z, 2);
    for (int k = 0; k < tz.all(); ++k)
      for (int j = 0; j < ty.all(); ++j)
        for (int i = 0; i < tx.all(); ++i)
          visit(Vec3{x.x + tx.at(i) * period.x, x.y + ty.at(j) * period.y, x.z + tz.at(k) * period.z});
  }
};

/// Without initialisers, as shared memory needs it.
struct SurfaceExtent {
  int low[3], high[3];  ///< [blocks]
  std::uint64_t copies;
  std::uint32_t used, non_finite, too_far;
};

struct FindExtent {
  ChosenParticles chosen;

  RIFFLE_HD static SurfaceExtent identity() {
    constexpr int most = 1 << 30;
    return {{most, most, most}, {-most, -most, -most}, 0, 0, 0, 0};
  }
  RIFFLE_HD static SurfaceExtent combine(SurfaceExtent a, const SurfaceExtent& b) {
    for (int k = 0; k < 3; ++k) {
      a.low[k] = b.low[k] < a.low[k] ? b.low[k] : a.low[k];
      a.high[k] = b.high[k] > a.high[k] ? b.high[k] : a.high[k];
    }
    a.copies += b.copies;
    a.used += b.used, a.non_finite += b.non_finite, a.too_far += b.too_far;
    return a;
  }
  RIFFLE_HD SurfaceExtent operator()(std::int64_t i) const {
    SurfaceExtent e = identity();
    const ChosenParticles::Use use = chosen.use(i);
    e.non_finite = use == ChosenParticles::Use::NotFinite ? 1 : 0;
    e.too_far = use == ChosenParticles::Use::TooFar ? 1 : 0;
    if (use != ChosenParticles::Use::Yes) return e;
    e.used = 1;
    chosen.for_each_image(xyz(chosen.position[i]), [&](Vec3 x) {
      const Int3 block = chosen.block(x);
      for (int k = 0; k < 3; ++k) {
        const int b = component(block, k);
        e.low[k] = b < e.low[k] ? b : e.low[k];
        e.high[k] = b > e.high[k] ? b : e.high[k];
      }
      ++e.copies;
    });
    return e;
  }
};

struct CountImages {
  ChosenParticles chosen;
  std::uint32_t* images;
  RIFFLE_HD void operator()(std::int64_t i) const {
    std::uint32_t count = 0;
    if (chosen.use(i) == ChosenParticles::Use::Yes)
      chosen.for_each_image(xyz(chosen.position[i]), [&](Vec3) { ++count; });
    images[i] = count;
  }
};

struct WriteImages {
  ChosenParticles chosen;
  BlockBox box;
  const std::uint32_t* first;  ///< image of each particle
  Vec4* point;
  std::uint64_t* key;
  RIFFLE_HD void operator()(std::int64_t i) const {
    if (chosen.use(i) != ChosenParticles::Use::Yes) return;
    std::uint32_t at = first[i];
    chosen.for_each_image(xyz(chosen.position[i]), [&](Vec3 x) {
      point[at] = make_vec4(x);
      key[at] = box.key(chosen.block(x));
      ++at;
    });
  }
};

struct SortPoints {
  const std::uint32_t* order;
  const Vec4* point;
  const std::uint64_t* key;
  Vec4* sorted_point;
  std::uint64_t* sorted_key;
  RIFFLE_HD void operator()(std::int64_t i) const {
    sorted_point[i] = point[order[i]];
    sorted_key[i] = key[order[i]];
  }
};

/// The points in three blocks that follow one another along x, which are side by side in memory.
struct PointRun {
  std::uint32_t begin, end;
};
inline constexpr int kRuns = 9;

struct FindRuns {
  const std::uint64_t* keys;  ///< of the blocks whose surroundings these are
  BlockBox box;
  BlockMap occupied;
  const std::uint32_t* begin;  ///< of the points in occupied blocks
  PointRun* runs;              ///< (blocks, kRuns)

  RIFFLE_HD void operator()(std::int64_t i) const {
    const int k = static_cast<int>(i % kRuns);
    const std::uint64_t row = box.beside(keys[i / kRuns], 0, k % 3 - 1, k / 3 - 1);
    PointRun run{0, 0};
    for (int dx = -1; dx <= 1; ++dx) {
      const std::uint32_t block = occupied.find(box.beside(row, dx, 0, 0));
      if (block == kNoBlock) continue;
      if (run.end == 0) run.begin = begin[block];
      run.end = begin[block + 1];
    }
    runs[i] = run;
  }
};

/// Coordinates in arrays of their own: neighbouring points are then neighbours in memory, and a CPU reads several at once.
struct Coordinates {
  const float *x, *y, *z;
};

struct SplitCoordinates {
  const Vec4* point;
  float *x, *y, *z;
  RIFFLE_HD void operator()(std::int64_t i) const { x[i] = point[i].x, y[i] = point[i].y, z[i] = point[i].z; }
};

/// Lanes: how many neighbours are added side by side; the compiler makes vector instructions of them.
template <int Lanes>
struct FindEllipsoids {
  const std::uint32_t* block_of;
  const PointRun* runs;
  Coordinates at;
  Vec4* point;  ///< w: the longest semi-axis
  Vec4* shape;  ///< (2 points) xx, 2 xy, 2 xz, yy; 2 yz, zz, amplitude
  float spacing;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float x = at.x[i], y = at.y[i], z = at.z[i], per_spacing = 1 / spacing;
    const PointRun* const near = runs + std::int64_t{block_of[i]} * kRuns;
    SpreadSums<Lanes> sums;
    for (int k = 0; k < kRuns; ++k) {
      std::uint32_t j = near[k].begin;
      const std::uint32_t end = near[k].end;
      for (; j + Lanes <= end; j += Lanes) {
        RIFFLE_UNROLL
        for (int l = 0; l < Lanes; ++l)
          sums.add(l, per_spacing * (at.x[j + l] - x), per_spacing * (at.y[j + l] - y),
                   per_spacing * (at.z[j + l] - z));
      }
      for (; j < end; ++j)
        sums.add(0, per_spacing * (at.x[j] - x), per_spacing * (at.y[j] - y), per_spacing * (at.z[j] - z));
    }
    const Ellipsoid e = sums.spread().ellipsoid(spacing);
    shape[2 * i] = {e.xx, 2 * e.xy, 2 * e.xz, e.yy};
    shape[2 * i + 1] = {2 * e.yz, e.zz, e.amplitude, 0};
    point[i].w = e.radius;
  }
};

/// f at the nodes of some planes of a block: a GPU's thread has one plane, a task on the CPU the whole block.
template <int Planes>
struct FillPlanes {
  const std::uint64_t* keys;
  BlockBox box;
  SurfaceGrid grid;
  const PointRun* runs;
  const Vec4* point;
  const Vec4* shape;
  Clip clip;
  float* value;                          ///< (blocks, kBlockPlaces)
  std::uint8_t* signs;                   ///< (blocks, kPlanes) 1: a node is inside, 2: one is outside
  float x[kPlaneNodes], y[kPlaneNodes];  ///< [m] of the nodes of a plane, from its first

  FillPlanes(const BlockSet& blocks, const BlockBox& b, const SurfaceGrid& g, const PointRun* r, const Vec4* p,
             const Vec4* s, const Clip& c, float* v, std::uint8_t* n)
      : keys(blocks.map().keys), box(b), grid(g), runs(r), point(p), shape(s), clip(c), value(v), signs(n) {
    for (int k = 0; k < kPlaneNodes; ++k) {
      x[k] = grid.cell * static_cast<float>(k % kSideCells);
      y[k] = grid.cell * static_cast<float>(k / kSideCells);
    }
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    constexpr int kParts = kPlanes / Planes;
    const std::int64_t block = i / kParts;
    const Int3 at = box.block(keys[block]);
    const int first_plane = static_cast<int>(i % kParts) * Planes;
    const Vec3 first = grid.node(kSideCells * at.x, kSideCells * at.y, kSideCells * at.z + first_plane);
    const float width = grid.cell * (kSideCells - 1), height = grid.cell * (Planes - 1);
    float sum[Planes][kPlaneNodes] = {};
    const PointRun* const near = runs + block * kRuns;
    for (int k = 0; k < kRuns; ++k)
      for (std::uint32_t j = near[k].begin; j < near[k].end; ++j) {
        const Vec4 p = point[j];
        const float dz0 = first.z - p.z, dy0 = first.y - p.y, dx0 = first.x - p.x;
        if (dz0 > p.w || dz0 + height < -p.w || dy0 > p.w || dy0 + width < -p.w || dx0 > p.w || dx0 + width < -p.w)
          continue;
        const Vec4 m = shape[2 * j], n = shape[2 * j + 1];  // xx, 2 xy, 2 xz, yy; 2 yz, zz, amplitude
        for (int z = 0; z < Planes; ++z) {
          const float dz = dz0 + grid.cell * static_cast<float>(z);
          if (dz > p.w || dz < -p.w) continue;
          const float along_x = m.z * dz, along_y = n.x * dz, rest = 1 - n.y * dz * dz;
          RIFFLE_UNROLL
          for (int node = 0; node < kPlaneNodes; ++node) {
            const float dx = dx0 + x[node], dy = dy0 + y[node];
            const float t = rest - ((m.x * dx + m.y * dy + along_x) * dx + (m.w * dy + along_y) * dy);
            const float s = t > 0 ? t : 0.0f;
            sum[z][node] += n.z * s * s * s;
          }
        }
      }
    for (int z = 0; z < Planes; ++z) {
      const std::int64_t plane = block * kPlanes + first_plane + z;
      std::uint8_t seen = 0;
      float* const out = value + plane * kPlaneNodes;
      RIFFLE_UNROLL
      for (int node = 0; node < kPlaneNodes; ++node) {
        const Vec3 place{first.x + x[node], first.y + y[node], first.z + grid.cell * static_cast<float>(z)};
        out[node] = clip.field(place, sum[z][node]);
        seen = static_cast<std::uint8_t>(seen | (out[node] > 0 ? 1 : 2));
      }
      signs[plane] = seen;
    }
  }
};

}  // namespace riffle::fluid_surface
