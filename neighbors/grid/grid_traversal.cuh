#pragma once
/// Traversal of a grid: a particle's candidates are the rows of cells within its reach. Each row is one range of the
/// sorted particles (two where it wraps round a periodic axis, or round the end of a folded table).

#include <cstdint>

#include "core/device/parallel.cuh"
#include "neighbors/functor.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

/// visit(begin, end, lap) for the slots of `count` cells from `first` on, of row r, in the table; lap: the lap of their
/// particles.
template <bool Folded, class Visit>
RIFFLE_INLINE void visit_cells(const GridView& view, std::int64_t r, int first, int count, const Visit& visit) {
  const int nx = view.grid.size.x;
  const int from = (r & 1) != 0 ? nx - first - count : first;  // every other row runs backwards
  if constexpr (!Folded) {
    const std::uint32_t begin =
        static_cast<std::uint32_t>(r) * static_cast<std::uint32_t>(nx) + static_cast<std::uint32_t>(from);
    const std::uint32_t a = view.cell_start[begin], b = view.cell_start[begin + static_cast<std::uint32_t>(count)];
    if (a < b) visit(a, b, 0u);
  } else {
    const std::int64_t slots = std::int64_t{1} << view.slot_bits, end = r * nx + from + count;
    for (std::int64_t c = end - count; c < end;) {  // once, or twice where the row passes the table's end
      const std::int64_t lap = c >> view.slot_bits, slot = c & (slots - 1);
      const std::int64_t here = end - c < slots - slot ? end - c : slots - slot;
      const std::uint32_t a = view.cell_start[slot], b = view.cell_start[slot + here];
      if (a < b) visit(a, b, static_cast<std::uint32_t>(lap));
      c += here;
    }
  }
}

/// visit(begin, end, lap) for every non-empty range of candidates of the box's points.
template <bool Folded, class Visit>
RIFFLE_INLINE void for_each_range(const GridView& view, const QueryBox& box, const Visit& visit) {
  const Grid& grid = view.grid;
  for_each_row(grid, box, [&](int y, int z, const CellSpan& span) {
    const std::int64_t r = Folded ? grid.row(y, z) : static_cast<int>(grid.row(y, z));
    int first = wrapped(span.first, grid.size.x), remaining = span.count;
    RIFFLE_NO_UNROLL
    do {  // once, or twice where the row passes the upper face of a periodic axis
      const int here = remaining < grid.size.x - first ? remaining : grid.size.x - first;
      visit_cells<Folded>(view, r, first, here, visit);
      remaining -= here;
      first = 0;
    } while (remaining > 0);
  });
}

/// Whether a search of static sources knows that nothing is near x.
RIFFLE_INLINE bool nothing_near(const GridView& view, Vec3 x) {
  return view.cell_has_neighbors && !view.cell_has_neighbors[view.grid.index(view.grid.cell_of(x))];
}

/// Calls begin, neighbor for every neighbour, and end for query i: one thread's work.
template <bool Folded, class F>
RIFFLE_HD void visit_grid_neighbors(const GridView& view, const NeighborQuery& query, const F& f, int i) {
  if (!wants(f, i)) return;
  const Vec3 x_i = xyz(query.queries[i]);
  if (nothing_near(view, x_i)) return;
  typename F::State state = f.begin(i);
  const Vec3 u = view.grid.coordinates(x_i);
  for_each_range<Folded>(view, {u, u}, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t lap) {
    for (std::uint32_t j = begin; j < end; ++j) {
      if constexpr (Folded)
        if (view.lap[j] != lap) continue;
      const Vec4 x_j = query.sources[j];
      const auto index = static_cast<int>(j);
      visit_if_near(f, state, i, index, x_i, x_j, query.wrap, query.h2, query.self);
    }
  });
  f.end(state, i);
}

#if RIFFLE_WITH_CUDA
inline constexpr int kGridBlock = 128;

/// Tests candidates begin..end-1 for the queries `first`, first + 1, ...; Batch: candidates whose loads are in flight at
/// once; Self: the candidates may include the queries.
template <int Group, int Batch, bool Self, class F>
__device__ __forceinline__ void test_range(const NeighborQuery& query, const PeriodicWrap& wrap, const F& f,
                                           const Vec3 (&asking)[Group], typename F::State (&state)[Group], int first,
                                           std::uint32_t begin, std::uint32_t end) {
  const auto test = [&](int j, const Vec4& x_j) {
    RIFFLE_UNROLL
    for (int q = 0; q < Group; ++q) visit_if_near(f, state[q], first + q, j, asking[q], x_j, wrap, query.h2, Self);
  };
  const Vec4* candidate = query.sources + begin;
  auto j = static_cast<int>(begin);
  const auto last = static_cast<int>(end) - (Batch - 1);
  RIFFLE_NO_UNROLL
  for (; j < last; j += Batch, candidate += Batch) {
    Vec4 x_j[Batch];
    RIFFLE_UNROLL
    for (int b = 0; b < Batch; ++b) x_j[b] = candidate[b];
    RIFFLE_UNROLL
    for (int b = 0; b < Batch; ++b) test(j + b, x_j[b]);
  }
  RIFFLE_NO_UNROLL
  for (; Batch > 1 && j < static_cast<int>(end); ++j, ++candidate) test(j, *candidate);
}

/// A folded table: one query per thread. As a functor of element_kernel it takes 8 more registers.
template <class F>
__global__ void __launch_bounds__(kGridBlock) folded_grid_kernel(GridView view, NeighborQuery query, F f) {
  await_earlier_kernels();
  const int i = static_cast<int>(blockIdx.x) * kGridBlock + static_cast<int>(threadIdx.x);
  if (i < query.query_count && !skips(f)) visit_grid_neighbors<true>(view, query, f, i);
}

