#include <gtest/gtest.h>

#include <algorithm>

#include "dpd_host.h"
#include "dpd_setups.h"
#include "support/devices.h"

namespace riffle::test {
namespace {

class DpdMotion : public OnEachDevice {};
class LongDpdMotion : public OnEachDevice {};

/// One particle without forces in a box of 3 x 2 x 2.5 off the origin.
SimulationSetup lone_particle(int dimension, Axis axis, Vec3 velocity) {
  SimulationSetup setup = dpd_box(dimension, 3);
  setup.domain.min = {-1, 5, dimension == 3 ? 0.5f : 0};
  setup.domain.max = {2, 7, dimension == 3 ? 3.0f : 0};
  for (Axis& a : setup.domain.axis) a = axis;
  switch_forces_off(setup.dpd);
  setup.wcsph.walls = WallSlip::FreeSlip;
  setup.bodies[0].min = {0.2f, 5.7f, dimension == 3 ? 1.3f : 0};
  setup.bodies[0].max = setup.bodies[0].min + Vec3{setup.spacing, setup.spacing, dimension == 3 ? setup.spacing : 0};
  setup.bodies[0].jitter = 0;
  setup.bodies[0].velocity = velocity;
  return setup;
}

bool inside(const Domain& domain, Vec3 x) {
  for (int a = 0; a < domain.dimension; ++a)
    if (!(component(x, a) >= component(domain.min, a) && component(x, a) <= component(domain.max, a))) return false;
  return true;
}

/// A wall that mirrors the place but not the velocity, or not every time, changes |v| or lets the particle out.
void expect_motion_for_ever(const Device& device, int steps) {
  for (const int dimension : {2, 3})
    for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
      const Vec3 start{1.37f, -2.11f, dimension == 3 ? 0.83f : 0};
      SimulationSetup setup = lone_particle(dimension, Axis::Walled, start);
      setup.dpd.integrator = integrator;
      setup.step.fixed = 0.05f;
      Simulation simulation(setup, device);
      ASSERT_EQ(simulation.particle_count(), 1);
      bool turned = false;
      for (int block = 0; block < 100; ++block) {
        run_steps(simulation, steps / 100);
        const Vec4 x = by_id<Vec4>(simulation, "position")[0], v = by_id<Vec4>(simulation, "velocity")[0];
        ASSERT_TRUE(inside(setup.domain, xyz(x))) << x.x << " " << x.y << " " << x.z;
        for (int a = 0; a < 3; ++a)
          ASSERT_EQ(std::fabs(component(xyz(v), a)), std::fabs(component(start, a))) << "axis " << a;
        turned = turned || v.x != start.x;
      }
      EXPECT_TRUE(turned);
      EXPECT_EQ(simulation.diagnostics().outside, 0);
    }
}

TEST_P(DpdMotion, ALoneParticleBetweenWallsKeepsItsSpeedExactly) { expect_motion_for_ever(device(), 5000); }

TEST_P(LongDpdMotion, ALoneParticleBetweenWallsKeepsItsSpeedExactly) { expect_motion_for_ever(device(), 1000000); }

// Under a constant force the leap-frog is exact: x is the parabola, and the velocity that the drag is told at step n,
// extrapolated from half steps, is that at n dt. The first one needs the velocity half a step before the start.
TEST_P(DpdMotion, ALeapFrogUnderAConstantForceIsExactFromItsFirstStepOn) {
  for (const int dimension : {2, 3}) {
    const Vec3 start{1.5f, -2, dimension == 3 ? 0.75f : 0}, g{0.5f, -4, dimension == 3 ? 2.0f : 0};
    SimulationSetup setup = lone_particle(dimension, Axis::Open, start);
    setup.dpd.integrator = DpdIntegrator::LeapFrog;
    setup.gravity = g;
    setup.step.fixed = 0.125f;
    Simulation simulation(setup, device());
    const Vec3 origin = xyz(by_id<Vec4>(simulation, "position")[0]);
    for (int n = 1; n <= 5; ++n) {
      simulation.step();
      simulation.finish();
      const Vec3 x = xyz(by_id<Vec4>(simulation, "position")[0]);
      const Vec3 told = xyz(by_id<Vec4>(simulation, "predicted velocity")[0]);
      const double t = 0.125 * n;
      for (int a = 0; a < dimension; ++a) {
        EXPECT_NEAR(component(told, a), component(start, a) + t * component(g, a), 1e-5) << "step " << n;
        EXPECT_NEAR(component(x, a), component(origin, a) + t * component(start, a) + 0.5 * t * t * component(g, a),
                    1e-5)
            << "step " << n;
      }
    }
  }
}

TEST_P(DpdMotion, AParticleThatMeetsSeveralWallsInAStepIsReflectedByEach) {
  for (const int dimension : {2, 3})
    for (const Axis axis : {Axis::Walled, Axis::Periodic}) {
      SimulationSetup setup = lone_particle(dimension, axis, {173.3f, -98.1f, dimension == 3 ? 61.7f : 0});
      setup.step.fixed = 0.06f;
      Simulation simulation(setup, device());
      for (int step = 0; step < 50; ++step) {
        const Vec4 x = by_id<Vec4>(simulation, "position")[0], v = by_id<Vec4>(simulation, "velocity")[0];
        run_steps(simulation, 1);
        const Vec4 x_after = by_id<Vec4>(simulation, "position")[0], v_after = by_id<Vec4>(simulation, "velocity")[0];
        ASSERT_TRUE(inside(setup.domain, xyz(x_after)));
        for (int a = 0; a < dimension; ++a) {
          const double low = component(setup.domain.min, a), high = component(setup.domain.max, a);
          double place = component(xyz(x), a), speed = component(xyz(v), a);
          place += double{setup.step.fixed} * speed;
          int crossings = 0;
          for (; place < low || place > high; ++crossings)
            if (axis == Axis::Walled) {
              place = (place < low ? 2 * low : 2 * high) - place;
              speed = -speed;
            } else {
              place += place < low ? high - low : low - high;
            }
          ASSERT_GE(crossings, 1);
          ASSERT_NEAR(component(xyz(x_after), a), place, 2e-5) << "axis " << a << ", step " << step;
          ASSERT_EQ(component(xyz(v_after), a), static_cast<float>(speed)) << "axis " << a << ", step " << step;
        }
      }
    }
}

/// 3-D, walled along y, of about that side and height.
SimulationSetup walled_box(float side, float height) {
  SimulationSetup setup = dpd_box(3, side);
  setup.domain.max.y = setup.bodies[0].max.y = setup.spacing * std::round(height / setup.spacing);
  setup.domain.axis[1] = Axis::Walled;
  setup.wcsph.walls = WallSlip::FreeSlip;
  return setup;
}

/// How many particles `bins` equal layers hold, over states `apart` steps from each other.
std::vector<double> layers(Simulation& simulation, int bins, int states, int apart) {
  const double height = simulation.setup().domain.max.y;
  std::vector<double> count(static_cast<std::size_t>(bins), 0.0);
  for (int s = 0; s < states; ++s) {
    run_steps(simulation, apart);
    for (const Vec4& x : simulation.particles().get<Vec4>("position").to_host())
      ++count[static_cast<std::size_t>(std::min(bins - 1.0, double{x.y} / height * bins))];
  }
  return count;
}

// A wall that holds particles up, pushes them away or gives them other velocities makes a layer.
TEST_P(LongDpdMotion, WithoutRepulsionTheDensityIsFlatUpToTheWalls) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SimulationSetup setup = walled_box(8, 8);
    setup.dpd.integrator = integrator;
    setup.dpd.repulsion.fill(0);
    setup.step.fixed = 0.04f;
    Simulation simulation(setup, device());
    run_steps(simulation, 250);
    constexpr int kBins = 32, kStates = 40;
    const std::vector<double> count = layers(simulation, kBins, kStates, 50);
    const double expected = double(simulation.particle_count()) * kStates / kBins;
    for (int b = 0; b < kBins; ++b)
      EXPECT_NEAR(count[static_cast<std::size_t>(b)], expected, 5 * std::sqrt(expected)) << "layer " << b;
  }
}

