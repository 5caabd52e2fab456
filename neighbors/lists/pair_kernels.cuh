#pragma once
/// The steps of `thrust_pairs`, which neighbors/lists/thrust_pairs.cu combines. Private to neighbors/; include it only
/// from .cu files.
///
/// Particle indices are those of the sorted order. The half list has each pair once, as
/// (i, j) with j < i. Candidates come in ranges of the sorted particles, so the lower
/// half of i's candidates is the part of each range below i. Candidates are numbered one
/// particle after the other: those of i are candidate_start[i] .. candidate_start[i+1]-1.

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/grid/grid_traversal.cuh"
#include "neighbors/order/sort_ascending.h"
#include "neighbors/query.h"

namespace riffle {

/// visit(begin, end) for every non-empty range of particles below i that may be neighbours of i.
template <class Visit>
RIFFLE_INLINE void for_each_lower_range(const GridView& view, std::uint32_t i, Vec3 x_i, const Visit& visit) {
  const Vec3 u = view.grid.coordinates(x_i);
  for_each_range<false>(view, {u, u}, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
    if (end > i) end = i;
    if (begin < end) visit(begin, end);
  });
}

/// The particle that candidate c belongs to: the last i with candidate_start[i] <= c.
RIFFLE_INLINE std::uint32_t particle_of(const std::uint64_t* candidate_start, int particles, std::uint64_t c) {
  std::uint32_t low = 0, high = static_cast<std::uint32_t>(particles);
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (candidate_start[middle] <= c)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Cell of each particle. Particles with a non-finite position have no neighbours: they go behind all cells, into none,
/// so that they are never candidates, however many there are.
struct FindCellKeys {
  Grid grid;
  const Vec4* positions;  ///< (n) as given
  std::uint32_t* key;     ///< (n) out
  std::uint32_t* index;   ///< (n) out: 0, 1, 2, ...

  RIFFLE_HD void operator()(std::int64_t i) const {
    const Vec3 x = xyz(positions[i]);
    key[i] = is_finite(x) ? grid.index(grid.cell_of(x)) : static_cast<std::uint32_t>(grid.cells());
    index[i] = static_cast<std::uint32_t>(i);
  }
};

/// Over n + 1 elements: the one behind the particles is 0, as the scan requires.
struct CountCandidates {
  GridView view;
  const Vec4* positions;
  std::int64_t n;
  std::uint64_t* candidates;  ///< (n + 1) out: of the lower half

  RIFFLE_HD void operator()(std::int64_t i) const {
    std::uint64_t count = 0;
    if (i < n)
      if (const Vec3 x_i = xyz(positions[i]); is_finite(x_i))
        for_each_lower_range(view, static_cast<std::uint32_t>(i), x_i,
                             [&](std::uint32_t begin, std::uint32_t end) { count += end - begin; });
    candidates[i] = count;
  }
};

/// Tests one of `samples` candidates, spread evenly over all of them: whether it is a neighbour.
struct SampleCandidates {
  GridView view;
  NeighborQuery query;
  const std::uint64_t* candidate_start;
  std::uint64_t stride;  ///< candidates per sample

  RIFFLE_HD static std::int64_t identity() { return 0; }
  RIFFLE_HD static std::int64_t combine(std::int64_t a, std::int64_t b) { return a + b; }
  RIFFLE_HD std::int64_t operator()(std::int64_t sample) const {
    // Anywhere in its stride: in a lattice of particles a fixed offset could meet the same candidate each time.
    std::uint64_t hash = static_cast<std::uint64_t>(sample) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9ull;
    hash ^= hash >> 32;
    const std::uint64_t c = static_cast<std::uint64_t>(sample) * stride + hash % stride;
    const std::uint32_t i = particle_of(candidate_start, query.query_count, c);
    const Vec3 x_i = xyz(query.queries[i]);
    std::uint64_t first = candidate_start[i];
    std::int64_t found = 0;
    for_each_lower_range(view, i, x_i, [&](std::uint32_t begin, std::uint32_t end) {
      if (c >= first && c - first < end - begin) {
        const Vec4 x_j = query.sources[begin + (c - first)];
        found = test_pair(x_i, xyz(x_j), query.wrap, query.h2).near() ? 1 : 0;
      }
      first += end - begin;
    });
    return found;
  }
};

/// Data for the host: first[c] is the particle that chunk c's first candidate belongs to. The total number of pairs
/// follows, so that one copy brings both.
struct FindChunks {
  const std::uint64_t* candidate_start;
  const std::uint64_t* start;
  int particles;
  std::uint64_t chunk_candidates;
  std::int64_t chunks;
  std::uint64_t* first;  ///< (chunks + 1) out

  RIFFLE_HD void operator()(std::int64_t c) const {
    first[c] = c == chunks ? start[particles]
                           : particle_of(candidate_start, particles, static_cast<std::uint64_t>(c) * chunk_candidates);
  }
};

/// Writes the candidates with their flags.
struct WriteCandidates {
  static constexpr bool kCounts = false;
  std::uint32_t* candidate;  ///< (candidates of the chunk) out: j; i follows from the counts
  std::uint8_t* flag;        ///< (candidates of the chunk) out: 1 for neighbours

  RIFFLE_HD void test(std::uint32_t j, std::uint32_t place, bool hit, std::uint32_t*) const {
    flag[place] = hit ? 1 : 0;
    if (hit) candidate[place] = j;  // the others, four in five, are never read
  }
};

/// Counts, before there is memory for pairs, how many a particle has as i and as j. Both come from the half list
/// itself: a count of all neighbours would differ where a pair is found from one side only, as for particles far
/// outside a periodic box, whose place in it is lost to rounding. Their rows would overflow into others.
struct CountPairs {
  static constexpr bool kCounts = true;
  std::uint32_t* below;  ///< (n) out: pairs (i, j), j < i
  std::uint32_t* above;  ///< (n) pairs (j, i) are added

  RIFFLE_HD void test(std::uint32_t j, std::uint32_t, bool hit, std::uint32_t* below_i) const {
    if (!hit) return;
    atomic_add(below_i, 1);
    atomic_add(&above[j], 1);
  }
};

/// Tests candidates. A block takes 128 particles: each thread lists the ranges of one; then groups of `lanes` threads
/// take the ranges, whichever particle they belong to. So the rows of cells are computed once per particle, and
/// consecutive threads still read, write and count for consecutive candidates. A warp per particle would have half of
/// its lanes idle in ranges of some 15, and would compute the rows 32 times.
template <class Work>
struct TestCandidates {
  static constexpr int kBlock = 128;
  static constexpr std::uint32_t kRanges = 1024;  ///< listed at a time; in 3-D a particle has about 5

  GridView view;
  NeighborQuery query;
  const std::uint64_t* candidate_start;  ///< (n + 1)
  std::int64_t first, last;              ///< particles with candidates in begin .. end-1
  std::uint64_t begin, end;              ///< candidates wanted; the first and the last particle may have others
  int lanes;
  Work work;

  struct Shared {
    Vec3 x[kBlock];
    std::uint32_t below[kBlock];
    std::uint32_t begin[kRanges], end[kRanges];  ///< particles j
    std::uint32_t place[kRanges];                ///< number of its first candidate, from `begin`; if that fits 32 bits
    std::uint8_t owner[kRanges];                 ///< its particle in the block
    std::uint32_t ranges;                        ///< number wanted; those from kRanges on are left for another round
  };

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared& shared) const {
    PerThread<int, kBlock> done;  // ranges that earlier rounds took
    const std::int64_t block_first = first + std::int64_t{block.index()} * kBlock;
    if constexpr (Work::kCounts) block.each_thread([&](int t) { shared.below[t] = 0; });
    bool more = true;
    while (more) {
      block.each_thread([&](int t) {
        if (t == 0) shared.ranges = 0;
      });
      block.each_thread([&](int t) {
        if (block_first + t <= last) list_ranges(static_cast<std::uint32_t>(block_first + t), t, done[t], shared);
      });
      more = shared.ranges > kRanges;  // before the barrier of the next phase: after it the count is reset
      block.each_thread([&](int t) { test_ranges(t, shared); });
    }
    if constexpr (Work::kCounts)
      block.each_thread([&](int t) {
        if (block_first + t <= last) work.below[block_first + t] = shared.below[t];
      });
  }

 private:
  RIFFLE_HD void list_ranges(std::uint32_t i, int t, int& done, Shared& shared) const {
    std::uint64_t c = candidate_start[i];
    if (c == candidate_start[i + 1]) return;
    const Vec3 x_i = xyz(query.queries[i]);
    shared.x[t] = x_i;
    int seen = 0;
    for_each_lower_range(view, i, x_i, [&](std::uint32_t j, std::uint32_t j_end) {
      const std::uint64_t range = c, range_end = c + (j_end - j);
      c = range_end;
      if (range_end <= begin || range >= end || seen++ < done) return;
      const std::uint32_t slot = atomic_add(&shared.ranges, 1);
      if (slot >= kRanges) return;  // and all that follow in this round
      done = seen;
      const std::uint64_t skipped = range < begin ? begin - range : 0;
      const std::uint64_t beyond = range_end > end ? range_end - end : 0;
      shared.begin[slot] = j + static_cast<std::uint32_t>(skipped);
      shared.end[slot] = j_end - static_cast<std::uint32_t>(beyond);
      shared.place[slot] = static_cast<std::uint32_t>(range + skipped - begin);
      shared.owner[slot] = static_cast<std::uint8_t>(t);
    });
  }

  RIFFLE_HD void test_ranges(int t, Shared& shared) const {
    const std::uint32_t ranges = shared.ranges < kRanges ? shared.ranges : kRanges;
    const auto step = static_cast<std::uint32_t>(lanes), lane = static_cast<std::uint32_t>(t % lanes);
    for (auto r = static_cast<std::uint32_t>(t / lanes); r < ranges; r += static_cast<std::uint32_t>(kBlock / lanes)) {
      const int owner = shared.owner[r];
      const Vec3 x_i = shared.x[owner];
      const std::uint32_t range_begin = shared.begin[r], range_end = shared.end[r], place = shared.place[r];
      const auto test = [&](std::uint32_t j, const Vec4& x_j) {
        const bool near = test_pair(x_i, xyz(x_j), query.wrap, query.h2).near();
        work.test(j, place + (j - range_begin), near, &shared.below[owner]);
      };
      for (std::uint32_t j = range_begin + lane; j < range_end; j += 2 * step) {
        // Two loads in flight at once: ranges are short, and with one load at a time a thread mostly waits.
        const bool second = j + step < range_end;
        const Vec4 a = query.sources[j], b = query.sources[second ? j + step : j];
        test(j, a);
        if (second) test(j + step, b);
      }
    }
  }
};

