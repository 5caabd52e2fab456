#pragma once
/// Coordinates on a periodic axis.

#include <cmath>

#include "core/platform.h"

namespace riffle {

/// The image of x in [low, high), x itself where it is there already. Very far outside, where a remainder of x is rounding, it
/// may come out below.
RIFFLE_INLINE float periodic_image(float x, float low, float high) {
  if (x < low || x >= high) x -= (high - low) * floorf((x - low) / (high - low));
  return x >= high ? low : x;  // a hair below the lower face rounds onto the upper one
}

}  // namespace riffle
