#pragma once
/// One kernel, two devices: the same functor runs on CUDA or on the CPU's threads.
///
///   struct Scale {
///     float* x;
///     float s;
///     RIFFLE_HD void operator()(std::int64_t i) const { x[i] *= s; }
///   };
///   parallel_for(device, "scale", n, Scale{x, s});
///
/// Include it only from .cu files: in a CUDA build a plain C++ source cannot launch.

#include <cstdint>

#include "core/device/device.h"
#include "core/device/threads.h"
#include "core/platform.h"

#if RIFFLE_WITH_CUDA
#if !defined(__CUDACC__)
#error "core/device/parallel.cuh launches kernels: include it from a .cu file"
#endif
#include "core/device/launch.cuh"
#endif

namespace riffle {

inline constexpr int kThreadsPerBlock = 128;

#if RIFFLE_WITH_CUDA
/// Arguments are constants of the launch: a function of theirs that is not inlined would otherwise read a copy that each
/// thread makes.
template <class F>
__global__ void __launch_bounds__(kThreadsPerBlock) element_kernel(std::int64_t n, const __grid_constant__ F f) {
  await_earlier_kernels();
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreadsPerBlock + threadIdx.x;
  if (i < n) f(i);
}
#endif

/// f(i) for every i in 0..n-1, in any order, concurrently. n == 0 launches nothing. Asynchronous on CUDA.
/// @throws RuntimeFailure naming the launch when CUDA refuses it.
template <class F>
void parallel_for(const Device& device, const char* name, std::int64_t n, const F& f) {
  if (n <= 0) return;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const auto blocks = static_cast<unsigned>((n + kThreadsPerBlock - 1) / kThreadsPerBlock);
    launch_kernel(device, name, element_kernel<F>, blocks, kThreadsPerBlock, 0, n, f);
    return;
  }
#endif
  (void)device;
  (void)name;
  constexpr std::int64_t grain = 1024;
  parallel_ranges(n, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i != end; ++i) f(i);
  });
}

/// The threads of one block, as a cooperative kernel sees them. A kernel is a sequence of phases,
/// each followed by a barrier on CUDA and a loop over the threads on the CPU:
///
///   template <int BlockSize> struct Kernel {
///     struct Shared { float tile[BlockSize]; };
///     RIFFLE_HD void operator()(Block<BlockSize>& block, Shared& shared) const {
///       PerThread<float, BlockSize> sum;                       // outlives a phase
///       block.each_thread([&](int t) { sum[t] = 0; shared.tile[t] = ...; });
///       block.each_thread([&](int t) { sum[t] += shared.tile[...]; });
///     }
///   };
///
/// `return` inside a phase ends that phase for that thread only.
template <int BlockSize>
class Block {
 public:
  RIFFLE_HD explicit Block(int index) : index_(index) {}
  RIFFLE_HD int index() const { return index_; }

  template <class Phase>
  RIFFLE_HD void each_thread(const Phase& phase) const {
#if RIFFLE_ON_GPU
    phase(static_cast<int>(threadIdx.x));
    __syncthreads();
#else
    for (int t = 0; t < BlockSize; ++t) phase(t);
#endif
  }

 private:
  int index_;
};

/// One T per thread of the block: a register on CUDA, an array on the CPU. Zero-initialised.
template <class T, int BlockSize>
class PerThread {
 public:
#if RIFFLE_ON_GPU
  RIFFLE_HD T& operator[](int) { return value_; }
#else
  RIFFLE_HD T& operator[](int t) { return value_[t]; }
#endif

 private:
#if RIFFLE_ON_GPU
  T value_{};
#else
  T value_[BlockSize]{};
#endif
};

#if RIFFLE_WITH_CUDA
/// Shared memory that a kernel may declare statically; more has to be requested at the launch.
inline constexpr std::size_t kStaticSharedBytes = 48 * 1024;

/// A kernel may define kBlocksPerMultiprocessor: nvcc then limits its registers so that this many blocks fit.
template <class Kernel>
constexpr int blocks_per_multiprocessor() {
  if constexpr (requires { Kernel::kBlocksPerMultiprocessor; })
    return Kernel::kBlocksPerMultiprocessor;
  else
    return 1;
}

template <int BlockSize, class Kernel>
__global__ void __launch_bounds__(BlockSize, blocks_per_multiprocessor<Kernel>())
    block_kernel(const __grid_constant__ Kernel kernel) {
  await_earlier_kernels();
  // Raw bytes, since CUDA forbids __shared__ objects with a constructor and Vec4 zeroes itself.
  Block<BlockSize> block(static_cast<int>(blockIdx.x));
  if constexpr (sizeof(typename Kernel::Shared) <= kStaticSharedBytes) {
    __shared__ alignas(16) unsigned char bytes[sizeof(typename Kernel::Shared)];
    kernel(block, *reinterpret_cast<typename Kernel::Shared*>(bytes));
  } else {
    extern __shared__ __align__(16) unsigned char dynamic_bytes[];
    kernel(block, *reinterpret_cast<typename Kernel::Shared*>(dynamic_bytes));
  }
}
#endif

/// kernel(block, shared) for `blocks` blocks of BlockSize threads, in any order, concurrently.
/// Kernel::Shared is a plain struct; its contents are undefined when a block starts.
/// @throws RuntimeFailure naming the launch when CUDA refuses it.
template <int BlockSize, class Kernel>
void parallel_blocks(const Device& device, const char* name, int blocks, const Kernel& kernel) {
  if (blocks <= 0) return;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    constexpr std::size_t bytes = sizeof(typename Kernel::Shared);
    constexpr std::size_t dynamic = bytes <= kStaticSharedBytes ? 0 : bytes;
    if constexpr (dynamic > 0)
      RIFFLE_CUDA_CHECK(cudaFuncSetAttribute(block_kernel<BlockSize, Kernel>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(dynamic)));
    launch_kernel(device, name, block_kernel<BlockSize, Kernel>, static_cast<unsigned>(blocks), BlockSize, dynamic,
                  kernel);
    return;
  }
#endif
  (void)device;
  (void)name;
  parallel_ranges(blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t index = begin; index != end; ++index) {
      typename Kernel::Shared shared;
      Block<BlockSize> block(static_cast<int>(index));
      kernel(block, shared);
    }
  });
}

}  // namespace riffle
