#include "core/math/statistics.h"

#include <cmath>

namespace riffle {

Spread spread_of(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto n = samples.size();
  const auto rank = [&](double q) { return samples[static_cast<std::size_t>(std::lround(q * double(n - 1)))]; };
  const double median = n % 2 == 1 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  return {median, samples.front(), samples.back(), rank(0.05), rank(0.95)};
}

}  // namespace riffle
