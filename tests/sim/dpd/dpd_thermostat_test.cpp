#include <gtest/gtest.h>

#include <algorithm>

#include "dpd_host.h"
#include "dpd_setups.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class DpdThermostat : public OnEachDevice {};
class LongDpdThermostat : public OnEachDevice {};

/// |sum F| / sum |F| of the last step.
double imbalance(const Simulation& simulation) {
  const DpdState state(simulation);
  Double3 sum{};
  double magnitudes = 0;
  for (std::size_t i = 0; i < state.acceleration.size(); ++i) {
    const Double3 a = to_double(state.acceleration[i]);
    const double mass = simulation.setup().fluids[state.fluid[i]].mass;
    for (std::size_t k = 0; k < 3; ++k) sum[k] += mass * a[k];
    magnitudes += mass * std::hypot(a[0], a[1], a[2]);
  }
  return std::hypot(sum[0], sum[1], sum[2]) / magnitudes;
}

double drift_speed(Simulation& simulation) {
  const Diagnostics d = simulation.diagnostics();
  return std::hypot(d.momentum[0], d.momentum[1], d.momentum[2]) / d.mass;
}

std::vector<SimulationSetup> one_and_two_fluids(float side) { return {dpd_box(3, side), two_fluid_box(side)}; }

// If partners draw separate numbers, or the table of coefficients is not symmetric, every step breaks the balance.
TEST_P(DpdThermostat, RandomForcesCancelInEveryStep) {
  for (const RandomKind random : {RandomKind::Philox, RandomKind::Karpinski})
    for (SimulationSetup setup : one_and_two_fluids(5)) {
      setup.dpd.repulsion.fill(0);
      setup.dpd.friction.fill(0);
      setup.dpd.random = random;
      Simulation simulation(setup, device());
      double worst = 0;
      for (int step = 0; step < 20; ++step) {
        run_steps(simulation, 1);
        worst = std::max(worst, imbalance(simulation));
      }
      RecordProperty(std::string(to_string(random)) + std::to_string(setup.fluids.size()),
                     std::to_string(1e9 * worst) + "e-9");
      EXPECT_LT(worst, 1e-6) << to_string(random) << ", " << setup.fluids.size() << " fluids";
      EXPECT_GT(simulation.diagnostics().max_acceleration, 1);
    }
}

TEST_P(DpdThermostat, MomentumDoesNotDriftInAThousandSteps) {
  for (const RandomKind random : {RandomKind::Philox, RandomKind::Karpinski})
    for (SimulationSetup setup : one_and_two_fluids(4)) {
      setup.dpd.random = random;
      Simulation simulation(setup, device());
      run_steps(simulation, 1000);
      const double drift = drift_speed(simulation);
      RecordProperty(std::string(to_string(random)) + std::to_string(setup.fluids.size()),
                     std::to_string(1e9 * drift) + "e-9");
      EXPECT_LT(drift, 1e-6) << to_string(random) << ", " << setup.fluids.size() << " fluids";
    }
}

// Shows that the two cases above can fail.
TEST_P(DpdThermostat, TheStreamOfThePaperDoesNotKeepTheMomentum) {
  SimulationSetup setup = dpd_box(3, 4);
  setup.dpd.random = RandomKind::KarpinskiStream;
  Simulation simulation(setup, device());
  run_steps(simulation, 200);
  const double of_a_step = imbalance(simulation), drift = drift_speed(simulation);
  RecordProperty("imbalance", std::to_string(of_a_step));
  RecordProperty("drift", std::to_string(drift));
  EXPECT_GT(of_a_step, 1e-3);
  EXPECT_GT(drift, 1e-2);
}

TEST_P(LongDpdThermostat, MomentumDoesNotDriftInTenThousandSteps) {
  for (const RandomKind random : {RandomKind::Philox, RandomKind::Karpinski})
    for (SimulationSetup setup : one_and_two_fluids(5)) {
      setup.dpd.random = random;
      Simulation simulation(setup, device());
      run_steps(simulation, 10000);
      const double drift = drift_speed(simulation);
      RecordProperty(std::string(to_string(random)) + std::to_string(setup.fluids.size()),
                     std::to_string(1e9 * drift) + "e-9");
      EXPECT_LT(drift, 2e-6) << to_string(random) << ", " << setup.fluids.size() << " fluids";
    }
}

/// The start's velocities have a quarter of the temperature that friction and noise lead to.
SimulationSetup thermostated(SimulationSetup setup, float kT, float friction) {
  setup.dpd.temperature = kT / 4;
  setup.dpd.friction.fill(friction);
  setup.dpd.noise.fill(std::sqrt(2 * friction * kT));
  return setup;
}

// A wrong variance of the noise, a sigma^2 other than 2 gamma kT or a missing sqrt(dt) misses the temperature in one of
// the three.
TEST_P(DpdThermostat, BringsTheFluidToTheTemperatureOfFrictionAndNoise) {
  struct Case {
    float kT, friction, dt;
  };
  for (const Case& c : {Case{1, 4.5f, 0.02f}, Case{2, 4.5f, 0.01f}, Case{0.5f, 9, 0.005f}}) {
    SimulationSetup setup = thermostated(dpd_box(3, 6), c.kT, c.friction);
    setup.step.fixed = c.dt;
    Simulation simulation(setup, device());
    EXPECT_NEAR(simulation.diagnostics().thermal->temperature, c.kT / 4, 0.06 * c.kT);
    const int settling = static_cast<int>(std::lround(3 / c.dt)), rest = static_cast<int>(std::lround(6 / c.dt));
    const ThermalMeans means = thermal_means(simulation, settling, 40, rest / 40);
    RecordProperty("kT_over_" + std::to_string(c.kT), std::to_string(means.temperature / c.kT));
    // 2187 degrees of freedom, about ten independent states: 1 %.
    EXPECT_NEAR(means.temperature / c.kT, 1, 0.05) << "kT " << c.kT << ", gamma " << c.friction << ", dt " << c.dt;
  }
}

