#pragma once
/// The kernels from the field to the triangles.

#include <cstdint>

#include "sim/fluid_surface/cell_cases.h"
#include "sim/fluid_surface/field_kernels.cuh"
#include "sim/meshes/triangle_mesh.h"

namespace riffle::fluid_surface {

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

}  // namespace riffle::fluid_surface
