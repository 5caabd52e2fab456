#pragma once
/// A damped oscillation fitted to samples.

#include <vector>

namespace riffle {

/// e^(-decay t) (A cos(frequency t) + B sin(frequency t)) + C
struct OscillationFit {
  double frequency = 0;   ///< omega [1/unit of t]
  double decay = 0;       ///< [1/unit of t]; below 0: it grows
  double residual = 0;    ///< rms of what the fit leaves over the rms of the samples about their mean
  bool at_bound = false;  ///< frequency or decay is at the end of the range that was searched: nothing was found

  /// The samples are such an oscillation: frequency and decay are measurements and not merely the best of a search.
  bool found() const { return !at_bound && residual < 0.2; }
};

/// Least-squares fit with a frequency from 0.5 to 1.5 times the expected one and a decay within half of it either way.
/// t and y are equally long, at least 8 samples.
OscillationFit fit_decaying_oscillation(const std::vector<double>& t, const std::vector<double>& y, double expected);

}  // namespace riffle
