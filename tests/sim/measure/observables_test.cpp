#include "sim/measure/observables.h"

#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "support/devices.h"
#include "tests/sim/dpd/dpd_setups.h"

namespace riffle::test {
namespace {

class Observables : public OnEachDevice {};

double shell(int dimension, double r, double width) {
  const double a = r - width / 2, b = r + width / 2;
  return dimension == 2 ? 3.14159265358979 * (b * b - a * a) : 4.18879020478639 * (b * b * b - a * a * a);
}

TEST_P(Observables, ParticlesBehindWalledFacesAreCounted) {
  SimulationSetup setup = column_setup(2, 10);
  const Vec3 most = setup.domain.max;
  setup.bodies.push_back(body_of_places(
      {{-0.05f, 0.1f, 0}, {most.x + 0.05f, 0.1f, 0}, {0.2f, -0.05f, 0}, {0.2f, most.y + 0.05f, 0}, {0.2f, 0.1f, 0}}));
  EXPECT_EQ(Simulation(setup, device()).diagnostics().outside, 4);
  setup.domain.axis[1] = Axis::Open;
  EXPECT_EQ(Simulation(setup, device()).diagnostics().outside, 2);
}

TEST_P(Observables, RadialDistributionOfRandomPointsIsOne) {
  for (const int dimension : {2, 3}) {
    const float side = dimension == 2 ? 30 : 10;
    Simulation simulation(dpd_box(dimension, side, Filling::Random), device());
    const double n = simulation.particle_count();
    constexpr int kBins = 25;
    RadialDistribution g(2.5, kBins, 1);
    g.add(simulation);
    EXPECT_EQ(g.states(), 1);
    const std::vector<double> values = g.values();
    ASSERT_EQ(values.size(), std::size_t{kBins});
    for (int b = 0; b < kBins; ++b) {
      EXPECT_NEAR(g.radius(b), 0.1 * (b + 0.5), 1e-12);
      const double pairs = n / 2 * 3 * shell(dimension, g.radius(b), 0.1);
      EXPECT_NEAR(values[static_cast<std::size_t>(b)], 1, 4.5 / std::sqrt(pairs)) << dimension << "-D, bin " << b;
    }
    const double within = (dimension == 2 ? 3.14159 : 4.18879) * 3;
    EXPECT_NEAR(g.neighbors_near(), within, 5 * std::sqrt(2 * within / n));
  }
}

TEST_P(Observables, RadialDistributionOfALatticeHasItsShellsAcrossTheFaces) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = dpd_box(dimension, 5);
    setup.spacing = 0.5f;
    setup.domain.max = setup.bodies[0].max = {5, 5, dimension == 3 ? 5.0f : 0};
    setup.bodies[0].jitter = 0;
    Simulation simulation(setup, device());
    ASSERT_EQ(simulation.particle_count(), dimension == 2 ? 100 : 1000);
    constexpr int kBins = 15;
    constexpr double kWidth = 0.07;
    // Between the second shell of the lattice, at 0.707, and the middle of its bin.
    RadialDistribution g(kBins * kWidth, kBins, 0.72);
    g.add(simulation);
    g.add(simulation);  // adding a state again does not change a mean
    EXPECT_EQ(g.states(), 2);
    // Bins of the distances 1, sqrt(2), sqrt(3) and 2, in lattice steps of 0.5.
    const std::map<int, int> expected = dimension == 2 ? std::map<int, int>{{7, 4}, {10, 4}, {14, 4}}
                                                       : std::map<int, int>{{7, 6}, {10, 12}, {12, 8}, {14, 6}};
    const std::vector<double> values = g.values();
    const double density = dimension == 2 ? 99 / 25.0 : 999 / 125.0;
    EXPECT_EQ(g.neighbors_near(), dimension == 2 ? 8 : 18);
    for (int b = 0; b < kBins; ++b) {
      const int count = expected.count(b) ? expected.at(b) : 0;
      EXPECT_NEAR(values[static_cast<std::size_t>(b)], count / (density * shell(dimension, g.radius(b), kWidth)), 1e-9)
          << dimension << "-D, bin " << b;
    }
  }
}

// Displacements must continue beyond the box, or a fluid would seem to stop diffusing; the drift of the whole fluid
// must not count.
TEST_P(Observables, MeanSquareDisplacementOfFreeFlightFollowsParticlesThroughTheFaces) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = dpd_box(dimension, 4);
    switch_forces_off(setup.dpd);
    setup.bodies[0].velocity = {2, -1, dimension == 3 ? 0.5f : 0};
    setup.step.fixed = 0.02f;
    Simulation simulation(setup, device());
    run_steps(simulation, 3);
    const Diagnostics d = simulation.diagnostics();
    double flow = 0;
    for (const double p : d.momentum) flow += p * p / d.mass / d.mass;
    const double v2 = 2 * d.kinetic_energy / d.mass - flow;
    MeanSquareDisplacement displacement(simulation);
    for (int sample = 0; sample < 40; ++sample) {
      run_steps(simulation, 10);
      displacement.add(simulation);
    }
    ASSERT_EQ(displacement.samples().size(), 40u);
    for (int s = 0; s < 40; ++s) {
      const MeanSquareDisplacement::Sample& sample = displacement.samples()[static_cast<std::size_t>(s)];
      EXPECT_NEAR(sample.time, 0.2 * (s + 1), 1e-6);
      EXPECT_NEAR(sample.value, v2 * sample.time * sample.time, 1e-4 * v2 * sample.time * sample.time);
    }
    EXPECT_GT(displacement.samples().back().value, 4 * 4 * 4);
    // The straight line through evenly spaced points of a parabola has the slope at their middle.
    EXPECT_NEAR(displacement.diffusion(1.99, 6.01), v2 * 2 * 4 / (2 * dimension), 1e-3 * v2);
    EXPECT_THROW(displacement.diffusion(1.99, 2.01), InputError);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Observables);

}  // namespace
}  // namespace riffle::test
