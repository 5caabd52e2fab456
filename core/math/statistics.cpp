#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace riffle {

Spread spread_of(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto n = samples.size();
  const auto rank = [&](double q) { return samples[static_cast<std::size_t>(std::lround(q * double(n - 1)))]; };
  const double median = n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  return {median, samples.front(), samples.back(), rank(0.05), rank(0.95), mean_of(samples).deviation};
}

MedianRange median_range(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto n = samples.size();
  // The number of samples below the median is binomial. below: probability of at most `rank` of them.
  double term = std::exp2(-double(n)), below = term;
  std::size_t rank = 0;
  if (n > 1000) {  // the normal approximation; the probability of none is too small for a number
    rank = static_cast<std::size_t>(std::floor(0.5 * double(n) - 0.98 * std::sqrt(double(n)))) - 1;
    return {samples[rank], spread_of(samples).median, samples[n - 1 - rank]};
  }
  while (rank + 1 < n / 2 + n % 2) {
    term *= double(n - rank) / double(rank + 1);
    if (2 * (below + term) > 0.05) break;
    below += term;
    ++rank;
  }
  return {samples[rank], spread_of(samples).median, samples[n - 1 - rank]};
}

SampleMean mean_of(const std::vector<double>& samples) {
  const double n = double(samples.size());
  SampleMean result;
  for (const double sample : samples) result.mean += sample;
  result.mean /= n;
  if (samples.size() < 2) return result;
  double squares = 0;
  for (const double sample : samples) squares += (sample - result.mean) * (sample - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  result.standard_error = result.deviation / std::sqrt(n);
  return result;
}

}  // namespace riffle
