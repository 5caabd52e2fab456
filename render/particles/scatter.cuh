#pragma once
/// Sums over pixels to which every particle adds. On CUDA all particles share the sums and add atomically. On the CPU,
/// where an atomic addition costs as much as thirty plain ones, each slice of the particles has separate sums, which
/// are added in their order afterwards. Include it only from .cu files.

#include <algorithm>
#include <cstdint>

#include "core/device/buffer.h"
#include "core/device/parallel.cuh"
#include "core/math/vec.h"

namespace riffle::render {

RIFFLE_INLINE void accumulate(float* sum, float value) {
#if RIFFLE_ON_GPU
  atomicAdd(sum, value);
#else
  *sum += value;
#endif
}

/// *sum += s * v
RIFFLE_INLINE void accumulate(Vec4* sum, float s, Vec4 v) {
#if RIFFLE_ON_GPU
#if __CUDA_ARCH__ >= 900
  // Adds four numbers at once and returns nothing; atomicAdd(float4*) would wait for the old value.
  asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(sum)), "f"(s * v.x),
               "f"(s * v.y), "f"(s * v.z), "f"(s * v.w)
               : "memory");
#else
  atomicAdd(&sum->x, s * v.x);
  atomicAdd(&sum->y, s * v.y);
  atomicAdd(&sum->z, s * v.z);
  atomicAdd(&sum->w, s * v.w);
#endif
#else
  sum->x += s * v.x, sum->y += s * v.y, sum->z += s * v.z, sum->w += s * v.w;
#endif
}

/// Number of slices, each with `pixels` sums. A vast picture gets fewer, since every slice must be cleared and summed.
inline int scatter_slices(const Device& device, std::size_t pixels) {
  constexpr std::size_t most_sums = 1 << 22;
  const auto most = static_cast<int>(std::max<std::size_t>(most_sums / std::max<std::size_t>(pixels, 1), 1));
  return device.is_cuda() ? 1 : std::clamp(cpu_threads(), 1, most);
}

/// The particles of a block. On CUDA a thread has one particle; on the CPU a block is a slice.
template <class One>
struct ScatterParticles {
  static constexpr int kBlock = 128;
  struct Shared {};

  std::int64_t count, per_thread;
  One one;
  std::int64_t slice;  ///< [pixel] from the sums of one block to those of the next; 0: all blocks share them

  RIFFLE_HD void operator()(Block<kBlock>& block, Shared&) const {
    const std::int64_t offset = slice * block.index();
    block.each_thread([&](int t) {
      const std::int64_t first = (std::int64_t{block.index()} * kBlock + t) * per_thread;
      const std::int64_t last = first + per_thread < count ? first + per_thread : count;
      for (std::int64_t i = first; i < last; ++i) one(i, offset);
    });
  }
};

/// one(i, offset) for every particle; its sums begin `offset` elements into (slices, pixels).
template <class One>
void scatter(const Device& device, const char* name, int count, int slices, std::int64_t pixels, const One& one) {
  constexpr std::int64_t block = ScatterParticles<One>::kBlock;
  const bool gpu = device.is_cuda();
  const std::int64_t threads = block * slices;
  const std::int64_t per_thread = gpu ? 1 : (count + threads - 1) / threads;
  const int blocks = gpu ? static_cast<int>((count + block - 1) / block) : slices;
  parallel_blocks<block>(device, name, blocks, ScatterParticles<One>{count, per_thread, one, gpu ? 0 : pixels});
}

RIFFLE_INLINE void add_to(float& sum, float value) { sum += value; }
RIFFLE_INLINE void add_to(Vec4& sum, Vec4 value) {
  sum.x += value.x, sum.y += value.y, sum.z += value.z, sum.w += value.w;
}

template <class T>
struct SumSlices {
  const T* sums;
  T* out;
  std::int64_t pixels;
  int slices;

  RIFFLE_HD void operator()(std::int64_t i) const {
    T sum = sums[i];
    for (int k = 1; k < slices; ++k) add_to(sum, sums[k * pixels + i]);
    out[i] = sum;
  }
};

/// Adds the sums of all slices into `out`, which may be the first slice.
template <class T>
void sum_slices(const Device& device, const T* sums, int slices, std::int64_t pixels, T* out) {
  if (slices > 1 || sums != out) parallel_for(device, "sum slices", pixels, SumSlices<T>{sums, out, pixels, slices});
}

}  // namespace riffle::render
