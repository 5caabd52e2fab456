#include "neighbors/traverse.cuh"
#include "sim/wcsph/wall_kernels.cuh"
#include "sim/wcsph/wcsph.h"
#include "sim/wcsph/wcsph_kernels.cuh"

namespace riffle::wcsph {

void WcsphSolver::find_pressures(ParticleSet& particles, const NeighborSearch& search, StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  const float h = kernel_.h;
  const Vec4* position = particles.get<Vec4>("position").data();
  const Vec4* velocity = particles.get<Vec4>("velocity").data();
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  const Vec4* wall = boundary_.particles();
  const TaitPressure tait{setup_.wcsph.tait_exponent, setup_.wcsph.negative_pressure};
  {
    auto timing = timer.scope("density");
    for_each_neighbor(search, "density", position, h, NumberDensity{kernel_, position, volume_.data()});
  }
  const bool walled = boundary_.count() > 0;
  if (walled) {
    auto timing = timer.scope("wall density");
    for_each_neighbor_in_grid(boundary_.search(), "wall density", wall, position, n, h,
                              WallNumberDensity{kernel_, volume_.data()});
  }
  {
    auto timing = timer.scope("pressure");
    parallel_for(device, "pressure", n,
                 EquationOfState{fluids_, tait, fluid, velocity, volume_.data(), flow_.data(),
                                 particles.get<float>("density").data()});
  }
  if (walled) {
    auto timing = timer.scope("wall pressure");
    for_each_neighbor_of(search, "wall pressure", volume_.data(), wall, boundary_.count(), h,
                         WallState{kernel_, tait, fluids_.stiffness, fluids_.rest_volume, boundary_.solid_density(),
                                   boundary_.velocities(), flow_.data(), wall_flow_.data()});
  }
}

}  // namespace riffle::wcsph
