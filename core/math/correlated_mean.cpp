#include "core/math/correlated_mean.h"

#include <algorithm>
#include <cmath>

namespace riffle {

namespace {

/// What follows from the autocorrelation of samples whose mean is 0.
struct Correlation {
  double variance = 0;  ///< of a sample
  double g = 1;         ///< the variance of the mean, over that of independent samples
  double window = 0;    ///< lags

  explicit Correlation(const std::vector<double>& deviations) {
    const std::size_t n = deviations.size();
    const auto mean_product = [&](std::size_t lag) {
      double sum = 0;
      for (std::size_t k = lag; k < n; ++k) sum += deviations[k] * deviations[k - lag];
      return sum / double(n - lag);
    };
    variance = mean_product(0);
    if (!(variance > 0)) return;
    double sum = 1;
    std::size_t lag = 0;
    while (lag < n / 2 && double(lag) < 2.5 * std::max(sum, 1.0)) sum += 2 * mean_product(++lag) / variance;
    window = double(lag);
    const double scatter = 2 * std::sqrt(window / double(n));  // of the sum, for samples without correlation
    const double likely = sum < 1 ? std::clamp(sum + 2 * scatter, std::min(scatter, 1.0), 1.0) : sum;
    g = likely * (1 + (2 * window + 1) / double(n));
  }
};

}  // namespace

CorrelatedMean correlated_mean(std::vector<double> samples) {
  CorrelatedMean result;
  if (samples.empty()) return result;
  double sum = 0, size = 0;
  for (const double sample : samples) sum += sample, size = std::max(size, std::fabs(sample));
  result.value = sum / double(samples.size());
  if (samples.size() < kLeastSeries || !std::isfinite(result.value)) return result;
  while (samples.size() > kMostSeries) {
    for (std::size_t k = 0; k < samples.size() / 2; ++k) samples[k] = (samples[2 * k] + samples[2 * k + 1]) / 2;
    samples.resize(samples.size() / 2);
  }
  const std::size_t n = samples.size();
  const double count = double(n);

  // The line through the samples: value + slope (k - middle).
  const double middle = 0.5 * (count - 1), places = count * (count * count - 1) / 12;
  double slope = 0;
  for (std::size_t k = 0; k < n; ++k) slope += (double(k) - middle) * (samples[k] - result.value) / places;
  std::vector<double> about_mean(n), about_line(n);
  for (std::size_t k = 0; k < n; ++k) {
    about_mean[k] = samples[k] - result.value;
    about_line[k] = about_mean[k] - slope * (double(k) - middle);
  }

  const Correlation all(about_mean), rest(about_line);
  result.independent = count / all.g;
  result.error_uncertainty = std::sqrt((all.window + 0.5) / count);
  result.error = std::sqrt(all.variance * all.g / count);
  if (result.error <= 1e-12 * size) {  // a constant, with the rounding of its mean
    result.error = result.error_uncertainty = 0;
    result.independent = count;
    result.converged = true;
    return result;
  }
  const double slope_error = std::sqrt(rest.variance * rest.g / places);
  const bool steep = std::fabs(slope) > kLeastDrift * slope_error;
  if (steep || rest.variance < (1 - kLeastExplained) * all.variance) {
    result.drift = {result.value - slope * middle, result.value + slope * middle};
    result.error = result.error_uncertainty = CorrelatedMean::kNone;
    return result;
  }
  result.converged = result.independent >= kLeastIndependent * (1 + 2 * result.error_uncertainty);
  return result;
}

double enough_times(const CorrelatedMean& mean) {
  if (std::isnan(mean.error) || !(mean.independent > 0)) return CorrelatedMean::kNone;
  if (mean.converged) return 1;
  // The number of independent samples grows with the time, their uncertainty falls with its root.
  double times = 1;
  for (int k = 0; k < 50; ++k)
    times = kLeastIndependent * (1 + 2 * mean.error_uncertainty / std::sqrt(times)) / mean.independent;
  return std::max(times, 1.0);
}

}  // namespace riffle
