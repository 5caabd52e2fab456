#pragma once
/// Gross, Koester and Krueger 2019, "Fast and efficient nearest neighbor search for particle simulations", algorithms 3
/// and 4: one block per coarse cell builds, on the fly, a fine grid of the surrounding particles in shared memory and
/// searches in it.
///
/// The paper scatters what a thread reads to other threads' particles. Here each thread gathers for its own particles:
/// the sums of one particle stay on one thread, and the order of its neighbours does not depend on the timing of warps.
/// For measurements tile_scatter.cuh does as the paper does.

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/fenns/tile_boxes.cuh"
#include "neighbors/functor.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/order/sort_ascending.h"
#include "neighbors/query.h"

namespace riffle {

inline constexpr int kTileBlock = 288;                ///< a tile has up to twice as many own particles
inline constexpr int kTileCapacity = 7 * kTileBlock;  ///< particles of one fine grid, 2,016: 48,720 bytes in all
inline constexpr int kTileCells = 1024;               ///< its cells

inline constexpr int kTileEntries = (kTileCapacity + kTileBlock - 1) / kTileBlock;  ///< particles that a thread brings
inline constexpr std::uint32_t kNoEntry = 0xffffffffu;
/// In a fine cell with at most this many particles, each finds its rank by comparing with all; fuller cells are sorted.
inline constexpr std::uint32_t kRankedByCounting = 16;
/// Candidates of a box that a thread looks at before the block counts those that are near.
inline constexpr int kLooks = 2;

/// A box that a block searches for. In shared memory: it would take a third of a thread's registers.
struct SearchedBox {
  FineGrid fine;
  Tile tile;
  TileBox box;
  BoxReach reach;
};

struct TileShared {
  Vec4 x[kTileCapacity];
  std::uint32_t index[kTileCapacity];  ///< index of the particle among the sources
  std::uint16_t own[kTileCapacity];    ///< the slots of the tile's own particles
  /// Where each fine cell's particles begin in x (lower half) and in own (upper half); before that, the cells' counts.
  /// While candidates are chosen: the ranges of sources to read, a block's worth at a time.
  std::uint32_t start[kTileCells + 1];
  alignas(16) std::uint32_t sum[kTileBlock / 32];  ///< shares no 16 bytes with `start`, which others write meanwhile
  std::uint32_t crowded;                           ///< not 0: some fine cell has more than kRankedByCounting particles
  SearchedBox box;                                 ///< if a box is searched

