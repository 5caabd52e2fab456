#include <gtest/gtest.h>

#include <algorithm>

#include "dpd_host.h"
#include "dpd_setups.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class DpdForces : public OnEachDevice {};
class LongDpdForces : public OnEachDevice {};

TEST(DpdWeight, NormalizedWeightIntegratesToOne) {
  for (const int dimension : {2, 3})
    for (const double cutoff : {1.0, 1.6}) {
      const double density = 3, c = dpd::normalized_weight(dimension, density, cutoff);
      double integral = 0;
      constexpr int kShells = 20000;
      for (int k = 0; k < kShells; ++k) {
        const double r = (k + 0.5) * cutoff / kShells;
        const double surface = 3.14159265358979 * (dimension == 2 ? 2 * r : 4 * r * r);
        integral += density * c * (1 - r / cutoff) * surface * cutoff / kShells;
      }
      EXPECT_NEAR(integral, 1, 1e-6) << dimension << "-D, cutoff " << cutoff;
    }
  EXPECT_NEAR(dpd::normalized_weight(3, 3, 1), 0.3183, 1e-4);
}

// The two accelerations show each of these faults: a wrong sign, a reversed direction, a missing 1/sqrt(dt), a separate
// theta for each partner, drag from other velocities than the integrator's.
TEST_P(DpdForces, TwoParticlesAreAcceleratedByTheFormulaInOppositeDirections) {
  for (const int dimension : {2, 3})
    for (const IntegratorCase& integrator : integrator_cases())
      for (const RandomKind random : {RandomKind::Philox, RandomKind::Karpinski}) {
        SimulationSetup setup = two_particles(dimension, 0.5f);
        setup.fluids.push_back(setup.fluids[0]);
        setup.fluids[1].mass = 3;
        setup.bodies[1].fluid = 1;
        setup.dpd.repulsion.value[0][1] = setup.dpd.repulsion.value[1][0] = 40;
        setup.dpd.cutoff = 1.25f;
        setup.dpd.random = random;
        setup.seed = 77;
        use(setup.dpd, integrator);
        Simulation simulation(setup, device());
        ASSERT_EQ(simulation.particle_count(), 2);
        run_steps(simulation, 1);
        for (std::uint64_t step = 2; step < 6; ++step) {
          const std::vector<Double3> predicted = predicted_velocities(setup, DpdState(simulation));
          run_steps(simulation, 1);
          const DpdState after(simulation);
          const HostForces expected = host_forces(setup, after, predicted, step);
          ASSERT_EQ(expected.neighbors, 2);
          EXPECT_LT(relative_error(setup, after, expected), 2e-6)
              << dimension << "-D, " << integrator.name << ", " << to_string(random) << ", step " << step;
          for (int k = 0; k < dimension; ++k)
            EXPECT_FLOAT_EQ(component(xyz(after.acceleration[0]), k), -3 * component(xyz(after.acceleration[1]), k));
        }
      }
}

TEST_P(DpdForces, TwoParticlesAtRestPartAndDoNotAttract) {
  SimulationSetup setup = two_particles(3, 0.5f);
  switch_forces_off(setup.dpd);
  setup.dpd.repulsion.fill(25);
  setup.dpd.temperature = 1e-12f;
  Simulation simulation(setup, device());
  run_steps(simulation, 1);
  const DpdState state(simulation);
  const Vec3 apart = xyz(state.position[0]) - xyz(state.position[1]);
  const float r = std::sqrt(length2(apart));
  EXPECT_NEAR(r, 0.5 + 2 * 12.5 * 0.01 * 0.01 / 2, 1e-5);
  EXPECT_NEAR(dot(xyz(state.acceleration[0]), apart) / r, 25 * (1 - r), 1e-4);
  EXPECT_NEAR(dot(xyz(state.acceleration[1]), apart) / r, -25 * (1 - r), 1e-4);
}

TEST_P(DpdForces, TwoParticlesAtOnePointGetNoForceAndStayNumbers) {
  SimulationSetup setup = two_particles(3, 0);
  setup.dpd.temperature = 1e-30f;  // so slow that both stay where they are
  Simulation simulation(setup, device());
  run_steps(simulation, 2);
  EXPECT_EQ(simulation.diagnostics().non_finite, 0);
  for (const Vec4& a : DpdState(simulation).acceleration) EXPECT_EQ(length2(xyz(a)), 0);
}