TEST_P(LongDpdMotion, WithoutRepulsionGravityMakesTheBarometricProfile) {
  SimulationSetup setup = walled_box(8, 8);
  setup.dpd.repulsion.fill(0);
  setup.gravity = {0, -0.25f, 0};
  setup.step.fixed = 0.02f;
  Simulation simulation(setup, device());
  run_steps(simulation, 2500);
  constexpr int kBins = 16, kStates = 40;
  const std::vector<double> count = layers(simulation, kBins, kStates, 100);
  const double all = double(simulation.particle_count()) * kStates, height = setup.domain.max.y,
               whole = 1 - std::exp(-0.25 * height);
  for (int b = 0; b < kBins; ++b) {
    const double low = height * b / kBins, high = height * (b + 1) / kBins;
    const double expected = all * (std::exp(-0.25 * low) - std::exp(-0.25 * high)) / whole;
    // Layers of states two units of time apart are not quite independent.
    EXPECT_NEAR(count[static_cast<std::size_t>(b)], expected, 4 * std::sqrt(2 * expected)) << "layer " << b;
  }
}

// Impulses that particles leave on the walls, compared with the momentum that crosses the fluid.
TEST_P(LongDpdMotion, ImpulseOnTheWallsIsThePressure) {
  SimulationSetup setup = walled_box(7, 10);
  Simulation simulation(setup, device());
  run_steps(simulation, 500);
  double impulse = 0, pressure = 0;
  constexpr int kSteps = 1500, kApart = 5;
  const double dt = setup.step.fixed, height = setup.domain.max.y,
               area = double{setup.domain.max.x} * double{setup.domain.max.z}, volume = area * height;
  for (int step = 0; step < kSteps; ++step) {
    const auto x = by_id<Vec4>(simulation, "position"), v = by_id<Vec4>(simulation, "velocity"),
               a = by_id<Vec4>(simulation, "acceleration");
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double half = double{v[i].y} + 0.5 * dt * double{a[i].y}, y = double{x[i].y} + dt * half;
      if (y < 0 || y > height) impulse += 2 * std::fabs(half);
    }
    run_steps(simulation, 1);
    if (step % kApart) continue;
    const DpdState state(simulation);
    double kinetic = 0;
    for (const Vec4& u : state.velocity) kinetic += double{u.y} * double{u.y};
    const HostForces forces = host_forces(setup, state, std::vector<Double3>(x.size()), 0);
    pressure += (kinetic + forces.conservative_y) / volume / (kSteps / kApart);
  }
  const double on_walls = impulse / (kSteps * dt * 2 * area);
  RecordProperty("on_walls", std::to_string(on_walls));
  RecordProperty("in_fluid", std::to_string(pressure));
  EXPECT_NEAR(on_walls / pressure, 1, 0.01);
  EXPECT_NEAR(simulation.diagnostics().thermal->pressure / pressure, 1, 0.05);
}

