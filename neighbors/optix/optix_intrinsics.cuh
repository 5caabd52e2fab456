#pragma once
/// The calls from a ray program into OptiX, as PTX spells them in version 55 of the interface. Only for the ray
/// programs: only OptiX's compiler defines these functions.
///
/// Source of names, arguments and their order: github.com/NVIDIA/optix-dev, tag v7.4.0, internal/optix_7_device_impl.h,
/// checked against tag v7.5.0 and what github.com/mitsuba-renderer/drjit-core writes (src/cuda_eval.cpp).

#include <cstdint>

#include "core/math/vec.h"

namespace riffle::optix {

__device__ __forceinline__ std::uint32_t launch_index() {
  std::uint32_t index;
  asm("call (%0), _optix_get_launch_index_x, ();" : "=r"(index) :);
  return index;
}

__device__ __forceinline__ std::uint32_t primitive_index() {
  std::uint32_t index;
  asm("call (%0), _optix_read_primitive_idx, ();" : "=r"(index) :);
  return index;
}

__device__ __forceinline__ std::uint32_t payload(int word) {
  std::uint32_t value;
  asm volatile("call (%0), _optix_get_payload, (%1);" : "=r"(value) : "r"(word) :);
  return value;
}

__device__ __forceinline__ void set_payload(int word, std::uint32_t value) {
  asm volatile("call _optix_set_payload, (%0, %1);" : : "r"(word), "r"(value) :);
}

/// From an intersection program: the ray has hit something where it begins.
__device__ __forceinline__ void report_hit() {
  [[maybe_unused]] std::uint32_t accepted;
  const float at = 0;
  const std::uint32_t kind = 0;
  asm volatile("call (%0), _optix_report_intersection_0, (%1, %2);" : "=r"(accepted) : "f"(at), "r"(kind) :);
}

/// Neither any-hit nor closest-hit programs are called.
inline constexpr std::uint32_t kRayDisableAnyHit = 1u << 0, kRayDisableClosestHit = 1u << 3;
inline constexpr std::uint32_t kRayTerminateOnFirstHit = 1u << 2;

/// A ray from `origin` that ends at once: it meets the boxes that contain `origin`. p: the ray's payload words.
/// more_flags: 0, or kRayTerminateOnFirstHit. The call takes 32 words and returns all of them.
template <int Words>
__device__ __forceinline__ void trace_point(std::uint64_t boxes, Vec3 origin, std::uint32_t more_flags,
                                            std::uint32_t (&p)[Words]) {
  static_assert(Words <= 32);
  // No component is 0: no quotient by one is infinite, whichever face the origin is on.
  const float along = 1, begin = 0, end = 1e-16f, time = 0;
  const std::uint32_t type = 0, mask = 0xff, flags = kRayDisableAnyHit | kRayDisableClosestHit | more_flags, record = 0,
                      stride = 1, miss = 0, words = Words;
  std::uint32_t in[32], out[32];
  RIFFLE_UNROLL
  for (int k = 0; k < 32; ++k) in[k] = k < Words ? p[k] : 0;
  asm volatile(
      "call (%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
      "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "
      "%31), _optix_trace_typed_32, "
      "(%32, %33, %34, %35, %36, %37, %37, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, "
      "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, "
      "%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78);"
      : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3]), "=r"(out[4]), "=r"(out[5]), "=r"(out[6]), "=r"(out[7]),
        "=r"(out[8]), "=r"(out[9]), "=r"(out[10]), "=r"(out[11]), "=r"(out[12]), "=r"(out[13]), "=r"(out[14]),
        "=r"(out[15]), "=r"(out[16]), "=r"(out[17]), "=r"(out[18]), "=r"(out[19]), "=r"(out[20]), "=r"(out[21]),
        "=r"(out[22]), "=r"(out[23]), "=r"(out[24]), "=r"(out[25]), "=r"(out[26]), "=r"(out[27]), "=r"(out[28]),
        "=r"(out[29]), "=r"(out[30]), "=r"(out[31])
      : "r"(type), "l"(boxes), "f"(origin.x), "f"(origin.y), "f"(origin.z), "f"(along), "f"(begin), "f"(end), "f"(time),
        "r"(mask), "r"(flags), "r"(record), "r"(stride), "r"(miss), "r"(words), "r"(in[0]), "r"(in[1]), "r"(in[2]),
        "r"(in[3]), "r"(in[4]), "r"(in[5]), "r"(in[6]), "r"(in[7]), "r"(in[8]), "r"(in[9]), "r"(in[10]), "r"(in[11]),
        "r"(in[12]), "r"(in[13]), "r"(in[14]), "r"(in[15]), "r"(in[16]), "r"(in[17]), "r"(in[18]), "r"(in[19]),
        "r"(in[20]), "r"(in[21]), "r"(in[22]), "r"(in[23]), "r"(in[24]), "r"(in[25]), "r"(in[26]), "r"(in[27]),
        "r"(in[28]), "r"(in[29]), "r"(in[30]), "r"(in[31])
      :);
  RIFFLE_UNROLL
  for (int k = 0; k < Words; ++k) p[k] = out[k];
}

}  // namespace riffle::optix
