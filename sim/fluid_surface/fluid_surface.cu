#include "sim/fluid_surface/fluid_surface.h"

#include <cmath>
#include <limits>

#include "core/device/memory.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/error.h"
#include "sim/fluid_surface/block_set.h"
#include "sim/fluid_surface/cell_cases.h"
#include "sim/fluid_surface/surface_field.h"
#include "sim/fluid_surface/surface_limits.h"

namespace riffle {

namespace fluid_surface {

constexpr int kSideCells = 4;
constexpr int kBlockPlaces = kSideCells * kSideCells * kSideCells;
constexpr int kPlanes = kSideCells, kPlaneNodes = kSideCells * kSideCells;

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
  /// Turns round the period after which an image is within the box; the particle itself, 0 turns, always counts.
  RIFFLE_HD int first(float x, int a) const {
    const float p = component(period, a), turns = p > 0 ? ceilf((component(low, a) - x) / p) : 0.0f;
    return turns < 0 ? static_cast<int>(turns) : 0;
  }
  RIFFLE_HD int last(float x, int a) const {
    const float p = component(period, a), turns = p > 0 ? floorf((component(high, a) - x) / p) : 0.0f;
    return turns > 0 ? static_cast<int>(turns) : 0;
  }
  template <class Visit>
  RIFFLE_HD void for_each_image(Vec3 x, const Visit& visit) const {
    const int x0 = first(x.x, 0), x1 = last(x.x, 0), y0 = first(x.y, 1), y1 = last(x.y, 1), z0 = first(x.z, 2),
              z1 = last(x.z, 2);
    for (int tz = z0; tz <= z1; ++tz)
      for (int ty = y0; ty <= y1; ++ty)
        for (int tx = x0; tx <= x1; ++tx)
          visit(Vec3{x.x + static_cast<float>(tx) * period.x, x.y + static_cast<float>(ty) * period.y,
                     x.z + static_cast<float>(tz) * period.z});
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
constexpr int kRuns = 9;

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

/// Flags the blocks in whose cells the surface may be: those with nodes of both kinds, their neighbours' further up included.
struct MarkSurfaceBlocks {
  const std::uint64_t* keys;
  BlockBox box;
  BlockMap blocks;
  const std::uint8_t* signs;
  std::uint32_t* marked;

  RIFFLE_HD void operator()(std::int64_t i) const {
    int seen = 0;
    for (int k = 0; k < 8; ++k) {
      const std::uint32_t block = blocks.find(box.beside(keys[i], k & 1, k >> 1 & 1, k >> 2));
      if (block == kNoBlock) {
        seen |= 2;
        continue;
      }
      const int planes = k < 4 ? kPlanes : 1;
      for (int z = 0; z < planes; ++z) seen |= signs[std::int64_t{block} * kPlanes + z];
    }
    marked[i] = seen == 3 ? 1 : 0;
  }
};

struct ListSurfaceBlocks {
  const std::uint32_t* marked;
  const std::uint32_t* before;
  std::uint32_t* list;
  std::uint32_t* place;  ///< of each block in the list; kNoBlock where it is not in it
  RIFFLE_HD void operator()(std::int64_t i) const {
    place[i] = marked[i] != 0 ? before[i] : kNoBlock;
    if (marked[i] != 0) list[before[i]] = static_cast<std::uint32_t>(i);
  }
};

struct FindNeighborBlocks {
  const std::uint64_t* keys;
  BlockBox box;
  BlockMap blocks;
  const std::uint32_t* list;
  std::uint32_t* around;  ///< (surface blocks, 27)
  RIFFLE_HD void operator()(std::int64_t i) const {
    const int k = static_cast<int>(i % 27);
    around[i] = blocks.find(box.beside(keys[list[i / 27]], k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
  }
};

/// The nodes around one of a surface block.
struct SurfaceNodes {
  const float* value;
  const std::uint32_t* around;

  /// x, y, z from -4 to 7: the node's place relative to the block
  RIFFLE_HD std::uint32_t block(std::int64_t s, int x, int y, int z) const {
    return around[27 * s + 9 * ((z >> 2) + 1) + 3 * ((y >> 2) + 1) + ((x >> 2) + 1)];
  }
  RIFFLE_HD static int place(int x, int y, int z) { return 16 * (z & 3) + 4 * (y & 3) + (x & 3); }
  RIFFLE_HD float at(std::int64_t s, int x, int y, int z) const {
    const std::uint32_t b = block(s, x, y, z);
    return b == kNoBlock ? -kLevel : value[std::int64_t{b} * kBlockPlaces + place(x, y, z)];
  }
  RIFFLE_HD Vec3 gradient(std::int64_t s, int x, int y, int z) const {
    return {at(s, x + 1, y, z) - at(s, x - 1, y, z), at(s, x, y + 1, z) - at(s, x, y - 1, z),
            at(s, x, y, z + 1) - at(s, x, y, z - 1)};
  }
};

struct CountInCell {
  SurfaceNodes nodes;
  const CellCases* cases;
  std::uint8_t* cell;        ///< (surface blocks, kBlockPlaces) which corners are inside
  std::uint32_t* vertices;   ///< likewise, on the three edges that begin at the node
  std::uint32_t* triangles;  ///< likewise

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::int64_t s = i / kBlockPlaces;
    const int k = static_cast<int>(i % kBlockPlaces), x = k & 3, y = k >> 2 & 3, z = k >> 4;
    unsigned inside = 0;
    for (int c = 0; c < 8; ++c)
      if (nodes.at(s, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)) > 0) inside |= 1u << c;
    cell[i] = static_cast<std::uint8_t>(inside);
    const unsigned here = inside & 1;
    vertices[i] = ((inside >> 1 & 1) ^ here) + ((inside >> 2 & 1) ^ here) + ((inside >> 4 & 1) ^ here);
    triangles[i] = cases->triangles[inside];
  }
};

struct WriteVertices {
  SurfaceNodes nodes;
  const std::uint64_t* keys;
  BlockBox box;
  SurfaceGrid grid;
  const std::uint32_t* list;
  const std::uint8_t* cell;
  const std::uint32_t* first;
  Vec3* vertex;
  Vec3* normal;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const unsigned inside = cell[i], here = inside & 1;
    if (inside == 0 || inside == 255) return;
    const std::int64_t s = i / kBlockPlaces;
    const int k = static_cast<int>(i % kBlockPlaces), x = k & 3, y = k >> 2 & 3, z = k >> 4;
    std::uint32_t at = first[i];
    const Int3 block = box.block(keys[list[s]]);
    const Vec3 begin = grid.node(kSideCells * block.x + x, kSideCells * block.y + y, kSideCells * block.z + z);
    for (int a = 0; a < 3; ++a) {
      if ((inside >> (1 << a) & 1) == here) continue;
      const int dx = a == 0, dy = a == 1, dz = a == 2;
      const float from = nodes.at(s, x, y, z), to = nodes.at(s, x + dx, y + dy, z + dz);
      // Vertices keep a distance from the node, where those of other edges may be: they would be one point otherwise.
      constexpr float kLeast = 1e-3f;
      const float part = from / (from - to), t = part < kLeast ? kLeast : part > 1 - kLeast ? 1 - kLeast : part;
      const float way = t * grid.cell;
      vertex[at] = {begin.x + (dx != 0 ? way : 0), begin.y + (dy != 0 ? way : 0), begin.z + (dz != 0 ? way : 0)};
      const Vec3 inwards = (1 - t) * nodes.gradient(s, x, y, z) + t * nodes.gradient(s, x + dx, y + dy, z + dz);
      const float length = sqrtf(length2(inwards));
      const float side = here != 0 ? 1.0f : -1.0f;
      const Vec3 along{side * static_cast<float>(dx), side * static_cast<float>(dy), side * static_cast<float>(dz)};
      normal[at] = length > 1e-6f ? (-1 / length) * inwards : along;
      ++at;
    }
  }
};

struct WriteTriangles {
  SurfaceNodes nodes;
  const CellCases* cases;
  const std::uint32_t* place;  ///< of each block among the surface blocks
  const std::uint8_t* cell;
  const std::uint32_t* first_vertex;
  const std::uint32_t* first;
  Triangle* triangle;

