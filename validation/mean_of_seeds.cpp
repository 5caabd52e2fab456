#include "validation/mean_of_seeds.h"

#include <cmath>

namespace riffle {

MeanOfSeeds mean_of_seeds(const std::vector<double>& values) {
  const double n = double(values.size());
  MeanOfSeeds result;
  for (const double value : values) result.mean += value / n;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  result.standard_error = result.deviation / std::sqrt(n);
  return result;
}

}  // namespace riffle
