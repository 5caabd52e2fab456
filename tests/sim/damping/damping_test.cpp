/// Damping zones: how much they take from a velocity, where, and that every solver applies them.

#include "sim/damping/damping.h"

#include <cmath>

#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class Damping : public OnEachDevice {};

DampingZone zone_at(BoxFace outer, float strength) {
  DampingZone zone;
  zone.min = {0.3f, 0.2f, 0.1f};
  zone.max = {0.9f, 0.8f, 0.7f};
  zone.strength = strength;
  zone.outer = outer;
  return zone;
}

/// [1/s] By the formula of the scene format.
double rate_at(const DampingZone& zone, Vec3 x, int dimension) {
  for (int a = 0; a < dimension; ++a)
    if (component(x, a) < component(zone.min, a) || component(x, a) > component(zone.max, a)) return 0;
  const double low = component(zone.min, zone.axis()), high = component(zone.max, zone.axis());
  const double place = component(x, zone.axis());
  const double share = (zone.upper() ? place - low : high - place) / (high - low);
  return zone.strength * share * share;
}

TEST(DampingZones, NameTheFacesOfABox) {
  EXPECT_EQ(zone_at(*value_of_word<BoxFace>("x_min"), 1).axis(), 0);
  EXPECT_FALSE(zone_at(*value_of_word<BoxFace>("x_min"), 1).upper());
  EXPECT_EQ(zone_at(*value_of_word<BoxFace>("y_max"), 1).axis(), 1);
  EXPECT_TRUE(zone_at(*value_of_word<BoxFace>("y_max"), 1).upper());
  EXPECT_EQ(zone_at(*value_of_word<BoxFace>("z_min"), 1).axis(), 2);
}

TEST_P(Damping, DividesVelocitiesByOneAndTheRateTimesTheStep) {
  for (const int dimension : {2, 3}) {
    Domain domain;
    domain.dimension = dimension;
    std::vector<Vec4> positions, velocities;
    for (int k = 0; k < 1000; ++k) {
      const float z = dimension == 3 ? 0.1f * static_cast<float>(k / 100) + 0.05f : 5;
      positions.push_back(
          {0.1f * static_cast<float>(k % 10) + 0.05f, 0.1f * static_cast<float>(k / 10 % 10) + 0.05f, z, 1});
      velocities.push_back({1, -2, 3, 4});
    }
    // Two of them overlap; one is so strong that an explicit step would turn velocities around.
    for (const std::vector<DampingZone>& zones : {std::vector{zone_at(BoxFace::XMax, 2)},
                                                  {zone_at(BoxFace::XMin, 2)},
                                                  {zone_at(BoxFace::YMax, 1e6f)},
                                                  {zone_at(BoxFace::YMin, 3), zone_at(BoxFace::XMax, 5)}}) {
      ParticleSet particles(device(), 1000);
      particles.add<Vec4>("position", Persistence::Carry).assign(positions);
      particles.add<Vec4>("velocity", Persistence::Carry).assign(velocities);
      ClockState clock;
      clock.dt = 0.1f;
      const Buffer<ClockState> clocks(device(), std::vector<ClockState>{clock});
      damp_velocities(particles, zones, domain, clocks.data());
      const std::vector<Vec4> after = particles.get<Vec4>("velocity").to_host();
      int damped = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        double rate = 0;
        for (const DampingZone& zone : zones) rate += rate_at(zone, xyz(positions[i]), dimension);
        damped += rate > 0;
        const double share = 1 / (1 + 0.1 * rate);
        EXPECT_NEAR(after[i].x, share, 1e-6);
        EXPECT_NEAR(after[i].y, -2 * share, 2e-6);
        EXPECT_NEAR(after[i].z, 3 * share, 3e-6);
        EXPECT_EQ(after[i].w, 4);
      }
      EXPECT_EQ(damped, dimension == 3 ? 216 : 360) << zones[0].strength;
    }
  }
}

