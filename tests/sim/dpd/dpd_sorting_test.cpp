/// How often particles are sorted must not show in the physics: random numbers belong to particles and not to places in
/// an array.

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "dpd_setups.h"
#include "sim/measure/observables.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class LongDpdSorting : public OnEachDevice {};

struct FluidMeans {
  double kT = 0;
  double diffusion = 0;      ///< slope of the displacement between half and one and a half units of time
  std::vector<double> r, g;  ///< radial distribution
};

FluidMeans means_with(const NeighborSetup& neighbors, const Device& device) {
  SimulationSetup setup = dpd_box(3, 6);
  setup.neighbors = neighbors;
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device);
  run_steps(simulation, 500);
  FluidMeans means;
  RadialDistribution distribution(2.5, 25);
  constexpr int kWindows = 600, kSamples = 15;  // 1.5 units each; D to 0.2 %, kT to 0.1 %
  for (int window = 0; window < kWindows; ++window) {
    MeanSquareDisplacement displacement(simulation);
    for (int k = 0; k < kSamples; ++k) {
      run_steps(simulation, 5);
      displacement.add(simulation);
    }
    means.diffusion += displacement.diffusion(0.45, 1.55) / kWindows;
    means.kT += simulation.diagnostics().thermal->temperature / kWindows;
    distribution.add(simulation);
  }
  for (int bin = 0; bin < 25; ++bin) means.r.push_back(distribution.radius(bin));
  means.g = distribution.values();
  return means;
}

TEST_P(LongDpdSorting, InEveryStepRarelyOrNeverMakesTheSameFluid) {
  NeighborSetup every_step, rarely, never;
  every_step.method = rarely.method = NeighborMethod::Hoetzlein;
  rarely.skin = 1;
  never.method = NeighborMethod::BruteForce;
  const FluidMeans expected = means_with(every_step, device());
  for (const auto& [name, neighbors] : {std::pair{"rarely", rarely}, std::pair{"never", never}}) {
    const FluidMeans found = means_with(neighbors, device());
    RecordProperty(std::string("kT_") + name, std::to_string(found.kT / expected.kT));
    RecordProperty(std::string("D_") + name, std::to_string(found.diffusion / expected.diffusion));
    EXPECT_NEAR(found.kT / expected.kT, 1, 0.01) << "sorted " << name;
    EXPECT_NEAR(found.diffusion / expected.diffusion, 1, 0.01) << "sorted " << name;
    for (std::size_t bin = 0; bin < found.g.size(); ++bin)
      EXPECT_NEAR(found.g[bin], expected.g[bin], 0.01) << "sorted " << name << ", r = " << found.r[bin];
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDpdSorting);

}  // namespace
}  // namespace riffle::test
