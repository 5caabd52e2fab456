#include "sim/measure/observables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/error.h"
#include "sim/measure/blocked_structure.h"
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

/// Every second cell of a lattice along x is of the other fluid, like layers of a crystal.
TEST_P(Observables, RadialDistributionOfTwoFluidsIsThatOfTheirPairs) {
  SimulationSetup setup = dpd_box(3, 5);
  setup.spacing = 0.5f;
  setup.fluids.push_back(setup.fluids[0]);
  setup.fluids[1].name = "other";
  setup.domain.max = {5, 5, 5};
  setup.bodies.clear();
  std::vector<Vec3> layers[2];
  for (int x = 0; x < 10; ++x)
    for (int y = 0; y < 10; ++y)
      for (int z = 0; z < 10; ++z)
        layers[x % 2].push_back(0.5f * Vec3{float(x) + 0.5f, float(y) + 0.5f, float(z) + 0.5f});
  layers[1].pop_back();  // 500 and 499
  for (int fluid = 0; fluid < 2; ++fluid) {
    setup.bodies.push_back(body_of_places(layers[fluid]));
    setup.bodies.back().fluid = fluid;
  }
  Simulation simulation(setup, device());
  ASSERT_EQ(simulation.particle_count(), 999);
  RadialDistribution g(0.6, 6);
  g.add(simulation);
  const double volume = shell(3, 0.55, 0.1);
  const auto at = [&](const std::vector<double>& values) { return values[5]; };
  // A neighbour at 0.5 along y and z is of the own fluid, one along x of the other. The missing particle takes those of four
  // of its fluid and of two of the other, and its own.
  const double own0 = 500 * 4, own1 = 499 * 4 - 4, unlike = 2 * (500 * 2 - 2);
  EXPECT_NEAR(at(g.values(0, 0)), own0 / (500 * 499 / 125.0 * volume), 1e-6);
  EXPECT_NEAR(at(g.values(1, 1)), own1 / (499 * 498 / 125.0 * volume), 1e-6);
  EXPECT_NEAR(at(g.values(0, 1)), unlike / (2 * 500 * 499 / 125.0 * volume), 1e-6);
  EXPECT_EQ(g.values(0, 1), g.values(1, 0));
  EXPECT_NEAR(at(g.values()), (own0 + own1 + unlike) / (999 * 998 / 125.0 * volume), 1e-6);
  setup.bodies.pop_back();
  RadialDistribution alone(0.6, 6);
  alone.add(Simulation(setup, device()));
  EXPECT_TRUE(std::isnan(at(alone.values(0, 1))));
}

/// The second fluid is three times as heavy and flies more slowly. The first one flies through it: the centre of mass moves at a
/// quarter of its speed, the mean particle at half of it.
TEST_P(Observables, DisplacementsOfTwoFluidsAreThoseOfTheirParticles) {
  SimulationSetup setup = two_fluid_box(4);
  switch_forces_off(setup.dpd);
  setup.start.mixed = false;
  setup.bodies.push_back(setup.bodies[0]);
  setup.bodies[0].max.x = setup.bodies[1].min.x = 2;
  setup.bodies[0].velocity = {2, 0, 0};
  setup.bodies[1].fluid = 1;
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  run_steps(simulation, 3);
  const auto velocity = by_id<Vec4>(simulation, "velocity");
  const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
  double mean[3] = {}, square[2] = {}, count[2] = {}, all = 0;
  for (const std::uint32_t f : fluid) all += double{setup.fluids[f].mass};
  for (std::size_t i = 0; i < velocity.size(); ++i)
    for (int a = 0; a < 3; ++a)
      mean[a] += double{setup.fluids[fluid[i]].mass} * double{component(xyz(velocity[i]), a)} / all;
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    ++count[fluid[i]];
    for (int a = 0; a < 3; ++a) square[fluid[i]] += std::pow(double{component(xyz(velocity[i]), a)} - mean[a], 2);
  }
  MeanSquareDisplacement displacement(simulation);
  BlockedDisplacement blocked(1, 0.2);
  blocked.add(simulation);
  for (int sample = 0; sample < 5; ++sample) {
    run_steps(simulation, 10);
    displacement.add(simulation);
    blocked.add(simulation);
  }
  const MeanSquareDisplacement::Sample& last = displacement.samples().back();
  ASSERT_EQ(last.of_fluid.size(), 2u);
  for (std::size_t f = 0; f < 2; ++f) {
    const double v2 = square[f] / count[f];
    EXPECT_NEAR(last.of_fluid[f], v2 * last.time * last.time, 2e-4 * v2) << f;
    EXPECT_NEAR(displacement.diffusion(0.1, 1.1, static_cast<int>(f)), v2 * 2 * 0.6 / 6, 1e-3 * v2) << f;
    EXPECT_NEAR(blocked.diffusion(f).value, v2 * 2 * 0.6 / 6, 1e-3 * v2) << f;
    EXPECT_NEAR(blocked.rows().back().of_fluid[f].value, last.of_fluid[f], 1e-6) << f;
  }
  EXPECT_GT(last.of_fluid[0], 2 * last.of_fluid[1]);
  EXPECT_NEAR(last.value, (count[0] * last.of_fluid[0] + count[1] * last.of_fluid[1]) / (count[0] + count[1]), 1e-6);
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

