#include "sim/measure/pair_list.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "neighbors/brute/all_pairs.h"
#include "neighbors/separation.h"
#include "sim/by_id.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

/// A box of 1 m that is periodic along x, half full of shaken particles.
SimulationSetup shaken(int dimension) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.axis[0] = Axis::Periodic;
  setup.domain.axis[1] = setup.domain.axis[2] = Axis::Walled;
  setup.spacing = dimension == 2 ? 0.04f : 0.1f;
  setup.fluids.emplace_back();
  BodySetup body;
  body.max = {1, 0.5f, 1};
  body.jitter = 0.3f;
  setup.bodies.push_back(body);
  return setup;
}

using PairListOnDevice = OnEachDevice;

TEST_P(PairListOnDevice, HasEveryTruePairOnceInOrderWhateverFoundIt) {
  for (const int dimension : {2, 3})
    for (const NeighborMethodInfo& method : neighbor_methods()) {
      SCOPED_TRACE(std::string(method.name) + ", " + std::to_string(dimension) + "-D");
      SimulationSetup setup = shaken(dimension);
      setup.neighbors.method = method.method;
      Simulation simulation(setup, device());
      for (int step = 0; step < 5; ++step) simulation.step();  // the search changes the particles' order
      const PairList pairs = list_pairs(simulation);

      const std::vector<Vec4> at = by_id<Vec4>(simulation, "position");
      const Buffer<Vec4> positions(device(), at);
      const ParticleCloud cloud{positions.data(), static_cast<int>(at.size()), setup.domain, setup.support_radius()};
      std::vector<std::uint32_t> all(at.size());
      std::iota(all.begin(), all.end(), 0u);
      const auto neighbors = all_pairs_neighbors(device(), cloud, all);
      std::size_t k = 0;
      for (std::uint32_t i = 0; i < neighbors.size(); ++i)
        for (const std::uint32_t j : neighbors[i]) {
          if (j <= i) continue;
          ASSERT_LT(k, pairs.size());
          ASSERT_EQ(pairs.first[k], i);
          ASSERT_EQ(pairs.second[k], j);
          const Vec3 apart = separation(xyz(at[i]), xyz(at[j]), periodic_wrap(setup.domain));
          ASSERT_NEAR(pairs.distance[k], std::sqrt(squared_length(apart)), 1e-6);
          ++k;
        }
      EXPECT_EQ(k, pairs.size());
      EXPECT_GT(k, 10 * at.size() / 2);
    }
}

TEST_P(PairListOnDevice, DoesNotChangeTheRun) {
  SimulationSetup setup = shaken(2);
  setup.deterministic = true;
  Simulation plain(setup, device()), listed(setup, device());
  for (int step = 0; step < 10; ++step) {
    plain.step();
    listed.step();
    if (step == 5) list_pairs(listed);
  }
  EXPECT_EQ(plain.diagnostics().state_hash, listed.diagnostics().state_hash);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(PairListOnDevice);

}  // namespace
}  // namespace riffle::test
