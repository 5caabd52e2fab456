/// Walls that act like fluid in them: tables, single particles, and the fluid between two plates.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "dpd_setups.h"
#include "sim/by_id.h"
#include "sim/dpd/dpd.h"
#include "sim/dpd/pair_correlation.h"
#include "sim/dpd/wall_table.h"
#include "sim/simulation.h"
#include "support/devices.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {
namespace {

double pressure_of(const std::vector<double>& g, double repulsion, double crowd, int dimension) {
  const double step = 1.0 / static_cast<double>(g.size());
  double sum = 0;
  for (std::size_t k = 0; k < g.size(); ++k) {
    const double r = (static_cast<double>(k) + 0.5) * step;
    sum += g[k] * repulsion * (1 - r) *
           (dimension == 3 ? 2 * std::numbers::pi / 3 * r * r * r : std::numbers::pi / 2 * r * r);
  }
  return crowd + crowd * crowd * sum * step;
}

TEST(PairCorrelation, GivesThePressureOfSimulations) {
  // Groot and Warren 1997: P = rho kT + 0.101 a rho^2 above rho = 3, a little less at 3 itself; 23.65 in this program.
  EXPECT_NEAR(pressure_of(dpd::radial_distribution(25, 3, 3), 25, 3, 3), 23.65, 0.2);
  EXPECT_NEAR(pressure_of(dpd::radial_distribution(15, 8, 3), 15, 8, 3), 8 + 0.101 * 15 * 64, 0.02 * 105);
}

TEST(PairCorrelation, IsEvenWithoutRepulsionAndWhereItIsNotFound) {
  for (const double g : dpd::radial_distribution(0, 3, 3)) EXPECT_NEAR(g, 1, 1e-9);
  for (const double g : dpd::radial_distribution(1e9, 3, 2)) EXPECT_EQ(g, 1);
  const std::vector<double> crowded = dpd::radial_distribution(25, 20, 3);
  EXPECT_LT(crowded.front(), 0.1);
  EXPECT_NEAR(crowded.back(), 1, 0.03);
}

TEST(WallTable, HasTheIntegralsOfAHalfSpace) {
  SimulationSetup setup = dpd_box(3, 4);
  setup.dpd.repulsion.fill(0);  // g is 1
  const double n = 1 / setup.particle_volume(), pi = std::numbers::pi;
  const std::vector<dpd::WallWeights> weights = dpd::wall_weights(setup);
  ASSERT_EQ(weights.size(), dpd::kWallCells + 1u);
  for (int k = 0; k <= dpd::kWallCells; ++k) {
    const double h = static_cast<double>(k) / dpd::kWallCells, h2 = h * h;
    const dpd::WallWeights& w = weights[static_cast<std::size_t>(k)];
    EXPECT_NEAR(w.repulsion, pi * n * (1.0 / 12 - h2 / 2 + 2 * h * h2 / 3 - h2 * h2 / 4), 2e-3 * n) << h;
    // Of the drag: half of what the whole sphere has at the wall itself, the same in all directions.
    if (k == 0) {
      EXPECT_NEAR(w.along, n * pi / 45, 1e-4 * n);
      EXPECT_NEAR(w.across, n * pi / 45, 1e-4 * n);
      EXPECT_NEAR(w.virial, 0.5 * n * 2 * pi / 20, 1e-3 * n);
    }
    EXPECT_GE(w.across, 0.999f * w.along) << "a wall is felt most along its normal";
  }
  const dpd::WallWeights& far = weights.back();
  EXPECT_EQ(far.repulsion + far.across + far.along + far.virial, 0);
  const dpd::WallTable table{weights.data(), dpd::kWallCells / setup.dpd.cutoff};
  EXPECT_EQ(table.at(0, -1).repulsion, weights[0].repulsion);
  EXPECT_EQ(table.at(0, 1).repulsion, 0);
  const float between = 2.5f / dpd::kWallCells * setup.dpd.cutoff;
  EXPECT_NEAR(table.at(0, between).along, 0.5f * (weights[2].along + weights[3].along), 1e-6);
}

class DpdWalls : public OnEachDevice {};
class LongDpdWalls : public OnEachDevice {};

/// One particle without forces: walls send it back, and do not drag it.
SimulationSetup lone_drifter(int dimension, Vec3 velocity) {
  SimulationSetup setup = dpd_box(dimension, 3);
  setup.domain.max = {8, 2, dimension == 3 ? 8.0f : 0};
  setup.domain.axis[1] = Axis::Walled;
  switch_forces_off(setup.dpd);
  setup.bodies[0].min = {4, 0.7f, dimension == 3 ? 4.0f : 0};
  setup.bodies[0].max =
      setup.bodies[0].min + 1.2f * Vec3{setup.spacing, setup.spacing, dimension == 3 ? setup.spacing : 0};
  setup.bodies[0].jitter = 0;
  setup.bodies[0].velocity = velocity;
  return setup;
}

TEST_P(DpdWalls, SendAParticleBackTheWayItCameAsSeenFromThem) {
  for (const int dimension : {2, 3})
    for (const DpdIntegrator integrator : {DpdIntegrator::VelocityVerlet, DpdIntegrator::LeapFrog})
      for (const float belt : {0.0f, 0.5f}) {
        SimulationSetup setup = lone_drifter(dimension, {0.3f, -1, dimension == 3 ? 0.2f : 0});
        setup.wcsph.wall_velocity[1][0] = {belt, 0, 0};
        setup.dpd.integrator = integrator;
        setup.step.fixed = 0.03f;
        Simulation simulation(setup, device());
        const Vec4 start = by_id<Vec4>(simulation, "position")[0];
        const double hit = start.y;  // [time] at which it meets the floor
        run_until(simulation, 1.5);
        const Vec4 x = by_id<Vec4>(simulation, "position")[0], v = by_id<Vec4>(simulation, "velocity")[0];
        EXPECT_NEAR(v.x, 2 * belt - 0.3f, 1e-5);
        EXPECT_NEAR(v.y, 1, 1e-5);
        EXPECT_NEAR(v.z, dimension == 3 ? -0.2f : 0, 1e-5);
        EXPECT_NEAR(x.x, start.x + 0.3 * hit + (2 * belt - 0.3) * (1.5 - hit), 1e-4);
        EXPECT_NEAR(x.y, 1.5 - hit, 1e-4);
      }
}

TEST_P(DpdWalls, OfSolidsDoTheSame) {
  SimulationSetup setup = lone_drifter(3, {0.3f, -1, 0});
  setup.domain.axis[1] = Axis::Periodic;
  setup.solid_regions.push_back(solid_box({3, -0.1f, 3}, {6, 0.2f, 6}));
  setup.step.fixed = 0.03f;
  Simulation simulation(setup, device());
  const Vec4 start = by_id<Vec4>(simulation, "position")[0];
  run_until(simulation, 1.2);
  const Vec4 x = by_id<Vec4>(simulation, "position")[0], v = by_id<Vec4>(simulation, "velocity")[0];
  EXPECT_NEAR(v.x, -0.3f, 1e-5);
  EXPECT_NEAR(v.y, 1, 1e-5);
  const double hit = start.y - 0.2;
  EXPECT_NEAR(x.x, start.x + 0.3 * hit - 0.3 * (1.2 - hit), 1e-4);
  EXPECT_NEAR(x.y, 0.2 + 1.2 - hit, 1e-4);
}

/// Between plates at y = 0 and y = height.
SimulationSetup plates(float side, float height) {
  SimulationSetup setup = dpd_box(3, side);
  setup.domain.max.y = setup.bodies[0].max.y = height;
  setup.bodies[0].filling = Filling::Random;
  setup.domain.axis[1] = Axis::Walled;
  setup.start.equilibration = 2;
  setup.step.fixed = 0.02f;
  return setup;
}

TEST_P(DpdWalls, TakeTheMomentumThatTheFluidLoses) {
  SimulationSetup setup = plates(5, 5);
  setup.face_forces = true;
  setup.wcsph.wall_velocity[1][1] = {1, 0, 0};
  Simulation simulation(setup, device());
  run_steps(simulation, 1);
  const Diagnostics before = simulation.diagnostics();
  run_steps(simulation, 500);
  const Diagnostics after = simulation.diagnostics();
  double on_walls = 0;
  for (std::size_t face = 0; face < after.faces.size(); ++face)
    on_walls += after.faces[face].impulse[0] - before.faces[face].impulse[0];
  const double gained = after.momentum[0] - before.momentum[0];
  EXPECT_GT(gained, 10);
  EXPECT_NEAR(on_walls, -gained, 1e-5 * simulation.particle_count());
}

// The face behind a slab, and solids that touch or overlap, repelled the same fluid several times.
TEST_P(DpdWalls, ThatOthersHideDoNotCount) {
  SimulationSetup bare = plates(4, 5);
  bare.dpd.friction.fill(0);
  bare.dpd.noise.fill(0);
  bare.domain.min.y = 0.2f;
  bare.bodies[0].min.y = 0.2f;
  bare.bodies[0].filling = Filling::Lattice;
  bare.start.equilibration = 0;
  SimulationSetup one = bare, parted = bare, piled = bare;
  for (SimulationSetup* setup : {&one, &parted, &piled}) setup->domain.min.y = 0;
  one.solid_regions = {solid_box({-1, -1, -1}, {5, 0.2f, 5})};
  parted.solid_regions = {solid_box({-1, -1, -1}, {2, 0.2f, 5}), solid_box({2, -1, -1}, {5, 0.2f, 5})};
  piled.solid_regions = {solid_box({-1, -1, -1}, {3, 0.2f, 5}), solid_box({1, -1, -1}, {5, 0.2f, 5}),
                         solid_box({-1, -1, -1}, {5, 0.1f, 5})};
  const auto accelerations = [&](const SimulationSetup& setup) {
    Simulation simulation(setup, device());
    run_steps(simulation, 1);
    return by_id<Vec4>(simulation, "wall acceleration");
  };
  const std::vector<Vec4> expected = accelerations(bare);
  double strongest = 0;
  for (const Vec4& a : expected) strongest = std::max(strongest, std::sqrt(double{length2(xyz(a))}));
  ASSERT_GT(strongest, 10);
  for (const SimulationSetup* setup : {&one, &parted, &piled}) {
    const std::vector<Vec4> found = accelerations(*setup);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(length2(xyz(found[i]) - xyz(expected[i])), 0, 1e-6 * strongest * strongest)
          << setup->solid_regions.size() << " solids, particle " << i << ": " << found[i].x << " " << found[i].y << " "
          << found[i].z << " instead of " << expected[i].x << " " << expected[i].y << " " << expected[i].z;
  }
}

TEST_P(DpdWalls, GoOnFromAStateWithTheWholeForceOfAStep) {
  SimulationSetup setup = plates(5, 5);
  setup.face_forces = true;
  setup.deterministic = true;
  Simulation simulation(setup, device());
  run_steps(simulation, 20);
  Simulation next(setup, device(), simulation.save_state());
  run_steps(simulation, 1);
  run_steps(next, 1);
  const Diagnostics straight = simulation.diagnostics(), resumed = next.diagnostics();
  EXPECT_EQ(straight.state_hash, resumed.state_hash);
  for (std::size_t face = 2; face < 4; ++face) {
    EXPECT_GT(std::fabs(straight.faces[face].force[1]), 100);
    EXPECT_NEAR(resumed.faces[face].force[1] / straight.faces[face].force[1], 1, 1e-4);
  }
}

TEST_P(DpdWalls, MayMoveFasterThanHeat) {
  SimulationSetup setup = plates(5, 5);
  setup.wcsph.wall_velocity[1][1] = {30, 0, 0};
  EXPECT_GE(dpd::thermal_speed(setup), 60);
  Simulation simulation(setup, device());  // the equilibration before time 0 has no belt
  EXPECT_LT(simulation.finish().max_speed, 10);
}

TEST_P(LongDpdWalls, KeepDensityAndTemperatureUpToThemAndDragTheFluidAlong) {
  SimulationSetup setup = plates(8, 10);
  const float belt = 1;
  setup.wcsph.wall_velocity[1][1] = {belt, 0, 0};
  Simulation simulation(setup, device());
  run_steps(simulation, 10000);
  constexpr int kBins = 100, kStates = 500;
  std::vector<double> count(kBins), along(kBins), across2(kBins);
  double height = 0, moments[4] = {};  // of the velocity over the height, away from the plates
  double pressure = 0;
  for (int s = 0; s < kStates; ++s) {
    run_steps(simulation, 50);
    const auto x = by_id<Vec4>(simulation, "position"), v = by_id<Vec4>(simulation, "velocity");
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto bin = static_cast<std::size_t>(std::min(kBins - 1.0, std::floor(double{x[i].y} * 10)));
      count[bin] += 1, along[bin] += v[i].x, across2[bin] += 0.5 * (v[i].y * v[i].y + v[i].z * v[i].z);
      if (x[i].y < 2 || x[i].y > 8) continue;
      height = x[i].y - 5.0;
      moments[0] += 1, moments[1] += v[i].x, moments[2] += height * v[i].x, moments[3] += height * height;
    }
    if (s % 10 == 0) pressure += simulation.diagnostics().thermal->pressure / (kStates / 10);
  }
  double bulk = 0;
  for (std::size_t bin = 30; bin < 70; ++bin) bulk += count[bin] / 40;
  double worst = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    worst = std::max(worst, std::fabs(count[bin] / bulk - 1));
    EXPECT_NEAR(count[bin] / bulk, 1, 0.1) << "layer " << bin;
    EXPECT_NEAR(across2[bin] / count[bin], 1, 0.05) << "temperature of layer " << bin;
  }
  RecordProperty("largest_deviation_of_density", std::to_string(worst));
  const double mean = moments[1] / moments[0], slope = moments[2] / moments[3];
  const double at_rest = mean - 5 * slope, at_belt = mean + 5 * slope;
  RecordProperty("velocity_at_the_plates", std::to_string(at_rest) + " " + std::to_string(at_belt));
  // The fluid slips by the gradient times a quarter of r_c, 0.025; the noise of the means is 0.007.
  EXPECT_NEAR(at_rest, 0, 0.05);
  EXPECT_NEAR(at_belt, belt, 0.05);
  RecordProperty("pressure", std::to_string(pressure));
  EXPECT_NEAR(pressure, 23.65, 0.25);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DpdWalls);
RIFFLE_INSTANTIATE_ON_EACH_DEVICE(LongDpdWalls);

}  // namespace
}  // namespace riffle::test
