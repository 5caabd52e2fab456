#include "validation/oscillation_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace riffle {

namespace {

/// Sum of squares that is left by the best A, B and C for this frequency and decay.
double left_over(const std::vector<double>& t, const std::vector<double>& y, double frequency, double decay) {
  double m[3][4] = {}, square = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double e = std::exp(-decay * t[k]);
    const double f[3] = {e * std::cos(frequency * t[k]), e * std::sin(frequency * t[k]), 1};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) m[r][c] += f[r] * f[c];
      m[r][3] += f[r] * y[k];
    }
    square += y[k] * y[k];
  }
  const double right[3] = {m[0][3], m[1][3], m[2][3]};
  for (int p = 0; p < 3; ++p)
    for (int r = 0; r < 3; ++r) {
      if (r == p) continue;
      const double factor = m[r][p] / m[p][p];
      for (int c = p; c < 4; ++c) m[r][c] -= factor * m[p][c];
    }
  for (int p = 0; p < 3; ++p) square -= right[p] * m[p][3] / m[p][p];
  return square;
}

}  // namespace

OscillationFit fit_decaying_oscillation(const std::vector<double>& t, const std::vector<double>& y, double expected) {
  const double half_w = 0.5 * expected, half_b = 0.5 * expected;
  double least = std::numeric_limits<double>::infinity(), w = expected, b = 0;
  double step_w = 0.1 * half_w, step_b = 0.1 * half_b;
  for (int level = 0; level < 7; ++level) {
    const double w1 = w, b1 = b;
    for (int i = -10; i <= 10; ++i)
      for (int j = -10; j <= 10; ++j) {
        const double at_w = std::clamp(w1 + i * step_w, expected - half_w, expected + half_w);
        const double at_b = std::clamp(b1 + j * step_b, -half_b, half_b);
        const double square = left_over(t, y, at_w, at_b);
        if (square < least) least = square, w = at_w, b = at_b;
      }
    step_w *= 0.25, step_b *= 0.25;
  }
  double mean = 0, square = 0;
  for (const double v : y) mean += v / double(y.size());
  for (const double v : y) square += (v - mean) * (v - mean);
  const double slack = 1e-6 * expected;
  OscillationFit fit;
  fit.frequency = w;
  fit.decay = b;
  fit.residual = std::sqrt(std::max(0.0, least) / square);
  fit.at_bound = !(std::fabs(w - expected) < half_w - slack && std::fabs(b) < half_b - slack);
  return fit;
}

}  // namespace riffle
