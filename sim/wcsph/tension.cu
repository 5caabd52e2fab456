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
  const float rest_volume = fluids_.rest_volume;
  for_each_neighbor(search, "surface gradient", volume_.data(), h,
                    SurfaceGradient{kernel_, tension_, fluids, rest_volume, fluid, surface_.data()});
  if (boundary_.count() > 0)
    for_each_neighbor_in_grid(boundary_.search(), "wall surface gradient", boundary_.particles(), volume_.data(), n, h,
                              WallSurfaceGradient{kernel_, tension_, fluids, rest_volume, fluid, surface_.data()});
  parallel_for(particles.device(), "surface direction", n, SurfaceDirection{tension_, fluids, fluid, surface_.data()});
  refresh(particles, {field("surface", surface_)});
  for_each_neighbor(search, "smooth directions", volume_.data(), h,
                    SmoothDirection{kernel_, fluids, fluid, surface_.data(), smooth_.data()});
  refresh(particles, {field("smooth", smooth_)});
  for_each_neighbor(
      search, "surface tension", volume_.data(), h,
      CurvatureForce{kernel_, fluids_, setup_.domain.dimension - 1.0f, fluid, smooth_.data(), acceleration});
}

}  // namespace riffle::wcsph
