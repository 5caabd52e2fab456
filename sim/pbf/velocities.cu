#include "neighbors/traverse.cuh"
#include "sim/pbf/pbf.h"
#include "sim/pbf/velocity_kernels.cuh"

namespace riffle::pbf {

void PbfSolver::refine_velocities(ParticleSet& particles, const NeighborSearch& search, const float* dt) {
  const float h = kernel_.h;
  const Vec4* position = workspace_.moved.data();
  const Vec4* velocity = workspace_.constrained.data();
  Vec4* vorticity = nullptr;
  if (setup_.pbf.vorticity > 0) {
    vorticity = workspace_.correction.data();
    for_each_neighbor(search, "vorticity", position, h, Vorticity{kernel_, particle_volume_, velocity, vorticity});
    refresh(particles, {field("vorticity", workspace_.correction)});
  }
  kept_.keep(particles, foreign_flags(particles));
  for_each_neighbor(search, "refine velocities", position, h,
                    RefineVelocity{kernel_,
                                   particle_volume_,
                                   setup_.pbf.xsph,
                                   setup_.pbf.vorticity * setup_.spacing,
                                   static_cast<float>(1 / lattice_.others),
                                   dt,
                                   position,
                                   velocity,
                                   vorticity,
                                   workspace_.cut_off.data(),
                                   {largest_speed_, cut_.data()},
                                   particles.get<Vec4>("velocity").data()});
  kept_.put_back(particles);
}

}  // namespace riffle::pbf
