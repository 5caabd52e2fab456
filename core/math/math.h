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

/// a / b, |b| from 2^-126 to 2^126. A GPU gives 0 for |a| below 2^-126, and needs three instructions less.
RIFFLE_INLINE float quick_divide_by_normal(float a, float b) {
#if RIFFLE_ON_GPU
  float quotient;
  asm("div.approx.ftz.f32 %0, %1, %2;" : "=f"(quotient) : "f"(a), "f"(b));
  return quotient;
#else
  return a / b;
#endif
}

}  // namespace riffle
