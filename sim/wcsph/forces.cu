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

}  // namespace riffle::wcsph
