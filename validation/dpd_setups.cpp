#include "validation/dpd_setups.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "sim/dpd/balanced_noise.h"
#include "sim/dpd/dpd.h"

namespace riffle {

std::string DpdVariant::name() const {
  return fmt::format("{}, {}", to_string(random),
                     integrator == DpdIntegrator::LeapFrog ? "leap-frog" : fmt::format("lambda {:g}", lambda));
}

void DpdVariant::apply(SimulationSetup& setup) const {
  setup.dpd.random = random;
  setup.dpd.integrator = integrator;
  setup.dpd.lambda = lambda;
}

std::span<const DpdVariant> dpd_variants() {
  static constexpr DpdVariant kVariants[] = {
      {RandomKind::Philox, DpdIntegrator::VelocityVerlet, 0.5f},
      {RandomKind::Philox, DpdIntegrator::VelocityVerlet, 0.65f},
      {RandomKind::Philox, DpdIntegrator::LeapFrog, 0.65f},
      {RandomKind::Karpinski, DpdIntegrator::VelocityVerlet, 0.5f},
      {RandomKind::Karpinski, DpdIntegrator::VelocityVerlet, 0.65f},
      {RandomKind::Karpinski, DpdIntegrator::LeapFrog, 0.65f},
  };
  return kVariants;
}

SimulationSetup dpd_box(Vec3 extent, double dt, std::uint64_t seed) {
  SimulationSetup setup;
  setup.solver = SolverKind::Dpd;
  setup.domain.max = extent;
  for (Axis& axis : setup.domain.axis) axis = Axis::Periodic;
  setup.gravity = {};
  setup.spacing = static_cast<float>(std::cbrt(1.0 / 3.0));
  setup.fluids.emplace_back();
  BodySetup box;
  box.max = extent;
  box.filling = Filling::Random;
  setup.bodies.push_back(box);
  setup.step.fixed = static_cast<float>(dt);
  setup.seed = seed;
  return setup;
}

SimulationSetup dpd_rayleigh_taylor(double depth, double gravity, double equilibration, std::uint64_t seed) {
  constexpr float height = 64.0f / 3.0f;
  SimulationSetup setup = dpd_box({32, height, static_cast<float>(depth)}, 0.03, seed);
  setup.domain.axis[1] = Axis::Walled;
  setup.wcsph.walls = WallSlip::FreeSlip;
  setup.gravity = {0, static_cast<float>(-gravity), 0};
  setup.fluids[0].name = "light";
  setup.fluids.emplace_back();
  setup.fluids[1].name = "heavy";
  setup.fluids[1].mass = 3;
  setup.dpd.repulsion.value[0][1] = setup.dpd.repulsion.value[1][0] = 40;
  setup.dpd.lambda = 0.5f;
  setup.start.equilibration = static_cast<float>(equilibration);
  setup.start.has_interface = true;
  setup.start.upper = 1;
  setup.start.lower = 0;
  setup.start.height = height / 2;
  setup.start.amplitude = 1;
  setup.start.wavelength = 32;
  return setup;
}

void as_in_bucket_paper(SimulationSetup& setup) {
  DpdSetup& dpd = setup.dpd;
  dpd.integrator = DpdIntegrator::LeapFrog;
  dpd.random = RandomKind::Karpinski;
  // At number density 3 the weight is (1 - r) / pi. The coefficients are those of the scenes of the library. Friction and
  // noise are one number for all pairs, also for those of fluids that are not there.
  const double weight = dpd::normalized_weight(setup.domain.dimension, 1 / setup.particle_volume(), dpd.cutoff);
  for (std::size_t k = 0; k < setup.fluids.size(); ++k)
    for (std::size_t l = 0; l < setup.fluids.size(); ++l)
      dpd.repulsion.value[k][l] = static_cast<float>(std::numbers::pi * dpd.repulsion.value[k][l] * weight);
  const double friction = std::numbers::pi * std::numbers::pi * dpd.friction.value[0][0];
  dpd.friction.fill(static_cast<float>(friction * weight * weight));
  dpd.noise.fill(dpd::balanced_noise(dpd.friction.value[0][0], dpd.temperature));
  setup.step.fixed = 0.01f;
  setup.neighbors.method = NeighborMethod::Bucket;
  setup.neighbors.insertion = BucketInsertion::Iterative;
}

}  // namespace riffle
