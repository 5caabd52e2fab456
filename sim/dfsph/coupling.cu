#include "core/device/parallel.cuh"
#include "sim/dfsph/body_kernels.cuh"
#include "sim/dfsph/dfsph.h"
#include "sim/walls/wall_traversal.cuh"

namespace riffle::dfsph {

void DfsphSolver::begin_bodies(BodyStart start, const StepControl& control) {
  coupled_.begin(surfaces_.bodies(), control, solid_forces_, apparent_gravity(), start, boundary_,
                 boundary_.velocities_of_bodies());
}

void DfsphSolver::soften_constraints(const NeighborSearch& search) {
  if (!couples()) return;
  // Until the first solve begins, residuals are not known yet and impulses are no longer wanted.
  float* const gain = impulse_.data();
  float* const wall_gain = wall_gain_.data();
  coupled_.find_gains(search, boundary_, solid_forces_, kernel_, fluids_.rest_volume, record_.data(), gain, wall_gain);
  parallel_for(search.device(), "soften", search.count(), Soften{gain, wall_squares_.data(), inverse_.data()});
  parallel_for(search.device(), "soften walls", boundary_.count(),
               SoftenWall{wall_gain, coupled_.view(boundary_, solid_forces_), wall_constraint_.data()});
}

void DfsphSolver::push_bodies(const NeighborSearch& search) {
  const float h = kernel_.h, volume = fluids_.rest_volume;
  for_each_fluid_neighbor(boundary_, search, "body impulses", record_.data(), h,
                          BodyImpulse{kernel_, volume, state_.data(), coupled_.view(boundary_, solid_forces_),
                                      boundary_.particles(), wall_constraint_.data(), body_reaction_});
  coupled_.follow(boundary_, solid_forces_, body_reaction_, nullptr, boundary_.velocities_of_bodies());
  for_each_wall_neighbor(boundary_, search, "wall push", record_.data(), h,
                         CoupledWallPush{kernel_, volume, state_.data(), wall_constraint_.data(),
                                         boundary_.velocities(), wall_squares_.data(), wall_push_.data()});
}

}  // namespace riffle::dfsph
