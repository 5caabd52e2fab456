/// The table of quantities and their values, against flows whose values are known and against sums over all pairs.

#include "sim/measure/quantity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/device/memory.h"
#include "core/error.h"
#include "sim/measure/inspect.h"
#include "sim/measure/quantity_values.h"
#include "support/devices.h"
#include "support/neighbor_oracle.h"
#include "tests/sim/solver_cases.h"
#include "tests/sim/velocity_field.h"

namespace riffle::test {
namespace {

class QuantityTest : public OnEachDevice {
 protected:
  QuantityValues values_;

  /// By id.
  std::vector<float> values(const Simulation& simulation, Quantity quantity) {
    std::vector<float> found(static_cast<std::size_t>(simulation.particle_count()));
    copy_to_host(simulation.device(), found.data(), values_.compute(simulation, quantity),
                 found.size() * sizeof(float));
    return in_order_of_ids(simulation, found);
  }
};

Vec3 turning(Vec3 axis, Vec3 x) {
  return {axis.y * x.z - axis.z * x.y, axis.z * x.x - axis.x * x.z, axis.x * x.y - axis.y * x.x};
}

TEST_P(QuantityTest, VorticityOfASolidRotationIsTwiceItsRateAtTheSurfaceToo) {
  for (const int dimension : {2, 3})
    for (const float sign : {1.0f, -1.0f}) {
      SimulationSetup setup = free_block(SolverKind::Wcsph, dimension);
      setup.bodies[0].jitter = 0.2f;
      Simulation simulation(setup, device());
      const Vec3 rate = sign * (dimension == 2 ? Vec3{0, 0, 1.5f} : Vec3{0.5f, -1, 2});
      set_velocities(simulation, [&](Vec3 x) { return turning(rate, x - Vec3{0.4f, 0.5f, 0}) + Vec3{3, 2, 0}; });
      const float expected = dimension == 2 ? 2 * rate.z : 2 * std::sqrt(length2(rate));
      const std::vector<float> found = values(simulation, Quantity::Vorticity);
      ASSERT_GT(found.size(), 100u);
      for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected, 2e-3) << dimension << "-D, " << i;
    }
}

TEST_P(QuantityTest, VorticityOfAShearFlowIsItsNegativeSlope) {
  SimulationSetup setup = free_block(SolverKind::Wcsph, 2);
  Simulation simulation(setup, device());
  const auto position = by_id<Vec4>(simulation, "position");
  const float reach = setup.support_radius(), low = setup.bodies[0].min.y, high = setup.bodies[0].max.y;
  set_velocities(simulation, [](Vec3 x) { return Vec3{7 * x.y, 0, 0}; });
  for (const float found : values(simulation, Quantity::Vorticity)) ASSERT_NEAR(found, -7, 7e-3);
  set_velocities(simulation, [&](Vec3 x) { return Vec3{4 * (x.y - low) * (high - x.y), 0, 0}; });  // Poiseuille
  const std::vector<float> found = values(simulation, Quantity::Vorticity);
  int compared = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Vec3 x = xyz(position[i]);
    if (x.y < low + reach || x.y > high - reach || x.x < low + reach || x.x > high - reach) continue;
    ASSERT_NEAR(found[i], -4 * (low + high - 2 * x.y), 5e-3) << x.y;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST_P(QuantityTest, VorticityIsZeroWhereNeighboursAreTooFewToTell) {
  SimulationSetup setup = free_block(SolverKind::Wcsph, 3);
  const float s = setup.spacing;
  setup.bodies = {body_of_one_particle(setup, {0.2f, 0.2f, 0.2f}),
                  body_of_one_particle(setup, Vec3{0.2f, 0.2f, 0.2f} + Vec3{s, s, 0}),
                  body_of_one_particle(setup, {0.8f, 0.8f, 0.8f})};
  Simulation simulation(setup, device());
  set_velocities(simulation, [](Vec3 x) { return Vec3{x.y, 3 * x.x, x.z}; });
  EXPECT_EQ(values(simulation, Quantity::Vorticity), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(values(simulation, Quantity::Neighbors), (std::vector<float>{1, 1, 0}));
}

TEST_P(QuantityTest, NeighborsAreThoseOfAllPairsAtEveryMoment) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    for (const int steps : {0, 1, 6}) {
      run_steps(simulation, steps);
      const NeighborSets sets = expected_neighbors(by_id<Vec4>(simulation, "position"), simulation.setup().domain,
                                                   simulation.setup().support_radius());
      const std::vector<float> found = values(simulation, Quantity::Neighbors);
      for (std::size_t i = 0; i < sets.size(); ++i) ASSERT_EQ(found[i], static_cast<float>(sets[i].size())) << i;
      EXPECT_EQ(found[5], static_cast<float>(inspect(simulation, 5).neighbors));
    }
  }
}

// With a leap-frog from the velocities at the time of the positions, as the mean over the box.
TEST_P(QuantityTest, TemperatureIsThatOfAParticleAndItsNeighboursAboutTheirCommonVelocity) {
  for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog}) {
    SCOPED_TRACE(word_of(integrator));
    const bool leap_frog = integrator == DpdIntegrator::LeapFrog;
    SimulationSetup setup = with_solver(two_fluid_box(5), SolverKind::Dpd);
    setup.dpd.integrator = integrator;
    Simulation simulation(setup, device());
    run_steps(simulation, 5);
    const auto position = by_id<Vec4>(simulation, "position"), velocity = by_id<Vec4>(simulation, "velocity");
    const auto previous = leap_frog ? by_id<Vec4>(simulation, "previous velocity") : velocity;
    const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
    const NeighborSets sets =
        expected_neighbors(position, simulation.setup().domain, simulation.setup().support_radius());
    const std::vector<float> found = values(simulation, Quantity::Temperature);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      std::vector<std::size_t> group = {i};
      for (const Neighbor& j : sets[i]) group.push_back(j.j);
      double mass = 0, momentum[3] = {}, energy = 0;
      for (const std::size_t j : group) {
        const double m = fluid[j] == 0 ? 1 : 3;
        mass += m;
        for (int k = 0; k < 3; ++k) {
          const double v = 0.5 * (double{component(xyz(velocity[j]), k)} + component(xyz(previous[j]), k));
          momentum[k] += m * v, energy += m * v * v;
        }
      }
      for (const double p : momentum) energy -= p * p / mass;
      const double expected = group.size() < 2 ? 0 : energy / (3 * (static_cast<double>(group.size()) - 1));
      ASSERT_NEAR(found[i], expected, 1e-4 * (1 + expected)) << i;
    }
  }
}