TEST_P(DpdMotion, TwoDeterministicRunsAreBitIdentical) {
  for (const auto& [random, word, doc] : words_of(RandomKind{}))
    for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
      SimulationSetup setup = two_fluid_box(4);
      setup.deterministic = true;
      setup.dpd.random = random;
      setup.dpd.integrator = integrator;
      std::uint64_t hash[3];
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        setup.seed = seed == 2 ? 5 : 4;
        Simulation simulation(setup, device());
        run_steps(simulation, 40);
        hash[seed] = simulation.diagnostics().state_hash;
      }
      EXPECT_EQ(hash[0], hash[1]) << to_string(random);
      EXPECT_NE(hash[0], hash[2]) << to_string(random);
    }
}

TEST_P(DpdMotion, StepsAfterTheTimeLimitChangeNothing) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SimulationSetup setup = two_fluid_box(4);
    setup.dpd.integrator = integrator;
    Simulation simulation(setup, device());
    run_until(simulation, 0.1);
    const Diagnostics before = simulation.diagnostics();
    const DpdState state(simulation);
    run_steps(simulation, 3);
    EXPECT_EQ(simulation.finish().step, 10u);
    const Diagnostics after = simulation.diagnostics();
    EXPECT_EQ(before.state_hash, after.state_hash);
    EXPECT_NEAR(before.thermal->temperature, after.thermal->temperature, 1e-12);
    EXPECT_NEAR(before.thermal->half_step_temperature, after.thermal->half_step_temperature, 1e-12);
    const DpdState later(simulation);
    for (std::size_t i = 0; i < state.acceleration.size(); ++i)
      ASSERT_EQ(xyz(state.acceleration[i]), xyz(later.acceleration[i]));
  }
}

