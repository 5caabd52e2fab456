#pragma once
/// Writes neighbour lists from a grid, on CUDA. Private to neighbors/.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "core/device/atomic.h"
#include "core/device/memory.h"
#include "core/device/parallel.cuh"
#include "core/error.h"
#include "neighbors/grid/grid_traversal.cuh"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

/// Lists are longer by an eighth than the longest one was when they were made.
inline int width_for(std::uint32_t longest) { return static_cast<int>((longest + longest / 8 + 7) / 8 * 8); }

/// The pool has 1 / kPoolShare of all quads, and at least kLeastPool.
inline constexpr std::size_t kPoolShare = 256, kLeastPool = 4096;

#if RIFFLE_WITH_CUDA

/// What the host wants to know of all lists, and the pool's state. All are 0 before a build.
struct ListCounters {
  unsigned long long used;    ///< [quads] of the pool that were asked for, may be more than it has
  std::uint32_t longest;      ///< most neighbours of a particle
  std::uint32_t overflowing;  ///< particles with more neighbours than the width
  std::uint32_t crowding;     ///< the same, where one without a place in the pool counts as more than a few
  std::uint32_t left_out;     ///< particles without a place in the pool
};

inline constexpr int kListBlock = 128;
/// [bytes] per particle that lists leave free, for pictures and measurements: another search, a copy of positions.
inline constexpr std::size_t kListReserve = 128;
/// After a look that did not lengthen the lists, so many builds pass before the next, since a look waits.
inline constexpr std::uint64_t kBuildsBetweenLooks = 256;
/// The host asks for the counts in one of so many builds: asking takes longer than a small launch.
inline constexpr std::uint64_t kBuildsBetweenRequests = 8;
inline constexpr int kBatch = 4;  ///< candidates loaded before the first is tested, so that their latencies overlap

/// The memory for the few lists that are longer than the width.
struct ListPool {
  ListQuad* quads;
  std::uint32_t size;  ///< [quads]
  std::uint32_t few;   ///< so many overflowing particles do not lengthen the lists
};

/// Calls test(first, end) for the ranges of candidates of query i, in the grid's order and, if Self, without i itself.
template <bool Self, class Test>
__device__ __forceinline__ void for_each_candidate_range(const GridView& view, const NeighborQuery& query, int i,
                                                         const Test& test) {
  const Vec3 u = view.grid.coordinates(xyz(query.queries[i]));
  const auto self = static_cast<std::uint32_t>(i);
  for_each_range<false>(view, {u, u}, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
    std::uint32_t stop = Self && self - begin < end - begin ? self : end;
    RIFFLE_NO_UNROLL
    for (;;) {
      test(begin, stop);
      if (!Self || stop == end) break;
      begin = self + 1;
      stop = end;
    }
  });
}

/// Sets found[j] for every source j that is in a list.
struct MarkSources {
  std::uint8_t* found;
  __device__ __forceinline__ void operator()(std::uint32_t j) const { found[j] = 1; }
};

struct MarkNothing {
  __device__ __forceinline__ void operator()(std::uint32_t) const {}
};

inline constexpr int kRing = 8;  ///< entries; a batch of candidates follows at most three that wait for a fourth

/// Lists query i's neighbours from `quad` on, every `stride` quads, as many as there is room for.
/// A candidate is always written to the thread's column in shared memory, a ring, and counted only if it is a hit: the
/// next one overwrites it otherwise. So no lane waits for the hits of another. Full quads leave the ring.
/// @param last  the last source
/// @return the number of all neighbours
template <bool Periodic, bool Self, class Mark>
__device__ __forceinline__ int list_particle(const GridView& view, const NeighborQuery& query, std::uint32_t last,
                                             int i, std::uint32_t* column, ListQuad* quad, int stride, int room,
                                             const Mark& mark) {
  const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};
  const Vec3 x_i = xyz(query.queries[i]);
  int count = 0, written = 0;
  const auto write_quad = [&] {
    const std::uint32_t* from = column + (written & (kRing - 1)) * kListBlock;
    *quad = {{from[0], from[kListBlock], from[2 * kListBlock], from[3 * kListBlock]}};
    quad += stride;
    written += 4;
  };
  for_each_candidate_range<Self>(view, query, i, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t first = begin; first < end; first += kBatch) {
      Vec4 x_j[kBatch];
      RIFFLE_UNROLL
      for (int b = 0; b < kBatch; ++b) x_j[b] = query.sources[first + b < last ? first + b : last];
      RIFFLE_UNROLL
      for (int b = 0; b < kBatch; ++b) {
        column[(count & (kRing - 1)) * kListBlock] = first + b;
        const bool hit = test_pair(x_i, xyz(x_j[b]), wrap, query.h2).near() && first + b < end;
        if (hit) mark(first + b);
        count += hit ? 1 : 0;
      }
      if (count - written >= 4 && written + 4 <= room) write_quad();
    }
  });
  if (count > written && count <= room) write_quad();  // the last one may hold what is no entry
  return count;
}

