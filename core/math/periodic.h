#pragma once
/// Coordinates on a periodic axis.

#include <cmath>

#include "core/platform.h"

namespace riffle {

/// The image of x in [low, high); x itself if it is already there. Very far outside, where the remainder of x is only
/// rounding error, the result may be below `low`.
RIFFLE_INLINE float periodic_image(float x, float low, float high) {
  if (x < low || x >= high) x -= (high - low) * floorf((x - low) / (high - low));
  return x >= high ? low : x;  // an x just below the lower face rounds onto the upper one
}

}  // namespace riffle