// If the sum of the virial draws again, or for another step, it gets other random numbers than those that acted.
TEST_P(DpdForces, VirialIsMadeOfTheRandomNumbersThatActed) {
  for (const IntegratorCase& integrator : integrator_cases())
    for (const RandomKind random : {RandomKind::Philox, RandomKind::Karpinski}) {
      SimulationSetup setup = two_particles(3, 0.5f);
      setup.dpd.random = random;
      use(setup.dpd, integrator);
      Simulation simulation(setup, device());
      run_steps(simulation, 1);
      for (std::uint64_t step = 2; step < 5; ++step) {
        const std::vector<Double3> predicted = predicted_velocities(setup, DpdState(simulation));
        run_steps(simulation, 1);
        const HostForces expected = host_forces(setup, DpdState(simulation), predicted, step);
        const ThermalDiagnostics thermal = *simulation.diagnostics().thermal;
        const double side = setup.domain.max.x, volume = side * side * side;
        EXPECT_NEAR((thermal.thermostat_pressure - thermal.pressure) * 3 * volume, expected.thermostat,
                    1e-5 * std::fabs(expected.thermostat))
            << integrator.name << ", " << to_string(random) << ", step " << step;
        EXPECT_NEAR(thermal.pressure * volume - 2 * thermal.temperature, expected.conservative / 3,
                    1e-5 * expected.conservative);
        EXPECT_NEAR(thermal.pair_energy * 2, expected.energy, 1e-5 * expected.energy);
        EXPECT_EQ(thermal.mean_neighbors, 1);
      }
    }
}

/// Forces of single precision after each of `checks` blocks of steps, against those of double precision at the same
/// places. Single precision must suffice far from the origin and across the faces, after any number of steps.
void expect_forces_of_double_precision(const Device& device, int steps_of_block, int checks) {
  for (const int dimension : {2, 3}) {
    SimulationSetup setup = dimension == 3 ? two_fluid_box(10, Filling::Random) : dpd_box(2, 20, Filling::Random);
    Simulation simulation(setup, device);
    ASSERT_GE(simulation.particle_count(), 1200);
    double worst = 0;
    for (int check = 1; check <= checks; ++check) {
      run_steps(simulation, steps_of_block - 1);
      const std::vector<Double3> predicted = predicted_velocities(setup, DpdState(simulation));
      run_steps(simulation, 1);
      const DpdState after(simulation);
      const HostForces expected =
          host_forces(setup, after, predicted, static_cast<std::uint64_t>(check * steps_of_block));
      const double error = relative_error(setup, after, expected);
      EXPECT_LT(error, 1e-5) << dimension << "-D, step " << check * steps_of_block;
      worst = std::max(worst, error);
      const Diagnostics d = simulation.diagnostics();
      const double n = simulation.particle_count();
      EXPECT_NEAR(d.thermal->pair_energy * n, expected.energy, 1e-5 * expected.energy);
      // One pair may lie at the cut-off radius, within rounding.
      EXPECT_NEAR(d.thermal->mean_neighbors * n, double(expected.neighbors), 2.5);
      double kinetic = 0;
      for (std::size_t i = 0; i < after.velocity.size(); ++i) {
        const Double3 v = to_double(after.velocity[i]);
        kinetic += 0.5 * double{setup.fluids[after.fluid[i]].mass} * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      }
      EXPECT_NEAR(d.kinetic_energy, kinetic, 1e-6 * kinetic) << "summed in single precision";
    }
    ::testing::Test::RecordProperty("error_" + std::to_string(dimension) + "d", std::to_string(1e6 * worst) + "e-6");
  }
}

TEST_P(DpdForces, OfSinglePrecisionAgreeWithThoseOfDoublePrecision) {
  expect_forces_of_double_precision(device(), 6, 1);
}

TEST_P(LongDpdForces, OfSinglePrecisionAgreeWithThoseOfDoublePrecisionForAThousandSteps) {
  expect_forces_of_double_precision(device(), 50, 20);
}

