#include "neighbors/grid/grid_traversal.cuh"
#include "neighbors/hits/candidate_test.h"

namespace riffle {

namespace {

template <bool Folded>
void visit_queries(const GridView& view, const NeighborQuery& query, const HitFunctor& functor, int first, int last) {
  QueryHits hits(query, functor);
  for (int i = first; i != last; ++i) {
    const Vec3 x_i = xyz(query.queries[i]);
    if (!functor.wants(i) || nothing_near(view, x_i)) continue;
    hits.begin(i);
    const Vec3 u = view.grid.coordinates(x_i);
    for_each_range<Folded>(view, {u, u}, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t lap) {
      if constexpr (Folded) {  // runs of the row's own lap
        for (std::uint32_t j = begin; j < end;) {
          while (j < end && view.lap[j] != lap) ++j;
          const std::uint32_t run = j;
          while (j < end && view.lap[j] == lap) ++j;
          collect_hits(query, x_i, static_cast<int>(run), static_cast<int>(j), hits);
        }
      } else {
        collect_hits(query, x_i, static_cast<int>(begin), static_cast<int>(end), hits);
      }
    });
    hits.end();
  }
}

}  // namespace

void visit_grid_neighbors_cpu(const GridView& view, const NeighborQuery& query, const HitFunctor& functor, int first,
                              int last) {
  if (view.lap)
    visit_queries<true>(view, query, functor, first, last);
  else
    visit_queries<false>(view, query, functor, first, last);
}

void traverse_grid_cpu(const GridView& view, const NeighborQuery& query, const HitFunctor& functor) {
  parallel_ranges(query.query_count, 256, [&](std::int64_t first, std::int64_t last) {
    visit_grid_neighbors_cpu(view, query, functor, static_cast<int>(first), static_cast<int>(last));
  });
}

}  // namespace riffle
