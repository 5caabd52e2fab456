#pragma once
/// Traversal of linked lists: a particle's candidates are the lists of the cells within its reach.

#include "core/device/parallel.cuh"
#include "neighbors/functor.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

/// visit(j) for every particle in the lists of a row's cells. Requests the next head and the next link before it visits
/// the candidate: each link leads to the next, and a walk would otherwise mostly wait for them.
template <class Visit>
RIFFLE_INLINE void walk_row(const BucketView& view, int y, int z, const CellSpan& span, const Visit& visit) {
  const int nx = view.grid.size.x;
  const auto row = static_cast<std::uint32_t>(view.grid.row(y, z)), base = row * static_cast<std::uint32_t>(nx);
  const bool backwards = (row & 1) != 0;
  const auto head = [&](int k) {
    const int x = wrapped(span.first + k, nx);
    return view.head[base + static_cast<std::uint32_t>(backwards ? nx - 1 - x : x)];
  };
  std::uint32_t following = head(0);
  RIFFLE_NO_UNROLL
  for (int k = 0; k < span.count; ++k) {
    std::uint32_t j = following;
    if (k + 1 < span.count) following = head(k + 1);
    RIFFLE_NO_UNROLL
    while (j != BucketView::kEnd) {
      const std::uint32_t next = view.next[j];
      visit(j);
      j = next;
    }
  }
}

/// Calls begin, neighbor for every neighbour, and end for query i: one thread's work.
template <class F>
RIFFLE_HD void visit_bucket_neighbors(const BucketView& view, const NeighborQuery& query, const F& f, int i) {
  const Vec3 x_i = xyz(query.queries[i]);
  const Vec3 u = view.grid.coordinates(x_i);
  typename F::State state = f.begin(i);
  for_each_row(view.grid, {u, u}, [&](int y, int z, const CellSpan& span) {
    walk_row(view, y, z, span, [&](std::uint32_t p) {
      const auto j = static_cast<int>(p);
      visit_if_near(f, state, i, j, x_i, query.sources[j], query.wrap, query.h2, query.self);
    });
  });
  f.end(state, i);
}

/// On the CPU.
void traverse_bucket_cpu(const BucketView& view, const NeighborQuery& query, const HitFunctor& functor);

#if RIFFLE_WITH_CUDA
inline constexpr int kBucketQueryBlock = 128;

/// A kernel of its own: as a functor of element_kernel it takes 8 more registers.
template <class F>
__global__ void __launch_bounds__(kBucketQueryBlock) bucket_kernel(BucketView view, NeighborQuery query, F f) {
  await_earlier_kernels();
  const int i = static_cast<int>(blockIdx.x) * kBucketQueryBlock + static_cast<int>(threadIdx.x);
  if (i < query.query_count) visit_bucket_neighbors(view, query, f, i);
}
#endif

template <class F>
void traverse_bucket([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const BucketView& view,
                     const NeighborQuery& query, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const int blocks = (query.query_count + kBucketQueryBlock - 1) / kBucketQueryBlock;
    launch_kernel(device, name, bucket_kernel<F>, static_cast<unsigned>(blocks), kBucketQueryBlock, 0, view, query, f);
    return;
  }
#endif
  traverse_bucket_cpu(view, query, HitFunctor(f, query.h2));
}

}  // namespace riffle
