#include "core/device/parallel.cuh"
#include "sim/dfsph/dfsph.h"
#include "sim/dfsph/dfsph_kernels.cuh"
#include "sim/walls/wall_traversal.cuh"
#include "sim/wcsph/wall_kernels.cuh"
#include "sim/wcsph/wcsph_kernels.cuh"

namespace riffle::dfsph {

// WCSPH's forces without pressure: its pressures are 0.
void DfsphSolver::find_accelerations(ParticleSet& particles, const NeighborSearch& search, const StepControl& control) {
  const int n = particles.count();
  const float h = kernel_.h, eta2 = wcsph::eta2_of(h);
  const Vec4* velocity = particles.get<Vec4>("velocity").data();
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  parallel_for(particles.device(), "flow", n, Flow{velocity, flow_.data()});
  refresh(particles, {field("volume", volume_), field("flow", flow_)});
  for_each_neighbor(search, "forces", volume_.data(), h,
                    wcsph::Momentum{kernel_, fluids_, fluid, volume_.data(), flow_.data(), setup_.gravity, artificial_,
                                    eta2, acceleration});
  const bool drags = setup_.wcsph.walls == WallSlip::NoSlip && viscous_;
  if (!has_walls() || !drags) return;
  for_each_fluid_neighbor(boundary_, search, "wall flow", volume_.data(), h,
                          wcsph::WallState{kernel_,
                                           {7, false},
                                           0,
                                           fluids_.rest_volume,
                                           boundary_.solid_density(),
                                           {},
                                           boundary_.motion(),
                                           flow_.data(),
                                           wall_flow_.data()});
  for_each_wall_neighbor(boundary_, search, "wall forces", volume_.data(), h,
                         wcsph::WallForce{kernel_, fluids_, 1, fluid, volume_.data(), flow_.data(), wall_flow_.data(),
                                          eta2, acceleration});
  if (!solid_forces_.any()) return;
  Vec4* reaction = solid_forces_.begin_reactions(boundary_);
  for_each_fluid_neighbor(boundary_, search, "wall reactions", volume_.data(), h,
                          wcsph::WallReaction{kernel_, fluids_, 1, fluid, volume_.data(), flow_.data(),
                                              boundary_.particles(), wall_flow_.data(), eta2,
                                              solid_forces_.measured(boundary_, foreign_flags(particles)), reaction});
  solid_forces_.add_reactions(boundary_, SolidForces::Of::Force, control.state());
}

}  // namespace riffle::dfsph
