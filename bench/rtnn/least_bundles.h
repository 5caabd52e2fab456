#pragma once
/// The oracle of Zhu 2022, section 6.3: the bundles that take the least time, by measuring them.

#include <functional>
#include <vector>

namespace riffle::bench {

/// Up to so many partitions every set of them is tried as a bundle; of more, every run in the order of their widths. In
/// the cost model the best bundles are runs: a partition is best in the narrowest bundle that is wide enough for it.
inline constexpr int kAllSetsUpTo = 5;

/// The number of each partition's bundle, from 0 on.
/// @param time  of one bundle of these partitions, ascending; asked once for each
/// @param stop  asked before each measurement; once it is true, one bundle of all is the answer
std::vector<int> least_bundles(int partitions, const std::function<double(const std::vector<int>&)>& time,
                               const std::function<bool()>& stop);

/// How many bundles least_bundles() measures.
int bundles_to_measure(int partitions);

}  // namespace riffle::bench
