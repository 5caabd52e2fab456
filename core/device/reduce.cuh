#pragma once
/// Reduction of a functor over 0..n-1 in a fixed order, so that the result is the same from run to run and on both
/// devices. Include it only from .cu files.

#include <vector>

#include "core/device/buffer.h"
#include "core/device/parallel.cuh"

namespace riffle {

inline constexpr int kReduceBlock = 128;
inline constexpr int kReduceItemsPerThread = 16;

template <class T, class F>
struct BlockReduce {
  std::int64_t n;
  F f;
  T* partial;  ///< one per block

  struct Shared {
    T value[kReduceBlock];
  };

  RIFFLE_HD void operator()(Block<kReduceBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      const std::int64_t first = std::int64_t{block.index()} * kReduceBlock * kReduceItemsPerThread + t;
      T sum = F::identity();
      for (int k = 0; k < kReduceItemsPerThread; ++k) {
        const std::int64_t i = first + std::int64_t{k} * kReduceBlock;
        if (i < n) sum = F::combine(sum, f(i));
      }
      shared.value[t] = sum;
    });
    for (int stride = kReduceBlock / 2; stride > 0; stride /= 2)
      block.each_thread([&](int t) {
        if (t < stride) shared.value[t] = F::combine(shared.value[t], shared.value[t + stride]);
      });
    block.each_thread([&](int t) {
      if (t == 0) partial[block.index()] = shared.value[0];
    });
  }
};

/// Blocks that a reduction of n elements takes.
inline std::size_t reduction_blocks(std::int64_t n) {
  constexpr std::int64_t per_block = kReduceBlock * kReduceItemsPerThread;
  return static_cast<std::size_t>((n + per_block - 1) / per_block);
}

/// One block sums the blocks' results.
template <class T, class F>
struct FinalReduce {
  int count;
  const T* partial;
  T* out;

  struct Shared {
    T value[kReduceBlock];
  };

  RIFFLE_HD void operator()(Block<kReduceBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      T sum = F::identity();
      for (int k = t; k < count; k += kReduceBlock) sum = F::combine(sum, partial[k]);
      shared.value[t] = sum;
    });
    for (int stride = kReduceBlock / 2; stride > 0; stride /= 2)
      block.each_thread([&](int t) {
        if (t < stride) shared.value[t] = F::combine(shared.value[t], shared.value[t + stride]);
      });
    block.each_thread([&](int t) {
      if (t == 0) *out = shared.value[0];
    });
  }
};

/// F as for reduce(); f(i) is called once for every i. The result goes to *out on the device. partial:
/// reduction_blocks(n) elements or more. Asynchronous on CUDA.
template <class T, class F>
void reduce_into(const Device& device, const char* name, std::int64_t n, const F& f, Buffer<T>& partial, T* out) {
  const auto blocks = static_cast<int>(reduction_blocks(n));
  parallel_blocks<kReduceBlock>(device, name, blocks, BlockReduce<T, F>{n, f, partial.data()});
  parallel_blocks<kReduceBlock>(device, name, 1, FinalReduce<T, F>{blocks, partial.data(), out});
}

/// F has `static T identity()`, `static T combine(T, T)` and `T operator()(std::int64_t i) const`, all RIFFLE_HD. Waits
/// for the result.
template <class T, class F>
T reduce(const Device& device, const char* name, std::int64_t n, const F& f) {
  const auto blocks = static_cast<int>(reduction_blocks(n));
  Buffer<T> partial(device, static_cast<std::size_t>(blocks));
  parallel_blocks<kReduceBlock>(device, name, blocks, BlockReduce<T, F>{n, f, partial.data()});
  T result = F::identity();
  for (const T& value : partial.to_host()) result = F::combine(result, value);
  return result;
}

}  // namespace riffle
