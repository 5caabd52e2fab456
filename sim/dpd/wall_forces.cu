#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "sim/dpd/dpd.h"
#include "sim/dpd/wall_kernels.cuh"
#include "sim/walls/domain_faces.h"

namespace riffle::dpd {

NearWalls DpdSolver::near_walls() const { return {setup_.domain, surfaces_.view(), setup_.dpd.cutoff}; }

void DpdSolver::feel_walls(ParticleSet& particles, const StepControl& control, bool kick, const std::uint32_t* skip) {
  float* random = setup_.dpd.random == RandomKind::KarpinskiStream ? particles.get<float>("random").data() : nullptr;
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  const bool halves = setup_.dpd.integrator == DpdIntegrator::VelocityVerlet;
  with_numbers(setup_, control.state(), !kick, random, [&](const auto& numbers) {
    using Numbers = std::decay_t<decltype(numbers)>;
    parallel_for(
        particles.device(), "wall forces", particles.count(),
        FeelWalls<Numbers>{table_, wall_table(), numbers, near_walls(), face_velocities(setup_),
                           solid_forces_.impulses(fluid), solid_forces_.later(fluid),
                           kick ? (halves ? 0.5f : 1.0f) : 0.0f, halves ? 0.5f * nominal_step_ : 0.0f,
                           particles.get<Vec4>("position").data(), particles.get<Vec4>("predicted velocity").data(),
                           skip, control.state(), particles.get<Vec4>("wall acceleration").data()});
  });
}

double DpdSolver::wall_virial(const ParticleSet& particles) const {
  if (wall_weights_.size() == 0) return 0;
  return reduce<double>(particles.device(), "wall virial", particles.count(),
                        WallVirial{table_, wall_table(), near_walls(), particles.get<Vec4>("position").data(),
                                   particles.get<std::uint32_t>("fluid").data(), foreign_flags(particles)});
}

}  // namespace riffle::dpd
