/// Compares the share of unlike pairs with a count over all pairs, and with fluids whose share is known.

#include "sim/measure/pair_mixing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "sim/start/sampling.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "tests/sim/dpd/dpd_setups.h"

namespace riffle::test {
namespace {

class PairMixingTest : public OnEachDevice {};

/// A periodic box of two fluids, in two halves or mixed at random.
SimulationSetup two_fluids(int dimension, bool mixed) {
  SimulationSetup setup = dpd_box(dimension, dimension == 2 ? 16 : 6);
  setup.fluids.push_back(setup.fluids[0]);
  setup.fluids[1].name = "other";
  if (mixed) {
    setup.start.mixed = true;
  } else {
    setup.bodies.push_back(setup.bodies[0]);
    setup.bodies[0].max.x = setup.bodies[1].min.x = 0.5f * setup.domain.max.x;
    setup.bodies[1].fluid = 1;
  }
  return setup;
}

TEST_P(PairMixingTest, IsTheCountOverAllPairs) {
  for (const int dimension : {2, 3})
    for (const bool mixed : {false, true}) {
      Simulation simulation(two_fluids(dimension, mixed), device());
      run_steps(simulation, 5);
      const auto position = by_id<Vec4>(simulation, "position");
      const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
      const NeighborSets sets =
          expected_neighbors(position, simulation.setup().domain, simulation.setup().support_radius());
      double pairs = 0, unlike = 0;
      for (std::size_t i = 0; i < sets.size(); ++i)
        for (const Neighbor& j : sets[i]) ++pairs, unlike += fluid[i] != fluid[static_cast<std::size_t>(j.j)];
      const PairMixing found = pair_mixing(simulation);
      EXPECT_DOUBLE_EQ(found.unlike, unlike / pairs) << dimension << "-D, mixed " << mixed;
      EXPECT_NEAR(found.if_mixed, 0.5, 0.01);
      if (mixed)
        EXPECT_NEAR(found.unlike, found.if_mixed, 0.03);
      else
        EXPECT_LT(found.unlike, 0.25) << "only at the two interfaces";
    }
}

TEST_P(PairMixingTest, OneParticleHasNoPairs) {
  SimulationSetup setup = dpd_box(2, 5);
  setup.bodies = {body_of_one_particle(setup, {2.5f, 2.5f, 0})};
  const PairMixing alone = pair_mixing(Simulation(setup, device()));
  EXPECT_TRUE(std::isnan(alone.unlike));
  EXPECT_TRUE(std::isnan(alone.if_mixed));
}

TEST_P(PairMixingTest, IsCountedOnceForEachMoment) {
  Simulation simulation(two_fluids(2, true), device()), other(two_fluids(2, false), device());
  std::uint64_t made = pair_counts_made();
  const auto counts = [&](const Simulation& of) {
    pair_mixing(of);
    return pair_counts_made() - std::exchange(made, pair_counts_made());
  };
  EXPECT_EQ(counts(simulation), 1u);
  EXPECT_EQ(counts(simulation), 0u);
  EXPECT_EQ(counts(other), 1u) << "of the same time, but of another simulation";
  EXPECT_LT(pair_mixing(other).unlike, 0.25);
  const SimulationState start = simulation.save_state();
  EXPECT_EQ(counts(simulation), 1u);
  simulation.step();
  EXPECT_EQ(counts(simulation), 1u);
  simulation.diagnostics();
  EXPECT_EQ(counts(simulation), 0u) << "looking at particles does not move them";
  simulation.restore_state(start);
  EXPECT_EQ(counts(simulation), 1u);
  simulation.remove_particles(std::vector<std::uint32_t>{3});
  EXPECT_EQ(counts(simulation), 1u);
  FluidSamples one;
  one.position = {{1, 1, 0, 0}}, one.velocity = {{0, 0, 0, 0}}, one.fluid = {1};
  simulation.add_particles(one);
  EXPECT_EQ(counts(simulation), 1u);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(PairMixingTest);

}  // namespace
}  // namespace riffle::test