/// Candidates whose loads are in flight at once: for one query per thread, and for a group of them.
inline constexpr int kQueryBatch = 4, kGroupBatch = 2;

/// One query per thread.
template <bool Periodic, bool Own, class F>
__global__ void __launch_bounds__(kGridBlock) grid_kernel(GridView view, NeighborQuery query, F f) {
  await_earlier_kernels();
  const int i = static_cast<int>(blockIdx.x) * kGridBlock + static_cast<int>(threadIdx.x);
  if (i >= query.query_count || skips(f) || !wants(f, i)) return;
  const Vec3 asking[] = {xyz(query.queries[i])};
  if (nothing_near(view, asking[0])) return;
  const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};  // a compile-time constant: no run-time test
  typename F::State state[] = {f.begin(i)};
  const Vec3 u = view.grid.coordinates(asking[0]);
  for_each_range<false>(view, {u, u}, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
    test_range<1, kQueryBatch, Own>(query, wrap, f, asking, state, i, begin, end);
  });
  f.end(state[0], i);
}

/// Queries that one thread processes together. Each candidate is then loaded once for all of them: with one query per
/// thread, L1 is fully occupied by these loads.
inline constexpr int kGroup = 3;
/// From this many queries on there are enough threads for that.
inline constexpr int kLeastShared = 100000;
/// With a small functor state, registers are limited, so that more warps hide each other's latency; a large state would
/// spill.
template <class F>
inline constexpr int kGridBlocks = sizeof(typename F::State) <= 16 ? 10 : 1;

template <bool Periodic, int Group, int Batch, class F>
__global__ void __launch_bounds__(kGridBlock, kGridBlocks<F>)
    grid_group_kernel(GridView view, NeighborQuery query, F f) {
  await_earlier_kernels();
  const int first = (static_cast<int>(blockIdx.x) * kGridBlock + static_cast<int>(threadIdx.x)) * Group;
  if (first >= query.query_count || skips(f)) return;
  const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};
  const float nan = not_a_number();
  Vec3 x[Group], u[Group];
  typename F::State state[Group];
  unsigned pending = 0;
  RIFFLE_UNROLL
  for (int q = 0; q < Group; ++q) {
    if (first + q >= query.query_count) continue;
    x[q] = xyz(query.queries[first + q]);
    u[q] = view.grid.coordinates(x[q]);
    state[q] = f.begin(first + q);
    pending |= 1u << q;
  }
  while (pending != 0) {
    // As many of them as are close together; rarely fewer than all.
    QueryBox box;
    unsigned group = 0;
    Vec3 asking[Group];
    RIFFLE_UNROLL
    for (int q = 0; q < Group; ++q) {
      asking[q] = {nan, nan, nan};  // within h of nothing
      if ((pending >> q & 1) == 0) continue;
      const QueryBox grown = group == 0 ? QueryBox{u[q], u[q]} : hull(box, u[q]);
      if (group != 0 && !worth_sharing(view.grid, grown)) continue;
      box = grown;
      group |= 1u << q;
      asking[q] = x[q];
    }
    pending &= ~group;
    for_each_range<false>(view, box, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
      if (static_cast<int>(end) > first && static_cast<int>(begin) < first + Group)
        test_range<Group, Batch, true>(query, wrap, f, asking, state, first, begin, end);
      else
        test_range<Group, Batch, false>(query, wrap, f, asking, state, first, begin, end);
    });
  }
  RIFFLE_UNROLL
  for (int q = 0; q < Group; ++q)
    if (first + q < query.query_count) f.end(state[q], first + q);
}
#endif

/// On the CPU: all queries.
void traverse_grid_cpu(const GridView& view, const NeighborQuery& query, const HitFunctor& functor);
/// Queries first..last-1, on the calling thread.
void visit_grid_neighbors_cpu(const GridView& view, const NeighborQuery& query, const HitFunctor& functor, int first,
                              int last);

#if RIFFLE_WITH_CUDA
template <class Kernel, class F>
void launch_grid(const Device& device, const char* name, Kernel kernel, int queries_per_thread, const GridView& view,
                 const NeighborQuery& query, const F& f) {
  const int queries_per_block = kGridBlock * queries_per_thread;
  const int blocks = (query.query_count + queries_per_block - 1) / queries_per_block;
  launch_kernel(device, name, kernel, static_cast<unsigned>(blocks), kGridBlock, 0, view, query, f);
}

template <bool Own, class F>
void traverse_grid_cuda(const Device& device, const char* name, const GridView& view, const NeighborQuery& query,
                        const F& f) {
  if (view.lap) return launch_grid(device, name, folded_grid_kernel<F>, 1, view, query, f);
  if constexpr (!Own) {  // these queries need not be near each other
    const auto kernel = query.wrap.any ? grid_kernel<true, false, F> : grid_kernel<false, false, F>;
    launch_grid(device, name, kernel, 1, view, query, f);
  } else if (query.query_count >= kLeastShared) {
    const auto kernel = query.wrap.any ? grid_group_kernel<true, kGroup, kGroupBatch, F>
                                       : grid_group_kernel<false, kGroup, kGroupBatch, F>;
    launch_grid(device, name, kernel, kGroup, view, query, f);
  } else {  // every available thread is needed
    launch_grid(device, name, grid_kernel<true, true, F>, 1, view, query, f);
  }
}
#endif

/// Own: the queries are the search's own particles (query.self), so that kernels for others need not be compiled. The
/// same holds for the traversals of other views.
template <bool Own, class F>
void traverse_grid([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const GridView& view,
                   const NeighborQuery& query, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) return traverse_grid_cuda<Own>(device, name, view, query, f);
#endif
  traverse_grid_cpu(view, query, HitFunctor(f, query.h2));
}

}  // namespace riffle
