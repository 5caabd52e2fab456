// DFSPH: that long waves of the pressure are found at once, in deep water and in large domains, and that a cycle on the cells
// solves their equations, by elimination.

#include "sim/dfsph/coarse/coarse_pressure.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sim/dfsph/coarse/coarse_equations.cuh"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

using namespace dfsph::coarse;

class DfsphDepth : public OnEachDevice {};

/// Water 1 m deep, `deep` spacings, and 8 spacings wide between periodic faces.
SimulationSetup deep_water(int dimension, int deep) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.spacing = 1.0f / static_cast<float>(deep);
  const float width = 8 * setup.spacing;
  setup.domain.max = {width, 1.7f, dimension == 3 ? width : 1};
  for (int a = 0; a < 3; ++a) setup.domain.axis[a] = a == 1 ? Axis::Walled : Axis::Periodic;
  setup.fluids.emplace_back();
  BodySetup water;
  water.max = {width, 1, setup.domain.max.z};
  setup.bodies.push_back(water);
  return with_solver(setup, SolverKind::Dfsph);
}

/// Most iterations of a density solve in that many steps.
std::uint32_t most_iterations(Simulation& simulation, int steps) {
  std::uint32_t most = 0;
  for (int k = 0; k < steps; ++k) {
    simulation.step();
    most = std::max(most, simulation.diagnostics().solves->density.iterations);
  }
  return most;
}

// Without long waves: 200 iterations in the step in which the errors first exceed their bound.
TEST_P(DfsphDepth, TheFirstStepsOfDeepWaterFindItsPressure) {
  for (const int dimension : {2, 3}) {
    Simulation simulation(deep_water(dimension, dimension == 2 ? 80 : 40), device());
    EXPECT_LE(most_iterations(simulation, 30), 20u) << dimension;
    EXPECT_EQ(simulation.diagnostics().solves->unconverged, 0u);
  }
}

TEST_P(DfsphDepth, WaterAtRestNeedsAtMostThreeIterations) {
  Simulation simulation(deep_water(2, 40), device());
  while (simulation.finish().time < 1) simulation.step();
  const std::uint64_t before = simulation.diagnostics().solves->density.all_iterations;
  run_steps(simulation, 100);
  EXPECT_LE(simulation.diagnostics().solves->density.all_iterations - before, 300u);
  const Diagnostics d = simulation.diagnostics();
  EXPECT_LT(std::sqrt(2 * d.kinetic_energy / d.mass), 0.005 * std::sqrt(9.81));
  EXPECT_LT(d.compression->all.mean, 5e-4);
}

// What a short step takes of an excess of density would need a huge pressure.
TEST_P(DfsphDepth, AStepThatIsCutShortLeavesThePressure) {
  Simulation simulation(deep_water(2, 40), device());
  while (simulation.finish().time < 1) simulation.step();
  const std::vector<float> before = by_id<float>(simulation, "pressure");
  simulation.set_time_limit(simulation.finish().time + 0.02 * double{simulation.finish().dt});
  simulation.step();
  const std::vector<float> after = by_id<float>(simulation, "pressure");
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 0.02 * 9810) << i;
}

// Levels of many cells are a launch each, those of few share one.
TEST_P(DfsphDepth, WaterInADomainThatIsFarHigherIsFoundToo) {
  SimulationSetup setup = deep_water(2, 80);
  setup.domain.max.y = 80;
  Simulation simulation(setup, device());
  EXPECT_LE(most_iterations(simulation, 30), 12u);
}

