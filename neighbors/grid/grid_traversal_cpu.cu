#include "neighbors/grid/grid_traversal.cuh"
#include "neighbors/hits/candidate_block.h"
#include "neighbors/hits/candidate_test.h"

namespace riffle {

namespace {

/// begin, every neighbour, and end for query i.
template <bool Folded>
void visit_query(const GridView& view, const NeighborQuery& query, int i, QueryHits& hits) {
  const Vec3 x_i = xyz(query.queries[i]);
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

template <bool Folded>
void visit_queries(const GridView& view, const NeighborQuery& query, const HitFunctor& functor, int first, int last) {
  QueryHits hits(query, functor);
  for (int i = first; i != last; ++i)
    if (functor.wants(i) && !nothing_near(view, xyz(query.queries[i]))) visit_query<Folded>(view, query, i, hits);
}

#if RIFFLE_AVX2

/// Queries of one cell that follow one another, and a box around them.
struct CellGroup {
  static constexpr int kMost = 64;
  int query[kMost];
  int count = 0;
  QueryBox box;

  /// The next ones from `i` on that want neighbours. @return where to go on
  int gather(const GridView& view, const NeighborQuery& all, const HitFunctor& functor, int i, int last) {
    count = 0;
    Int3 cell;
    for (; i != last && count < kMost; ++i) {
      const Vec3 x_i = xyz(all.queries[i]);
      if (!functor.wants(i) || nothing_near(view, x_i)) continue;
      const Vec3 u = view.grid.coordinates(x_i);
      const Int3 own{static_cast<int>(u.x), static_cast<int>(u.y), static_cast<int>(u.z)};
      if (count > 0 && !(own == cell)) break;
      box = count > 0 ? hull(box, u) : QueryBox{u, u};
      cell = own;
      query[count++] = i;
    }
    return i;
  }
};

/// The queries of a cell share their candidates: these are found and transposed once.
template <bool Periodic>
void visit_groups(const GridView& view, const NeighborQuery& query, const HitFunctor& functor, int first, int last) {
  QueryHits hits(query, functor);
  CandidateBlock block;
  CellGroup group;
  for (int i = first; i != last;) {
    i = group.gather(view, query, functor, i, last);
    if (group.count == 0) continue;
    bool fits = true;
    block.count = 0;
    for_each_range<false>(view, group.box, [&](std::uint32_t begin, std::uint32_t end, std::uint32_t) {
      fits = fits && block.add(query.sources, static_cast<int>(begin), static_cast<int>(end));
    });
    block.finish();
    for (int q = 0; q < group.count; ++q) {
      if (!fits) {
        visit_query<false>(view, query, group.query[q], hits);
        continue;
      }
      hits.begin(group.query[q]);
      collect_hits<Periodic>(query, xyz(query.queries[group.query[q]]), block, hits);
      hits.end();
    }
  }
}

#endif

}  // namespace

void visit_grid_neighbors_cpu(const GridView& view, const NeighborQuery& query, const HitFunctor& functor, int first,
                              int last) {
  if (view.lap) return visit_queries<true>(view, query, functor, first, last);
#if RIFFLE_AVX2
  if (query.wrap.any)
    visit_groups<true>(view, query, functor, first, last);
  else
    visit_groups<false>(view, query, functor, first, last);
#else
  visit_queries<false>(view, query, functor, first, last);
#endif
}

void traverse_grid_cpu(const GridView& view, const NeighborQuery& query, const HitFunctor& functor) {
  parallel_ranges(query.query_count, 256, [&](std::int64_t first, std::int64_t last) {
    visit_grid_neighbors_cpu(view, query, functor, static_cast<int>(first), static_cast<int>(last));
  });
}

}  // namespace riffle