  RIFFLE_HD std::uint32_t vertex_on(std::int64_t s, int x, int y, int z, int edge) const {
    const int axis = edge / 4, corner = edge_begin(edge);
    const int nx = x + (corner & 1), ny = y + (corner >> 1 & 1), nz = z + (corner >> 2);
    const std::uint32_t owner = place[nodes.block(s, nx, ny, nz)];
    const std::int64_t node = std::int64_t{owner} * kBlockPlaces + SurfaceNodes::place(nx, ny, nz);
    const unsigned inside = cell[node], here = inside & 1;
    std::uint32_t vertex = first_vertex[node];
    for (int a = 0; a < axis; ++a)
      if ((inside >> (1 << a) & 1) != here) ++vertex;
    return vertex;
  }

  RIFFLE_HD void operator()(std::int64_t i) const {
    const unsigned inside = cell[i];
    const int count = cases->triangles[inside];
    if (count == 0) return;
    const std::int64_t s = i / kBlockPlaces;
    const int k = static_cast<int>(i % kBlockPlaces), x = k & 3, y = k >> 2 & 3, z = k >> 4;
    std::uint32_t* out = reinterpret_cast<std::uint32_t*>(triangle + first[i]);
    for (int e = 0; e < 3 * count; ++e) out[e] = vertex_on(s, x, y, z, cases->edges[inside][e]);
  }
};

}  // namespace fluid_surface

using namespace fluid_surface;

struct FluidSurface::Impl {
  Impl(const Device& d, const Domain& box, float s) : device(d), domain(box), spacing(s) {
    require_three_dimensions(domain);
    cases.assign(std::span<const CellCases>(&cell_cases(), 1));
  }

