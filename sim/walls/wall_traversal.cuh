#pragma once
/// Sums over pairs of fluid and wall particles, in either direction. Include this file only from .cu files.

#include "neighbors/traverse.cuh"
#include "sim/walls/boundary.h"

namespace riffle {

/// Visits the wall particles within h of each fluid particle. A particle far from all walls is not visited at all, neither
/// begin nor end. search: of the fluid, whose positions these are.
template <NeighborFunctor F>
void for_each_wall_neighbor(const Boundary& boundary, const NeighborSearch& search, const char* name,
                            const Vec4* positions, float h, const F& f) {
  const NeighborSearch& walls = boundary.search();
  if (boundary.count() == 0 || search.count() == 0) return;
  if (const RowView* rows = boundary.pairs().of_moving(search)) {
    const NeighborQuery query{boundary.particles(), positions, search.count(), h * h, search.wrap(), false};
    traverse_rows(search.device(), name, *rows, query, f);
  } else {
    for_each_neighbor_in_grid(walls, name, boundary.particles(), positions, search.count(), h, f);
  }
}

/// Visits the fluid particles within h of each wall particle. With the boundary's pairs, wall particles without fluid within
/// h are not visited at all.
template <NeighborFunctor F>
void for_each_fluid_neighbor(const Boundary& boundary, const NeighborSearch& search, const char* name,
                             const Vec4* positions, float h, const F& f) {
  if (boundary.count() == 0 || search.count() == 0) return;
  if (const RowView* rows = boundary.pairs().of_statics(search)) {
    const NeighborQuery query{positions, boundary.particles(), boundary.count(), h * h, search.wrap(), false};
    traverse_rows(search.device(), name, *rows, query, f);
  } else {
    for_each_neighbor_of(search, name, positions, boundary.particles(), boundary.count(), h, f);
  }
}

}  // namespace riffle
