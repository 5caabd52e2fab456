#pragma once
/// Gross, Koester and Krueger 2019, "Fast and efficient nearest neighbor search for particle simulations", algorithms 3
/// and 4: one block per coarse cell builds, on the fly, a fine grid of the surrounding particles in shared memory and
/// searches in it.
///
/// The paper scatters what a thread reads to other threads' particles. Here each thread gathers for its own particles:
/// the sums of one particle stay on one thread, and the order of its neighbours does not depend on the timing of warps.

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/functor.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/order/sort_ascending.h"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

inline constexpr int kTileBlock = 288;                ///< a tile has up to twice as many own particles
inline constexpr int kTileCapacity = 7 * kTileBlock;  ///< particles of one fine grid, 2,016: 50,800 bytes in all
inline constexpr int kTileCells = 1024;               ///< its cells

inline constexpr int kTileEntries = (kTileCapacity + kTileBlock - 1) / kTileBlock;  ///< particles that a thread brings
inline constexpr std::uint32_t kNoEntry = 0xffffffffu;
/// In a fine cell with at most this many particles, each finds its rank by comparing with all; fuller cells are sorted.
inline constexpr std::uint32_t kRankedByCounting = 16;

struct TileShared {
  Vec4 x[kTileCapacity];
  std::uint32_t index[kTileCapacity];  ///< index of the particle among the sources
  std::uint16_t own[kTileCapacity];    ///< the slots of the tile's own particles
  /// Where each fine cell's particles begin in x (lower half) and in own (upper half); before that, the cells' counts.
  std::uint32_t start[kTileCells + 1];
  std::uint32_t sum[kTileBlock / 32];
  std::uint32_t run_begin[kTileBlock];   ///< ranges of sources to read, a block's worth at a time
  std::uint32_t run_number[kTileBlock];  ///< number of a range's first candidate, counted over all ranges
  std::uint32_t crowded;                 ///< not 0: some fine cell has more than kRankedByCounting particles
};

/// The candidates that one thread brings into the fine grid; in registers on a GPU.
struct TileEntries {
  std::uint32_t index[kTileEntries];  ///< among the sources, or kNoEntry
  std::uint32_t place[kTileEntries];  ///< FinePlace, later the slot
};

RIFFLE_INLINE std::uint32_t low_half(std::uint32_t both) { return both & 0xffffu; }

/// Fine cell, rank in the cell, and rank among the tile's own particles in the cell, in the order of thread arrival.
struct FinePlace {
  static_assert(kTileCells <= 1 << 10 && kTileCapacity <= 1 << 11);
  std::uint32_t bits;
  RIFFLE_HD static FinePlace of(std::uint32_t cell, std::uint32_t rank, std::uint32_t own_rank) {
    return {cell | rank << 10 | own_rank << 21};
  }
  RIFFLE_HD std::uint32_t cell() const { return bits & 0x3ffu; }
  RIFFLE_HD std::uint32_t rank() const { return bits >> 10 & 0x7ffu; }
  RIFFLE_HD std::uint32_t own_rank() const { return bits >> 21; }
};

