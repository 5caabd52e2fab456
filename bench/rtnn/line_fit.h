#pragma once
/// A straight line through measured points.

#include <vector>

namespace riffle::bench {

/// y = intercept + slope * x with the least sum of squared distances in y.
struct LineFit {
  double slope = 0, intercept = 0;
  double r2 = 0;  ///< share of the variance of y that the line explains; 1 if y does not vary
};
/// @param x, y  equally many, at least two; x must not be all equal
LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace riffle::bench