/// Over n + 1 elements: the lengths of the rows, from the two counts.
struct MeasureRows {
  std::int64_t n;
  std::uint32_t* below;   ///< (n + 1) element n is zeroed
  std::uint32_t* cursor;  ///< (n) in: pairs as j; out: where the row's neighbours above i begin
  std::uint64_t* length;  ///< (n + 1) out

  RIFFLE_HD void operator()(std::int64_t i) const {
    if (i == n) {
      below[n] = 0;
      length[n] = 0;
      return;
    }
    length[i] = std::uint64_t{below[i]} + cursor[i];
    cursor[i] = below[i];
  }
};

/// Writes a chunk's half pairs into the rows of both particles, `1 << lane_bits` threads per particle i. The compacted
/// j are in the order of the candidates, so those of i are half_start[i] .. half_start[i+1]-1 of all half pairs, and
/// their place in the row of i is known. In the row of j, i takes the next place behind j's own half.
struct ScatterPairs {
  const std::uint32_t* selected;    ///< j of the chunk's pairs
  const std::uint32_t* count;       ///< (1) number of them
  std::uint32_t* before;            ///< (2) pairs of the chunks before, modulo 2^32; [1] out: including this chunk
  const std::uint32_t* half_start;  ///< (n + 1) modulo 2^32
  const std::uint64_t* start;       ///< (n + 1)
  std::uint32_t* cursor;            ///< (n) places taken in the row
  std::uint32_t* neighbor;
  std::int64_t first;
  int lane_bits;

