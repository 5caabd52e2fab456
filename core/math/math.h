#pragma once
/// Square root and quotient for kernels. On a GPU they use the approximate units, right to about 2 ulp: the correctly
/// rounded ones are subroutines of some ten instructions, a third of a force evaluation. Do not use them for anything
/// that decides which particles are neighbours.

#include <cmath>

#include "core/platform.h"

namespace riffle {

/// sqrt(x), x >= 0. Below 2^-126 a GPU gives 0: the exact root of such numbers would take three more instructions.
RIFFLE_INLINE float quick_sqrt(float x) {
#if RIFFLE_ON_GPU
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
#else
  return std::sqrt(x);
#endif
}

/// a / b, |b| below 2^126.
RIFFLE_INLINE float quick_divide(float a, float b) {
#if RIFFLE_ON_GPU
  return __fdividef(a, b);
#else
  return a / b;
#endif
}

}  // namespace riffle
