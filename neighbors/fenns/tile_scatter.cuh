#pragma once
/// Gross, Koester and Krueger 2019, algorithms 3 and 4 as they stand there: one block per coarse cell sorts a chunk of the
/// cell's own particles into the fine grid in shared memory. Then the particles of the cell (lines 20 to 24), and those of the
/// borders around it (lines 26 to 35), look up the chunk's fine cells, and each adds to the sums of the particles it finds
/// there. So the sums of a chunk lie in shared memory, and every addition is atomic.
///
/// A variant beside TileTraversal, for measurements: the order of additions depends on the timing of threads, and a functor
/// must be able to add atomically. What is added is the same: the same pairs, with the same r_ij.

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <variant>

#include "core/device/atomic_float.h"
#include "core/device/parallel.cuh"
#include "neighbors/fenns/tile_traversal.cuh"
#include "neighbors/neighbor_search.h"

namespace riffle {

/// Threads of a block, and particles of a chunk. An automatic grid's cells have at most 576 particles on average, so that most
/// are one chunk. The paper takes a warp for each neighbouring cell; here warps take the runs of the borders in turn.
inline constexpr int kScatterBlock = 768;
inline constexpr int kScatterWarps = kScatterBlock / 32;

/// A functor that says how to add to sums that other threads add to at the same time. Its State lies in shared memory:
///   RIFFLE_HD void scatter(State&, int i, int j, Vec3 r_ij, float r2) const;  // by atomic additions only
template <class F>
concept ScattersItself = requires(const F f, typename F::State state, Vec3 r_ij) {
  { f.scatter(state, 0, 0, r_ij, 0.0f) } -> std::same_as<void>;
};

/// Or one that names its sums (neighbors/functor.h): what a pair gives is computed from 0 and added, number by number.
template <class F>
concept ScattersSums = ScattersItself<F> || AddsToSums<F>;

/// Adds pair (i, j) to the sums of i, which other threads add to. source: of j.
template <ScattersSums F>
RIFFLE_INLINE void scatter_pair(const F& f, typename F::State& state, int i, int j, Vec3 r_ij, float r2,
                                const typename SourceOf<F>::Type& source) {
  if constexpr (ScattersItself<F>) {
    f.scatter(state, i, j, r_ij, r2);
  } else {
    using Sums = typename F::template Sums<float>;
    constexpr std::size_t numbers = sizeof(Sums) / sizeof(float);
    Sums pair{};
    f.template add<float>(pair, state, r_ij, r2, source);
    const float* const from = reinterpret_cast<const float*>(&pair);
    float* const to = reinterpret_cast<float*>(&state.sums);
    RIFFLE_UNROLL
    for (std::size_t k = 0; k < numbers; ++k) atomic_add(to + k, from[k]);
  }
}

template <class State>
struct ScatterShared {
  Vec4 x[kScatterBlock];               ///< the chunk, sorted by fine cell
  State state[kScatterBlock];          ///< its sums
  std::uint32_t index[kScatterBlock];  ///< index of the particle among the sources
  alignas(16) std::uint32_t sum[kScatterWarps];
  std::uint32_t start[kTileCells + 1];  ///< where each fine cell's particles begin; before that, the cells' counts
};

/// Fine cell of a chunk's particle, and its rank in the cell in the order of thread arrival.
struct ChunkPlace {
  static_assert(kTileCells <= 1 << 10);
  std::uint32_t bits = 0;
  RIFFLE_HD static ChunkPlace of(std::uint32_t cell, std::uint32_t rank) { return {cell | rank << 10}; }
  RIFFLE_HD std::uint32_t cell() const { return bits & 0x3ffu; }
  RIFFLE_HD std::uint32_t rank() const { return bits >> 10; }
};

template <bool Periodic, ScattersSums F>
struct TileScatter {
  TileView tables;
  NeighborQuery query;
  F f;