  Device device;
  Domain domain;
  float spacing;
  SurfaceReport report;
  Workspace memory{device};
  KeySorter sorter{device};
  BlockSet occupied{device}, blocks{device};
  Buffer<CellCases>& cases = memory.make();
  Buffer<std::uint32_t>& images = memory.make();
  Buffer<Vec4>& unsorted = memory.make();
  Buffer<std::uint64_t>& unsorted_keys = memory.make();
  Buffer<Vec4>& points = memory.make();
  Buffer<std::uint64_t>& keys = memory.make();
  Buffer<Vec4>& shapes = memory.make();
  Buffer<float>& coordinates = memory.make();
  Buffer<PointRun>& runs = memory.make();
  Buffer<float>& values = memory.make();
  Buffer<std::uint8_t>& signs = memory.make();
  Buffer<std::uint32_t>& marked = memory.make();
  Buffer<std::uint32_t>& places = memory.make();
  Buffer<std::uint32_t>& list = memory.make();
  Buffer<std::uint32_t>& around = memory.make();
  Buffer<std::uint8_t>& cells = memory.make();
  Buffer<std::uint32_t>& first_vertex = memory.make();
  Buffer<std::uint32_t>& first_triangle = memory.make();
  Buffer<Vec3>& vertices = memory.make();
  Buffer<Vec3>& normals = memory.make();
  Buffer<Triangle>& triangles = memory.make();
  ScratchMemory& scratch = memory.make();

  /// Nodes lie half a cell beside the box's lower faces, so that a wall runs between two of them.
  SurfaceGrid grid() const {
    const float cell = kCell * spacing;
    return {domain.min - 0.5f * Vec3{cell, cell, cell}, cell};
  }

  ChosenParticles chosen(const Vec4* position, const std::uint32_t* fluid, int which) const {
    ChosenParticles c{position,
                      which == kAllFluids ? nullptr : fluid,
                      static_cast<std::uint32_t>(which),
                      grid(),
                      kFarthest * (1 / (kSideCells * kCell)),
                      domain.min,
                      domain.max,
                      {0, 0, 0}};
    // The nodes beside a face are within a cell of it; their kernels follow from the neighbours.
    const float reach = (kMostWidth + kSpreadReach + kCell) * spacing;
    c.low = domain.min - Vec3{reach, reach, reach};
    c.high = domain.max + Vec3{reach, reach, reach};
    c.period = {domain.periodic(0) ? domain.extent().x : 0, domain.periodic(1) ? domain.extent().y : 0,
                domain.periodic(2) ? domain.extent().z : 0};
    return c;
  }

  /// @throws Unavailable before anything is allocated that does not fit
  void require(double bytes, const char* what, double count) const { require_bytes(device, bytes, what, count); }

  /// What an array takes that is now of `bytes`.
  static double grown(std::size_t bytes, double needed) { return needed > double(bytes) ? needed : 0; }

  void find(const Vec4* position, const std::uint32_t* fluid, int count, int which, const SurfaceView& solids) {
    report = {};
    const ChosenParticles choice = chosen(position, fluid, which);
    const auto extent = reduce<SurfaceExtent>(device, "extent of a surface", count, FindExtent{choice});
    report.particles = extent.used;
    report.non_finite = extent.non_finite;
    report.too_far = extent.too_far;
    if (extent.copies == 0) return;
    require_at_most(std::uint64_t{1} << 31, "particles and periodic images", extent.copies);
    BlockBox box;
    constexpr int kMargin = 2;  // neighbours of neighbours
    box.low = {extent.low[0] - kMargin, extent.low[1] - kMargin, extent.low[2] - kMargin};
    const auto size = [&](int a) {
      return static_cast<std::uint64_t>(extent.high[a] - extent.low[a] + 2 * kMargin + 1);
    };
    box.nx = size(0), box.ny = size(1), box.nz = size(2);
    sort_points(choice, box, count, extent.copies);
    find_ellipsoids(box);
    fill_blocks(box, solids);
    list_surface_blocks(box);
    make_mesh(box);
  }