// The number of steps that find the time limit reached depends on how far the host is ahead of the device.
TEST_P(DpdMotion, StepsAtATimeLimitDoNotChangeTheRandomNumbersAfterIt) {
  for (const auto& [random, word, doc] : words_of(RandomKind{})) {
    SimulationSetup setup = dpd_box(3, 4);
    setup.deterministic = true;
    setup.dpd.random = random;
    std::uint64_t hash[3];
    for (const int idle : {0, 1, 5}) {
      Simulation simulation(setup, device());
      run_until(simulation, 0.1);
      run_steps(simulation, idle);
      run_until(simulation, 0.2);
      EXPECT_EQ(simulation.finish().step, 20u);
      hash[idle == 5 ? 2 : idle] = simulation.diagnostics().state_hash;
    }
    EXPECT_EQ(hash[0], hash[1]) << to_string(random);
    EXPECT_EQ(hash[0], hash[2]) << to_string(random);
  }
}

TEST_P(DpdMotion, ATimeLimitOfZeroAtTheStartChangesNothing) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SimulationSetup setup = dpd_box(3, 4);
    setup.deterministic = true;
    setup.dpd.integrator = integrator;
    std::uint64_t hash[2];
    for (const int idle : {0, 2}) {
      Simulation simulation(setup, device());
      simulation.set_time_limit(0);
      run_steps(simulation, idle);
      EXPECT_EQ(simulation.finish().step, 0u);
      simulation.set_time_limit(1);
      run_steps(simulation, 10);
      hash[idle / 2] = simulation.diagnostics().state_hash;
    }
    EXPECT_EQ(hash[0], hash[1]);
  }
}

TEST_P(DpdMotion, AChangeOfTheSearchInARunChangesNothing) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SimulationSetup setup = two_fluid_box(5);
    setup.dpd.integrator = integrator;
    Simulation steady(setup, device()), changing(setup, device());
    for (const NeighborMethodInfo& info : neighbor_methods())
      for (const float skin : {0.3f, 0.0f}) {
        run_steps(steady, 2);
        run_steps(changing, 2);
        const Diagnostics before = changing.diagnostics();
        NeighborSetup neighbors = setup.neighbors;
        neighbors.method = info.method;
        neighbors.skin = skin;
        changing.set_neighbors(neighbors);
        const Diagnostics after = changing.diagnostics();
        EXPECT_EQ(before.state_hash, after.state_hash) << info.name;
        EXPECT_NEAR(before.thermal->thermostat_pressure, after.thermal->thermostat_pressure, 1e-4) << info.name;
        EXPECT_NEAR(before.thermal->pair_energy, after.thermal->pair_energy, 1e-5) << info.name;
      }
    const DpdState expected(steady), found(changing);
    for (std::size_t i = 0; i < expected.position.size(); ++i) {
      ASSERT_LT(length2(xyz(expected.position[i]) - xyz(found.position[i])), 1e-10) << "particle " << i;
      ASSERT_EQ(expected.fluid[i], found.fluid[i]);
    }
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DpdMotion);
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDpdMotion);

}  // namespace
}  // namespace riffle::test