// In equilibrium each particle's value is an estimate of kT, without a bias by the mean flow.
TEST_P(QuantityTest, TemperatureOfAnEquilibriumIsThatOfTheThermostat) {
  SimulationSetup setup = with_solver(dpd_box(3, 8), SolverKind::Dpd);
  setup.bodies[0].velocity = {2, 0, -1};
  Simulation simulation(setup, device());
  run_steps(simulation, 400);  // pairs on a lattice store too little energy, and take it from the motion
  double sum = 0, global = 0;
  int states = 0;
  for (int k = 0; k < 10; ++k) {
    run_steps(simulation, 20);
    double mean = 0;
    const std::vector<float> found = values(simulation, Quantity::Temperature);
    for (const float value : found) mean += value / static_cast<double>(found.size());
    sum += mean, ++states;
    global += simulation.diagnostics().thermal->temperature;
  }
  EXPECT_NEAR(sum / states, 1, 0.03);
  EXPECT_NEAR(sum / states, global / states, 0.02);
}

TEST_P(QuantityTest, ValuesOfAParticleAloneAreThoseOfItsAttributes) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    Simulation simulation(c.setup, device());
    const auto has = [&](Quantity quantity) { return quantity_info(quantity).lacking(c.setup).empty(); };
    // What only a step computes is that of the first one, before it too.
    const std::uint64_t hash = simulation.diagnostics().state_hash;
    Simulation ahead(c.setup, device());
    run_steps(ahead, 1);
    ahead.finish();
    for (const Quantity quantity :
         {Quantity::Pressure, Quantity::Compression, Quantity::Density, Quantity::Acceleration})
      if (has(quantity)) {
        const std::vector<float> before = values(simulation, quantity), first = values(ahead, quantity);
        ASSERT_EQ(before.size(), first.size());
        float largest = 0;
        for (const float value : first) largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < first.size(); ++i)
          ASSERT_NEAR(before[i], first[i], 1e-5f * largest) << quantity_info(quantity).word;
      }
    EXPECT_EQ(simulation.diagnostics().state_hash, hash);
    EXPECT_EQ(simulation.latest().step, 0u);
    run_steps(simulation, 10);
    const auto velocity = by_id<Vec4>(simulation, "velocity");
    const auto speed = values(simulation, Quantity::Speed), x = values(simulation, Quantity::VelocityX),
               y = values(simulation, Quantity::VelocityY);
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      ASSERT_EQ(x[i], velocity[i].x);
      ASSERT_EQ(y[i], velocity[i].y);
      ASSERT_FLOAT_EQ(speed[i], std::sqrt(length2(xyz(velocity[i]))));
    }
    EXPECT_EQ(has(Quantity::VelocityZ), c.setup.domain.dimension == 3);
    if (has(Quantity::VelocityZ)) {
      EXPECT_EQ(values(simulation, Quantity::VelocityZ)[7], velocity[7].z);
    }
    ASSERT_EQ(has(Quantity::Density), simulation.particles().has("density"));
    ASSERT_EQ(has(Quantity::Acceleration), simulation.particles().has("acceleration"));
    if (has(Quantity::Acceleration)) {
      EXPECT_FLOAT_EQ(values(simulation, Quantity::Acceleration)[7],
                      std::sqrt(length2(xyz(by_id<Vec4>(simulation, "acceleration")[7]))));
    }
    if (has(Quantity::Density)) {
      const auto density = by_id<float>(simulation, "density");
      EXPECT_EQ(values(simulation, Quantity::Density), density);
      const auto compression = values(simulation, Quantity::Compression);
      for (std::size_t i = 0; i < density.size(); ++i) ASSERT_NEAR(compression[i], density[i] / 1000 - 1, 1e-6);
    }
    if (has(Quantity::Pressure)) {
      const auto pressure = values(simulation, Quantity::Pressure);
      for (std::uint32_t id = 0; id < velocity.size(); id += 23)
        EXPECT_FLOAT_EQ(pressure[id], *inspect(simulation, id).pressure);
    }
    const auto fluid = by_id<std::uint32_t>(simulation, "fluid");
    const auto shown = values(simulation, Quantity::Fluid);
    for (std::size_t i = 0; i < fluid.size(); ++i) ASSERT_EQ(shown[i], static_cast<float>(fluid[i]));
  }
}