  void sort_points(const ChosenParticles& choice, const BlockBox& box, int count, std::uint64_t copies) {
    const auto n = static_cast<std::size_t>(copies), all = static_cast<std::size_t>(count);
    const double per_point =
        3 * sizeof(float) + 4 * sizeof(Vec4) + 2 * sizeof(std::uint64_t) + 8 * sizeof(std::uint32_t);
    require(grown(points.bytes(), n * double(sizeof(Vec4))) / sizeof(Vec4) * per_point, "particles", double(n));
    images.resize(all);
    unsorted.resize(n), unsorted_keys.resize(n), points.resize(n), keys.resize(n);
    parallel_for(device, "count images", count, CountImages{choice, images.data()});
    exclusive_scan(device, images.data(), images.data(), all, scratch);
    parallel_for(device, "write images", count,
                 WriteImages{choice, box, images.data(), unsorted.data(), unsorted_keys.data()});
    const std::uint32_t* const order = sorter.sort(unsorted_keys.data(), n, box.count());
    parallel_for(device, "sort surface points", static_cast<std::int64_t>(n),
                 SortPoints{order, unsorted.data(), unsorted_keys.data(), points.data(), keys.data()});
  }

  void find_runs(const BlockSet& of, const BlockBox& box) {
    const std::size_t n = std::size_t{of.count()} * kRuns;
    runs.resize(n);
    parallel_for(device, "runs of points", static_cast<std::int64_t>(n),
                 FindRuns{of.map().keys, box, occupied.map(), occupied.begin(), runs.data()});
  }

  void find_ellipsoids(const BlockBox& box) {
    const std::size_t n = points.size();
    occupied.assign(keys.data(), n, box);
    find_runs(occupied, box);
    shapes.resize(2 * n);
    coordinates.resize(3 * n);
    const auto size = static_cast<std::int64_t>(n);
    float *const x = coordinates.data(), *const y = x + n, *const z = y + n;
    parallel_for(device, "split coordinates", size, SplitCoordinates{points.data(), x, y, z});
    const auto launch = [&](const auto& ellipsoids) { parallel_for(device, "ellipsoids", size, ellipsoids); };
    const Coordinates at{x, y, z};
    if (device.is_cuda())
      launch(FindEllipsoids<1>{occupied.block_of(), runs.data(), at, points.data(), shapes.data(), spacing});
    else
      launch(FindEllipsoids<8>{occupied.block_of(), runs.data(), at, points.data(), shapes.data(), spacing});
  }

  void fill_blocks(const BlockBox& box, const SurfaceView& solids) {
    blocks.assign_around(occupied, box, sorter);
    const std::size_t n = blocks.count();
    report.blocks = n;
    const double per_block =
        kBlockPlaces * sizeof(float) + kPlanes + kRuns * sizeof(PointRun) + 4 * sizeof(std::uint32_t);
    require(
        grown(values.bytes(), double(n) * kBlockPlaces * sizeof(float)) / (kBlockPlaces * sizeof(float)) * per_block,
        "blocks of cells", double(n));
    find_runs(blocks, box);
    values.resize(n * kBlockPlaces);
    signs.resize(n * kPlanes);
    const auto fill = [&](const auto& planes, int parts) {
      parallel_for(device, "surface field", static_cast<std::int64_t>(n) * parts, planes);
    };
    const Clip clip{domain, spacing, solids};
    const BlockSet& all = blocks;
    if (device.is_cuda())
      fill(
          FillPlanes<1>(all, box, grid(), runs.data(), points.data(), shapes.data(), clip, values.data(), signs.data()),
          kPlanes);
    else
      fill(FillPlanes<kPlanes>(all, box, grid(), runs.data(), points.data(), shapes.data(), clip, values.data(),
                               signs.data()),
           1);
  }