/// A place in the pool for a list of `count` entries, or ListView::kNoPlace.
__device__ inline std::uint32_t place_in_pool(const ListPool& pool, ListCounters& counters, int count) {
  const auto needed = static_cast<std::uint32_t>(count + 3) / 4;
  atomicAdd(&counters.overflowing, 1u);
  if (needed <= pool.size && counters.used < pool.size) {
    const unsigned long long place = atomicAdd(&counters.used, needed);
    if (place <= pool.size - needed) {
      atomicAdd(&counters.crowding, 1u);
      return static_cast<std::uint32_t>(place);
    }
  }
  atomicAdd(&counters.left_out, 1u);
  atomicMax(&counters.crowding, pool.few + 1);
  return ListView::kNoPlace;
}

/// Writes list r, that of query i. A list that is too long for its row goes to the pool, not to a traversal of the grid:
/// sums over listed pairs are then rounded alike, however wide the lists happen to be.
template <bool Periodic, bool Self, class Mark>
__device__ __forceinline__ void write_list(const GridView& view, const NeighborQuery& query, std::uint32_t last, int i,
                                           int r, std::uint32_t* column, ListQuad* quads, std::uint32_t* counts,
                                           int width, const ListPool& pool, ListCounters* counters, const Mark& mark) {
  ListQuad* const row = quads + ListView::quad(r, 0, width);
  ListQuad* quad = row;
  int stride = 32, room = width, count = 0;
  RIFFLE_NO_UNROLL
  for (;;) {
    count = list_particle<Periodic, Self>(view, query, last, i, column, quad, stride, room, mark);
    if (count <= room) break;
    const std::uint32_t place = place_in_pool(pool, *counters, count);
    row->j[0] = place;
    if (place == ListView::kNoPlace) break;
    quad = pool.quads + place;
    stride = 1;
    room = (count + 3) / 4 * 4;
  }
  counts[r] = static_cast<std::uint32_t>(count);
  // Reading first keeps all but a few warps from writing to the one address.
  if (static_cast<std::uint32_t>(count) > counters->longest)
    atomicMax(&counters->longest, static_cast<std::uint32_t>(count));
}

/// [quads] @throws Unavailable if places in such a pool could not be numbered
inline std::size_t twice_the_pool(std::size_t quads) {
  if (2 * quads > std::numeric_limits<std::uint32_t>::max())
    throw Unavailable("lists of particles that are very crowded would take " +
                      std::to_string(2 * quads * sizeof(ListQuad)) + " bytes");
  return 2 * quads;
}

/// @param held  [bytes] that the lists have already
/// @param particles  of the search, for which memory must stay free
/// @throws Unavailable if there is no memory for so many lists of that width
inline void require_list_memory(const Device& device, std::size_t held, int width, int lists, int particles) {
  const std::size_t bytes = ListView::quads_of(lists, width) * sizeof(ListQuad), more = bytes > held ? bytes - held : 0;
  const std::size_t reserve = kListReserve * static_cast<std::size_t>(particles);
  if (more == 0) return;
  const std::size_t free = free_memory(device);
  if (free < more + reserve)
    throw Unavailable(std::to_string(width) + " entries for each of " + std::to_string(lists) + " particles take " +
                      std::to_string(bytes) + " bytes; " + std::to_string(free) + " are free, of which " +
                      std::to_string(reserve) + " must stay free");
}

/// The width that holds all of these lists but a few: at most lists / (2 per_overflow) are longer, unless the longest is not
/// much longer than the others. Waits.
int fitting_list_width(const Device& device, const std::uint32_t* counts, int lists, std::uint32_t longest,
                       int per_overflow);

#endif

}  // namespace riffle
