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

/// F has `static T identity()`, `static T combine(T, T)` and `T operator()(std::int64_t i) const`, all RIFFLE_HD. Waits
/// for the result.
template <class T, class F>
T reduce(const Device& device, const char* name, std::int64_t n, const F& f) {
  const auto blocks =
      static_cast<int>((n + kReduceBlock * kReduceItemsPerThread - 1) / (kReduceBlock * kReduceItemsPerThread));
  Buffer<T> partial(device, static_cast<std::size_t>(blocks));
  parallel_blocks<kReduceBlock>(device, name, blocks, BlockReduce<T, F>{n, f, partial.data()});
  T result = F::identity();
  for (const T& value : partial.to_host()) result = F::combine(result, value);
  return result;
}

}  // namespace riffle