TEST_P(DpdThermostat, HoldsTheTemperatureInTwoDimensions) {
  SimulationSetup setup = thermostated(dpd_box(2, 12), 1, 4.5f);
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  EXPECT_NEAR(thermal_means(simulation, 200, 40, 10).temperature, 1, 0.06);
  for (const Vec4& x : by_id<Vec4>(simulation, "position")) ASSERT_EQ(x.z, 0);
}

TEST_P(DpdThermostat, GivesHeavyAndLightParticlesOneTemperature) {
  SimulationSetup setup = thermostated(two_fluid_box(6), 1, 4.5f);
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  const ThermalMeans means = thermal_means(simulation, 300, 60, 10);
  ASSERT_EQ(means.fluid_temperature.size(), 2u);
  EXPECT_NEAR(means.fluid_temperature[0], 1, 0.08);  // 2 % of statistics, correlated over 1.6 units of time
  EXPECT_NEAR(means.fluid_temperature[1], 1, 0.08);
}

TEST_P(DpdThermostat, TemperatureOfHalfStepsIsAboveThatOfFullSteps) {
  for (const IntegratorCase& integrator : integrator_cases()) {
    SimulationSetup setup = dpd_box(3, 5);
    use(setup.dpd, integrator);
    setup.step.fixed = 0.04f;
    Simulation simulation(setup, device());
    const ThermalMeans means = thermal_means(simulation, 50, 20, 5);
    EXPECT_GT(means.half_step_temperature, 1.02 * means.temperature) << integrator.name;
    EXPECT_LT(means.half_step_temperature, 1.07 * means.temperature) << integrator.name;
  }
}

// If pairs at the faces count twice or not at all, their number is off, and so is the pressure.
TEST_P(DpdThermostat, EquilibriumHasTheNeighborsEnergyAndPressureOfTheReference) {
  SimulationSetup setup = dpd_box(3, 6);
  Simulation simulation(setup, device());
  const ThermalMeans means = thermal_means(simulation, 300, 30, 10);
  RecordProperty("neighbors_energy_pressure", std::to_string(means.mean_neighbors) + " " +
                                                  std::to_string(means.pair_energy) + " " +
                                                  std::to_string(means.pressure));
  EXPECT_NEAR(means.mean_neighbors, 12.05, 0.1);
  EXPECT_NEAR(means.pair_energy, 4.547, 0.06);
  EXPECT_NEAR(means.pressure, 23.68, 0.3);
}

/// kT over the set one, mean of 80 units of time: 0.2 % of statistics.
double long_mean_temperature(const Device& device, float kT, float friction, float dt) {
  SimulationSetup setup = thermostated(dpd_box(3, 8), kT, friction);
  setup.step.fixed = dt;
  Simulation simulation(setup, device);
  const int states = static_cast<int>(std::lround(80 / dt / 10));
  return thermal_means(simulation, static_cast<int>(std::lround(5 / dt)), states, 10).temperature / kT;
}

TEST_P(LongDpdThermostat, TemperatureDoesNotDependOnTheStep) {
  double least = 2, most = 0;
  for (const float dt : {0.005f, 0.01f, 0.02f}) {
    const double kT = long_mean_temperature(device(), 1, 4.5f, dt);
    RecordProperty("kT_at_dt_" + std::to_string(dt), std::to_string(kT));
    EXPECT_NEAR(kT, 1, 0.01) << "dt " << dt;
    least = std::min(least, kT), most = std::max(most, kT);
  }
  EXPECT_LT(most / least, 1.01);
}

TEST_P(LongDpdThermostat, TemperatureIsThatOfFrictionAndNoise) {
  for (const float kT : {0.5f, 2.0f})
    for (const float friction : {4.5f, 9.0f}) {
      const double found = long_mean_temperature(device(), kT, friction, 0.01f);
      RecordProperty("kT_" + std::to_string(kT) + "_gamma_" + std::to_string(friction), std::to_string(found));
      EXPECT_NEAR(found, 1, 0.01) << "kT " << kT << ", gamma " << friction;
    }
}

TEST_P(LongDpdThermostat, HeavyAndLightParticlesHaveOneTemperature) {
  SimulationSetup setup = thermostated(two_fluid_box(8), 1, 4.5f);
  Simulation simulation(setup, device());
  const ThermalMeans means = thermal_means(simulation, 1000, 4000, 10);  // 0.2 % of statistics for the heavy
  RecordProperty("kT_light", std::to_string(means.fluid_temperature[0]));
  RecordProperty("kT_heavy", std::to_string(means.fluid_temperature[1]));
  EXPECT_NEAR(means.fluid_temperature[0], 1, 0.01);
  EXPECT_NEAR(means.fluid_temperature[1], 1, 0.01);
  EXPECT_NEAR(means.fluid_temperature[1] / means.fluid_temperature[0], 1, 0.01);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DpdThermostat);
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDpdThermostat);

}  // namespace
}  // namespace riffle::test
