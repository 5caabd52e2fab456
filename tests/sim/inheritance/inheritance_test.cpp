/// A change of the solver while the fluid is at rest: it stays at rest.

#include "sim/inheritance/inheritance.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/by_id.h"
#include "support/devices.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

constexpr double kDepth = 0.5;                  // [m]
const double kUnit = std::sqrt(9.81 * kDepth);  // [m/s]
constexpr const char* kSolvers[] = {"continuity", "summation", "dfsph", "pbf"};

/// Water at rest, 16 spacings deep; in 3-D 8, where the outermost layers have more part in all.
SimulationSetup tank(const std::string& solver, int dimension = 2) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  const float width = dimension == 2 ? 1.0f : 0.5f;
  setup.domain.max = {width, 1, width};
  for (Axis& axis : setup.domain.axis) axis = Axis::Walled;
  setup.spacing = dimension == 2 ? 1.0f / 32 : 1.0f / 16;
  setup.fluids.emplace_back();
  BodySetup water;
  water.max = {width, kDepth, width};
  setup.bodies.push_back(water);
  setup.deterministic = true;
  setup.solver = solver == "dfsph" ? SolverKind::Dfsph : solver == "pbf" ? SolverKind::Pbf : SolverKind::Wcsph;
  return solver == "summation" ? by_summation(setup) : setup;
}

/// Speeds [sqrt(gH)] and the mean height [m].
struct Motion {
  double fastest = 0, rms = 0, height = 0;
};

Motion motion_of(const Simulation& simulation) {
  Motion motion;
  const double n = simulation.particle_count();
  for (const Vec4& v : simulation.particles().get<Vec4>("velocity").to_host()) {
    motion.fastest = std::max(motion.fastest, std::sqrt(double{length2(xyz(v))}) / kUnit);
    motion.rms += length2(xyz(v)) / n;
  }
  motion.rms = std::sqrt(motion.rms) / kUnit;
  for (const Vec4& x : simulation.particles().get<Vec4>("position").to_host()) motion.height += x.y / n;
  return motion;
}

/// The largest speeds within a time, and the largest change of the height.
Motion most_motion(Simulation& simulation, double seconds) {
  const double end = simulation.finish().time + seconds, height = motion_of(simulation).height;
  Motion most;
  while (simulation.finish().time < end) {
    simulation.step();
    const Motion now = motion_of(simulation);
    most.fastest = std::max(most.fastest, now.fastest);
    most.rms = std::max(most.rms, now.rms);
    most.height = std::max(most.height, std::fabs(now.height - height));
  }
  return most;
}

SimulationState settled(const SimulationSetup& setup, const Device& device) {
  Simulation simulation(setup, device);
  while (simulation.finish().time < 1) simulation.step();
  return simulation.save_state();
}

class SolverChange : public OnEachDevice {};

// The summing solver rings for seconds by itself, so what follows it is compared with that.
void expect_rest_after_changes_from(const char* from, int dimension, const Device& device) {
  const SimulationState state = settled(tank(from, dimension), device);
  Simulation same(tank(from, dimension), device, state);
  const Motion before = most_motion(same, 0.3);
  for (const char* to : kSolvers) {
    if (std::string(to) == from) continue;
    SCOPED_TRACE(std::string(from) + " to " + to);
    Simulation simulation(tank(to, dimension), device, state);
    const Motion after = most_motion(simulation, 0.3);
    EXPECT_LT(after.rms, std::max(dimension == 2 ? 0.011 : 0.024, 1.2 * before.rms));
    EXPECT_LT(after.fastest, std::max(0.08, 1.5 * before.fastest));
    EXPECT_LT(after.height, std::max((dimension == 2 ? 0.0015 : 0.003) * kDepth, 1.5 * before.height));
    EXPECT_EQ(simulation.diagnostics().non_finite, 0);
  }
}

TEST_P(SolverChange, FromContinuityLeavesWaterAtRest) { expect_rest_after_changes_from("continuity", 2, device()); }
TEST_P(SolverChange, FromSummationMovesTheWaterNoMore) { expect_rest_after_changes_from("summation", 2, device()); }
TEST_P(SolverChange, FromDfsphLeavesWaterAtRest) { expect_rest_after_changes_from("dfsph", 2, device()); }
TEST_P(SolverChange, FromPbfLeavesWaterAtRest) { expect_rest_after_changes_from("pbf", 2, device()); }

