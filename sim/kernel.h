#pragma once
/// Smoothing kernels of support radius h in 2-D and 3-D.
/// Wendland C2: Wendland 1995, normalised as in Dehnen and Aly 2012. Cubic spline (M4): Monaghan 1992, its smoothing
/// length is h/2.

#include <cmath>

#include "core/math/vec.h"
#include "core/platform.h"
#include "sim/setup.h"

namespace riffle {

struct SmoothingKernel {
  KernelKind kind = KernelKind::WendlandC2;
  float h = 1;  ///< support radius [m]
  float inverse_h = 1;
  float value_scale = 1;     ///< W(0) [1/m^d] (Wendland) or sigma (spline)
  float gradient_scale = 1;  ///< of dW/dr / r [1/m^(d+2)]

  /// W(r), r < h.
  RIFFLE_INLINE float value(float r) const {
    const float q = r * inverse_h;
    if (kind == KernelKind::WendlandC2) {
      const float a = 1 - q, a2 = a * a;
      return value_scale * (a2 * a2) * (1 + 4 * q);
    }
    const float s = 2 * q;
    if (s < 1) return value_scale * (1 - s * s * (1.5f - 0.75f * s));
    const float a = 2 - s;
    return value_scale * 0.25f * a * a * a;
  }

  /// W'(r) / r, so that the gradient with respect to x_i is this times r_ij; finite at r = 0.
  RIFFLE_INLINE float gradient_over_r(float r) const {
    const float q = r * inverse_h;
    if (kind == KernelKind::WendlandC2) {
      const float a = 1 - q;
      return gradient_scale * a * a * a;
    }
    const float s = 2 * q;
    if (s < 1) return gradient_scale * (3 - 2.25f * s);
    const float a = 2 - s;
    return gradient_scale * 0.75f * a * a / s;
  }
};

/// A kernel whose sum of W over a lattice of that spacing is exactly 1 / spacing^d: a fluid on its lattice then has its
/// rest density and no pressure, at any h. (Without this calibration the sum is 3 % too high for Wendland C2 at h = 2
/// spacings in 3-D.)
SmoothingKernel make_kernel(KernelKind kind, int dimension, float h, float spacing);

/// The same without the calibration: its integral is 1.
SmoothingKernel make_normalized_kernel(KernelKind kind, int dimension, float h);

}  // namespace riffle
