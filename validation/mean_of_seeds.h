#pragma once
/// The mean of a figure over runs that differ in their seed.

#include <vector>

namespace riffle {

struct MeanOfSeeds {
  double mean = 0;
  double deviation = 0;       ///< standard deviation of a single run; 0 for one run
  double standard_error = 0;  ///< of the mean
};

/// @param values  one per seed, at least one
MeanOfSeeds mean_of_seeds(const std::vector<double>& values);

}  // namespace riffle
