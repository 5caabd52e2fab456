#pragma once
/// The mean of what was sampled along a run, where samples that follow each other are alike.

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace riffle {

/// Ends of the straight line through samples that drift.
struct LinearDrift {
  double from = 0, to = 0;
};

struct CorrelatedMean {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  double value = kNone;              ///< NaN for no samples
  double error = kNone;              ///< standard error; NaN for fewer than kLeastSeries samples, and for a drift
  double error_uncertainty = kNone;  ///< standard deviation of the error, as a share of it
  double independent = kNone;        ///< number of samples without correlation whose mean has this error
  bool converged = false;            ///< whether there are enough such samples for the error to be true
  std::optional<LinearDrift> drift;  ///< in place of an error
};

/// Fewer samples have no error.
inline constexpr std::size_t kLeastSeries = 16;

/// Longer series are averaged in pairs until they are no longer than this.
inline constexpr std::size_t kMostSeries = 8192;

/// An error has converged if there are that many independent samples, by the largest g that its uncertainty leaves likely:
/// independent >= kLeastIndependent (1 + 2 error_uncertainty). The error of fewer comes out too small.
inline constexpr double kLeastIndependent = 50;

/// A series drifts if the straight line through it changes by more than kLeastDrift of its own standard errors, or explains
/// more than kLeastExplained of the variance.
inline constexpr double kLeastDrift = 6, kLeastExplained = 0.75;

/// The variance of the mean is that of a sample times g / N. g is 1 + 2 times the sum of the autocorrelation over the lags up
/// to a window W, the shortest with W >= 2.5 g (Madras and Sokal 1988). Below 1, where a sample is followed by one to the
/// other side, it is taken two of its standard deviations 2 sqrt(W / N) larger, up to 1. It is raised by (2 W + 1) / N, which is
/// what the mean of the same samples takes off. N / g samples are independent. The error is uncertain by
/// sqrt((W + 0.5) / N) of itself. The error of the line has the g of the samples about it.
CorrelatedMean correlated_mean(std::vector<double> samples);

/// How many times as long a series has to be for its error to have converged; 1 if it has, NaN without an error.
double enough_times(const CorrelatedMean& mean);

}  // namespace riffle
