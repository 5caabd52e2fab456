#pragma once
/// Which partitions of the queries are worth a search of their own (Zhu 2022, section 5.2 and appendices A and C).

#include <span>
#include <vector>

namespace riffle {

/// Queries whose K points are in a megacell of the same size.
struct QueryPartition {
  double queries = 0;
  double cell = 0;     ///< edge of the megacell [length]
  double width = 0;    ///< edge of the boxes that the search needs [length]
  bool whole = false;  ///< no megacell within the search sphere holds K
};

/// What the search of a query ends with.
enum class QueryEnd {
  Nearest,  ///< all boxes it is in: density times the boxes' volume
  Enough,  ///< K points, wherever they are; some that are in no sphere are met on the way where boxes are as wide as it
};

struct BundleCosts {
  double build = 0;   ///< of one more bundle: its tree, or its launch [ms]
  double test = 0;    ///< of one candidate [ms]
  double whole = 10;  ///< times that, with QueryEnd::Enough, in boxes as wide as the sphere: the paper's figure
};

/// The bundles that cost least of all, by dynamic programming over the partitions in the order of their widths: in the best
/// choice each partition is in the narrowest bundle that is wide enough, so that bundles are runs of that order.
/// @param capacity  K: a megacell has about as many points, which is what density is estimated from
/// @return for each partition the number of its bundle, from 0 on
std::vector<int> bundle_partitions(std::span<const QueryPartition> partitions, QueryEnd end, int capacity,
                                   int dimension, const BundleCosts& costs);

/// The paper's choice: the partitions with most queries stay alone, the others are one bundle, and how many stay alone is
/// looked for by a scan. Its theorem says that no other choice costs less; that is so where the numbers of queries fall
/// much faster than the boxes' volumes grow, and not in general.
std::vector<int> bundle_by_query_counts(std::span<const QueryPartition> partitions, QueryEnd end, int capacity,
                                        int dimension, const BundleCosts& costs);

/// [ms] of one choice: a bundle is searched with its widest boxes.
double bundling_cost(std::span<const QueryPartition> partitions, const std::vector<int>& bundle, QueryEnd end,
                     int capacity, int dimension, const BundleCosts& costs);

}  // namespace riffle
