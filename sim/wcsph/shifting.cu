#include "neighbors/traverse.cuh"
#include "sim/wcsph/shifting_kernels.cuh"
#include "sim/wcsph/wcsph.h"

namespace riffle::wcsph {

void WcsphSolver::find_shifts(const ParticleSet& particles, NeighborSearch& search, const StepControl& control,
                              StageTimer& timer) {
  auto timing = timer.scope("shifting");
  const int n = particles.count();
  for_each_neighbor(search, "shifting", volume_.data(), kernel_.h,
                    Concentration{kernel_, fluids_.rest_volume, volume_.data(), shift_.data()});
  if (boundary_.count() > 0)
    for_each_neighbor_in_grid(boundary_.search(), "wall shifting", boundary_.particles(), volume_.data(), n, kernel_.h,
                              WallConcentration{kernel_, fluids_.rest_volume, shift_.data()});
  parallel_for(particles.device(), "shift length", n,
               ShiftLength{setup_.wcsph.shifting, kernel_.h, 0.1f * setup_.spacing, control.state(), shift_.data()});
}

}  // namespace riffle::wcsph
