#pragma once
/// for_each_neighbor: the search provides the traversal, the solver provides a functor.
///
///   struct DensitySum {
///     struct State { float density; };
///     RIFFLE_HD State begin(int i) const;                                        // i: the querying particle
///     RIFFLE_HD void neighbor(State&, int i, int j, Vec3 r_ij, float r2) const;  // r_ij = x_i - x_j, r2 = |r_ij|^2
///     RIFFLE_HD void end(State&, int i) const;
///   };
///
/// The functor may also fetch a neighbour's data ahead of its use (neighbors/functor.h). The calls for one i (begin,
/// each neighbour, end) run on one thread; the method chooses the order of neighbours. Include this file only from .cu
/// files.

#include <stdexcept>

#include "core/device/parallel.cuh"
#include "neighbors/brute/brute_force_traversal.cuh"
#include "neighbors/bucket/bucket_traversal.cuh"
#include "neighbors/fenns/tile_traversal.cuh"
#include "neighbors/functor.h"
#include "neighbors/grid/grid_traversal.cuh"
#include "neighbors/lists/csr_traversal.cuh"
#include "neighbors/lists/list_traversal.cuh"
#include "neighbors/neighbor_search.h"
#include "neighbors/tree/tree_traversal.cuh"

namespace riffle {

/// Visits the search's own particles, one overload per view. A view without an overload does not compile.
template <class F>
struct VisitOwn {
  const Device& device;
  const char* name;
  const NeighborQuery& query;
  int source_count;
  float h;
  const F& f;

  void operator()(const GridView& view) const { traverse_grid<true>(device, name, view, query, f); }
  void operator()(const ListView& view) const { traverse_list(device, name, view, query, f); }
  void operator()(const CsrView& view) const { traverse_csr(device, name, view, query, f); }
  void operator()(const BucketView& view) const { traverse_bucket(device, name, view, query, f); }
  void operator()(const TiledView& view) const { traverse_tiles(device, name, view, query, f); }
  void operator()(const TreeView& view) const { traverse_tree<true>(device, name, view, query, h, f); }
  void operator()(const RayView& view) const { traverse_csr(device, name, view.rows, query, f); }
  void operator()(const BruteForceView&) const { traverse_brute_force(device, name, query, source_count, f); }
};

/// The same for external queries.
template <class F>
struct VisitFromElsewhere {
  const Device& device;
  const char* name;
  const NeighborQuery& query;
  int source_count;
  float h;
  const F& f;

  void operator()(const GridView& view) const { traverse_grid<false>(device, name, view, query, f); }
  void operator()(const ListView& view) const { traverse_grid<false>(device, name, view.grid, query, f); }
  void operator()(const CsrView& view) const { traverse_grid<false>(device, name, view.grid, query, f); }
  void operator()(const BucketView& view) const { traverse_bucket(device, name, view, query, f); }
  void operator()(const TiledView& view) const {
    const QueryBins bins = view.binner->bin(query.queries, query.query_count);
    traverse_tiles(device, name, view, query, bins, f);
  }
  void operator()(const TreeView& view) const { traverse_tree<false>(device, name, view, query, h, f); }
  void operator()(const RayView& view) const {
    traverse_csr(device, name, view.lister->list(query.queries, query.query_count, h), query, f);
  }
  void operator()(const BruteForceView&) const { traverse_brute_force(device, name, query, source_count, f); }
};

/// Visits every neighbour within h of every particle of the search.
/// positions: (search.count()) on the search's device, in the order the search wants.
/// @throws std::logic_error if h is larger than the radius of the last build.
template <NeighborFunctor F>
void for_each_neighbor(const NeighborSearch& search, const char* name, const Vec4* positions, float h, const F& f) {
  if (!(h > 0 && h <= search.build_radius()))
    throw std::logic_error("for_each_neighbor: h must be positive and at most the radius the search was built for");
  if (search.count() == 0) return;
  const NeighborQuery query{positions, positions, search.count(), h * h, search.wrap(), true};
  std::visit(VisitOwn<F>{search.device(), name, query, search.count(), h, f}, search.view());
}

/// Whether there is a pair to look for.
/// @throws std::logic_error as for_each_neighbor_of()
inline bool has_work(const NeighborSearch& search, int query_count, float h) {
  if (!(h > 0 && h <= search.build_radius()))
    throw std::logic_error(
        "visiting neighbours of queries: h must be positive and at most the radius the search was built for");
  return query_count > 0 && search.count() > 0;
}

/// The same for query points that are not the particles of the search (a fluid's queries to a wall): i indexes
/// `queries`, j the search's particles; no pair is left out for i == j. If a search of static sources knows that a
/// query has nothing near, the query is not visited at all, neither begin nor end: most of a fluid is far from its
/// walls. A search of no particles visits no query. queries: (query_count); sources: (search.count()) in the order the
/// search wants; both on the search's device.
template <NeighborFunctor F>
void for_each_neighbor_of(const NeighborSearch& search, const char* name, const Vec4* sources, const Vec4* queries,
                          int query_count, float h, const F& f) {
  if (!has_work(search, query_count, h)) return;
  const NeighborQuery query{sources, queries, query_count, h * h, search.wrap(), false};
  std::visit(VisitFromElsewhere<F>{search.device(), name, query, search.count(), h, f}, search.method_view());
}

/// The same for a search that is always a grid, as that of walls is: only the grid's kernels are compiled.
/// @throws std::logic_error also if the search's view is no grid.
template <NeighborFunctor F>
void for_each_neighbor_in_grid(const NeighborSearch& search, const char* name, const Vec4* sources, const Vec4* queries,
                               int query_count, float h, const F& f) {
  if (!has_work(search, query_count, h)) return;
  const auto* grid = std::get_if<GridView>(&search.method_view());
  if (!grid) throw std::logic_error("for_each_neighbor_in_grid: the search is not a grid");
  const NeighborQuery query{sources, queries, query_count, h * h, search.wrap(), false};
  traverse_grid<false>(search.device(), name, *grid, query, f);
}

}  // namespace riffle
