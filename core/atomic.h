#pragma once
/// Atomic updates of plain memory that mean the same on both devices. Relaxed order: a launch ends before its results
/// are read.

#include <cstdint>
#include <cstring>

#include "core/platform.h"

namespace riffle {

/// @return the value before the addition.
RIFFLE_INLINE std::uint32_t atomic_add(std::uint32_t* address, std::uint32_t value) {
#if RIFFLE_ON_GPU
  return atomicAdd(address, value);
#else
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
}

RIFFLE_INLINE void atomic_max(std::uint32_t* address, std::uint32_t value) {
#if RIFFLE_ON_GPU
  atomicMax(address, value);
#else
  std::uint32_t seen = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (seen < value &&
         !__atomic_compare_exchange_n(address, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
#endif
}

RIFFLE_INLINE std::uint32_t float_bits(float value) {
#if RIFFLE_ON_GPU
  return __float_as_uint(value);
#else
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
#endif
}

RIFFLE_INLINE float float_from_bits(std::uint32_t bits) {
#if RIFFLE_ON_GPU
  return __uint_as_float(bits);
#else
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
#endif
}

/// Maximum of values >= 0, whose bits order as their values do; the memory holds float_bits. NaN compares above
/// infinity.
RIFFLE_INLINE void atomic_max_nonnegative(std::uint32_t* bits, float value) { atomic_max(bits, float_bits(value)); }

}  // namespace riffle
