#include "sim/surface/surface_tension.h"

#include "sim/surface/tension_kernels.cuh"
#include "sim/walls/wall_traversal.cuh"

namespace riffle::surface {

namespace {

void refresh(const SurfaceTension::Step& step, const char* name, Buffer<Vec4>& values) {
  if (!step.halo) return;
  const HaloField field{name, values.data(), sizeof(Vec4)};
  step.halo->refresh(step.particles, std::span(&field, 1));
}

}  // namespace

SurfaceTension::SurfaceTension(const SimulationSetup& setup, const ParticleSet& particles,
                               const SmoothingKernel& kernel)
    : model_(setup.wcsph.tension_model),
      dimension_(setup.domain.dimension),
      kernel_(kernel),
      table_(make_tension_table(setup)),
      surface_(particles.device()),
      smooth_(particles.device()) {
  reserve(particles.count());
}

void SurfaceTension::reserve(int capacity) {
  const auto n = static_cast<std::size_t>(capacity);
  if (n <= surface_.size()) return;
  Buffer<Vec4> surface(surface_.device(), n), smooth(smooth_.device(), is_continuum() ? n : 0);
  surface_.swap(surface);
  smooth_.swap(smooth);
}

std::size_t SurfaceTension::particle_bytes(const SimulationSetup& setup) {
  return (setup.wcsph.tension_model == TensionModel::Continuum ? 2 : 1) * sizeof(Vec4);  // surface_, smooth_
}

void SurfaceTension::add_to_acceleration(const Step& step) {
  const std::uint32_t* fluid = step.particles.get<std::uint32_t>("fluid").data();
  Vec4* acceleration = step.particles.get<Vec4>("acceleration").data();
  const float h = kernel_.h;
  const int n = step.particles.count();
  if (!is_continuum()) {
    for_each_neighbor(step.search, "surface normals", step.volume, h,
                      SurfaceNormal{kernel_, table_.fluid_count, fluid, surface_.data()});
    refresh(step, "surface", surface_);
    for_each_neighbor(step.search, "cohesion", step.volume, h,
                      Cohesion{table_, kernel_.inverse_h, fluid, step.volume, surface_.data(), acceleration});
    return;
  }
  for_each_neighbor(step.search, "surface gradient", step.volume, h,
                    SurfaceGradient{table_, fluid, surface_.data(), smooth_.data()});
  if (step.boundary.count() > 0)
    for_each_wall_neighbor(step.boundary, step.search, "wall surface gradient", step.volume, h,
                           WallSurfaceGradient{table_, fluid, surface_.data(), smooth_.data()});
  parallel_for(step.particles.device(), "surface direction", n,
               SurfaceDirection{table_, fluid, surface_.data(), smooth_.data()});
  refresh(step, "surface", surface_);
  for_each_neighbor(step.search, "smooth directions", step.volume, h,
                    SmoothDirection{table_, fluid, surface_.data(), smooth_.data()});
  refresh(step, "smooth", smooth_);
  const float directions = static_cast<float>(dimension_) - 1.0f;
  for_each_neighbor(step.search, "surface tension", step.volume, h,
                    CurvatureForce{table_, directions, 2 * directions / h, fluid, smooth_.data(), acceleration});
}

}  // namespace riffle::surface