  RIFFLE_HD void operator()(std::int64_t index) const {
    const std::int64_t i = first + (index >> lane_bits);
    const int lanes = 1 << lane_bits, lane = static_cast<int>(index) & (lanes - 1);
    const std::uint32_t chunk_first = before[0];
    const auto chunk_count = static_cast<std::int32_t>(*count);
    if (index == 0) before[1] = chunk_first + *count;
    // Differences, which are correct although the numbers wrap: a chunk has at most 2^30 pairs, and a particle with
    // that many neighbours would have a list that fits no memory.
    const auto row_first = static_cast<std::int32_t>(half_start[i] - chunk_first);
    const auto row_end = static_cast<std::int32_t>(half_start[i + 1] - chunk_first);
    const std::int32_t end = row_end < chunk_count ? row_end : chunk_count;
    const std::uint64_t row = start[i];
    for (std::int32_t k = (row_first > 0 ? row_first : 0) + lane; k < end; k += lanes) {
      const std::uint32_t j = selected[k];
      neighbor[row + static_cast<std::uint32_t>(k - row_first)] = j;
      neighbor[start[j] + atomic_add(&cursor[j], 1)] = static_cast<std::uint32_t>(i);
    }
  }
};

/// Thread timing decides which thread takes a place first, but only in a row's upper half.
struct SortUpperHalves {
  const std::uint64_t* start;       ///< (n + 1)
  const std::uint32_t* half_start;  ///< (n + 1) modulo 2^32
  std::uint32_t* neighbor;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint64_t begin = start[i] + (half_start[i + 1] - half_start[i]);
    sort_ascending(neighbor + begin, static_cast<std::int64_t>(start[i + 1] - begin));
  }
};

}  // namespace riffle