TEST_P(QuantityTest, ARunIsTheSameWithAndWithoutThem) {
  for (SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    c.setup.neighbors.skin = 0.1f;  // then the search is kept from step to step
    const auto hash = [&](bool measured) {
      Simulation simulation(c.setup, device());
      for (int step = 0; step < 12; ++step) {
        for (const QuantityInfo& quantity : quantities())
          if (measured && quantity.lacking(c.setup).empty()) values_.compute(simulation, quantity.quantity);
        simulation.step();
      }
      return simulation.diagnostics().state_hash;
    };
    EXPECT_EQ(hash(true), hash(false));
  }
}

TEST_P(QuantityTest, OneThatParticlesLackIsRefused) {
  for (const SolverCase& c : solver_cases()) {
    Simulation simulation(c.setup, device());
    for (const QuantityInfo& quantity : quantities()) {
      if (quantity.lacking(c.setup).empty()) continue;
      EXPECT_THROW(values_.compute(simulation, quantity.quantity), InputError) << c.name << ", " << quantity.word;
      EXPECT_EQ(quantities_of(c.setup).find(std::string(quantity.word) + ","), std::string::npos);
    }
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(QuantityTest);

TEST(QuantityTable, HasANameAUnitAndARangeOfEach) {
  std::set<std::string> words, names;
  for (const QuantityInfo& quantity : quantities()) {
    EXPECT_TRUE(words.insert(quantity.word).second) << quantity.word;
    EXPECT_TRUE(names.insert(quantity.name).second) << quantity.name;
    EXPECT_EQ(&quantity_info(quantity.quantity), &quantity);
    for (const SolverCase& c : solver_cases()) {
      const QuantityRange range = quantity.range(c.setup);
      EXPECT_LT(range.min, range.max) << quantity.word << ", " << c.name;
      EXPECT_TRUE(std::isfinite(range.min) && std::isfinite(range.max)) << quantity.word << ", " << c.name;
    }
  }
  EXPECT_GE(words.size(), 12u);
}

TEST(QuantityTable, UnitsFollowTheSolver) {
  const SimulationSetup si = with_solver(column_setup(3, 5), SolverKind::Wcsph), dpd = dpd_box(3, 4);
  SimulationSetup hot = dpd, nameless = dpd;
  hot.dpd.temperature = 2;
  nameless.dpd.cutoff = 1.5f;
  const auto unit = [](Quantity quantity, const SimulationSetup& setup) {
    return shown_unit(quantity_info(quantity), setup);
  };
  EXPECT_EQ(unit(Quantity::Vorticity, si), "1/s");
  EXPECT_EQ(unit(Quantity::Vorticity, dpd), "1/\u03c4");
  EXPECT_EQ(unit(Quantity::Vorticity, hot), "1/\u03c4");
  EXPECT_EQ(unit(Quantity::Vorticity, nameless), "reduced units");
  EXPECT_EQ(unit(Quantity::Acceleration, si), "m/s\u00b2");
  EXPECT_EQ(unit(Quantity::Density, si), "kg/m\u00b3");
  EXPECT_EQ(unit(Quantity::Pressure, si), "Pa");
  EXPECT_EQ(unit(Quantity::Temperature, dpd), "kT");
  EXPECT_EQ(unit(Quantity::Temperature, hot), "\u03b5") << "kT is 2 of the scene's units of energy";
  EXPECT_EQ(unit(Quantity::Temperature, nameless), "kT");
  EXPECT_EQ(unit(Quantity::Neighbors, si), "");
}

// A range that a run fills by a hundredth, or leaves at once, shows nothing.
TEST(QuantityTable, RangesAreOfTheOrderOfAColumnThatFalls) {
  const SimulationSetup setup = with_solver(column_setup(3, 10), SolverKind::Wcsph);
  const auto most = [&](Quantity quantity) { return quantity_info(quantity).range(setup).max; };
  const float height = 0.2f, speed = std::sqrt(2 * 9.81f * height);
  EXPECT_NEAR(most(Quantity::Speed), speed, 0.2f * speed);
  EXPECT_NEAR(most(Quantity::Pressure), 1000 * 9.81f * height, 0.4f * 1000 * 9.81f * height);
  EXPECT_NEAR(most(Quantity::Neighbors), 1.25f * 4.19f * 27, 2) << "h is three spacings";
}

}  // namespace
}  // namespace riffle::test
