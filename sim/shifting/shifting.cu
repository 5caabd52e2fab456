#include "sim/shifting/shifting.h"

#include "sim/shifting/shifting_kernels.cuh"
#include "sim/walls/wall_traversal.cuh"

namespace riffle::shifting {

Shifting::Shifting(const SimulationSetup& setup, const ParticleSet& particles, const SmoothingKernel& kernel,
                   float most_diffusion)
    : coefficient_(setup.wcsph.shifting),
      most_drift_(most_diffusion * kernel.h),
      spacing_(setup.spacing),
      rest_volume_(static_cast<float>(setup.particle_volume())),
      kernel_(kernel),
      shift_(particles.device()) {
  reserve(particles.count());
}

void Shifting::reserve(int capacity) {
  const auto n = static_cast<std::size_t>(capacity);
  if (n <= shift_.size()) return;
  Buffer<Vec4> larger(shift_.device(), n);
  shift_.swap(larger);
}

const Vec4* Shifting::find(const Step& step) {
  const int n = step.particles.count();
  for_each_neighbor(step.search, "shifting", step.volume, kernel_.h,
                    Concentration{kernel_, rest_volume_, step.volume, shift_.data()});
  if (step.boundary.count() > 0)
    for_each_wall_neighbor(step.boundary, step.search, "wall shifting", step.volume, kernel_.h,
                           WallConcentration{kernel_, rest_volume_, shift_.data()});
  parallel_for(step.particles.device(), "shift length", n,
               ShiftLength{coefficient_, kernel_.h, 0.1f * spacing_, most_drift_, step.clock, shift_.data()});
  return shift_.data();
}

}  // namespace riffle::shifting