TEST_P(DpdForces, NeitherTheSearchNorHowOftenParticlesAreSortedChangesTheResult) {
  SimulationSetup setup = two_fluid_box(6, Filling::Random);
  setup.dpd.random = RandomKind::Karpinski;
  const auto state_with = [&](NeighborMethod method, float skin) {
    setup.neighbors.method = method;
    setup.neighbors.skin = skin;
    Simulation simulation(setup, device());
    run_steps(simulation, 10);
    return DpdState(simulation);
  };
  const DpdState expected = state_with(NeighborMethod::BruteForce, 0);
  for (const NeighborMethodInfo& info : neighbor_methods())
    for (const float skin : {0.0f, 0.3f}) {
      const DpdState found = state_with(info.method, skin);
      double farthest = 0, wrong = 0, all = 0;
      for (std::size_t i = 0; i < expected.position.size(); ++i) {
        const Vec3 off = xyz(expected.position[i]) - xyz(found.position[i]);
        farthest = std::max(farthest, std::sqrt(double{length2(off)}));
        wrong += double{length2(xyz(expected.acceleration[i]) - xyz(found.acceleration[i]))};
        all += double{length2(xyz(expected.acceleration[i]))};
      }
      EXPECT_LT(farthest, 1e-5) << info.name << ", skin " << skin;
      EXPECT_LT(std::sqrt(wrong / all), 1e-5) << info.name << ", skin " << skin;
    }
}

// Walls reverse velocities at the moment when a particle meets them.
TEST_P(DpdForces, AfterAReflectionFollowFromTheVelocitiesOffTheWall) {
  for (const IntegratorCase& integrator : integrator_cases()) {
    SimulationSetup setup = dpd_box(3, 4);
    for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
    setup.wcsph.walls = WallSlip::FreeSlip;
    setup.step.fixed = 0.03f;
    use(setup.dpd, integrator);
    Simulation simulation(setup, device());
    run_steps(simulation, 20);
    int reflected = 0;
    for (std::uint64_t step = 21; step < 26; ++step) {
      const std::vector<Double3> predicted = predicted_velocities(setup, DpdState(simulation), &reflected);
      run_steps(simulation, 1);
      const DpdState after(simulation);
      EXPECT_LT(relative_error(setup, after, host_forces(setup, after, predicted, step)), 1e-5) << integrator.name;
    }
    EXPECT_GT(reflected, 10);
  }
}

/// Total energy after every tenth step, without thermostat.
std::vector<double> energies(const Device& device, DpdIntegrator integrator, float dt, float time) {
  SimulationSetup setup = dpd_box(3, 5);
  setup.dpd.integrator = integrator;
  setup.dpd.friction.fill(0);
  setup.dpd.noise.fill(0);
  setup.step.fixed = dt;
  Simulation simulation(setup, device);
  std::vector<double> result;
  const int steps = static_cast<int>(std::lround(time / dt));
  for (int s = 0; s <= steps; s += 10) {
    const Diagnostics d = simulation.diagnostics();
    result.push_back(d.kinetic_energy + d.thermal->pair_energy * simulation.particle_count());
    run_steps(simulation, 10);
  }
  return result;
}

TEST_P(DpdForces, KeepTheEnergyWithoutAThermostat) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    const std::vector<double> energy = energies(device(), integrator, 0.005f, 6);
    // The lattice breaks up in the first 200 steps, with an error that does not grow afterwards. The 1000 steps begin
    // there.
    const auto mean = [&](std::size_t from) {
      double sum = 0;
      for (std::size_t k = from; k < from + 20; ++k) sum += energy[k] / 20;
      return sum;
    };
    const double drift = std::fabs(mean(100) - mean(20)) / energy[0];
    RecordProperty(integrator == DpdIntegrator::LeapFrog ? "leap_frog" : "velocity_verlet",
                   std::to_string(1e6 * drift) + "e-6");
    EXPECT_LT(drift, 1e-4);
  }
}

TEST_P(DpdForces, KeepTheEnergyWithAnErrorOfSecondOrder) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    const auto largest_error = [&](float dt) {
      double largest = 0;
      const std::vector<double> energy = energies(device(), integrator, dt, 1.2f);
      for (const double e : energy) largest = std::max(largest, std::fabs(e - energy[0]) / energy[0]);
      return largest;
    };
    const double fine = largest_error(0.005f), middle = largest_error(0.01f), coarse = largest_error(0.02f);
    RecordProperty(integrator == DpdIntegrator::LeapFrog ? "leap_frog" : "velocity_verlet",
                   std::to_string(coarse / middle) + " " + std::to_string(middle / fine));
    EXPECT_NEAR(coarse / middle, 4, 1);
    EXPECT_NEAR(middle / fine, 4, 1);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DpdForces);
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDpdForces);

}  // namespace
}  // namespace riffle::test
