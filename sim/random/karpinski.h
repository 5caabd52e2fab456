#pragma once
/// Karpinski's generator as the bucket-sort paper has it (Rozen, Boryczko and Alda 2008, section 4.2, after Karpinski 1985,
/// "Paranoia"): x = 1.000005 (r + sqrt(3))^5, r = x - floor(x), in float32.
///
/// It is no source of random numbers by itself: with 2^20 states at most, every start falls into a cycle of a few hundred
/// numbers, another one for every order of the operations. So that it is at least the same everywhere, the order is fixed
/// here, ((s s)^2 s) c, and each operation is rounded once. A compiler that fused the last product into the difference would
/// make r = 0 run into a fixed point and now and then return negative numbers.

#include <cmath>
#include <cstdint>

#include "core/platform.h"
#include "neighbors/separation.h"

namespace riffle {

/// The number after r. r and the result: [0, 1).
RIFFLE_INLINE float karpinski_next(float r) {
  constexpr float kMinusRootOf3 = -1.73205080756887729f;
  constexpr float kFactor = 1.000005f;
  const float s = rounded_difference(r, kMinusRootOf3);
  const float s2 = rounded_product(s, s);
  const float s4 = rounded_product(s2, s2);
  const float x = rounded_product(rounded_product(s4, s), kFactor);
  return rounded_difference(x, floorf(x));
}

/// Cycle that r = 0, the paper's start of every particle, runs into, and the numbers before it.
inline constexpr int kKarpinskiCycle = 227;
inline constexpr int kKarpinskiTail = 117;

/// One particle's own stream, the paper's way: a number per neighbour. `r` travels with the particle. theta_ij is drawn by i
/// and theta_ji by j, so that they differ.
struct KarpinskiStream {
  float r = 0;  ///< [0, 1)

  /// sqrt(12) (r - 1/2) of the next r: mean 0 and variance 1 if r were uniform.
  RIFFLE_HD float next() {
    r = karpinski_next(r);
    return rounded_product(3.46410161513775459f, rounded_difference(r, 0.5f));
  }
};

/// Whoever chooses the stream is told this.
inline constexpr const char* kKarpinskiStreamWarning =
    "karpinski_stream is for study only: in float32 its numbers repeat after a few hundred (from r = 0 after 117 they "
    "run "
    "round a cycle of 227), particles that start alike stay alike, and theta_ij differs from theta_ji, so that "
    "momentum "
    "drifts and the temperature is wrong";

}  // namespace riffle
