#pragma once
/// The larger and the smaller of two numbers: one instruction on either device. Of a NaN and a number it is either.

#include <cmath>

#include "core/platform.h"

namespace riffle {

RIFFLE_INLINE float larger_of(float a, float b) {
#if RIFFLE_ON_GPU
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}

RIFFLE_INLINE float smaller_of(float a, float b) {
#if RIFFLE_ON_GPU
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}

}  // namespace riffle
