#pragma once
/// Searches on fixed particles: everything except the running simulation searches a copy of its particles.

#include "neighbors/neighbor_search.h"

namespace riffle {

/// Writes positions (search.count()), as they were at the last build, to `sorted` in the order that traversals expect
/// from then on. `sorted` gets search.count() elements and is on the search's device. Asynchronous on CUDA.
void copy_in_order(const NeighborSearch& search, const Vec4* positions, Buffer<Vec4>& sorted);

/// Builds the search on `positions` (count) and writes them to `sorted` (count) in the order that traversals expect.
/// `sorted` is on the search's device. Asynchronous on CUDA.
/// @throws the exceptions of NeighborSearch::build
void build_sorted(NeighborSearch& search, const Vec4* positions, int count, const Domain& domain, float h,
                  Buffer<Vec4>& sorted);

}  // namespace riffle