  void list_surface_blocks(const BlockBox& box) {
    const std::size_t n = blocks.count();
    const auto size = static_cast<std::int64_t>(n);
    const BlockMap map = blocks.map();
    marked.resize(n), places.resize(n);
    parallel_for(device, "mark surface blocks", size,
                 MarkSurfaceBlocks{map.keys, box, map, signs.data(), marked.data()});
    exclusive_scan(device, marked.data(), places.data(), n, scratch);
    const std::size_t found = element_of(device, places.data(), n - 1) + element_of(device, marked.data(), n - 1);
    list.resize(found);
    around.resize(27 * found);
    parallel_for(device, "list surface blocks", size,
                 ListSurfaceBlocks{marked.data(), places.data(), list.data(), places.data()});
    parallel_for(device, "blocks around surface", static_cast<std::int64_t>(27 * found),
                 FindNeighborBlocks{map.keys, box, map, list.data(), around.data()});
  }

  void make_mesh(const BlockBox& box) {
    const std::size_t n = list.size() * kBlockPlaces;
    if (n == 0) return;
    const auto size = static_cast<std::int64_t>(n);
    require_at_most((std::uint64_t{1} << 32) / CellCases::kMostTriangles, "cells that it may go through", n);
    const SurfaceNodes nodes{values.data(), around.data()};
    require(grown(cells.bytes(), double(n)) * (1 + 2 * sizeof(std::uint32_t)), "cells", double(n));
    cells.resize(n), first_vertex.resize(n), first_triangle.resize(n);
    parallel_for(device, "count triangles", size,
                 CountInCell{nodes, cases.data(), cells.data(), first_vertex.data(), first_triangle.data()});
    report.vertices = running_sum(first_vertex);
    report.triangles = running_sum(first_triangle);
    try {
      require(grown(vertices.bytes(), report.vertices * double(sizeof(Vec3))) * 2 +
                  grown(triangles.bytes(), report.triangles * double(sizeof(Triangle))),
              "triangles", report.triangles);
      vertices.resize(report.vertices), normals.resize(report.vertices), triangles.resize(report.triangles);
    } catch (const Unavailable&) {
      report.vertices = report.triangles = 0;
      throw;
    }
    parallel_for(device, "surface vertices", size,
                 WriteVertices{nodes, blocks.map().keys, box, grid(), list.data(), cells.data(), first_vertex.data(),
                               vertices.data(), normals.data()});
    parallel_for(device, "surface triangles", size,
                 WriteTriangles{nodes, cases.data(), places.data(), cells.data(), first_vertex.data(),
                                first_triangle.data(), triangles.data()});
  }

  /// Replaces the counts by the sums of those before them. @return the sum of all
  std::uint32_t running_sum(Buffer<std::uint32_t>& counts) {
    const std::uint32_t last = element_of(device, counts.data(), counts.size() - 1);
    exclusive_scan(device, counts.data(), counts.data(), counts.size(), scratch);
    return last + element_of(device, counts.data(), counts.size() - 1);
  }
};

FluidSurface::FluidSurface(const Device& device, const Domain& domain, float spacing)
    : impl_(std::make_unique<Impl>(device, domain, spacing)) {}
FluidSurface::~FluidSurface() = default;
FluidSurface::FluidSurface(FluidSurface&&) noexcept = default;

const SurfaceReport& FluidSurface::find(const Vec4* position, const std::uint32_t* fluid, int count, int which,
                                        const SurfaceView& solids) {
  impl_->find(position, fluid, count, which, solids);
  synchronize(impl_->device);
  return impl_->report;
}

const SurfaceReport& FluidSurface::report() const { return impl_->report; }
const Vec3* FluidSurface::vertices() const { return impl_->vertices.data(); }
const Vec3* FluidSurface::normals() const { return impl_->normals.data(); }
const Triangle* FluidSurface::triangles() const { return impl_->triangles.data(); }

SurfaceMesh FluidSurface::to_host() const {
  const SurfaceReport& found = impl_->report;
  SurfaceMesh mesh;
  mesh.vertices.resize(found.vertices);
  mesh.normals.resize(found.vertices);
  mesh.triangles.resize(found.triangles);
  copy_to_host(impl_->device, mesh.vertices.data(), vertices(), found.vertices * sizeof(Vec3));
  copy_to_host(impl_->device, mesh.normals.data(), normals(), found.vertices * sizeof(Vec3));
  copy_to_host(impl_->device, mesh.triangles.data(), triangles(), found.triangles * sizeof(Triangle));
  return mesh;
}

std::size_t FluidSurface::memory_bytes() const {
  return impl_->memory.bytes() + impl_->sorter.memory_bytes() + impl_->occupied.memory_bytes() +
         impl_->blocks.memory_bytes();
}

}  // namespace riffle
