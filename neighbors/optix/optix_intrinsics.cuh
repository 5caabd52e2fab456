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

/// A ray from `origin` that ends at once: it meets the boxes that contain `origin`. p: the ray's four payload words.
/// more_flags: 0, or kRayTerminateOnFirstHit. The call takes 32 words and returns all of them.
__device__ __forceinline__ void trace_point(std::uint64_t boxes, Vec3 origin, std::uint32_t more_flags,
                                            std::uint32_t (&p)[4]) {
  // No component is 0: no quotient by one is infinite, whichever face the origin is on.
  const float along = 1, begin = 0, end = 1e-16f, time = 0;
  const std::uint32_t type = 0, mask = 0xff, flags = kRayDisableAnyHit | kRayDisableClosestHit | more_flags, record = 0,
                      stride = 1, miss = 0, words = 4, none = 0;
  [[maybe_unused]] std::uint32_t rest[28];
  asm volatile(
      "call (%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
      "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "
      "%31), _optix_trace_typed_32, "
      "(%32, %33, %34, %35, %36, %37, %37, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, "
      "%47, %48, %49, %50, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, "
      "%51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51, %51);"
      : "=r"(p[0]), "=r"(p[1]), "=r"(p[2]), "=r"(p[3]), "=r"(rest[0]), "=r"(rest[1]), "=r"(rest[2]), "=r"(rest[3]),
        "=r"(rest[4]), "=r"(rest[5]), "=r"(rest[6]), "=r"(rest[7]), "=r"(rest[8]), "=r"(rest[9]), "=r"(rest[10]),
        "=r"(rest[11]), "=r"(rest[12]), "=r"(rest[13]), "=r"(rest[14]), "=r"(rest[15]), "=r"(rest[16]), "=r"(rest[17]),
        "=r"(rest[18]), "=r"(rest[19]), "=r"(rest[20]), "=r"(rest[21]), "=r"(rest[22]), "=r"(rest[23]), "=r"(rest[24]),
        "=r"(rest[25]), "=r"(rest[26]), "=r"(rest[27])
      : "r"(type), "l"(boxes), "f"(origin.x), "f"(origin.y), "f"(origin.z), "f"(along), "f"(begin), "f"(end), "f"(time),
        "r"(mask), "r"(flags), "r"(record), "r"(stride), "r"(miss), "r"(words), "r"(p[0]), "r"(p[1]), "r"(p[2]),
        "r"(p[3]), "r"(none)
      :);
}

}  // namespace riffle::optix