TEST_P(DfsphDepth, ALightFluidOnAHeavyOneIsFoundAtOnce) {
  SimulationSetup setup = deep_water(2, 80);
  setup.fluids.push_back({.name = "light", .rest_density = 100});
  BodySetup upper = setup.bodies[0];
  setup.bodies[0].max.y = upper.min.y = 0.5f;
  upper.fluid = 1;
  setup.bodies.push_back(upper);
  Simulation simulation(setup, device());
  EXPECT_LE(most_iterations(simulation, 30), 16u);
  EXPECT_EQ(simulation.diagnostics().solves->unconverged, 0u);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(DfsphDepth);

TEST(DfsphCells, AreNotMoreThanTheirMostInAnyDomain) {
  SimulationSetup setup = deep_water(3, 40);
  const Device cpu = device_of(DeviceKind::Cpu);
  for (const Vec3 size : {Vec3{2000, 2000, 2000}, Vec3{1e6f, 1, 1}}) {
    setup.domain.max = size;
    const dfsph::CoarsePressure pressure(setup, cpu, 1);
    EXPECT_LT(pressure.memory_bytes(), std::size_t{24} << 20);
  }
}

TEST(DfsphCells, AreThereWhereTheDomainIsDeepAlongGravity) {
  SimulationSetup setup = deep_water(2, 40);  // the domain: 68 spacings
  EXPECT_TRUE(dfsph::CoarsePressure::is_on(setup));
  setup.wcsph.negative_pressure = true;
  EXPECT_FALSE(dfsph::CoarsePressure::is_on(setup));
  setup.wcsph.negative_pressure = false;
  setup.domain.max = {10, 0.39f, 1};
  EXPECT_FALSE(dfsph::CoarsePressure::is_on(setup));
  EXPECT_EQ(dfsph::CoarsePressure(setup, device_of(DeviceKind::Cpu), 1).memory_bytes(), 0u);
  setup.gravity = {-9.81f, 1, 0};
  EXPECT_TRUE(dfsph::CoarsePressure::is_on(setup));
  setup.gravity = {0, 0, 0};
  EXPECT_FALSE(dfsph::CoarsePressure::is_on(setup));
}

/// Levels with memory of their own.
struct Pyramid {
  std::vector<std::vector<Vec4>> coefficient;
  std::vector<std::vector<float>> right, q, next;
  std::vector<Level> level;

  explicit Pyramid(Cells cells) {
    for (;; cells = cells.coarser()) {
      const auto n = static_cast<std::size_t>(cells.count());
      coefficient.emplace_back(n);
      for (auto* of : {&right, &q, &next}) of->emplace_back(n);
      level.push_back({cells, coefficient.back().data(), right.back().data(), q.back().data(), next.back().data()});
      if (*std::max_element(cells.along, cells.along + 3) <= 2) return;
    }
  }

  template <class F>
  static void on_cells(const Level& level, const F& f) {
    for (std::int64_t c = 0; c < level.cells.count(); ++c) f(c);
  }
  void cycle() {
    for (std::size_t l = 1; l < level.size(); ++l) on_cells(level[l], Coarsen{level[l - 1], level[l]});
    on_cells(level[0], StartLevel{level[0]});
    for (std::size_t l = 1; l < level.size(); ++l) on_cells(level[l], Restrict{level[l - 1], level[l]});
    const Level& last = level.back();
    for (int k = 0; k < 7; ++k)
      on_cells(last, Smooth{last, k % 2 == 0 ? last.q : last.next, k % 2 == 0 ? last.next : last.q});
    for (std::size_t l = level.size() - 1; l-- > 0;) {
      on_cells(level[l], Prolong{level[l], level[l + 1]});
      on_cells(level[l], Smooth{level[l], level[l].q, level[l].next});
    }
  }
};

/// The matrix of a level, from what its coefficients mean.
std::vector<std::vector<double>> matrix_of(const Level& level) {
  const auto n = static_cast<std::size_t>(level.cells.count());
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (std::size_t c = 0; c < n; ++c) {
    const Int3 p = level.cells.place(static_cast<std::int64_t>(c));
    const Vec4 k = level.coefficient[c];
    a[c][c] += k.w;
    for (int axis = 0; axis < level.cells.dimension; ++axis) {
      int at[3] = {p.x, p.y, p.z};
      if (++at[axis] == level.cells.along[axis]) {
        if (!level.cells.periodic[axis]) continue;
        at[axis] = 0;
      }
      const auto j = static_cast<std::size_t>(level.cells.index(at[0], at[1], at[2]));
      const double to_next = component(Vec3{k.x, k.y, k.z}, axis);
      a[c][c] += to_next, a[j][j] += to_next;
      a[c][j] -= to_next, a[j][c] -= to_next;
    }
  }
  return a;
}

std::vector<double> eliminated(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const double factor = a[j][i] / a[i][i];
      if (factor == 0) continue;
      for (std::size_t k = i; k < n; ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// Of a periodic tank with a free surface, in which each cell has another density. A cycle leaves less than two thirds of the error.
TEST(DfsphCycle, FindsWhatEliminationFinds) {
  for (const int dimension : {2, 3}) {
    Cells cells;
    cells.along[0] = 6, cells.along[1] = 21, cells.along[2] = dimension == 3 ? 3 : 1;
    cells.dimension = dimension;
    cells.periodic[0] = true;
    cells.walled[1] = cells.walled[2] = true;
    Pyramid pyramid(cells);
    const Level& level = pyramid.level[0];
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> density(1, 2), any(-1, 1);
    const auto n = static_cast<std::size_t>(cells.count());
    std::vector<double> right(n), found(n);
    for (std::size_t c = 0; c < n; ++c) {
      const Int3 p = cells.place(static_cast<std::int64_t>(c));
      level.coefficient[c] = {density(generator), p.y < 20 ? density(generator) : 0.0f,
                              dimension == 3 && p.z < 2 ? density(generator) : 0.0f, p.y == 20 ? 2.0f : 0.0f};
      right[c] = 1 + any(generator);
    }
    const std::vector<std::vector<double>> a = matrix_of(level);
    const std::vector<double> exact = eliminated(a, right);
    double error = *std::max_element(exact.begin(), exact.end());
    ASSERT_GT(error, 10);
    for (int k = 0; k < 6; ++k) {
      for (std::size_t c = 0; c < n; ++c) {
        double left = right[c];
        for (std::size_t j = 0; j < n; ++j) left -= a[c][j] * found[j];
        level.right[c] = static_cast<float>(left);
      }
      pyramid.cycle();
      double now = 0;
      for (std::size_t c = 0; c < n; ++c) {
        found[c] += level.next[c];
        now = std::max(now, std::fabs(found[c] - exact[c]));
      }
      EXPECT_LT(now, 0.67 * error) << dimension << "-D, cycle " << k;
      error = now;
    }
  }
}

}  // namespace
}  // namespace riffle::test
