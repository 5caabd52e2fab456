/// The programs that OptiX runs for searches of point clouds: a very short ray from each query, and what its boxes mean
/// (neighbors/optix/point_rays.h). A ray that has enough reports a hit, which ends it.

#include "neighbors/optix/optix_intrinsics.cuh"
#include "neighbors/optix/point_rays.h"

using namespace riffle;

// The braces make this a definition; a declaration without them would leave OptiX nothing to fill in.
extern "C" {
__constant__ PointLaunch point_launch;
}

extern "C" __global__ void __raygen__points() {
  PointRay ray;
  ray.query = point_launch.query(optix::launch_index());
  const Vec3 x = xyz(point_launch.queries[ray.query]);
  if (is_finite(x)) {
    std::uint32_t words[PointRay::kWords] = {ray.query};
    optix::trace_point(point_launch.boxes, ray_point(x, point_launch.frame).at, optix::kRayTerminateOnFirstHit, words);
    ray.found = words[1], ray.farthest = words[2], ray.calls = words[3];
  }
  end_point_ray(point_launch, ray);
}

extern "C" __global__ void __intersection__points() {
  PointRay ray{optix::payload(0), optix::payload(1), optix::payload(2), optix::payload(3)};
  RIFFLE_UNROLL
  for (int k = 0; k < PointRay::kSeen; ++k) ray.seen[k] = optix::payload(4 + k);
  const bool enough = meet_point(point_launch, xyz(point_launch.queries[ray.query]), optix::primitive_index(), ray);
  optix::set_payload(1, ray.found);
  optix::set_payload(2, ray.farthest);
  optix::set_payload(3, ray.calls);
  RIFFLE_UNROLL
  for (int k = 0; k < PointRay::kSeen; ++k) optix::set_payload(4 + k, ray.seen[k]);
  if (enough) optix::report_hit();
}

extern "C" __global__ void __miss__points() {}
