#include "sim/viscosity/implicit_viscosity.h"
#include "sim/viscosity/viscosity_kernels.cuh"
#include "sim/walls/wall_traversal.cuh"

namespace riffle::viscosity {

void ImplicitViscosity::find_blocks(const Step& step) {
  const int n = step.particles.count();
  const std::uint32_t* fluid = step.particles.get<std::uint32_t>("fluid").data();
  for_each_neighbor(
      step.search, "viscous blocks", step.volume, h_,
      Blocks{table_, step.clock, state_.data(), fluid, step.volume, start_.data(), residual_.data(), block_.data()});
  if (!walled_) return;
  parallel_for(step.particles.device(), "clear wall blocks", n, ClearWallBlocks{wall_block_.data()});
  for_each_wall_neighbor(step.boundary, step.search, "wall blocks", step.volume, h_,
                         WallBlocks{table_, step.clock, state_.data(), fluid, step.volume, start_.data(),
                                    step.boundary.motion(), residual_.data(), wall_block_.data()});
}

}  // namespace riffle::viscosity
