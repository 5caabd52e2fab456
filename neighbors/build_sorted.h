#pragma once
/// A search on particles that stay as they are: what is not the running simulation's looks at a copy.

#include "neighbors/neighbor_search.h"

namespace riffle {

/// Writes positions (search.count()), as they stood at the last build, to `sorted` in the order that traversals expect
/// from then on; `sorted` gets as many elements and is on the search's device. Asynchronous on CUDA.
void copy_in_order(const NeighborSearch& search, const Vec4* positions, Buffer<Vec4>& sorted);

/// Builds the search on `positions` (count) and writes them, in the order that traversals expect, to `sorted` (count),
/// whose device is the search's. Asynchronous on CUDA.
/// @throws what NeighborSearch::build throws
void build_sorted(NeighborSearch& search, const Vec4* positions, int count, const Domain& domain, float h,
                  Buffer<Vec4>& sorted);

}  // namespace riffle
