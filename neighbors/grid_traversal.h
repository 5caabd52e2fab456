#pragma once
/// Candidates of a particle in a grid are the rows of cells around it: each row of three cells in x is one range of the
/// sorted particles (two where it wraps round a periodic axis).

#include <cstdint>

#include "core/parallel.h"
#include "neighbors/functor.h"
#include "neighbors/grid_traversal_cpu.h"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

/// visit(begin, end) for every non-empty range of candidates of a particle in cell c.
template <class Visit>
RIFFLE_INLINE void for_each_row(const GridView& view, Int3 c, const Visit& visit) {
  const Grid& grid = view.grid;
  const CellSpan span_x = neighbor_span(c.x, grid.size.x, grid.periodic_x);
  const CellSpan span_y = neighbor_span(c.y, grid.size.y, grid.periodic_y);
  const CellSpan span_z = neighbor_span(c.z, grid.size.z, grid.periodic_z);
  const int end_x = span_x.first + span_x.count;
  const int wrapped = end_x - grid.size.x;  // > 0: that many cells lie beyond the upper face, at the row's beginning
  for (int k = 0; k < span_z.count; ++k) {
    int z = span_z.first + k;
    if (z >= grid.size.z) z -= grid.size.z;
    for (int l = 0; l < span_y.count; ++l) {
      int y = span_y.first + l;
      if (y >= grid.size.y) y -= grid.size.y;
      const std::uint32_t* row = view.cell_start + (static_cast<std::int64_t>(z) * grid.size.y + y) * grid.size.x;
      visit(row[span_x.first], row[wrapped > 0 ? grid.size.x : end_x]);
      if (wrapped > 0) visit(row[0], row[wrapped]);
    }
  }
}

/// begin, every neighbour, end for query i: one thread's work.
template <class F>
RIFFLE_HD void visit_grid_neighbors(const GridView& view, const NeighborQuery& query, const F& f, int i) {
  const Vec3 x_i = xyz(query.queries[i]);
  const Int3 cell = view.grid.cell(x_i);
  if (view.cell_has_neighbors && !view.cell_has_neighbors[view.grid.index(cell)]) return;
  typename F::State state = f.begin(i);
  for_each_row(view, cell, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t j = begin; j < end; ++j) {
      const Vec4 x_j = query.sources[j];
      const Vec3 r_ij = separation(x_i, xyz(x_j), query.wrap);
      const float r2 = squared_length(r_ij);
      const auto index = static_cast<int>(j);
      if (r2 < query.h2 && !(query.self && index == i))
        visit_neighbor(f, state, i, index, r_ij, r2, fetch_source(f, index, x_j));
    }
  });
  f.end(state, i);
}

#if RIFFLE_WITH_CUDA
inline constexpr int kGridBlock = 128;

template <class F>
__global__ void __launch_bounds__(kGridBlock) grid_kernel(GridView view, NeighborQuery query, F f) {
  const int i = static_cast<int>(blockIdx.x) * kGridBlock + static_cast<int>(threadIdx.x);
  if (i < query.query_count) visit_grid_neighbors(view, query, f, i);
}
#endif

template <class F>
void traverse_grid(const Device& device, const char* name, const GridView& view, const NeighborQuery& query,
                   const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const int blocks = (query.query_count + kGridBlock - 1) / kGridBlock;
    grid_kernel<<<blocks, kGridBlock, 0, cuda_stream(device)>>>(view, query, f);
    check_launch(name, __FILE__, __LINE__);
    return;
  }
#endif
  (void)device;
  (void)name;
  tbb::parallel_for(tbb::blocked_range<int>(0, query.query_count, 256), [&](const auto& range) {
    NeighborHits hits;
    for (int i = range.begin(); i != range.end(); ++i) {
      const Vec3 x_i = xyz(query.queries[i]);
      const Int3 cell = view.grid.cell(x_i);
      if (view.cell_has_neighbors && !view.cell_has_neighbors[view.grid.index(cell)]) continue;
      typename F::State state = f.begin(i);
      const auto work_off = [&] {
        for (int k = 0; k < hits.count; ++k) {
          const int j = hits.index[k];
          if (query.self && j == i) continue;
          visit_neighbor(f, state, i, j, Vec3{hits.x[k], hits.y[k], hits.z[k]}, hits.r2[k],
                         fetch_source(f, j, query.sources[j]));
        }
        hits.count = 0;
      };
      for_each_row(view, cell, [&](std::uint32_t begin, std::uint32_t end) {
        collect_hits(query, x_i, static_cast<int>(begin), static_cast<int>(end), hits, work_off);
      });
      work_off();
      f.end(state, i);
    }
  });
}

}  // namespace riffle
