#pragma once
/// Atomic additions of floats that mean the same on both devices. The sum's rounding depends on the order of threads.

#include "core/device/atomic.h"

namespace riffle {

RIFFLE_INLINE void atomic_add(float* address, float value) {
#if RIFFLE_ON_GPU
  atomicAdd(address, value);
#else
  float seen = 0;
  __atomic_load(address, &seen, __ATOMIC_RELAXED);
  float sum = seen + value;
  while (!__atomic_compare_exchange(address, &seen, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) sum = seen + value;
#endif
}

}  // namespace riffle