TEST_P(SolverChange, LeavesWaterAtRestIn3D) {
  for (const char* from : {"continuity", "dfsph", "pbf"}) expect_rest_after_changes_from(from, 3, device());
}

// Another support radius makes other sums of the same particles.
TEST_P(SolverChange, OfTheSupportRadiusLeavesWaterAtRest) {
  for (const char* solver : {"continuity", "dfsph"}) {
    SCOPED_TRACE(solver);
    SimulationSetup wide = tank(solver);
    const SimulationState state = settled(wide, device());
    Simulation same(wide, device(), state);
    const Motion before = most_motion(same, 0.3);
    wide.support_ratio = 2.5f;
    Simulation simulation(wide, device(), state);
    EXPECT_LT(most_motion(simulation, 0.3).rms, std::max(0.011, 1.2 * before.rms));
  }
}

// What is inherited is not for ever: the new solver's own density comes back.
TEST_P(SolverChange, IsForgottenAfterSomeTime) {
  const SimulationState state = settled(tank("pbf"), device());
  Simulation simulation(tank("dfsph"), device(), state);
  const double compressed = motion_of(simulation).height;
  EXPECT_LT(compressed, 0.994 * 0.5 * kDepth);
  simulation.step();
  double sum = 0;
  for (const float e : by_id<float>(simulation, Inheritance::kAttribute)) sum += e;
  EXPECT_GT(sum / simulation.particle_count(), 0.003);
  while (simulation.finish().time < 7) simulation.step();  // six times 1 / Inheritance::rate()
  EXPECT_GT(motion_of(simulation).height, 0.998 * 0.5 * kDepth);
  for (const float e : by_id<float>(simulation, Inheritance::kAttribute)) EXPECT_LT(std::fabs(e), 1e-3f);
}

// Also while the new solver has not made a step yet, and in the midst of what follows.
TEST_P(SolverChange, IsPartOfAState) {
  for (const char* from : kSolvers)
    for (const char* to : kSolvers) {
      if (from == std::string(to)) continue;
      SCOPED_TRACE(std::string(from) + " to " + to);
      Simulation start(tank(from), device());
      run_steps(start, 30);
      Simulation simulation(tank(to), device(), start.save_state());
      for (const int steps : {0, 5}) {
        run_steps(simulation, steps);
        const SimulationState state = simulation.save_state();
        Simulation copy(tank(to), device(), state), restored(tank(to), device());
        restored.restore_state(state);
        run_steps(simulation, 3);
        run_steps(copy, 3);
        run_steps(restored, 3);
        EXPECT_EQ(copy.diagnostics().state_hash, simulation.diagnostics().state_hash) << steps;
        EXPECT_EQ(restored.diagnostics().state_hash, simulation.diagnostics().state_hash) << steps;
        simulation.restore_state(state);
      }
    }
}

// Changing there and back while nothing moves: the old solver goes on as if nothing had been.
TEST_P(SolverChange, ThereAndBackBetweenTwoStepsLeavesWaterAtRest) {
  for (const char* from : {"continuity", "dfsph", "pbf"}) {
    const SimulationState state = settled(tank(from), device());
    for (const char* to : kSolvers) {
      SCOPED_TRACE(std::string(from) + " to " + to);
      Simulation there(tank(to), device(), state);
      Simulation back(tank(from), device(), there.save_state());
      EXPECT_LT(most_motion(back, 0.1).rms, 0.011);
    }
  }
}

TEST(PressureLeft, ByPbfIsThatOfTheColumn) {
  const SimulationState state = settled(tank("pbf"), select_device(DeviceRequest::Cpu));
  const std::vector<float> pressure = left_pressures(state, state.setup);
  const auto& position = state.require<Vec4>("position");
  ASSERT_EQ(pressure.size(), position.size());
  double error2 = 0, all2 = 0, surface = 0;
  for (const Vec4& x : position) surface += 2 * x.y / double(position.size());
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    const double column = 9810 * (surface - position[i].y);
    if (column < 9810 * 3 * state.setup.spacing) continue;
    error2 += std::pow(pressure[i] - column, 2);
    all2 += column * column;
  }
  EXPECT_LT(std::sqrt(error2 / all2), 0.06);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SolverChange);

}  // namespace
}  // namespace riffle::test
