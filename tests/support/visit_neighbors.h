#pragma once
/// for_each_neighbor for tests that a plain C++ compiler compiles: the functor's arguments, as host vectors.

#include <cstdint>
#include <vector>

#include "neighbors/neighbor_search.h"
#include "support/neighbor_oracle.h"

namespace riffle::test {

/// Index space: the search's order.
struct Visits {
  NeighborSets of;                   ///< (queries) in the order of the visits
  std::vector<std::uint32_t> begun;  ///< (queries) how often begin was called
  std::vector<std::uint32_t> ended;  ///< (queries) how often end was called
};

/// Traverses twice: once to count, and once to record, with a functor that fetches its sources ahead.
/// @throws std::logic_error when the two disagree or a source does not belong to its neighbour.
Visits visit_neighbors(const NeighborSearch& search, const Vec4* positions, float h);
Visits visit_neighbors_of(const NeighborSearch& search, const Vec4* sources, const Vec4* queries, int query_count,
                          float h);
/// Of the queries that have a row; on a GPU.
Visits visit_rows(const Device& device, const RowView& rows, const Vec4* sources, const Vec4* queries, int query_count,
                  const PeriodicWrap& wrap, float h);

}  // namespace riffle::test