// The oracle keeps the g of every state.
TEST_P(Observables, BlocksOfDistributionsAreTheStatesThatFollowEachOther) {
  SimulationSetup setup = dpd_box(3, 4, Filling::Random);
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  BlockedDistribution blocked(simulation.setup());
  const double reach = 2;  // half of the axis, which is below 4.5 spacings
  std::vector<std::vector<double>> states;
  for (int state = 0; state < 37; ++state) {
    run_steps(simulation, 5);
    blocked.add(simulation);
    RadialDistribution one(reach, BlockedDistribution::kBins);
    one.add(simulation);
    states.push_back(one.values());
  }
  EXPECT_EQ(blocked.states(), 37);
  ASSERT_EQ(blocked.blocks(), 18u) << "pairs of states, the 37th has none";
  const auto rows = blocked.rows();
  ASSERT_EQ(rows.size(), std::size_t{BlockedDistribution::kBins});
  for (const std::size_t bin : {30u, 50u, 70u, 89u}) {
    EXPECT_NEAR(rows[bin].radius, reach * (double(bin) + 0.5) / BlockedDistribution::kBins, 1e-6);
    double sum = 0, of_blocks = 0, squares = 0;
    for (const auto& state : states) sum += state[bin];
    for (std::size_t k = 0; k < 18; ++k) of_blocks += (states[2 * k][bin] + states[2 * k + 1][bin]) / 2 / 18;
    for (std::size_t k = 0; k < 18; ++k)
      squares += std::pow((states[2 * k][bin] + states[2 * k + 1][bin]) / 2 - of_blocks, 2);
    EXPECT_NEAR(rows[bin].g.value, sum / 37, 1e-9) << bin;
    EXPECT_NEAR(rows[bin].g.error, std::sqrt(squares / 17 / 18), 1e-9) << bin;
  }
  BlockedDistribution few(simulation.setup());
  few.add(simulation);
  EXPECT_TRUE(std::isnan(few.rows()[80].g.error)) << "a block has no spread";
  EXPECT_EQ(few.rows()[80].g.value, states.back()[80]);
}

