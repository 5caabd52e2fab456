#pragma once
/// Karpinski's generator as in the bucket-sort paper (Rozen, Boryczko and Alda 2008, section 4.2, after Karpinski 1985,
/// "Paranoia"): x = 1.000005 (r + sqrt(3))^5, r = x - floor(x), in float32.
///
/// It is not a source of random numbers by itself: it has at most 2^20 states, and every start ends in a cycle of a few
/// hundred numbers, which differs with the order of the operations. To give the same numbers everywhere, the order is
/// fixed here, ((s s)^2 s) c, and each operation is rounded once. If a compiler fused the last product into the
/// difference, r = 0 would run into a fixed point and some results would be negative.

#include <cmath>
#include <cstdint>

#include "core/platform.h"
#include "neighbors/separation.h"

namespace riffle {

/// The number after r. Both are in [0, 1).
RIFFLE_INLINE float karpinski_next(float r) {
  constexpr float kMinusRootOf3 = -1.73205080756887729f;
  constexpr float kFactor = 1.000005f;
  const float s = rounded_difference(r, kMinusRootOf3);
  const float s2 = rounded_product(s, s);
  const float s4 = rounded_product(s2, s2);
  const float x = rounded_product(rounded_product(s4, s), kFactor);
  return rounded_difference(x, floorf(x));
}

/// Length of the cycle that r = 0, the paper's start of every particle, ends in, and of the numbers before it.
inline constexpr int kKarpinskiCycle = 227;
inline constexpr int kKarpinskiTail = 117;

/// One particle's own stream, as in the paper: a number per neighbour. `r` travels with the particle. Particle i draws
/// theta_ij and j draws theta_ji, so that they differ.
struct KarpinskiStream {
  float r = 0;  ///< [0, 1)

  /// sqrt(12) (r - 1/2) of the next r: mean 0 and variance 1 if r were uniform.
  RIFFLE_HD float next() {
    r = karpinski_next(r);
    return rounded_product(3.46410161513775459f, rounded_difference(r, 0.5f));
  }
};

/// The warning for those who choose the stream.
inline constexpr const char* kKarpinskiStreamWarning =
    "karpinski_stream is for study only: in float32 its numbers repeat after a few hundred (from r = 0 they enter a "
    "cycle of 227 after 117), particles that start alike stay alike, and theta_ij differs from theta_ji, so that "
    "momentum "
    "drifts and the temperature is wrong";

}  // namespace riffle
