#pragma once
/// Coordinates on a periodic axis.

#include <cmath>

#include "core/math/domain.h"
#include "core/platform.h"

namespace riffle {

/// The image of x in [low, high); x itself if it is already there. Very far outside, where the remainder of x is only
/// rounding error, the result may be below `low`.
RIFFLE_INLINE float periodic_image(float x, float low, float high) {
  if (x < low || x >= high) x -= (high - low) * floorf((x - low) / (high - low));
  return x >= high ? low : x;  // an x just below the lower face rounds onto the upper one
}

/// x with its coordinates on periodic axes within the domain.
RIFFLE_INLINE Vec3 periodic_image(Vec3 x, const Domain& domain) {
  if (domain.axis[0] == Axis::Periodic) x.x = periodic_image(x.x, domain.min.x, domain.max.x);
  if (domain.axis[1] == Axis::Periodic) x.y = periodic_image(x.y, domain.min.y, domain.max.y);
  if (domain.dimension == 3 && domain.axis[2] == Axis::Periodic) x.z = periodic_image(x.z, domain.min.z, domain.max.z);
  return x;
}

/// The image of x that is nearest to `middle`; x itself if the period is 0 or x is nearest already.
RIFFLE_INLINE float image_near(float x, float middle, float period) {
  return period > 0 ? x - period * floorf((x - middle) / period + 0.5f) : x;
}
RIFFLE_INLINE Vec3 image_near(Vec3 x, Vec3 middle, Vec3 period) {
  return {image_near(x.x, middle.x, period.x), image_near(x.y, middle.y, period.y),
          image_near(x.z, middle.z, period.z)};
}

}  // namespace riffle
