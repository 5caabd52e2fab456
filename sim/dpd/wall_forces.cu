#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "sim/dpd/dpd.h"
#include "sim/dpd/wall_kernels.cuh"
#include "sim/walls/domain_faces.h"

namespace riffle::dpd {

namespace {

/// Calls launch() with the walls of the setup's kind.
template <class Launch>
void with_walls(const SimulationSetup& setup, const SurfaceView& solids, const Launch& launch) {
  const Domain& domain = setup.domain;
  const float reach = setup.dpd.cutoff;
  const bool faces = domain.walled(0) || domain.walled(1) || domain.walled(2);
  if (setup.solid_regions.empty())
    launch(NearWalls<WallKind::Faces>{domain, solids, reach});
  else if (setup.solid_regions.size() == 1 && !faces)
    launch(NearWalls<WallKind::OneSolid>{domain, solids, reach});
  else
    launch(NearWalls<WallKind::Several>{domain, solids, reach});
}

template <WallKind Kind, class Numbers>
FeelWalls<Numbers, Kind> feel(const NearWalls<Kind>& walls, const Numbers& numbers) {
  FeelWalls<Numbers, Kind> kernel{{}, {}, numbers, walls};
  return kernel;
}

template <WallKind Kind>
WallVirial<Kind> virial(const NearWalls<Kind>& walls) {
  return {{}, {}, walls};
}

}  // namespace

void DpdSolver::feel_walls(ParticleSet& particles, const StepControl& control, bool kick, const std::uint32_t* skip) {
  float* random = setup_.dpd.random == RandomKind::KarpinskiStream ? particles.get<float>("random").data() : nullptr;
  const std::uint32_t* fluid = particles.get<std::uint32_t>("fluid").data();
  const bool halves = setup_.dpd.integrator == DpdIntegrator::VelocityVerlet;
  with_walls(setup_, surfaces_.view(), [&](const auto& walls) {
    with_numbers(setup_, control.state(), !kick, random, [&](const auto& numbers) {
      auto kernel = feel(walls, numbers);
      kernel.table = table_;
      kernel.wall = wall_table();
      kernel.faces = face_velocities(setup_);
      kernel.impulses = solid_forces_.impulses(fluid);
      kernel.later = solid_forces_.later(fluid);
      kernel.now = kick ? (halves ? 0.5f : 1.0f) : 0.0f;
      kernel.next = halves ? 0.5f * nominal_step_ : 0.0f;
      kernel.position = particles.get<Vec4>("position").data();
      kernel.predicted = particles.get<Vec4>("predicted velocity").data();
      kernel.skip = skip;
      kernel.clock = control.state();
      kernel.acceleration = particles.get<Vec4>("wall acceleration").data();
      parallel_for(particles.device(), "wall forces", particles.count(), kernel);
    });
  });
}

double DpdSolver::wall_virial(const ParticleSet& particles) const {
  if (wall_weights_.size() == 0) return 0;
  double sum = 0;
  with_walls(setup_, surfaces_.view(), [&](const auto& walls) {
    auto kernel = virial(walls);
    kernel.table = table_;
    kernel.wall = wall_table();
    kernel.position = particles.get<Vec4>("position").data();
    kernel.fluid = particles.get<std::uint32_t>("fluid").data();
    kernel.foreign = foreign_flags(particles);
    sum = reduce<double>(particles.device(), "wall virial", particles.count(), kernel);
  });
  return sum;
}

}  // namespace riffle::dpd
