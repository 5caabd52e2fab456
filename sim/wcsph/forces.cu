#include "sim/walls/wall_traversal.cuh"
#include "sim/wcsph/wall_kernels.cuh"
#include "sim/wcsph/wcsph.h"
#include "sim/wcsph/wcsph_kernels.cuh"

namespace riffle::wcsph {

void WcsphSolver::find_accelerations(ParticleSet& particles, const NeighborSearch& search, StageTimer& timer) {
  const float h = kernel_.h, s = 0.5f * h, eta2 = eta2_of(h);
  const Vec4* position = particles.get<Vec4>("position").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  {
    auto timing = timer.scope("forces");
    const float artificial = setup_.wcsph.artificial_viscosity * speed_of_sound_ * s;
    for_each_neighbor(search, "forces", volume_.data(), h,
                      Momentum{gradient_kernel_, fluids_, fluid, volume_.data(), flow_.data(), setup_.gravity,
                               artificial, eta2, acceleration});
  }
  if (boundary_.count() > 0) {
    auto timing = timer.scope("wall forces");
    for_each_wall_neighbor(boundary_, search, "wall forces", position, h,
                           WallForce{gradient_kernel_, fluids_, setup_.wcsph.walls == WallSlip::NoSlip ? 1.0f : 0.0f,
                                     fluid, volume_.data(), flow_.data(), wall_flow_.data(), eta2, acceleration});
  }
}

void WcsphSolver::measure_solid_forces(const ParticleSet& particles, const NeighborSearch& search,
                                       const StepControl& control, StageTimer& timer) {
  if (!forces_.any() || boundary_.count() == 0) return;
  auto timing = timer.scope("solid forces");
  Vec4* reaction = forces_.begin_reactions(boundary_);
  for_each_fluid_neighbor(boundary_, search, "wall reactions", volume_.data(), kernel_.h,
                          WallReaction{gradient_kernel_, fluids_, setup_.wcsph.walls == WallSlip::NoSlip ? 1.0f : 0.0f,
                                       particles.get<std::uint32_t>("fluid").data(), volume_.data(), flow_.data(),
                                       boundary_.particles(), wall_flow_.data(), eta2_of(kernel_.h),
                                       forces_.measured(boundary_, foreign_flags(particles)), reaction});
  forces_.add_reactions(boundary_, SolidForces::Of::Force, control.state());
}

}  // namespace riffle::wcsph
