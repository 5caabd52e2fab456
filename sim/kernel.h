#pragma once
/// Smoothing kernels of support radius h in 2-D and 3-D.
/// Wendland C2: Wendland 1995, normalised as in Dehnen and Aly 2012. Cubic spline (M4): Monaghan 1992, its smoothing
/// length is h/2. Poly6 and Spiky: Mueller, Charypar and Gross 2003, as Macklin and Mueller 2013 use them together. The
/// value is then Poly6's and the gradient Spiky's, which is not the derivative of the value.

#include <cmath>
#include <string>
#include <type_traits>

#include "core/math/extremes.h"
#include "core/math/vec.h"
#include "core/platform.h"
#include "sim/setup.h"

namespace riffle {

struct SmoothingKernel {
  KernelKind kind = KernelKind::WendlandC2;
  float h = 1;  ///< support radius [m]
  float inverse_h = 1;
  float value_scale = 1;     ///< W(0) [1/m^d] (Wendland, Poly6) or sigma (spline)
  float gradient_scale = 1;  ///< of dW/dr / r [1/m^(d+2)]

  static constexpr float kLeastSpiky = 1e-4f;

  /// W(r), r < h.
  RIFFLE_INLINE float value(float r) const {
    const float q = r * inverse_h;
    if (kind == KernelKind::WendlandC2) {
      const float a = 1 - q, a2 = a * a;
      return value_scale * (a2 * a2) * (1 + 4 * q);
    }
    if (kind == KernelKind::Poly6Spiky) {
      const float a = 1 - q * q;
      return value_scale * a * a * a;
    }
    const float s = 2 * q;
    if (s < 1) return value_scale * (1 - s * s * (1.5f - 0.75f * s));
    const float a = 2 - s;
    return value_scale * 0.25f * a * a * a;
  }

  /// W'(r) / r, so that the gradient with respect to x_i is this times r_ij; finite at r = 0. The slope of Spiky does not
  /// vanish at r = 0, where its direction is unknown: nearer than kLeastSpiky h it falls to 0.
  RIFFLE_INLINE float gradient_over_r(float r) const {
    const float q = r * inverse_h;
    if (kind == KernelKind::WendlandC2) {
      const float a = 1 - q;
      return gradient_scale * a * a * a;
    }
    if (kind == KernelKind::Poly6Spiky) {
      const float a = 1 - q;
      return gradient_scale * a * a / (q > kLeastSpiky ? q : kLeastSpiky);
    }
    const float s = 2 * q;
    if (s < 1) return gradient_scale * (3 - 2.25f * s);
    const float a = 2 - s;
    return gradient_scale * 0.75f * a * a / s;
  }
};

/// Wendland C2 without a branch, for Branchless functors (neighbors/functor.h): it is 0 from h on. Real: core/math/lanes.h
struct BranchlessWendland : SmoothingKernel {
  template <class Real>
  RIFFLE_INLINE Real value(Real r) const {
    const Real a = below_one(r), a2 = a * a;
    return value_scale * (a2 * a2) * (1 + 4 * (r * inverse_h));
  }
  template <class Real>
  RIFFLE_INLINE Real gradient_over_r(Real r) const {
    const Real a = below_one(r);
    return gradient_scale * a * a * a;
  }

  /// h2: of the pair test
  static bool replaces(const SmoothingKernel& kernel, float h2) {
    return kernel.kind == KernelKind::WendlandC2 && kernel.h * kernel.h <= h2;
  }

 private:
  /// max(0, 1 - r / h)
  template <class Real>
  RIFFLE_INLINE Real below_one(Real r) const {
#if RIFFLE_ON_GPU
    return __saturatef(1 - r * inverse_h);
#else
    return larger_of(1 - r * inverse_h, 0.0f);
#endif
  }
};
template <class Kernel>
inline constexpr bool kIsBranchless = std::is_same_v<Kernel, BranchlessWendland>;

/// A kernel whose sum of W over a lattice of that spacing is exactly 1 / spacing^d: a fluid on its lattice then has its
/// rest density and no pressure, at any h. (Without this calibration the sum is 3 % too high for Wendland C2 at h = 2
/// spacings in 3-D.) The gradient has the same factor, but that of Spiky keeps its own: the integral of its kernel is 1.
SmoothingKernel make_kernel(KernelKind kind, int dimension, float h, float spacing);

/// Why a solver whose pressure needs the derivative of its densities refuses the kernel; "": it does not.
std::string why_no_kernel(SolverKind solver, KernelKind kind);

/// The same for solvers themselves. @throws InputError
void require_derived_gradient(SolverKind solver, KernelKind kind);

/// The same as make_kernel() without the calibration: its integral is 1.
SmoothingKernel make_normalized_kernel(KernelKind kind, int dimension, float h);

}  // namespace riffle