  /// Two blocks leave each thread 40 registers, as many as the traversal needs to count neighbours.
  static constexpr int kBlocksPerMultiprocessor = 2;
  using State = typename F::State;
  using Shared = ScatterShared<State>;

  RIFFLE_HD void operator()(Block<kScatterBlock>& block, Shared& shared) const {
    const TileView view = with_known_axes<Periodic>(tables);
    const Tile tile = own_tile(view, block.index());
    const TileNeighborhood near = neighborhood(view, tile.cell);
    const int runs = runs_per_cell(view) * near.cells();
    for (std::uint32_t chunk = tile.own_begin; chunk < tile.own_end; chunk += kScatterBlock) {
      const std::uint32_t left = tile.own_end - chunk;
      const int size = left < kScatterBlock ? static_cast<int>(left) : kScatterBlock;
      sort_chunk(view.fine, block, shared, tile, chunk, size);
      block.each_thread([&](int t) {
        for (std::uint32_t j = tile.own_begin + static_cast<std::uint32_t>(t); j < tile.own_end; j += kScatterBlock)
          look_up(view.fine, shared, tile, j, query.sources[j]);
        const auto lane = static_cast<std::uint32_t>(t % 32);
        for (int r = t / 32; r < runs; r += kScatterWarps) {
          const SourceRun run = source_run(view, tile, near, r);
          if (run.begin == tile.own_begin && run.end == tile.own_end) continue;  // the cell itself
          for (std::uint32_t j = run.begin + lane; j < run.end; j += 32) {
            const Vec4 x_j = query.sources[j];
            if (near_tile(view.coarse, tile, xyz(x_j))) look_up(view.fine, shared, tile, j, x_j);
          }
        }
      });
      block.each_thread([&](int t) {
        if (t < size) f.end(shared.state[t], static_cast<int>(shared.index[t]));
      });
    }
  }

 private:
  RIFFLE_HD static Tile own_tile(const TileView& view, int c) {
    Tile tile;
    tile.cell = view.coarse.cell_at(c);
    const Vec3 width = view.coarse.cell;
    const Vec3 low{view.coarse.origin.x + static_cast<float>(tile.cell.x) * width.x,
                   view.coarse.origin.y + static_cast<float>(tile.cell.y) * width.y,
                   view.coarse.origin.z + static_cast<float>(tile.cell.z) * width.z};
    tile.middle = low + 0.5f * width;
    tile.corner = {view.fine.grid.periodic_x ? view.coarse.origin.x : low.x - view.fine.lead.x,
                   view.fine.grid.periodic_y ? view.coarse.origin.y : low.y - view.fine.lead.y,
                   view.fine.grid.periodic_z ? view.coarse.origin.z : low.z - view.fine.lead.z};
    const auto cell = static_cast<std::uint32_t>(c);
    tile.own_begin = view.section_start[view.first_section(cell)];
    tile.own_end = view.section_start[view.first_section(cell + 1)];
    return tile;
  }

  /// Algorithm 3, lines 7 to 19: sorts sources chunk..chunk + size - 1 by fine cell and begins their sums.
  RIFFLE_HD void sort_chunk(const FineGrid& fine, Block<kScatterBlock>& block, Shared& shared, const Tile& tile,
                            std::uint32_t chunk, int size) const {
    PerThread<ChunkPlace, kScatterBlock> place;
    block.each_thread([&](int t) {
      for (int c = t; c < kTileCells; c += kScatterBlock) shared.start[c] = 0;
    });
    block.each_thread([&](int t) {
      if (t >= size) return;
      const Vec3 x = xyz(query.sources[chunk + static_cast<std::uint32_t>(t)]);
      const std::uint32_t cell = fine.grid.index(fine.grid.cell_of(in_tile(fine, tile, x)));
      place[t] = ChunkPlace::of(cell, atomic_add(&shared.start[cell], 1u));
    });
    sum_fine_cells(block, shared);
    block.each_thread([&](int t) {
      if (t >= size) return;
      const std::uint32_t i = chunk + static_cast<std::uint32_t>(t);
      const std::uint32_t slot = shared.start[place[t].cell()] + place[t].rank();
      shared.x[slot] = query.sources[i];
      shared.index[slot] = i;
      shared.state[slot] = f.begin(static_cast<int>(i));
    });
  }

