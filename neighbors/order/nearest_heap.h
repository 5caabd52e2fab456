#pragma once
/// What the searches of point clouds share in testing a point and keeping it.

#include <cmath>
#include <cstdint>

#include "core/device/atomic.h"
#include "core/math/vec.h"
#include "core/platform.h"

namespace riffle {

RIFFLE_INLINE float rounded_sqrt(float x) {
#if RIFFLE_ON_GPU
  return __fsqrt_rn(x);
#else
  return std::sqrt(x);
#endif
}

/// The bits of the distance of an unused entry: infinity.
inline constexpr std::uint32_t kNoDistanceBits = 0x7f800000u;

RIFFLE_INLINE bool in_box(Vec3 r, float half) { return fabsf(r.x) < half && fabsf(r.y) < half && fabsf(r.z) < half; }

/// The places of a row from `found` on hold no point.
RIFFLE_INLINE void fill_up_row(std::int32_t* index, float* distance, int found, int capacity) {
  for (int k = found; k < capacity; ++k) index[k] = -1, distance[k] = float_from_bits(kNoDistanceBits);
}

/// The nearest points so far, the farthest of them on top of a heap. It lives in the output, with squared distances until
/// finish(). Few are kept in registers (neighbors/order/nearest_list.h).
struct NearestHeap {
  std::int32_t* index;
  float* r2;
  int capacity;
  int size = 0;

  /// The squared distance of the farthest, beyond which nothing is of use; infinite while there is room.
  RIFFLE_HD float farthest2() const { return size < capacity ? float_from_bits(kNoDistanceBits) : r2[0]; }

  RIFFLE_HD bool before(int a, int b) const { return r2[a] < r2[b] || (r2[a] == r2[b] && index[a] < index[b]); }
  RIFFLE_HD void exchange(int a, int b) {
    const float r = r2[a];
    const std::int32_t i = index[a];
    r2[a] = r2[b], index[a] = index[b];
    r2[b] = r, index[b] = i;
  }
  RIFFLE_HD void sink(int k, int end) {
    for (int child = 2 * k + 1; child < end; child = 2 * k + 1) {
      if (child + 1 < end && before(child, child + 1)) ++child;
      if (!before(k, child)) return;
      exchange(k, child);
      k = child;
    }
  }
  RIFFLE_HD void offer(std::int32_t i, float r) {
    if (size < capacity) {
      int k = size++;
      r2[k] = r, index[k] = i;
      for (; k > 0 && before((k - 1) / 2, k); k = (k - 1) / 2) exchange(k, (k - 1) / 2);
    } else if (r < r2[0] || (r == r2[0] && i < index[0])) {
      r2[0] = r, index[0] = i;
      sink(0, size);
    }
  }
  RIFFLE_HD void sort() {
    for (int end = size - 1; end > 0; --end) {
      exchange(0, end);
      sink(0, end);
    }
  }
  /// Makes the row the answer: distances in ascending order, and no points in the places that are left.
  RIFFLE_HD void finish() {
    sort();
    finish_sorted();
  }
  RIFFLE_HD void finish_sorted() {
    for (int k = 0; k < size; ++k) r2[k] = rounded_sqrt(r2[k]);
    fill_up_row(index, r2, size, capacity);
  }
};

/// Points at this squared distance or beyond are of no use. A point exactly as far away as the farthest so far may still
/// have the smaller index.
template <class Nearest>
RIFFLE_INLINE float useful2(const Nearest& nearest, float bound2) {
  const float beyond = float_from_bits(float_bits(nearest.farthest2()) + 1);  // while there is room: NaN, never less
  return beyond < bound2 ? beyond : bound2;
}

}  // namespace riffle
