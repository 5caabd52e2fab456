#include "neighbors/traverse.cuh"
#include "sim/dpd/dpd.h"
#include "sim/dpd/dpd_kernels.cuh"

namespace riffle::dpd {

void DpdSolver::evaluate(ParticleSet& particles, const NeighborSearch& search, StepControl& control, bool kick,
                         const std::uint32_t* skip) {
  const bool leap_frog = setup_.dpd.integrator == DpdIntegrator::LeapFrog;
  const bool stream = setup_.dpd.random == RandomKind::KarpinskiStream;
  kept_.keep(particles, skip);
  const Vec4* position = particles.get<Vec4>("position").data();
  float* random = stream ? particles.get<float>("random").data() : nullptr;
  if (wall_weights_.size() > 0) feel_walls(particles, control, kick, skip);
  const Vec4* wall_acceleration = wall_weights_.size() > 0 ? particles.get<Vec4>("wall acceleration").data() : nullptr;
  with_numbers(setup_, control.state(), !kick, random, [&](const auto& numbers) {
    using Numbers = std::decay_t<decltype(numbers)>;
    for_each_neighbor(
        search, "forces", position, setup_.dpd.cutoff,
        DpdForces<Numbers>{table_, numbers, 1 / setup_.dpd.cutoff, setup_.gravity, apparent_gravity(), leap_frog, kick,
                           position, particles.get<Vec4>("predicted velocity").data(), control.state(),
                           particles.get<Vec4>("acceleration").data(), particles.get<Vec4>("velocity").data(),
                           leap_frog ? particles.get<Vec4>("previous velocity").data() : nullptr, wall_acceleration});
  });
  kept_.put_back(particles);
  search_version_ = search.version();
  started_ = true;
}

}  // namespace riffle::dpd