/// A block that moves evenly, and a zone that has a part of it.
SimulationSetup moving_block(SolverKind solver) {
  SimulationSetup setup = free_block(solver, 2);
  const float side = setup.domain.max.x;
  setup.bodies[0].velocity = {0.5f, 0.2f, 0};
  DampingZone zone;
  zone.min = {0.4f * side, 0.2f * side, 0};
  zone.max = {0.8f * side, 0.7f * side, 0};
  zone.strength = 50;
  zone.outer = BoxFace::XMax;
  setup.damping = {zone};
  return setup;
}

TEST_P(Damping, OfEverySolverTakesTheMomentumOfItsFormula) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph, SolverKind::Dpd}) {
    SCOPED_TRACE(to_string(solver));
    const SimulationSetup setup = moving_block(solver);
    Simulation simulation(setup, device());
    run_steps(simulation, 3);
    double expected[2] = {};
    const Diagnostics before = simulation.diagnostics();
    const double mass = before.mass / simulation.particle_count();
    for (int step = 0; step < 5; ++step) {
      const auto position = simulation.particles().get<Vec4>("position").to_host();
      const auto velocity = simulation.particles().get<Vec4>("velocity").to_host();
      simulation.step();
      const double dt = simulation.finish().dt;
      ASSERT_GT(dt, 0);
      for (std::size_t i = 0; i < position.size(); ++i) {
        const double r = rate_at(setup.damping[0], xyz(position[i]), 2) * dt;
        expected[0] -= mass * velocity[i].x * r / (1 + r);
        expected[1] -= mass * velocity[i].y * r / (1 + r);
      }
    }
    const Diagnostics after = simulation.diagnostics();
    const double size = std::hypot(expected[0], expected[1]);
    ASSERT_GT(size, 0);
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(after.momentum[k] - before.momentum[k], expected[k], 3e-3 * size + 1e-7 * before.mass) << k;
  }
}

TEST_P(Damping, TakesNoTimeWhereThereIsNone) {
  for (const SolverCase& c : solver_cases()) {
    Simulation simulation(c.setup, device());
    run_steps(simulation, 3);
    simulation.finish();
    for (const StageStats& stage : simulation.timings().stats()) EXPECT_NE(stage.name, "damping") << c.name;
  }
}

TEST_P(Damping, IsStableAtAnyStrength) {
  for (const SolverKind solver : {SolverKind::Wcsph, SolverKind::Pbf, SolverKind::Dfsph, SolverKind::Dpd}) {
    SCOPED_TRACE(to_string(solver));
    SimulationSetup setup = moving_block(solver);
    setup.damping[0].strength = 1e6f;
    setup.damping[0].min = setup.domain.min;
    setup.damping[0].max = setup.domain.max;
    SimulationSetup without = setup;
    without.damping.clear();
    Simulation simulation(setup, device()), plain(without, device());
    const double before = simulation.diagnostics().kinetic_energy;
    run_steps(simulation, 50);
    run_steps(plain, 50);
    const Diagnostics after = simulation.diagnostics();
    EXPECT_EQ(after.non_finite, 0);
    EXPECT_LT(after.kinetic_energy, plain.diagnostics().kinetic_energy);
    // PBF's corrections of places and DPD's noise are velocities of the step itself.
    if (solver == SolverKind::Wcsph || solver == SolverKind::Dfsph) {
      EXPECT_LT(after.kinetic_energy, 1e-3 * before);
    }
  }
}

TEST_P(Damping, DoesNotActDuringTheEquilibrationBeforeTimeZero) {
  SimulationSetup setup = dpd_case(DpdIntegrator::VelocityVerlet);
  setup.start.equilibration = 10 * step_bounds(setup).fixed;
  SimulationSetup damped = setup;
  damped.damping = {{setup.domain.min, setup.domain.max, 100, BoxFace::XMax}};
  Simulation without(setup, device()), with(damped, device());
  EXPECT_EQ(with.diagnostics().state_hash, without.diagnostics().state_hash);
  with.step();
  without.step();
  EXPECT_NE(with.diagnostics().state_hash, without.diagnostics().state_hash) << "it acts from then on";
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Damping);

}  // namespace
}  // namespace riffle::test