  RIFFLE_HD std::uint32_t* run_begin() { return start; }
  RIFFLE_HD const std::uint32_t* run_begin() const { return start; }
  /// Number of a range's first candidate, counted over all ranges.
  RIFFLE_HD std::uint32_t* run_number() { return start + kTileBlock; }
  RIFFLE_HD const std::uint32_t* run_number() const { return start + kTileBlock; }
};
static_assert(2 * kTileBlock <= kTileCells && kPartQueries == kTileBlock);

/// What CUDA reserves of a multiprocessor's shared memory for each block.
inline constexpr std::size_t kReservedBytes = 1024;
constexpr std::size_t tiles_in(std::size_t shared_bytes) {
  return shared_bytes / (sizeof(TileShared) + kReservedBytes);
}
static_assert(tiles_in(std::size_t{64} << 10) >= 1 && tiles_in(std::size_t{100} << 10) >= 2 &&
              tiles_in(std::size_t{228} << 10) >= 4);

/// The candidates that one thread brings into the fine grid; in registers on a GPU.
struct TileEntries {
  std::uint32_t index[kTileEntries];  ///< among the sources, or kNoEntry
  std::uint32_t place[kTileEntries];  ///< FinePlace, later the slot
};

/// The candidates that one thread looks at together; kNoEntry: none, or not near.
struct TileLooks {
  std::uint32_t index[kLooks];
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

/// Replaces value[t] by the sum of the values before it. sum: (BlockSize / 32) in shared memory. @return the sum of all
template <int BlockSize>
RIFFLE_HD std::uint32_t block_exclusive_scan(Block<BlockSize>& block, std::uint32_t* sum,
                                             PerThread<std::uint32_t, BlockSize>& value) {
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
  for (int w = 0; w < BlockSize / 32; ++w) {
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
RIFFLE_INLINE FineGrid with_known_axes(FineGrid fine) {
  if constexpr (!Periodic) {
    fine.grid.periodic_x = fine.grid.periodic_y = fine.grid.periodic_z = false;
    fine.length = {};
  }
  return fine;
}

template <bool Periodic>
RIFFLE_INLINE TileView with_known_axes(TileView view) {
  if constexpr (!Periodic) view.coarse.periodic_x = view.coarse.periodic_y = view.coarse.periodic_z = false;
  view.fine = with_known_axes<Periodic>(view.fine);
  return view;
}

template <bool Self, bool Periodic, class F>
struct TileTraversal {
  TileView tables;
  TileParts parts;      ///< the first blocks' work
  TileHalving halving;  ///< of the parts
  NeighborQuery query;
  QueryBins bins;  ///< used when queries are not the sources
  F f;

  /// The shared memory of an H200's multiprocessor holds four blocks, which leaves each thread 56 registers; a larger
  /// state gets 72. (Left to the compiler, it took 114 registers and one block, which hides no latency: forces then
  /// took twice as long.) 100 KB, as GeForce cards have, hold two blocks.
  static constexpr int kBlocksPerMultiprocessor = sizeof(typename F::State) <= 16 ? 4 : 3;
  using Shared = TileShared;
  using State = typename F::State;

  RIFFLE_HD void operator()(Block<kTileBlock>& block, Shared& shared) const {
    const bool takes_parts = block.index() < parts.blocks;
    auto next = static_cast<std::uint32_t>(block.index());
    TilePart part;
    if (!takes_parts) {
      part = {next - static_cast<std::uint32_t>(parts.blocks), 1 | TilePart::kLast, 0};
      // Copies only the view: a copy of f would also lie on the stack, and its tables would be read from memory.
      if (search_tile(with_known_axes<Periodic>(tables), block, shared, static_cast<int>(part.cell))) return;
    }
    do {  // one call of search_box() in the code: it is inlined
      if (takes_parts) {
        if (next >= *parts.count) return;
        part = parts.part[next];
        next += static_cast<std::uint32_t>(parts.blocks);
      }
      search_box(block, shared, part);
    } while (takes_parts);
  }

 private:
  /// @return false: the tile has more candidates than its fine grid holds, and nothing was visited
  RIFFLE_HD bool search_tile(const TileView& view, Block<kTileBlock>& block, Shared& shared, int c) const {
    const Tile tile = tile_of(view, view.fine, c);
    const auto queries = static_cast<int>(tile.query_end - tile.query_begin);
    if (queries == 0 || queries > kCrowded) return true;
    PerThread<TileEntries, kTileBlock> mine;
    if (choose_candidates(view, block, shared, tile, mine) > kTileCapacity) return false;
    sort_into_fine_cells<false>(view.coarse, view.fine, block, shared, tile, mine);
    block.each_thread([&](int t) {
      for (int k = t; k < queries; k += kTileBlock) {
        const int slot = Self ? shared.own[k] : -1;
        const int i = Self ? static_cast<int>(shared.index[slot]) : query_index(tile, k);
        State state = f.begin(i);
        visit<false>(view.fine, shared, tile, i, slot, state);
        f.end(state, i);
      }
    });
    return true;
  }

  /// box: the part of the coarse cell that `fine` is for.
  RIFFLE_HD Tile tile_of(const TileView& view, const FineGrid& fine, int c, const TileBox& box = {}) const {
    Tile tile;
    tile.cell = view.coarse.cell_at(c);
    const auto place = [](float origin, int cell, float edge, int at, int of, float& width) {
      width = edge / static_cast<float>(of);
      return origin + static_cast<float>(cell) * edge + static_cast<float>(at) * width;
    };
    Vec3 width;
    const Vec3 low{place(view.coarse.origin.x, tile.cell.x, view.coarse.cell.x, box.at.x, box.of.x, width.x),
                   place(view.coarse.origin.y, tile.cell.y, view.coarse.cell.y, box.at.y, box.of.y, width.y),
                   place(view.coarse.origin.z, tile.cell.z, view.coarse.cell.z, box.at.z, box.of.z, width.z)};
    tile.middle = low + 0.5f * width;
    tile.corner = {fine.grid.periodic_x ? view.coarse.origin.x : low.x - fine.lead.x,
                   fine.grid.periodic_y ? view.coarse.origin.y : low.y - fine.lead.y,
                   fine.grid.periodic_z ? view.coarse.origin.z : low.z - fine.lead.z};
    const auto cell = static_cast<std::uint32_t>(c);
    tile.own_begin = view.section_start[view.first_section(cell)];
    tile.own_end = view.section_start[view.first_section(cell + 1)];
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
    const int runs = runs_per_cell(view) * near.cells();
    PerThread<std::uint32_t, kTileBlock> length;
    block.each_thread([&](int t) {
      const SourceRun run = base + t < runs ? source_run(view, tile, near, base + t) : SourceRun{};
      shared.run_begin()[t] = run.begin;
      length[t] = run.end - run.begin;
    });
    const std::uint32_t all = block_exclusive_scan(block, shared.sum, length);
    block.each_thread([&](int t) { shared.run_number()[t] = number + length[t]; });
    return all;
  }

  /// The listed run that contains candidate `number`: the last run that begins at this number or before.
  RIFFLE_HD static int run_of(const Shared& shared, std::uint32_t number) {
    static_assert(kTileBlock <= 512);
    int r = 0;
    RIFFLE_UNROLL
    for (int step = 256; step > 0; step /= 2)
      if (r + step < kTileBlock && shared.run_number()[r + step] <= number) r += step;
    return r;
  }

  /// Index of candidate `number`, which one of the listed runs contains.
  RIFFLE_HD static std::uint32_t candidate(const Shared& shared, std::uint32_t number) {
    const int r = run_of(shared, number);
    return shared.run_begin()[r] + (number - shared.run_number()[r]);
  }

  /// Assigns candidates to threads: thread t takes the numbers t, t + kTileBlock, ...
  /// @return how many candidates the tile has, including those not taken here.
  RIFFLE_HD std::uint32_t choose_candidates(const TileView& view, Block<kTileBlock>& block, Shared& shared,
                                            const Tile& tile, PerThread<TileEntries, kTileBlock>& mine) const {
    const TileNeighborhood near = neighborhood(view, tile.cell);
    const int runs = runs_per_cell(view) * near.cells();
    std::uint32_t number = 0;
    for (int base = 0; base < runs; base += kTileBlock) {
      const std::uint32_t here = list_runs(view, block, shared, tile, near, base, number);
      block.each_thread([&](int t) {
        RIFFLE_UNROLL
        for (int e = 0; e < kTileEntries; ++e) {
          const auto n = static_cast<std::uint32_t>(e * kTileBlock + t);
          if (base == 0) mine[t].index[e] = kNoEntry;
          if (n >= kTileCapacity || n - number >= here) continue;
          mine[t].index[e] = candidate(shared, n);
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
  /// OfBox: candidates are those near a box, and shared.own is not written.
  template <bool OfBox>
  RIFFLE_HD void sort_into_fine_cells(const Grid& coarse, const FineGrid& fine, Block<kTileBlock>& block,
                                      Shared& shared, const Tile& tile,
                                      PerThread<TileEntries, kTileBlock>& mine) const {
    block.each_thread([&](int t) {
      for (int c = t; c < kTileCells; c += kTileBlock) shared.start[c] = 0;
      if (t == 0) shared.crowded = 0;
    });
    block.each_thread([&](int t) { count_entries<OfBox>(coarse, fine, shared, tile, mine[t]); });
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
    block.each_thread([&](int t) { find_slots<OfBox>(shared, tile, mine[t]); });
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
  template <bool OfBox>
  RIFFLE_HD void count_entries(const Grid& coarse, const FineGrid& fine, Shared& shared, const Tile& tile,
                               TileEntries& mine) const {
    Vec4 x[kTileEntries];
    RIFFLE_UNROLL
    for (int e = 0; e < kTileEntries; ++e)
      if (mine.index[e] != kNoEntry) x[e] = query.sources[mine.index[e]];
    RIFFLE_UNROLL
    for (int e = 0; e < kTileEntries; ++e) {
      if (mine.index[e] == kNoEntry) continue;
      // The tile's own particles are kept wherever they have moved since the build: they are the queries.
      const bool own = !OfBox && is_own(tile, mine.index[e]);
      if (!OfBox && !own && !near_tile(coarse, tile, xyz(x[e]))) {
        mine.index[e] = kNoEntry;
        continue;
      }
      const std::uint32_t cell = fine.grid.index(fine.grid.cell_of(in_tile(fine, tile, xyz(x[e]))));
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
      // All counts are read before the first is replaced: a loop that does both may read ahead into the next thread's.
      std::uint32_t here[per_thread], sum = before[t];
      RIFFLE_UNROLL
      for (int e = 0; e < per_thread; ++e) {
        const int c = t * per_thread + e;
        here[e] = c < kTileCells ? shared.start[c] : 0;
      }
      RIFFLE_UNROLL
      for (int e = 0; e < per_thread; ++e) {
        const int c = t * per_thread + e;
        if (c < kTileCells) shared.start[c] = sum;
        sum += here[e];
      }
      if (t == kTileCells / per_thread) shared.start[kTileCells] = all;  // the thread whose share would begin there
    });
  }

  /// Turns places into slots. shared.own lists the slots of the tile's own particles in the order of the fine cells, so
  /// that adjacent threads search next to each other. (Sorting by quarters of a cell first, so that a warp's rows are
  /// cut alike, took 13 % longer: its reads then hit the same banks.)
  template <bool OfBox>
  RIFFLE_HD void find_slots(Shared& shared, const Tile& tile, TileEntries& mine) const {
    RIFFLE_UNROLL
    for (int e = 0; e < kTileEntries; ++e) {
      if (mine.index[e] == kNoEntry) continue;
      const FinePlace place{mine.place[e]};
      const std::uint32_t start = shared.start[place.cell()];
      const std::uint32_t slot =
          rank_in_range(shared.index, low_half(start), low_half(shared.start[place.cell() + 1]), mine.index[e]);
      if (Self && !OfBox && is_own(tile, mine.index[e]))
        shared.own[(start >> 16) + place.own_rank()] = static_cast<std::uint16_t>(slot);
      mine.place[e] = slot;
    }
  }

  RIFFLE_HD static bool is_own(const Tile& tile, std::uint32_t index) {
    return index >= tile.own_begin && index < tile.own_end;
  }

  /// Algorithm 4 for query i. own_slot: its own slot among the tile's particles; not known if OfBox.
  template <bool OfBox>
  RIFFLE_HD void visit(const FineGrid& in, const Shared& shared, const Tile& tile, int i, int own_slot,
                       State& state) const {
    const Grid& fine = in.grid;
    const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};  // a compile-time constant: no run-time test
    const Vec3 x_i = xyz(Self && !OfBox ? shared.x[own_slot] : query.queries[i]);
    const Vec3 u = fine.coordinates(in_tile(in, tile, x_i));
    const auto test = [&](int slot, const Vec4& x_j) {
      const PairTest pair = test_pair(x_i, xyz(x_j), wrap, query.h2);
      const bool itself = Self && (OfBox ? static_cast<int>(shared.index[slot]) == i : slot == own_slot);
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

  /// Searches for the queries of a part. If more candidates are near its box than one fine grid holds, several are built one
  /// after the other for the same queries.
  RIFFLE_HD void search_box(Block<kTileBlock>& block, Shared& shared, const TilePart& part) const {
    const TileView view = with_known_axes<Periodic>(tables);
    block.each_thread([&](int t) {
      if (t != 0) return;
      const TileBox box = box_numbered(halving, part.box & ~TilePart::kLast);
      const FineGrid& fine = halving.fine[box.level];
      const Tile tile = tile_of(view, fine, static_cast<int>(part.cell), box);
      shared.box = {fine, tile, box, BoxReach(tile.cell, box)};
    });
    const SearchedBox& at = shared.box;
    const bool whole = at.box.level == 0, to_last = (part.box & TilePart::kLast) != 0;
    PerThread<std::uint32_t, kTileBlock> asking;
    PerThread<State, kTileBlock> state;
    bool sorted = false;  // all candidates lie in the fine grid
    int first = part.slice * kPartQueries;
    for (bool more = true; more; first += kTileBlock) {
      const int seen = list_queries(view, block, shared, first, asking);
      const int queries = seen - first < kTileBlock ? seen - first : kTileBlock;
      if (queries <= 0) return;
      more = to_last && seen > first + kTileBlock;
      if (!sorted) order_queries(block, shared, queries, asking);
      block.each_thread([&](int t) {
        if (t < queries) state[t] = f.begin(static_cast<int>(asking[t]));
      });
      std::uint32_t from = 0;
      do {
        if (!sorted) {
          PerThread<TileEntries, kTileBlock> mine;
          const bool from_all = from == 0;
          from = collect_near(view, block, shared, from, mine);
          sort_into_fine_cells<true>(view.coarse, with_known_axes<Periodic>(at.fine), block, shared, at.tile, mine);
          sorted = from_all && from == kNoEntry && whole;  // otherwise the next queries are listed in its place
        }
        block.each_thread([&](int t) {
          if (t < queries)
            visit<true>(with_known_axes<Periodic>(at.fine), shared, at.tile, static_cast<int>(asking[t]), -1, state[t]);
        });
      } while (!sorted && from != kNoEntry);
      block.each_thread([&](int t) {
        if (t < queries) f.end(state[t], static_cast<int>(asking[t]));
      });
    }
  }

  /// Thread t takes query first + t of the box, if there is one.
  /// @return how many queries the box has; if they are more than first + kTileBlock, those that were seen until then
  RIFFLE_HD int list_queries(const TileView& view, Block<kTileBlock>& block, Shared& shared, int first,
                             PerThread<std::uint32_t, kTileBlock>& asking) const {
    const Tile& tile = shared.box.tile;
    const TileBox& box = shared.box.box;
    const auto queries = static_cast<int>(tile.query_end - tile.query_begin);
    if (box.level == 0) {
      block.each_thread([&](int t) {
        if (first + t < queries) asking[t] = static_cast<std::uint32_t>(query_index(tile, first + t));
      });
      return queries;
    }
    int seen = 0;
    for (int from = 0; from < queries && seen <= first + kTileBlock; from += kLooks * kTileBlock) {
      PerThread<std::uint32_t, kTileBlock> inside, before;
      block.each_thread([&](int t) {
        inside[t] = 0;
        RIFFLE_UNROLL
        for (int e = 0; e < kLooks; ++e) {
          const int k = from + e * kTileBlock + t;
          if (k < queries &&
              box.contains(place_in_cell(view.coarse, tile.cell, xyz(query.queries[query_index(tile, k)]))))
            inside[t] |= 1u << e;
        }
        before[t] = bits_of(inside[t]);
      });
      const auto all = static_cast<int>(block_exclusive_scan(block, shared.sum, before));
      block.each_thread([&](int t) {
        int place = seen - first + static_cast<int>(before[t]);
        for (int e = 0; e < kLooks; ++e)
          if ((inside[t] >> e & 1) != 0) {
            if (place >= 0 && place < kTileBlock)
              shared.index[place] = static_cast<std::uint32_t>(query_index(tile, from + e * kTileBlock + t));
            ++place;
          }
      });
      seen += all;
    }
    block.each_thread([&](int t) {
      if (first + t < seen) asking[t] = shared.index[t];
    });
    return seen;
  }

  /// Gives the queries to the threads in the order of their fine cells, so that adjacent threads search next to each other.
  RIFFLE_HD void order_queries(Block<kTileBlock>& block, Shared& shared, int queries,
                               PerThread<std::uint32_t, kTileBlock>& asking) const {
    static_assert(kTileBlock <= 512);
    std::uint32_t* const key = shared.index;
    std::uint32_t* const ordered = shared.index + kTileBlock;
    block.each_thread([&](int t) {
      if (t >= queries) return;
      const FineGrid fine = with_known_axes<Periodic>(shared.box.fine);
      const Vec3 x = in_tile(fine, shared.box.tile, xyz(query.queries[asking[t]]));
      key[t] = fine.grid.index(fine.grid.cell_of(x)) << 9 | static_cast<std::uint32_t>(t);
    });
    block.each_thread([&](int t) {
      if (t >= queries) return;
      int rank = 0;
      RIFFLE_NO_UNROLL
      for (int k = 0; k < queries; ++k) rank += key[k] < key[t] ? 1 : 0;
      ordered[rank] = asking[t];
    });
    block.each_thread([&](int t) {
      if (t < queries) asking[t] = ordered[t];
    });
  }

  RIFFLE_HD static std::uint32_t bits_of(std::uint32_t looks) {
    static_assert(kLooks == 2);
    return (looks & 1) + (looks >> 1);
  }

  /// Takes the candidates that are near a box, from number `from` on, until the fine grid could overflow.
  /// @return the number of the first candidate that was not looked at; kNoEntry if there is none
  RIFFLE_HD std::uint32_t collect_near(const TileView& view, Block<kTileBlock>& block, Shared& shared,
                                       std::uint32_t from, PerThread<TileEntries, kTileBlock>& mine) const {
    const Tile& tile = shared.box.tile;
    const BoxReach& reach = shared.box.reach;
    const TileNeighborhood near = neighborhood(view, tile.cell);
    const int runs = runs_per_cell(view) * near.cells();
    constexpr std::uint32_t at_once = kLooks * kTileBlock;
    std::uint32_t number = 0, taken = 0;
    bool full = false;
    for (int base = 0; base < runs && !full; base += kTileBlock) {
      const std::uint32_t end = number + list_runs(view, block, shared, tile, near, base, number);
      if (from < number) from = number;
      while (from < end && !full) {
        PerThread<TileLooks, kTileBlock> looked;
        PerThread<std::uint32_t, kTileBlock> before;
        block.each_thread([&](int t) {
          Vec4 x[kLooks];
          RIFFLE_UNROLL
          for (int e = 0; e < kLooks; ++e) {
            const std::uint32_t n = from + static_cast<std::uint32_t>(e * kTileBlock + t);
            looked[t].index[e] = n < end ? candidate(shared, n) : kNoEntry;
            if (n < end) x[e] = query.sources[looked[t].index[e]];
          }
          before[t] = 0;
          RIFFLE_UNROLL
          for (int e = 0; e < kLooks; ++e) {
            if (looked[t].index[e] == kNoEntry) continue;
            if (reach.near(view.coarse, xyz(x[e])))
              ++before[t];
            else
              looked[t].index[e] = kNoEntry;
          }
        });
        const std::uint32_t all = block_exclusive_scan(block, shared.sum, before);
        full = taken + all > kTileCapacity;
        if (full) break;
        block.each_thread([&](int t) {
          std::uint32_t place = taken + before[t];
          RIFFLE_UNROLL
          for (int e = 0; e < kLooks; ++e)
            if (looked[t].index[e] != kNoEntry) shared.index[place++] = looked[t].index[e];
        });
        taken += all;
        from = from + at_once < end ? from + at_once : end;
      }
      number = end;
    }
    block.each_thread([&](int t) {
      RIFFLE_UNROLL
      for (int e = 0; e < kTileEntries; ++e) {
        const auto n = static_cast<std::uint32_t>(e * kTileBlock + t);
        mine[t].index[e] = n < taken ? shared.index[n] : kNoEntry;
      }
    });
    return full ? from : kNoEntry;
  }
};

/// On the CPU. bins: of the queries if they are not the sources; otherwise nullptr.
void traverse_tiles_cpu(const TiledView& view, const NeighborQuery& query, const QueryBins* bins,
                        const HitFunctor& functor);

/// The search's own particles.
template <class F>
void traverse_tiles([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const TiledView& view,
                    const NeighborQuery& query, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const int blocks = view.parts.blocks + static_cast<int>(view.tiles.coarse.cells());
    if (query.wrap.any)
      parallel_blocks<kTileBlock>(device, name, blocks,
                                  TileTraversal<true, true, F>{view.tiles, view.parts, view.halving, query, {}, f});
    else
      parallel_blocks<kTileBlock>(device, name, blocks,
                                  TileTraversal<true, false, F>{view.tiles, view.parts, view.halving, query, {}, f});
    return;
  }
#endif
  traverse_tiles_cpu(view, query, nullptr, HitFunctor(f, query.h2));
}

/// External queries; bins: theirs.
template <class F>
void traverse_tiles([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const TiledView& view,
                    const NeighborQuery& query, const QueryBins& bins, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const int blocks = bins.parts.blocks + static_cast<int>(view.tiles.coarse.cells());
    parallel_blocks<kTileBlock>(device, name, blocks,
                                TileTraversal<false, true, F>{view.tiles, bins.parts, view.halving, query, bins, f});
    return;
  }
#endif
  traverse_tiles_cpu(view, query, &bins, HitFunctor(f, query.h2));
}

}  // namespace riffle
