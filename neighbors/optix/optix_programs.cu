/// The programs that OptiX runs, compiled to PTX by the build and from there by the driver when a search begins: a
/// very short ray from each query, and the test of each particle whose box contains it. They never report a hit.

#include "neighbors/optix/optix_intrinsics.cuh"
#include "neighbors/optix/optix_launch.h"

using namespace riffle;

// The braces make this a definition; a declaration without them would leave OptiX nothing to fill in.
extern "C" {
__constant__ OptixLaunch launch;
}

namespace {

/// The test that every method makes, by the same operations.
__device__ __forceinline__ bool are_neighbors(std::uint32_t i, Vec3 x_i, std::uint32_t j, Vec3 x_j) {
  return test_pair(x_i, x_j, launch.frame.wrap, launch.h2).near() && !(launch.self && i == j);
}

/// A row, either written or only counted.
struct Row {
  std::uint32_t* first;
  std::uint32_t found;

  __device__ __forceinline__ void add(std::uint32_t j) {
    if (first) first[found] = j;
    ++found;
  }
};

__device__ __forceinline__ std::uint32_t query_of(std::uint32_t thread) {
  return thread * static_cast<std::uint32_t>(launch.stride);
}

}  // namespace

extern "C" __global__ void __raygen__neighbors() {
  const std::uint32_t thread = optix::launch_index(), i = query_of(thread);
  if (!launch.sums->within(launch.most_pairs, launch.most_moved)) {
    if (!launch.neighbor) launch.start[thread] = 0;
    return;
  }
  const Vec3 x_i = xyz(launch.queries[i]);
  Row row{launch.neighbor ? launch.neighbor + launch.start[thread] : nullptr, 0};
  if (is_finite(x_i)) {
    const RayPoint point = ray_point(x_i, launch.frame);
    if (point.lost) {
      RIFFLE_NO_UNROLL
      for (int k = 0; k < launch.source_count; ++k) {
        const auto j = static_cast<std::uint32_t>(k);
        if (are_neighbors(i, x_i, j, xyz(launch.sources[k]))) row.add(j);
      }
    } else {
      const auto address = reinterpret_cast<std::uint64_t>(row.first);
      std::uint32_t words[kOptixPayloadWords] = {0, static_cast<std::uint32_t>(address),
                                                 static_cast<std::uint32_t>(address >> 32), 0};
      for_each_ray(point, launch.frame, [&](Vec3 origin, std::uint32_t image) {
        words[3] = image;
        optix::trace_point(launch.boxes, origin, 0, words);
      });
      row.found = words[0];
    }
  }
  if (!launch.neighbor) launch.start[thread] = row.found;
}

extern "C" __global__ void __intersection__sphere() {
  const std::uint32_t i = query_of(optix::launch_index()), j = optix::primitive_index();
  const Vec3 x_i = xyz(launch.queries[i]), x_j = xyz(launch.sources[j]);
  if (!are_neighbors(i, x_i, j, x_j) || !is_pair_of_image(x_i, x_j, launch.frame, optix::payload(3))) return;
  const std::uint64_t address = std::uint64_t{optix::payload(2)} << 32 | optix::payload(1);
  Row row{reinterpret_cast<std::uint32_t*>(address), optix::payload(0)};
  row.add(j);
  optix::set_payload(0, row.found);
}

extern "C" __global__ void __miss__nothing() {}
