#pragma once
/// The programs that OptiX runs for few nearest points: they are in the ray's payload until the ray ends
/// (neighbors/optix/point_rays.h). Each file that includes this defines RIFFLE_NEAREST, how many, and is a set of programs of
/// its own: the longer a payload is, the more registers all programs of a set take.

#include "neighbors/optix/optix_intrinsics.cuh"
#include "neighbors/optix/point_rays.h"

using namespace riffle;

// The braces make this a definition; a declaration without them would leave OptiX nothing to fill in.
extern "C" {
__constant__ PointLaunch point_launch;
}

extern "C" __global__ void __raygen__points() {
  NearestRay<RIFFLE_NEAREST> ray;
  ray.query = point_launch.query(optix::launch_index());
  ray.nearest.clear(point_launch.capacity);
  const Vec3 x = xyz(point_launch.queries[ray.query]);
  if (is_finite(x)) {
    std::uint32_t words[NearestRay<RIFFLE_NEAREST>::kWords] = {ray.query, 0};
    RIFFLE_UNROLL
    for (int k = 0; k < RIFFLE_NEAREST; ++k) {
      words[2 + 2 * k] = static_cast<std::uint32_t>(ray.nearest.key[k]);
      words[3 + 2 * k] = static_cast<std::uint32_t>(ray.nearest.key[k] >> 32);
    }
    optix::trace_point(point_launch.boxes, ray_point(x, point_launch.frame).at, 0, words);
    ray.calls = words[1];
    RIFFLE_UNROLL
    for (int k = 0; k < RIFFLE_NEAREST; ++k)
      ray.nearest.key[k] = std::uint64_t{words[3 + 2 * k]} << 32 | words[2 + 2 * k];
  }
  end_point_ray(point_launch, ray);
}

extern "C" __global__ void __intersection__points() {
  NearestRay<RIFFLE_NEAREST> ray;
  ray.query = optix::payload(0);
  ray.calls = optix::payload(1);
  RIFFLE_UNROLL
  for (int k = 0; k < RIFFLE_NEAREST; ++k)
    ray.nearest.key[k] = std::uint64_t{optix::payload(3 + 2 * k)} << 32 | optix::payload(2 + 2 * k);
  meet_point(point_launch, xyz(point_launch.queries[ray.query]), optix::primitive_index(), ray);
  optix::set_payload(1, ray.calls);
  RIFFLE_UNROLL
  for (int k = 0; k < RIFFLE_NEAREST; ++k) {
    optix::set_payload(2 + 2 * k, static_cast<std::uint32_t>(ray.nearest.key[k]));
    optix::set_payload(3 + 2 * k, static_cast<std::uint32_t>(ray.nearest.key[k] >> 32));
  }
}

extern "C" __global__ void __miss__points() {}
