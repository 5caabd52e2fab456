#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "sim/dfsph/dfsph.h"
#include "sim/dfsph/dfsph_kernels.cuh"
#include "sim/dfsph/wall_kernels.cuh"
#include "sim/walls/wall_traversal.cuh"

namespace riffle::dfsph {

void DfsphSolver::find_constraints(ParticleSet& particles, const NeighborSearch& search, const ClockState* clock,
                                   bool inherits) {
  const Device& device = particles.device();
  const int n = particles.count();
  const float h = kernel_.h, volume = fluids_.rest_volume;
  const Vec4* velocity = particles.get<Vec4>("velocity").data();
  const Vec4* position = particles.get<Vec4>("position").data();
  parallel_for(device, "records", n,
               Record{fluids_, particles.get<std::uint32_t>("fluid").data(), position, record_.data()});
  Vec4* wall = has_walls() ? wall_.data() : nullptr;
  if (wall) {
    parallel_for(device, "clear wall sums", n, ClearWallSums{wall, wall_push_.data(), wall_squares_.data()});
    for_each_wall_neighbor(
        boundary_, search, "wall sums", position, h,
        WallSums{kernel_, volume, boundary_.velocities(), wall, wall_push_.data(), wall_squares_.data()});
    for_each_fluid_neighbor(
        boundary_, search, "wall constraint", record_.data(), h,
        ConstrainWall{kernel_, volume, squares_, boundary_.solid_density(), particles.get<float>("pressure").data(),
                      boundary_.velocities(), velocity, wall_constraint_.data()});
  }
  for_each_neighbor(search, "constrain", record_.data(), h,
                    Constrain{kernel_, volume, record_.data(), wall, wall_squares_.data(), wall_push_.data(), velocity,
                              excess_.data(), inverse_.data(), residual_.data(), volume_.data(),
                              particles.get<float>("density").data()});
  if (inherits) {
    inheritance().subtract(particles, excess_.data());
    if (inheritance().begins())
      refresh(particles, {field(Inheritance::kAttribute, particles.get<float>(Inheritance::kAttribute))});
    parallel_for(device, "inherited excess of walls", boundary_.count(),
                 InheritWall{{inheritance().begins(), inheritance().walls()}, wall_constraint_.data()});
  }
  soften_constraints(search);
  reduce_into(device, "fill", n, CountFill{foreign_flags(particles), excess_.data(), velocity}, fill_partial_,
              &fill_.data()->sums);
  if (halo()) halo()->share_sums(device, &fill_.data()->sums.excess, 4);
  parallel_for(device, "fill", 1, FindFill{!setup_.wcsph.negative_pressure, full_, h, clock, fill_.data()});
}

}  // namespace riffle::dfsph
