#pragma once
/// Traversal of listed neighbours. CUDA only: on the CPU the
/// grid's packed candidate test is as fast as reading a list.

#include <algorithm>
#include <bit>

#include "core/device/parallel.cuh"
#include "core/math/math.h"
#include "neighbors/functor.h"
#include "neighbors/grid/grid_traversal.cuh"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

#if RIFFLE_WITH_CUDA
/// begin, every neighbour in list r, and end for query i.
/// The four neighbours of a quad are loaded together: with one at a time, a warp mostly waits for them. The next quad is
/// requested before the wait for this one's neighbours.
template <class F>
__device__ __forceinline__ void visit_list(const ListView& view, const NeighborQuery& query, const F& f, int i, int r) {
  const auto count = static_cast<int>(view.count[r]);
  const ListQuad* quad = view.quads + ListView::quad(r, 0, view.width);
  int stride = 32;
  if (count > view.width) {
    const std::uint32_t place = quad->j[0];
    if (place == ListView::kNoPlace) {
      visit_grid_neighbors<false>(view.grid, query, f, i);
      return;
    }
    quad = view.pool + place;
    stride = 1;
  }
  const Vec3 x_i = xyz(query.queries[i]);
  const float far = Branchless<F> ? kNotNear * quick_sqrt(query.h2) : 0;
  typename F::State state = f.begin(i);
  ListQuad next{};
  if (count > 0) next = *quad;
  for (int k = 0; k < count; k += 4) {
    int j[4];
    Vec4 x_j[4];
    typename SourceOf<F>::Type source[4];
    RIFFLE_UNROLL
    for (int b = 0; b < 4; ++b) j[b] = static_cast<int>(next.j[k + b < count ? b : 0]);
    if (k + 4 < count) next = *(quad += stride);
    RIFFLE_UNROLL
    for (int b = 0; b < 4; ++b) {
      x_j[b] = query.sources[j[b]];
      source[b] = fetch_source(f, j[b], x_j[b]);
    }
    RIFFLE_UNROLL
    for (int b = 0; b < 4; ++b) {
      const PairTest pair = test_pair(x_i, xyz(x_j[b]), query.wrap, query.h2);
      const bool counts = k + b < count && pair.near();
      if constexpr (Branchless<F>) {
        const Vec3 r_ij{counts ? pair.r_ij.x : far, pair.r_ij.y, pair.r_ij.z};
        visit_neighbor(f, state, i, j[b], r_ij, counts ? pair.r2 : far * far, source[b]);
      } else if (counts) {
        visit_neighbor(f, state, i, j[b], pair.r_ij, pair.r2, source[b]);
      }
    }
  }
  f.end(state, i);
}

template <class F>
__global__ void __launch_bounds__(kGridBlock) list_kernel(ListView view, NeighborQuery query, F f) {
  await_earlier_kernels();
  const int i = static_cast<int>(blockIdx.x) * kGridBlock + static_cast<int>(threadIdx.x);
  if (i >= query.query_count || skips(f)) return;
  visit_list(view, query, f, i, i);
}

template <class F>
__global__ void __launch_bounds__(kGridBlock) row_kernel(RowView view, NeighborQuery query, F f) {
  await_earlier_kernels();
  if (skips(f)) return;
  const auto rows = static_cast<int>(*view.rows);
  for (int r = static_cast<int>(blockIdx.x * kGridBlock + threadIdx.x); r < rows;
       r += static_cast<int>(gridDim.x) * kGridBlock) {
    const auto i = static_cast<int>(view.query[r]);
    if (!wants(f, i)) continue;
    if (r < view.capacity)
      visit_list(view.list, query, f, i, r);
    else
      visit_grid_neighbors<false>(view.list.grid, query, f, i);
  }
}
#endif

template <class F>
void traverse_list([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name,
                   [[maybe_unused]] const ListView& view, [[maybe_unused]] const NeighborQuery& query,
                   [[maybe_unused]] const F& f) {
#if RIFFLE_WITH_CUDA
  if constexpr (HasTwin<F>) {
    if (f.has_twin(query.h2)) return traverse_list(device, name, view, query, std::bit_cast<typename F::Twin>(f));
  }
  const int blocks = (query.query_count + kGridBlock - 1) / kGridBlock;
  launch_kernel(device, name, list_kernel<F>, static_cast<unsigned>(blocks), kGridBlock, 0, view, query, f);
#endif
}

/// Visits the queries that have a row.
template <class F>
void traverse_rows([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name,
                   [[maybe_unused]] const RowView& view, [[maybe_unused]] const NeighborQuery& query,
                   [[maybe_unused]] const F& f) {
#if RIFFLE_WITH_CUDA
  if constexpr (HasTwin<F>) {
    if (f.has_twin(query.h2)) return traverse_rows(device, name, view, query, std::bit_cast<typename F::Twin>(f));
  }
  const int blocks = std::max(1, (view.launched + kGridBlock - 1) / kGridBlock);
  launch_kernel(device, name, row_kernel<F>, static_cast<unsigned>(blocks), kGridBlock, 0, view, query, f);
#endif
}

}  // namespace riffle
