#pragma once
/// Order statistics of samples.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace riffle {

struct Spread {
  double median = 0, min = 0, max = 0;  ///< median: for an even number the mean of the two middle values
  double p5 = 0, p95 = 0;               ///< percentiles by the nearest rank
  double sigma = 0;                     ///< standard deviation of a single sample; 0 for one
};
Spread spread_of(std::vector<double> samples);  ///< all 0 for no samples

/// Where the median of what was sampled lies: between two of the samples, with a probability of at least 95 %. Of fewer
/// than 6 samples no two are that far apart; low and high are then the least and the greatest.
struct MedianRange {
  double low = 0, median = 0, high = 0;

  bool overlaps(const MedianRange& other) const { return low <= other.high && other.low <= high; }
};
MedianRange median_range(std::vector<double> samples);  ///< all 0 for no samples

struct SampleMean {
  double mean = 0;
  double deviation = 0;       ///< standard deviation of a single sample; 0 for one
  double standard_error = 0;  ///< of the mean
};
/// @param samples  at least one; they do not depend on each other
SampleMean mean_of(const std::vector<double>& samples);

/// The median; for an even number the greater of the two middle values, so that it is always one of the values.
/// @param values  at least one
template <class T>
T upper_median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace riffle