  /// Turns the counts of the fine cells into the cells' starts.
  RIFFLE_HD static void sum_fine_cells(Block<kScatterBlock>& block, Shared& shared) {
    constexpr int per_thread = (kTileCells + kScatterBlock - 1) / kScatterBlock;
    PerThread<std::uint32_t, kScatterBlock> before;
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
      if (t == 0) shared.start[kTileCells] = all;
    });
  }

  /// Algorithm 4: source j adds to the sums of the chunk's particles that it is a neighbour of.
  RIFFLE_HD void look_up(const FineGrid& in, Shared& shared, const Tile& tile, std::uint32_t j, const Vec4& x_j) const {
    const Grid& fine = in.grid;
    const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};  // a compile-time constant: no run-time test
    const Vec3 u = fine.coordinates(in_tile(in, tile, xyz(x_j)));
    const auto source = source_of(static_cast<int>(j), x_j);
    for_each_row(fine, {u, u}, [&](int y, int z, const CellSpan& span) {
      const auto r = static_cast<int>(fine.row(y, z));
      int first = wrapped(span.first, fine.size.x), remaining = span.count;
      RIFFLE_NO_UNROLL
      do {
        const int here = remaining < fine.size.x - first ? remaining : fine.size.x - first;
        const int from = r * fine.size.x + ((r & 1) != 0 ? fine.size.x - first - here : first);
        const std::uint32_t end = shared.start[from + here];
        RIFFLE_NO_UNROLL
        for (std::uint32_t slot = shared.start[from]; slot < end; ++slot) {
          const PairTest pair = test_pair(xyz(shared.x[slot]), xyz(x_j), wrap, query.h2);
          const std::uint32_t i = shared.index[slot];
          if (pair.near() && i != j)
            scatter_pair(f, shared.state[slot], static_cast<int>(i), static_cast<int>(j), pair.r_ij, pair.r2, source);
        }
        remaining -= here;
        first = 0;
      } while (remaining > 0);
    });
  }

  /// Read once for all pairs of j.
  RIFFLE_HD typename SourceOf<F>::Type source_of([[maybe_unused]] int j, [[maybe_unused]] const Vec4& x_j) const {
    if constexpr (ScattersItself<F>)
      return typename SourceOf<F>::Type{};
    else
      return fetch_source(f, j, x_j);
  }
};

/// for_each_neighbor() by scattering, for a search by `fenns`. The calls for one i are no longer on one thread.
/// positions: (search.count()) on the search's device, in the order the search wants.
/// @throws std::logic_error if h is larger than the radius of the last build, or if the search is another one.
template <ScattersSums F>
void scatter_to_neighbors(const NeighborSearch& search, const char* name, const Vec4* positions, float h, const F& f) {
  if (!(h > 0 && h <= search.build_radius()))
    throw std::logic_error("scatter_to_neighbors: h must be positive and at most the radius the search was built for");
  const auto* view = std::get_if<TiledView>(&search.method_view());
  if (!view) throw std::logic_error("scatter_to_neighbors: only the search `fenns` has tiles");
  if (search.count() == 0) return;
  const NeighborQuery query{positions, positions, search.count(), h * h, search.wrap(), true};
  const auto blocks = static_cast<int>(view->tiles.coarse.cells());
  if (query.wrap.any)
    parallel_blocks<kScatterBlock>(search.device(), name, blocks, TileScatter<true, F>{view->tiles, query, f});
  else
    parallel_blocks<kScatterBlock>(search.device(), name, blocks, TileScatter<false, F>{view->tiles, query, f});
}

}  // namespace riffle
