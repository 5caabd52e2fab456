#include "sim/inheritance/expected_at_wall.cuh"
#include "sim/walls/wall_traversal.cuh"
#include "sim/wcsph/continuity_kernels.cuh"
#include "sim/wcsph/wall_kernels.cuh"
#include "sim/wcsph/wcsph.h"
#include "sim/wcsph/wcsph_kernels.cuh"

namespace riffle::wcsph {

void WcsphSolver::sum_densities(const ParticleSet& particles, const NeighborSearch& search, StageTimer& timer) {
  const Vec4* position = particles.get<Vec4>("position").data();
  {
    auto timing = timer.scope("density");
    for_each_neighbor(search, "density", position, kernel_.h, NumberDensity{kernel_, position, volume_.data()});
  }
  if (boundary_.count() > 0) {
    auto timing = timer.scope("wall density");
    for_each_wall_neighbor(boundary_, search, "wall density", position, kernel_.h,
                           WallNumberDensity{kernel_, volume_.data()});
  }
}

void WcsphSolver::find_summed_volumes(ParticleSet& particles, const NeighborSearch& search, StageTimer& timer) {
  sum_densities(particles, search, timer);
  parallel_for(particles.device(), "volumes", particles.count(), InvertDensity{volume_.data()});
  refresh(particles, {field("volume", volume_)});
}

void WcsphSolver::inherit(ParticleSet& particles, const NeighborSearch& search, StageTimer& timer) {
  auto timing = timer.scope("density");
  float* inherited = particles.get<float>(Inheritance::kAttribute).data();
  const bool begins = inheritance().begins();
  if (begins && boundary_.count() > 0)
    for_each_fluid_neighbor(boundary_, search, "expected at walls", particles.get<Vec4>("position").data(), kernel_.h,
                            ExpectedAtWall{kernel_, inherited, inheritance().walls()});
  parallel_for(particles.device(), "inherit", particles.count(),
               InheritDensity{fluids_.rest_volume, {begins, inherited}, volume_.data()});
  if (begins) refresh(particles, {field(Inheritance::kAttribute, particles.get<float>(Inheritance::kAttribute))});
}

void WcsphSolver::find_pressures(ParticleSet& particles, const NeighborSearch& search, bool inherits,
                                 StageTimer& timer) {
  const Device& device = particles.device();
  const int n = particles.count();
  const Vec4* velocity = particles.get<Vec4>("velocity").data();
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  const TaitPressure tait{setup_.wcsph.tait_exponent, setup_.wcsph.negative_pressure};
  if (!by_continuity()) {
    sum_densities(particles, search, timer);
    if (inherits) inherit(particles, search, timer);
  }
  {
    auto timing = timer.scope("pressure");
    if (by_continuity())
      parallel_for(device, "pressure", n,
                   StateOfContinuity{fluids_, tait, continuity_.damping, particles.get<float>("compression").data(),
                                     particles.get<float>("compression rate").data(),
                                     particles.get<Vec4>("position").data(), velocity, volume_.data(), flow_.data()});
    else
      parallel_for(device, "pressure", n,
                   EquationOfState{fluids_, tait, fluid, velocity, volume_.data(), flow_.data(),
                                   particles.get<float>("density").data()});
  }
  if (boundary_.count() == 0) return;
  auto timing = timer.scope("wall pressure");
  if (by_continuity())
    for_each_fluid_neighbor(
        boundary_, search, "wall pressure", volume_.data(), kernel_.h,
        ContinuedWallState{kernel_, fluids_, setup_.wcsph.negative_pressure, setup_.gravity, apparent_gravity(),
                           boundary_.particles(), fluid, boundary_.motion(), flow_.data(), wall_flow_.data()});
  else
    for_each_fluid_neighbor(boundary_, search, "wall pressure", volume_.data(), kernel_.h,
                            WallState{kernel_, tait, fluids_.stiffness, fluids_.rest_volume, boundary_.solid_density(),
                                      inherits ? Inherited{inheritance().begins(), inheritance().walls()} : Inherited{},
                                      boundary_.motion(), flow_.data(), wall_flow_.data()});
}

}  // namespace riffle::wcsph
