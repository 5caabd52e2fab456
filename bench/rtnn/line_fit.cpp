#include "bench/rtnn/line_fit.h"

#include <cstddef>

namespace riffle::bench {

LineFit fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mean_x += x[k] / n, mean_y += y[k] / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double dx = x[k] - mean_x, dy = y[k] - mean_y;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  LineFit fit;
  fit.slope = xy / xx;
  fit.intercept = mean_y - fit.slope * mean_x;
  fit.r2 = yy > 0 ? xy * xy / (xx * yy) : 1;
  return fit;
}

}  // namespace riffle::bench
