#pragma once
/// The one computation of r_ij. Every method and both devices call it, so that neighbour sets are equal bit for bit:
/// each operation is rounded once, in this order, and the compiler contracts none of them.

#include <cmath>

#include "core/math/domain.h"
#include "core/math/vec.h"
#include "core/platform.h"

namespace riffle {

/// Lengths of the periodic axes; 0 on open axes, where the wrap is then the identity.
struct PeriodicWrap {
  Vec3 length{};
  Vec3 inverse_length{};
  bool any = false;
};

inline PeriodicWrap periodic_wrap(const Domain& domain) {
  PeriodicWrap wrap;
  const Vec3 extent = domain.extent();
  if (domain.periodic(0)) wrap.length.x = extent.x, wrap.inverse_length.x = 1.0f / extent.x;
  if (domain.periodic(1)) wrap.length.y = extent.y, wrap.inverse_length.y = 1.0f / extent.y;
  if (domain.periodic(2)) wrap.length.z = extent.z, wrap.inverse_length.z = 1.0f / extent.z;
  wrap.any = domain.any_periodic();
  return wrap;
}

RIFFLE_INLINE float fused_multiply_add(float a, float b, float c) {
#if RIFFLE_ON_GPU
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

RIFFLE_INLINE float rounded_difference(float a, float b) {
#if RIFFLE_ON_GPU
  return __fsub_rn(a, b);
#else
  return a - b;
#endif
}

RIFFLE_INLINE float rounded_product(float a, float b) {
#if RIFFLE_ON_GPU
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}

/// d minus the nearest multiple of `length`; d itself if length is 0.
RIFFLE_INLINE float nearest_image(float d, float length, float inverse_length) {
  return fused_multiply_add(-length, rintf(rounded_product(d, inverse_length)), d);
}

/// x_i - x_j to j's nearest image. separation(a, b) == -separation(b, a) exactly.
RIFFLE_INLINE Vec3 separation(Vec3 x_i, Vec3 x_j, const PeriodicWrap& wrap) {
  Vec3 d{rounded_difference(x_i.x, x_j.x), rounded_difference(x_i.y, x_j.y), rounded_difference(x_i.z, x_j.z)};
  if (wrap.any) {
    d.x = nearest_image(d.x, wrap.length.x, wrap.inverse_length.x);
    d.y = nearest_image(d.y, wrap.length.y, wrap.inverse_length.y);
    d.z = nearest_image(d.z, wrap.length.z, wrap.inverse_length.z);
  }
  return d;
}

RIFFLE_INLINE float squared_length(Vec3 d) {
  return fused_multiply_add(d.z, d.z, fused_multiply_add(d.y, d.y, rounded_product(d.x, d.x)));
}

struct PairTest {
  Vec3 r_ij;
  float r2, h2;
  RIFFLE_INLINE bool near() const { return r2 < h2; }  ///< |r_ij| < h
};

/// The pair test. Every traversal and every list uses it, so that all find the same neighbours bit for bit. Only the
/// CPU's test of eight candidates at a time repeats its operations, in the same order (append_hits8() in
/// neighbors/hits/candidate_test.h).
/// h2: h^2, rounded once (NeighborQuery)
RIFFLE_INLINE PairTest test_pair(Vec3 x_i, Vec3 x_j, const PeriodicWrap& wrap, float h2) {
  const Vec3 r_ij = separation(x_i, x_j, wrap);
  const float r2 = squared_length(r_ij);
  return {r_ij, r2, h2};
}
}  // namespace riffle
