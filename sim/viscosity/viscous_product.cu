#include "neighbors/traverse.cuh"
#include "sim/viscosity/implicit_viscosity.h"
#include "sim/viscosity/viscosity_kernels.cuh"

namespace riffle::viscosity {

// start_ is no longer needed: the product takes its place.
void ImplicitViscosity::multiply(const Step& step) {
  for_each_neighbor(step.search, "viscous product", step.volume, h_,
                    Product{table_, step.clock, state_.data(), step.particles.get<std::uint32_t>("fluid").data(),
                            step.volume, direction_.data(), wall_blocks(), start_.data()});
}

}  // namespace riffle::viscosity
