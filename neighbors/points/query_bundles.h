#pragma once
/// Which partitions of the queries deserve a search of their own (Zhu 2022, section 5.2 and appendices A and C).

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

/// When the search of a query ends.
enum class QueryEnd {
  Nearest,  ///< after all boxes that contain it: density times the boxes' volume
  Enough,   ///< after K points, wherever they are; boxes as wide as the sphere also meet points outside it
};

struct BundleCosts {
  double build = 0;  ///< cost of one more bundle: its tree, or its launch [ms]
  double test = 0;   ///< cost of one candidate [ms]
  /// Factor on that, with QueryEnd::Enough, in boxes as wide as the sphere: there candidates must pass the sphere test
  double whole = 10;
};

/// The cheapest bundles, by dynamic programming over the partitions in the order of their widths: in the best choice
/// each partition is in the narrowest bundle that is wide enough, so that bundles are runs of that order.
/// @param capacity  K: about the number of points in a megacell, from which the density is estimated
/// @return the number of each partition's bundle, from 0 on
std::vector<int> bundle_partitions(std::span<const QueryPartition> partitions, QueryEnd end, int capacity,
                                   int dimension, const BundleCosts& costs);

/// The paper's choice: the partitions with the most queries stay alone, the others form one bundle, and a scan finds
/// how many stay alone. The paper's theorem says that no other choice costs less. This holds if the numbers of queries
/// fall much faster than the boxes' volumes grow, and not in general.
std::vector<int> bundle_by_query_counts(std::span<const QueryPartition> partitions, QueryEnd end, int capacity,
                                        int dimension, const BundleCosts& costs);

/// [ms] of one choice: a bundle is searched with its widest boxes.
double bundling_cost(std::span<const QueryPartition> partitions, const std::vector<int>& bundle, QueryEnd end,
                     int capacity, int dimension, const BundleCosts& costs);

}  // namespace riffle
