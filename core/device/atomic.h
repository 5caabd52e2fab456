#pragma once
/// Atomic updates of plain memory that mean the same on both devices. The memory order is relaxed unless stated: a
/// launch ends before its results are read.

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

/// @return the value before the addition.
RIFFLE_INLINE std::uint64_t atomic_add(std::uint64_t* address, std::uint64_t value) {
#if RIFFLE_ON_GPU
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  return atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
#else
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
}

RIFFLE_INLINE void atomic_or(std::uint64_t* address, std::uint64_t bits) {
#if RIFFLE_ON_GPU
  atomicOr(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(bits));
#else
  __atomic_fetch_or(address, bits, __ATOMIC_RELAXED);
#endif
}

/// Atomic add with acquire-release order: a later adder sees everything that was written before this addition.
/// @return the value before the addition.
RIFFLE_INLINE std::uint32_t atomic_add_acq_rel(std::uint32_t* address, std::uint32_t value) {
#if RIFFLE_ON_GPU
  __threadfence();
  const std::uint32_t before = atomicAdd(address, value);
  __threadfence();  // without it this multiprocessor's L1 could still hold stale values
  return before;
#else
  return __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
#endif
}

/// @return the value before the exchange.
RIFFLE_INLINE std::uint32_t atomic_exchange(std::uint32_t* address, std::uint32_t value) {
#if RIFFLE_ON_GPU
  return atomicExch(address, value);
#else
  return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
#endif
}

/// Reads a value that some thread has stored, never a mixture of two. T has 1, 4 or 8 bytes.
template <class T>
RIFFLE_INLINE T atomic_load(const T* address) {
#if RIFFLE_ON_GPU
  return *static_cast<const volatile T*>(address);
#else
  return __atomic_load_n(address, __ATOMIC_RELAXED);
#endif
}

/// If several threads store to one address, the value of exactly one of them remains.
template <class T>
RIFFLE_INLINE void atomic_store(T* address, T value) {
#if RIFFLE_ON_GPU
  *static_cast<volatile T*>(address) = value;
#else
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
#endif
}

/// atomic_add(&counter[slot], 1) for counters that adjacent threads often share: on a GPU the threads of a warp that
/// have the same slot do one addition together.
/// @return the value before this thread's addition.
RIFFLE_INLINE std::uint32_t atomic_count(std::uint32_t* counter, std::uint32_t slot) {
#if RIFFLE_ON_GPU
  const unsigned active = __activemask(), same = __match_any_sync(active, slot);
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  const int leader = __ffs(static_cast<int>(same)) - 1;
  std::uint32_t before = 0;
  if (static_cast<int>(lane) == leader) before = atomicAdd(&counter[slot], static_cast<std::uint32_t>(__popc(same)));
  before = __shfl_sync(same, before, leader);
  return before + static_cast<std::uint32_t>(__popc(same & ((1u << lane) - 1)));
#else
  return atomic_add(&counter[slot], 1);
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

/// @return the value before.
RIFFLE_INLINE std::uint64_t atomic_min(std::uint64_t* address, std::uint64_t value) {
#if RIFFLE_ON_GPU
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  return atomicMin(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
#else
  std::uint64_t seen = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (value < seen &&
         !__atomic_compare_exchange_n(address, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return seen;
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

/// Maximum of values >= 0; the memory holds their float_bits, which compare as the values do. NaN compares above
/// infinity.
RIFFLE_INLINE void atomic_max_nonnegative(std::uint32_t* bits, float value) { atomic_max(bits, float_bits(value)); }

}  // namespace riffle