TEST_P(Observables, WindowsOfDisplacementsBeginAgain) {
  SimulationSetup setup = dpd_box(3, 4);
  switch_forces_off(setup.dpd);
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  run_steps(simulation, 3);
  const Diagnostics d = simulation.diagnostics();
  double flow = 0;
  for (const double p : d.momentum) flow += p * p / d.mass / d.mass;
  const double v2 = 2 * d.kinetic_energy / d.mass - flow;
  BlockedDisplacement displacement(1.03, 0.2);  // five states
  EXPECT_NEAR(displacement.lag(), 1, 1e-12);
  for (int state = 0; state < 28; ++state) {
    displacement.add(simulation);
    const auto rows = displacement.rows();
    EXPECT_EQ(displacement.windows(), static_cast<std::size_t>(state / 5));
    EXPECT_EQ(rows.size(), static_cast<std::size_t>(std::min(state, 5)));
    run_steps(simulation, 10);
    simulation.finish();
  }
  for (const auto& row : displacement.rows()) {
    EXPECT_NEAR(row.msd.value, v2 * row.lag * row.lag, 1e-4 * v2 * row.lag * row.lag);
    EXPECT_LT(row.msd.error, 1e-4 * row.msd.value) << "every window has the same flight";
  }
  EXPECT_NEAR(displacement.rows().back().lag, 1, 1e-5);
  // The slope through evenly spaced points of a parabola from 0.2 to 1 is that at 0.6.
  EXPECT_NEAR(displacement.diffusion().value, v2 * 2 * 0.6 / 6, 1e-3 * v2);
  EXPECT_GE(displacement.diffusion().error, 0);
  // Of its halves, from 0.2 to 0.6 and from 0.6 to 1, those at 0.4 and 0.8.
  EXPECT_NEAR(displacement.bend().value, v2 * 2 * 0.4 / 6, 1e-3 * v2);
  EXPECT_NEAR(displacement.exponent(), 2, 1e-3);
  EXPECT_TRUE(displacement.is_curved());
  EXPECT_TRUE(std::isnan(BlockedDisplacement(0.4, 0.2).diffusion().value)) << "two points are no line";
  const BlockMean spread = block_mean({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(spread.value, 3);
  EXPECT_DOUBLE_EQ(spread.error, std::sqrt(14.0 / 12));
  EXPECT_TRUE(std::isnan(block_mean({1, 2, 3}).error));
}

// A step that is longer than the interval between states, and than the window.
TEST_P(Observables, WindowsWithFewStatesHaveNoDiffusionCoefficient) {
  SimulationSetup setup = dpd_box(3, 4);
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  BlockedDisplacement rare(0.05, 0.001), enough(0.1, 0.001);
  for (int state = 0; state < 21; ++state) {
    rare.add(simulation), enough.add(simulation);
    run_steps(simulation, 1);
    simulation.finish();
  }
  EXPECT_EQ(rare.windows(), 6u);
  EXPECT_TRUE(std::isnan(rare.diffusion().value));
  EXPECT_EQ(enough.windows(), 4u);
  EXPECT_GT(enough.diffusion().value, 0);
}

TEST(Displacements, AreALineOnceHalvesAndExponentSaySo) {
  const auto rows = [](double power, double late) {
    std::vector<BlockedDisplacement::Row> all;
    for (int k = 1; k <= 10; ++k) all.push_back({0.1 * k, {2 * std::pow(0.1 * k - late, power), 0}});
    return all;
  };
  EXPECT_NEAR(growth_exponent(rows(1, 0), 0.15), 1, 1e-12);
  EXPECT_NEAR(growth_exponent(rows(2, 0), 0.15), 2, 1e-12);
  EXPECT_GT(growth_exponent(rows(1, 0.05), 0.15), 1.1) << "they began to diffuse late";
  EXPECT_NEAR(growth_exponent(rows(1, 0.05), 0.85), std::log(0.95 / 0.85) / std::log(1 / 0.9), 2e-3);
  EXPECT_TRUE(std::isnan(growth_exponent(rows(1, 0), 0.95)));
  EXPECT_FALSE(is_no_line({0.01, 0.006}, 1.05));
  EXPECT_TRUE(is_no_line({0.01, 0.004}, 1.05));
  EXPECT_TRUE(is_no_line({-0.01, 0.004}, 1.05));
  EXPECT_TRUE(is_no_line({0.01, 0.006}, 1.15));
  EXPECT_TRUE(is_no_line({}, 0.8));
  EXPECT_FALSE(is_no_line({}, 1));
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Observables);

}  // namespace
}  // namespace riffle::test