/// Rank of `value`, one of values[begin..end-1], in their sorted order, plus begin. Few values may be unsorted.
RIFFLE_INLINE std::uint32_t rank_in_range(const std::uint32_t* values, std::uint32_t begin, std::uint32_t end,
                                          std::uint32_t value) {
  if (end - begin <= kRankedByCounting) {
    std::uint32_t slot = begin;
    RIFFLE_NO_UNROLL
    for (std::uint32_t k = begin; k < end; ++k) slot += values[k] < value ? 1 : 0;
    return slot;
  }
  while (begin < end) {
    const std::uint32_t middle = (begin + end) / 2;
    if (values[middle] < value)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// Position of a tile.
struct Tile {
  Int3 cell;                                     ///< coarse
  Vec3 corner;                                   ///< lower corner of its fine grid [m]
  Vec3 middle;                                   ///< centre of its coarse cell [m]
  std::uint32_t own_begin = 0, own_end = 0;      ///< sources of the coarse cell
  std::uint32_t query_begin = 0, query_end = 0;  ///< queries in the coarse cell
};

RIFFLE_INLINE float tile_coordinate(float x, float corner, float middle, float length) {
  if (length == 0) return x - corner;
  const float d = x - middle;  // the image nearest to the tile
  return d - length * rintf(d / length) + (middle - corner);
}

RIFFLE_INLINE Vec3 in_tile(const TileView& view, const Tile& tile, Vec3 x) {
  return {tile_coordinate(x.x, tile.corner.x, tile.middle.x, view.length.x),
          tile_coordinate(x.y, tile.corner.y, tile.middle.y, view.length.y),
          tile_coordinate(x.z, tile.corner.z, tile.middle.z, view.length.z)};
}

/// Distance from coarse cell c to coordinate u, in cells, reduced by the margin.
RIFFLE_INLINE float gap_to_cell(float u, int c, int size, bool periodic, float margin) {
  float d = u - (static_cast<float>(c) + 0.5f);
  if (periodic) d -= static_cast<float>(size) * rintf(d / static_cast<float>(size));
  return fmaxf(fabsf(d) - 0.5f - margin, 0.0f);
}

/// Whether a particle may be within reach of the tile's coarse cell.
RIFFLE_INLINE bool near_tile(const TileView& view, const Tile& tile, Vec3 x) {
  const Grid& grid = view.coarse;
  const Vec3 u = grid.coordinates(x);  // clamped: a point outside the box is as near as its cell at the box's face
  const float dx = grid.cell.x * gap_to_cell(u.x, tile.cell.x, grid.size.x, grid.periodic_x, grid.margin.x);
  const float dy = grid.cell.y * gap_to_cell(u.y, tile.cell.y, grid.size.y, grid.periodic_y, grid.margin.y);
  const float dz = grid.cell.z * gap_to_cell(u.z, tile.cell.z, grid.size.z, grid.periodic_z, grid.margin.z);
  return dx * dx + dy * dy + dz * dz < grid.radius2;
}

/// Coarse cells within a tile's reach.
struct TileNeighborhood {
  CellSpan x, y, z;
  RIFFLE_HD int cells() const { return x.count * y.count * z.count; }
};

RIFFLE_INLINE TileNeighborhood neighborhood(const TileView& view, Int3 cell) {
  const Grid& grid = view.coarse;
  const Vec3 low{static_cast<float>(cell.x), static_cast<float>(cell.y), static_cast<float>(cell.z)};
  return {neighbor_span(low.x, low.x + 1, grid.reach.x, grid.size.x, grid.periodic_x),
          neighbor_span(low.y, low.y + 1, grid.reach.y, grid.size.y, grid.periodic_y),
          neighbor_span(low.z, low.z + 1, grid.reach.z, grid.size.z, grid.periodic_z)};
}

/// Sections first..last of an axis that a tile needs from a cell `offset` cells away.
struct SectionSpan {
  int first = 0, last = 2;
};

RIFFLE_INLINE SectionSpan needed_sections(const CellSpan& span, int offset, float reach) {
  // If both faces are near, or the span has cells on either side of the tile, no section can be left out.
  if (span.whole || reach > 0.5f) return {0, 2};
  return offset == 1 ? SectionSpan{0, 0} : offset == -1 ? SectionSpan{2, 2} : SectionSpan{0, 2};
}

struct SourceRun {
  std::uint32_t begin = 0, end = 0;
};

inline constexpr int kRunsPerCell = 9;  ///< one for each of the sections' rows along x

/// Run number r of a tile, 0 <= r < 9 neighborhood cells: each source within reach is in one of them. Many are empty.
RIFFLE_INLINE SourceRun source_run(const TileView& view, const Tile& tile, const TileNeighborhood& near, int r) {
  const Grid& grid = view.coarse;
  const int n = r / kRunsPerCell, row = r % kRunsPerCell, sy = row % 3, sz = row / 3;
  const int m = n % near.x.count, l = n / near.x.count % near.y.count, k = n / near.x.count / near.y.count;
  const Int3 c{wrapped(near.x.first + m, grid.size.x), wrapped(near.y.first + l, grid.size.y),
               wrapped(near.z.first + k, grid.size.z)};
  const std::uint32_t section = TileView::kSections * grid.index(c);
  const bool own = c.x == tile.cell.x && c.y == tile.cell.y && c.z == tile.cell.z;
  if (own || !view.split[section / TileView::kSections]) {
    if (row != 0) return {};
    return {view.section_start[section], view.section_start[section + TileView::kSections]};
  }
  const SectionSpan y = needed_sections(near.y, near.y.first + l - tile.cell.y, grid.reach.y);
  const SectionSpan z = needed_sections(near.z, near.z.first + k - tile.cell.z, grid.reach.z);
  if (sy < y.first || sy > y.last || sz < z.first || sz > z.last) return {};
  const SectionSpan x = needed_sections(near.x, near.x.first + m - tile.cell.x, grid.reach.x);
  const auto begin = section + static_cast<std::uint32_t>(3 * row + x.first);
  return {view.section_start[begin], view.section_start[begin + static_cast<std::uint32_t>(x.last - x.first + 1)]};
}

/// Replaces value[t] by the sum of the values before it. @return the sum of all
RIFFLE_HD inline std::uint32_t block_exclusive_scan(Block<kTileBlock>& block, std::uint32_t* sum,
                                                    PerThread<std::uint32_t, kTileBlock>& value) {
#if RIFFLE_ON_GPU
  // Scans within each warp by shuffles, then over the warps' sums: two barriers instead of one per doubling.
  (void)block;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  const std::uint32_t own = value[t];
  std::uint32_t inclusive = own;
  for (int stride = 1; stride < 32; stride *= 2) {
    const std::uint32_t below = __shfl_up_sync(0xffffffffu, inclusive, static_cast<unsigned>(stride));
    if (lane >= stride) inclusive += below;
  }
  __syncthreads();  // sum may still be in use from the previous call
  if (lane == 31) sum[warp] = inclusive;
  __syncthreads();
  std::uint32_t before = 0, all = 0;
  for (int w = 0; w < kTileBlock / 32; ++w) {
    if (w < warp) before += sum[w];
    all += sum[w];
  }
  value[t] = before + inclusive - own;
  return all;
#else
  std::uint32_t all = 0;
  block.each_thread([&](int t) {
    const std::uint32_t own = value[t];
    value[t] = all;
    all += own;
  });
  (void)sum;
  return all;
#endif
}

/// Tells the compiler that no axis is periodic, so that it drops the tests: a third of a query's instructions.
template <bool Periodic>
RIFFLE_INLINE TileView with_known_axes(TileView view) {
  if constexpr (!Periodic) {
    for (Grid* grid : {&view.coarse, &view.fine}) grid->periodic_x = grid->periodic_y = grid->periodic_z = false;
    view.length = {};
  }
  return view;
}

template <bool Self, bool Periodic, class F>
struct TileTraversal {
  TileView tables;
  NeighborQuery query;
  QueryBins bins;  ///< used when queries are not the sources
  F f;

  /// The shared memory of an H200's multiprocessor holds four blocks, which leaves each thread 56 registers; a larger
  /// state gets 72. (Left to the compiler, it took 114 registers and one block, which hides no latency: forces then
  /// took twice as long.) Where it has 100 KB or less, as on GeForce cards, one block fits, with the same registers.
  static constexpr int kBlocksPerMultiprocessor = sizeof(typename F::State) <= 16 ? 4 : 3;
  using Shared = TileShared;
  using State = typename F::State;

  RIFFLE_HD void operator()(Block<kTileBlock>& block, Shared& shared) const {
    // Copies only the view: a copy of f would also lie on the stack, and its tables would be read from memory.
    search_tile(with_known_axes<Periodic>(tables), block, shared);
  }

 private:
  RIFFLE_HD void search_tile(const TileView& view, Block<kTileBlock>& block, Shared& shared) const {
    const Tile tile = tile_of(view, block.index());
    if (tile.query_begin == tile.query_end) return;
    PerThread<TileEntries, kTileBlock> mine;
    const std::uint32_t candidates = choose_candidates(view, block, shared, tile, 0, mine);
    if (candidates > kTileCapacity) {
      in_rounds(view, block, shared, tile, candidates);
      return;
    }
    sort_into_fine_cells(view, block, shared, tile, mine);
    const auto queries = static_cast<int>(tile.query_end - tile.query_begin);
    block.each_thread([&](int t) {
      for (int k = t; k < queries; k += kTileBlock) {
        const int slot = Self ? shared.own[k] : -1;
        const int i = Self ? static_cast<int>(shared.index[slot]) : query_index(tile, k);
        State state = f.begin(i);
        visit<false>(view, shared, tile, i, slot, state);
        f.end(state, i);
      }
    });
  }

  RIFFLE_HD Tile tile_of(const TileView& view, int c) const {
    Tile tile;
    tile.cell = view.coarse.cell_at(c);
    const auto place = [](float origin, int cell, float edge) { return origin + static_cast<float>(cell) * edge; };
    const Vec3 low{place(view.coarse.origin.x, tile.cell.x, view.coarse.cell.x),
                   place(view.coarse.origin.y, tile.cell.y, view.coarse.cell.y),
                   place(view.coarse.origin.z, tile.cell.z, view.coarse.cell.z)};
    tile.middle = low + 0.5f * view.coarse.cell;
    tile.corner = {view.fine.periodic_x ? view.coarse.origin.x : low.x - view.lead.x,
                   view.fine.periodic_y ? view.coarse.origin.y : low.y - view.lead.y,
                   view.fine.periodic_z ? view.coarse.origin.z : low.z - view.lead.z};
    tile.own_begin = view.section_start[TileView::kSections * c];
    tile.own_end = view.section_start[TileView::kSections * (c + 1)];
    tile.query_begin = Self ? tile.own_begin : bins.start[c];
    tile.query_end = Self ? tile.own_end : bins.start[c + 1];
    return tile;
  }

  RIFFLE_HD int query_index(const Tile& tile, int k) const {
    const std::uint32_t position = tile.query_begin + static_cast<std::uint32_t>(k);
    return static_cast<int>(Self ? position : bins.index[position]);
  }

  /// Writes runs base..base + kTileBlock - 1 to shared; `number`: of their first candidate. @return their candidates
  RIFFLE_HD std::uint32_t list_runs(const TileView& view, Block<kTileBlock>& block, Shared& shared, const Tile& tile,
                                    const TileNeighborhood& near, int base, std::uint32_t number) const {
    const int runs = kRunsPerCell * near.cells();
    PerThread<std::uint32_t, kTileBlock> length;
    block.each_thread([&](int t) {
      const SourceRun run = base + t < runs ? source_run(view, tile, near, base + t) : SourceRun{};
      shared.run_begin[t] = run.begin;
      length[t] = run.end - run.begin;
    });
    const std::uint32_t all = block_exclusive_scan(block, shared.sum, length);
    block.each_thread([&](int t) { shared.run_number[t] = number + length[t]; });
    return all;
  }

  /// The listed run that contains candidate `number`: the last run that begins at this number or before.
  RIFFLE_HD static int run_of(const Shared& shared, std::uint32_t number) {
    static_assert(kTileBlock <= 512);
    int r = 0;
    RIFFLE_UNROLL
    for (int step = 256; step > 0; step /= 2)
      if (r + step < kTileBlock && shared.run_number[r + step] <= number) r += step;
    return r;
  }

  /// Assigns candidates to threads: thread t takes the numbers from + t, from + t + kTileBlock, ...
  /// @return how many candidates the tile has, including those not taken here.
  RIFFLE_HD std::uint32_t choose_candidates(const TileView& view, Block<kTileBlock>& block, Shared& shared,
                                            const Tile& tile, std::uint32_t from,
                                            PerThread<TileEntries, kTileBlock>& mine) const {
    const TileNeighborhood near = neighborhood(view, tile.cell);
    const int runs = kRunsPerCell * near.cells();
    std::uint32_t number = 0;
    for (int base = 0; base < runs; base += kTileBlock) {
      const std::uint32_t here = list_runs(view, block, shared, tile, near, base, number);
      block.each_thread([&](int t) {
        RIFFLE_UNROLL
        for (int e = 0; e < kTileEntries; ++e) {
          const auto n = static_cast<std::uint32_t>(e * kTileBlock + t);
          if (base == 0) mine[t].index[e] = kNoEntry;
          if (n >= kTileCapacity || from + n - number >= here) continue;
          const int r = run_of(shared, from + n);
          mine[t].index[e] = shared.run_begin[r] + (from + n - shared.run_number[r]);
        }
      });
      number += here;
    }
    return number;
  }

  /// Sorts the candidates near the tile by fine cell, and within a cell by index, into shared.x and shared.index.
  /// shared.own: the slots of the tile's own particles.
  ///
  /// A particle first gets its place from its cell's count at that moment, with all loads of a thread in flight at
  /// once. That order depends on thread timing, so each particle then finds its rank among the few in its cell.
  RIFFLE_HD void sort_into_fine_cells(const TileView& view, Block<kTileBlock>& block, Shared& shared, const Tile& tile,
                                      PerThread<TileEntries, kTileBlock>& mine) const {
    block.each_thread([&](int t) {
      for (int c = t; c < kTileCells; c += kTileBlock) shared.start[c] = 0;
      if (t == 0) shared.crowded = 0;
    });
    block.each_thread([&](int t) { count_entries(view, shared, tile, mine[t]); });
    sum_fine_cells(block, shared);
    block.each_thread([&](int t) {
      RIFFLE_UNROLL
      for (int e = 0; e < kTileEntries; ++e)
        if (mine[t].index[e] != kNoEntry) {
          const FinePlace place{mine[t].place[e]};
          shared.index[low_half(shared.start[place.cell()]) + place.rank()] = mine[t].index[e];
        }
    });
    if (shared.crowded != 0) {
      block.each_thread([&](int t) {
        for (int c = t; c < kTileCells; c += kTileBlock) {
          const std::uint32_t begin = low_half(shared.start[c]), end = low_half(shared.start[c + 1]);
          if (end - begin > kRankedByCounting) sort_ascending(shared.index + begin, static_cast<int>(end - begin));
        }
      });
    }
    block.each_thread([&](int t) { find_slots(shared, tile, mine[t]); });
    block.each_thread([&](int t) {
      RIFFLE_UNROLL
      for (int e = 0; e < kTileEntries; ++e)
        if (mine[t].index[e] != kNoEntry) {
          shared.index[mine[t].place[e]] = mine[t].index[e];
          shared.x[mine[t].place[e]] = query.sources[mine[t].index[e]];
        }
    });
  }

  /// Finds each candidate's place and drops candidates that are not near. Own particles are counted in the upper half.
  RIFFLE_HD void count_entries(const TileView& view, Shared& shared, const Tile& tile, TileEntries& mine) const {
    Vec4 x[kTileEntries];
    RIFFLE_UNROLL
    for (int e = 0; e < kTileEntries; ++e)
      if (mine.index[e] != kNoEntry) x[e] = query.sources[mine.index[e]];
    RIFFLE_UNROLL
    for (int e = 0; e < kTileEntries; ++e) {
      if (mine.index[e] == kNoEntry) continue;
      // The tile's own particles are kept wherever they have moved since the build: they are the queries.
      const bool own = is_own(tile, mine.index[e]);
      if (!own && !near_tile(view, tile, xyz(x[e]))) {
        mine.index[e] = kNoEntry;
        continue;
      }
      const auto cell = static_cast<std::uint32_t>(view.fine.index(view.fine.cell_of(in_tile(view, tile, xyz(x[e])))));
      const std::uint32_t before = atomic_add(&shared.start[cell], own ? 0x10001u : 1u);
      mine.place[e] = FinePlace::of(cell, low_half(before), before >> 16).bits;
      if (low_half(before) >= kRankedByCounting) shared.crowded = 1;
    }
  }

  /// Turns the counts of the fine cells into the cells' starts, in both halves alike.
  RIFFLE_HD void sum_fine_cells(Block<kTileBlock>& block, Shared& shared) const {
    constexpr int per_thread = (kTileCells + kTileBlock - 1) / kTileBlock;
    PerThread<std::uint32_t, kTileBlock> before;
    block.each_thread([&](int t) {
      std::uint32_t sum = 0;
      for (int c = t * per_thread; c < (t + 1) * per_thread && c < kTileCells; ++c) sum += shared.start[c];
      before[t] = sum;
    });
    const std::uint32_t all = block_exclusive_scan(block, shared.sum, before);
    block.each_thread([&](int t) {
      std::uint32_t sum = before[t];
      for (int c = t * per_thread; c < (t + 1) * per_thread && c < kTileCells; ++c) {
        const std::uint32_t here = shared.start[c];
        shared.start[c] = sum;
        sum += here;
      }
      if (t == 0) shared.start[kTileCells] = all;
    });
  }

  /// Turns places into slots. shared.own lists the slots of the tile's own particles in the order of the fine cells, so
  /// that adjacent threads search next to each other. (Sorting by quarters of a cell first, so that a warp's rows are
  /// cut alike, took 13 % longer: its reads then hit the same banks.)
  RIFFLE_HD void find_slots(Shared& shared, const Tile& tile, TileEntries& mine) const {
    RIFFLE_UNROLL
    for (int e = 0; e < kTileEntries; ++e) {
      if (mine.index[e] == kNoEntry) continue;
      const FinePlace place{mine.place[e]};
      const std::uint32_t start = shared.start[place.cell()];
      const std::uint32_t slot =
          rank_in_range(shared.index, low_half(start), low_half(shared.start[place.cell() + 1]), mine.index[e]);
      if (Self && is_own(tile, mine.index[e]))
        shared.own[(start >> 16) + place.own_rank()] = static_cast<std::uint16_t>(slot);
      mine.place[e] = slot;
    }
  }

  RIFFLE_HD static bool is_own(const Tile& tile, std::uint32_t index) {
    return index >= tile.own_begin && index < tile.own_end;
  }

  /// Algorithm 4 for query i. own_slot: its own slot among the tile's particles; not known if InRounds.
  template <bool InRounds>
  RIFFLE_HD void visit(const TileView& view, const Shared& shared, const Tile& tile, int i, int own_slot,
                       State& state) const {
    const Grid& fine = view.fine;
    const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};  // a compile-time constant: no run-time test
    const Vec3 x_i = xyz(Self && !InRounds ? shared.x[own_slot] : query.queries[i]);
    const Vec3 u = fine.coordinates(in_tile(view, tile, x_i));
    const auto test = [&](int slot, const Vec4& x_j) {
      const PairTest pair = test_pair(x_i, xyz(x_j), wrap, query.h2);
      const bool itself = Self && (InRounds ? static_cast<int>(shared.index[slot]) == i : slot == own_slot);
      if (pair.near() && !itself) {
        const auto j = static_cast<int>(shared.index[slot]);
        visit_neighbor(f, state, i, j, pair.r_ij, pair.r2, fetch_source(f, j, x_j));
      }
    };
    for_each_row(fine, {u, u}, [&](int y, int z, const CellSpan& span) {
      const auto r = static_cast<int>(fine.row(y, z));
      int first = wrapped(span.first, fine.size.x), remaining = span.count;
      RIFFLE_NO_UNROLL
      do {
        const int here = remaining < fine.size.x - first ? remaining : fine.size.x - first;
        const int from = r * fine.size.x + ((r & 1) != 0 ? fine.size.x - first - here : first);
        auto slot = static_cast<int>(low_half(shared.start[from]));
        const auto end = static_cast<int>(low_half(shared.start[from + here]));
        RIFFLE_NO_UNROLL
        for (; slot + 1 < end; slot += 2) {
          const Vec4 a = shared.x[slot], b = shared.x[slot + 1];
          test(slot, a);
          test(slot + 1, b);
        }
        if (slot < end) test(slot, shared.x[slot]);
        remaining -= here;
        first = 0;
      } while (remaining > 0);
    });
  }

  /// For a tile with more candidates than one fine grid holds: builds several fine grids one after the other, for a
  /// block's worth of queries at a time.
  RIFFLE_HD void in_rounds(const TileView& view, Block<kTileBlock>& block, Shared& shared, const Tile& tile,
                           std::uint32_t candidates) const {
    const auto queries = static_cast<int>(tile.query_end - tile.query_begin);
    PerThread<State, kTileBlock> state;
    for (int first = 0; first < queries; first += kTileBlock) {
      block.each_thread([&](int t) {
        if (first + t < queries) state[t] = f.begin(query_index(tile, first + t));
      });
      for (std::uint32_t from = 0; from < candidates; from += kTileCapacity) {
        PerThread<TileEntries, kTileBlock> mine;
        choose_candidates(view, block, shared, tile, from, mine);
        sort_into_fine_cells(view, block, shared, tile, mine);
        block.each_thread([&](int t) {
          if (first + t < queries) visit<true>(view, shared, tile, query_index(tile, first + t), -1, state[t]);
        });
      }
      block.each_thread([&](int t) {
        if (first + t < queries) f.end(state[t], query_index(tile, first + t));
      });
    }
  }
};

/// On the CPU. bins: of the queries if they are not the sources; otherwise nullptr.
void traverse_tiles_cpu(const TileView& view, const NeighborQuery& query, const QueryBins* bins,
                        const HitFunctor& functor);

/// The search's own particles.
template <class F>
void traverse_tiles([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const TileView& view,
                    const NeighborQuery& query, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const auto tiles = static_cast<int>(view.coarse.cells());
    if (query.wrap.any)
      parallel_blocks<kTileBlock>(device, name, tiles, TileTraversal<true, true, F>{view, query, {}, f});
    else
      parallel_blocks<kTileBlock>(device, name, tiles, TileTraversal<true, false, F>{view, query, {}, f});
    return;
  }
#endif
  traverse_tiles_cpu(view, query, nullptr, HitFunctor(f));
}

/// External queries; bins: theirs.
template <class F>
void traverse_tiles([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const TileView& view,
                    const NeighborQuery& query, const QueryBins& bins, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const auto tiles = static_cast<int>(view.coarse.cells());
    parallel_blocks<kTileBlock>(device, name, tiles, TileTraversal<false, true, F>{view, query, bins, f});
    return;
  }
#endif
  traverse_tiles_cpu(view, query, &bins, HitFunctor(f));
}

}  // namespace riffle
