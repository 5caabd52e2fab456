#pragma once
/// The nearest points so far where they are few: a sorted list in registers, which is written once.

#include "neighbors/order/nearest_heap.h"

namespace riffle {

/// A point and its squared distance as one number, in ascending order of distance and, at equal distance, of index.
/// r2: from 0 on, not NaN. No point is 0, so that 0 is before all of them.
RIFFLE_INLINE std::uint64_t nearest_key(std::int32_t index, float r2) {
  return std::uint64_t{float_bits(r2)} << 32 | (static_cast<std::uint32_t>(index) + 1);
}
/// After every point at a finite distance. As a point: -1 and infinity.
inline constexpr std::uint64_t kNoNearest = std::uint64_t{kNoDistanceBits} << 32;

/// The keys of up to N points. A list for fewer has zeros at its front, which nothing displaces, so that the last key is
/// always that of the farthest. All indices are known when it is compiled, once loops are unrolled.
template <int N>
struct NearestKeys {
  static constexpr int kMost = N;
  std::uint64_t key[N];

  RIFFLE_HD void clear(int capacity) {
    RIFFLE_UNROLL
    for (int k = 0; k < N; ++k) key[k] = k < N - capacity ? 0 : kNoNearest;
  }
  RIFFLE_HD float farthest2() const { return float_from_bits(static_cast<std::uint32_t>(key[N - 1] >> 32)); }

  RIFFLE_HD void offer(std::uint64_t one) {
    if (one >= key[N - 1]) return;
    RIFFLE_UNROLL
    for (int k = 0; k < N; ++k) {
      const std::uint64_t here = key[k];
      key[k] = one < here ? one : here;
      one = one < here ? here : one;
    }
  }
  /// The same for one that may have been offered before. What has been displaced once stays beyond the last key.
  RIFFLE_HD void offer_once(std::uint64_t one) {
    bool there = false;
    RIFFLE_UNROLL
    for (int k = 0; k < N; ++k) there |= key[k] == one;
    if (!there) offer(one);
  }
  /// (capacity) out: the points, the nearest first, and no points in the places that are left.
  RIFFLE_HD void write(std::int32_t* index, float* distance, int capacity) const {
    RIFFLE_UNROLL
    for (int k = 0; k < N; ++k) {
      const int place = k - (N - capacity);
      if (place < 0) continue;
      index[place] = static_cast<std::int32_t>(static_cast<std::uint32_t>(key[k]) - 1);
      distance[place] = rounded_sqrt(float_from_bits(static_cast<std::uint32_t>(key[k] >> 32)));
    }
  }
};

/// In place of a NearestHeap, of a row that it fills at its end.
template <int N>
struct NearestList {
  std::int32_t* index;
  float* distance;
  int capacity;
  NearestKeys<N> keys;

  RIFFLE_HD NearestList(std::int32_t* row, float* distances, int most)
      : index(row), distance(distances), capacity(most) {
    keys.clear(most);
  }
  RIFFLE_HD float farthest2() const { return keys.farthest2(); }
  RIFFLE_HD void offer(std::int32_t i, float r2) { keys.offer(nearest_key(i, r2)); }
  RIFFLE_HD void finish() { keys.write(index, distance, capacity); }
};

/// launch.template operator()<Nearest>() with what keeps so many points.
template <class Launch>
void with_nearest(int capacity, const Launch& launch) {
  if (capacity <= 8)
    launch.template operator()<NearestList<8>>();
  else if (capacity <= 16)
    launch.template operator()<NearestList<16>>();
  else
    launch.template operator()<NearestHeap>();
}

}  // namespace riffle
