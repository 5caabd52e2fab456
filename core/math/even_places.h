#pragma once
/// Places that are spread evenly and lie on no lattice.

#include <cmath>

#include "core/math/vec.h"

namespace riffle {

/// The k-th place, each coordinate from 0 to 1: the additive sequence of lowest discrepancy (Roberts 2018).
/// @param k  >= 0 @param dimension  2 or 3; in 2-D z is 0
inline Vec3 even_place(int k, int dimension) {
  const auto part = [k](double step) {
    const double sum = 0.5 + (k + 1) * step;
    return static_cast<float>(sum - std::floor(sum));
  };
  if (dimension == 2) return {part(0.7548776662466927), part(0.5698402909980532), 0};
  return {part(0.8191725133961645), part(0.6710436067037893), part(0.5497004779019702)};
}

}  // namespace riffle
