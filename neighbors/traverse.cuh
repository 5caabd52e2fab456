#pragma once
/// for_each_neighbor: the search owns the traversal, the solver brings a functor.
///
///   struct DensitySum {
///     struct State { float density; };
///     RIFFLE_HD State begin(int i) const;                                        // i: the querying particle
///     RIFFLE_HD void neighbor(State&, int i, int j, Vec3 r_ij, float r2) const;  // r_ij = x_i - x_j, r2 = |r_ij|^2
///     RIFFLE_HD void end(State&, int i) const;
///   };
///
/// It may also fetch a neighbour's data ahead of its use: neighbors/functor.h.
/// begin, all neighbours in an order that the method chooses, end: all of one i on one thread.
/// Include it only from .cu files.

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

/// Visits every neighbour within h of every particle of the search.
/// positions: (search.count()) on the search's device, in the order the search wants.
/// @throws std::logic_error when h is larger than the radius of the last build.
template <NeighborFunctor F>
void for_each_neighbor(const NeighborSearch& search, const char* name, const Vec4* positions, float h, const F& f) {
  if (!(h > 0 && h <= search.build_radius()))
    throw std::logic_error("for_each_neighbor: h must be positive and at most the radius the search was built for");
  if (search.count() == 0) return;
  const NeighborQuery query{positions, positions, search.count(), h * h, search.wrap(), true};
  if (const auto* grid = std::get_if<GridView>(&search.view()))
    traverse_grid(search.device(), name, *grid, query, f);
  else if (const auto* list = std::get_if<ListView>(&search.view()))
    traverse_list(search.device(), name, *list, query, f);
  else if (const auto* csr = std::get_if<CsrView>(&search.view()))
    traverse_csr(search.device(), name, *csr, query, f);
  else if (const auto* bucket = std::get_if<BucketView>(&search.view()))
    traverse_bucket(search.device(), name, *bucket, query, f);
  else if (const auto* tiles = std::get_if<TileView>(&search.view()))
    traverse_tiles(search.device(), name, *tiles, query, nullptr, f);
  else if (const auto* tree = std::get_if<TreeView>(&search.view()))
    traverse_tree(search.device(), name, *tree, query, h, f);
  else if (const auto* rays = std::get_if<RayView>(&search.view()))
    traverse_csr(search.device(), name, rays->rows, query, f);
  else
    traverse_brute_force(search.device(), name, query, search.count(), f);
}

/// The same for query points that are not the particles of the search (a fluid asking a wall): i indexes `queries`, j
/// the search's particles; no pair is left out for i == j. Queries that a search of static sources knows to have
/// nothing near are not visited at all, neither begin nor end: most of a fluid is far from its walls. A search of no
/// particles visits no query. queries: (query_count); sources: (search.count()) in the order the search wants; both on
/// the search's device.
template <NeighborFunctor F>
void for_each_neighbor_of(const NeighborSearch& search, const char* name, const Vec4* sources, const Vec4* queries,
                          int query_count, float h, const F& f) {
  if (!(h > 0 && h <= search.build_radius()))
    throw std::logic_error("for_each_neighbor_of: h must be positive and at most the radius the search was built for");
  if (query_count == 0 || search.count() == 0) return;
  const NeighborQuery query{sources, queries, query_count, h * h, search.wrap(), false};
  if (const auto* grid = std::get_if<GridView>(&search.method_view()))
    traverse_grid(search.device(), name, *grid, query, f);
  else if (const auto* csr = std::get_if<CsrView>(&search.method_view()))
    traverse_grid(search.device(), name, csr->grid, query, f);
  else if (const auto* bucket = std::get_if<BucketView>(&search.method_view()))
    traverse_bucket(search.device(), name, *bucket, query, f);
  else if (const auto* tiles = std::get_if<TileView>(&search.method_view())) {
    const QueryBins bins = search.bin_queries(queries, query_count);
    traverse_tiles(search.device(), name, *tiles, query, &bins, f);
  } else if (const auto* tree = std::get_if<TreeView>(&search.method_view()))
    traverse_tree(search.device(), name, *tree, query, h, f);
  else if (std::holds_alternative<RayView>(search.method_view()))
    traverse_csr(search.device(), name, search.list_queries(queries, query_count, h), query, f);
  else
    traverse_brute_force(search.device(), name, query, search.count(), f);
}

}  // namespace riffle
