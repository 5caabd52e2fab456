#include "neighbors/traverse.cuh"
#include "sim/wcsph/surface_tension_kernels.cuh"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

void WcsphSolver::add_tension(ParticleSet& particles, NeighborSearch& search, StageTimer& timer) {
  auto timing = timer.scope("surface tension");
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  Vec4* acceleration = particles.get<Vec4>("acceleration").data();
  const float h = kernel_.h;
  const int n = particles.count(), fluids = fluids_.count;
  if (setup_.wcsph.tension_model == TensionModel::Akinci) {
    for_each_neighbor(search, "surface normals", volume_.data(), h,
                      SurfaceNormal{kernel_, fluids, fluid, surface_.data()});
    refresh(particles, {field("surface", surface_)});
    for_each_neighbor(
        search, "cohesion", volume_.data(), h,
        Cohesion{tension_, fluids_, kernel_.inverse_h, fluid, volume_.data(), surface_.data(), acceleration});
    return;
  }
  for_each_neighbor(search, "surface gradient", volume_.data(), h,
                    SurfaceGradient{tension_, fluids, fluid, surface_.data(), smooth_.data()});
  if (boundary_.count() > 0)
    for_each_neighbor_in_grid(boundary_.search(), "wall surface gradient", boundary_.particles(), volume_.data(), n, h,
                              WallSurfaceGradient{tension_, fluids, fluid, surface_.data(), smooth_.data()});
  parallel_for(particles.device(), "surface direction", n,
               SurfaceDirection{tension_, fluids, fluid, surface_.data(), smooth_.data()});
  refresh(particles, {field("surface", surface_)});
  for_each_neighbor(search, "smooth directions", volume_.data(), h,
                    SmoothDirection{tension_, fluids, fluid, surface_.data(), smooth_.data()});
  refresh(particles, {field("smooth", smooth_)});
  const float directions = setup_.domain.dimension - 1.0f;
  for_each_neighbor(search, "surface tension", volume_.data(), h,
                    CurvatureForce{tension_.inverse_h2, directions, 2 * directions / h, fluids_, fluid, smooth_.data(),
                                   acceleration});
}

}  // namespace riffle::wcsph
