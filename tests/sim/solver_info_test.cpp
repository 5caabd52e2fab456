#include "sim/solver_info.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/solver.h"
#include "tests/sim/solver_cases.h"
#include "tests/support/devices.h"

namespace riffle::test {
namespace {

TEST(SolverTable, EverySolverHasOneRowAndIsFoundByItsName) {
  std::set<SolverKind> kinds;
  for (const SolverInfo* info : solvers()) {
    EXPECT_TRUE(kinds.insert(info->kind).second) << info->name;
    EXPECT_EQ(&solver_info(info->kind), info);
    EXPECT_EQ(solver_kind_from(info->name), info->kind);
    EXPECT_STREQ(to_string(info->kind), info->name);
  }
  EXPECT_TRUE(kinds.contains(SimulationSetup{}.solver));
  EXPECT_EQ(solver_kind_from("flip"), std::nullopt);
  EXPECT_EQ(solver_kind_from(""), std::nullopt);
}

TEST(SolverTable, EveryRowHasWhatEverySolverNeeds) {
  for (const SolverInfo* info : solvers()) {
    SCOPED_TRACE(info->name);
    EXPECT_NE(info->make, nullptr);
    EXPECT_NE(info->step_bounds, nullptr);
    EXPECT_NE(info->signal_speed, nullptr);
    EXPECT_NE(info->particle_bytes, nullptr);
    for (const char* text : {info->summary, info->signal_speed_name, info->unstable_remedy}) EXPECT_STRNE(text, "");
    EXPECT_EQ(info->speed_key == nullptr, info->speed_is_given == nullptr);
    EXPECT_EQ(info->compressed_remedy[0] == '\0', !info->has_density) << "only a density tells of compression";
  }
}

SimulationSetup eased(SimulationSetup setup, double share) {
  solver_info(setup).ease(setup, share);
  return setup;
}

TEST(Easing, GoesFromTheSetupToItsLimitsAndNeverBack) {
  for (const SolverKind solver : {SolverKind::Pbf, SolverKind::Dfsph}) {
    SCOPED_TRACE(to_string(solver));
    const SimulationSetup own = with_solver(column_setup(3, 5), solver);
    EXPECT_EQ(step_bounds(eased(own, 0)).constant, step_bounds(own).constant);
    EXPECT_EQ(eased(own, 0).dfsph.density_error, own.dfsph.density_error);
    SimulationSetup before = own;
    for (const double share : {0.25, 0.5, 0.75, 1.0}) {
      const SimulationSetup next = eased(own, share);
      EXPECT_GT(step_bounds(next).constant, step_bounds(before).constant);
      EXPECT_GE(next.dfsph.density_error, before.dfsph.density_error);
      EXPECT_LE(next.pbf.iterations, before.pbf.iterations);
      before = next;
    }
    SimulationSetup wide = own;
    wide.step.cfl = 0.9f, wide.dfsph.density_error = 0.05f, wide.dfsph.largest_density_error = 1;
    wide.dfsph.divergence_error = 0.05f, wide.pbf.iterations = 1;
    const SimulationSetup same = eased(wide, 1);
    EXPECT_EQ(same.step.cfl, wide.step.cfl);
    EXPECT_EQ(same.dfsph.density_error, wide.dfsph.density_error);
    EXPECT_EQ(same.dfsph.largest_density_error, wide.dfsph.largest_density_error);
    EXPECT_EQ(same.dfsph.divergence_error, wide.dfsph.divergence_error);
    EXPECT_EQ(same.pbf.iterations, wide.pbf.iterations);
  }
}

class SolverRows : public OnEachDevice {};

TEST_P(SolverRows, AnEasedSimulationTakesLongerStepsWithFewerIterations) {
  for (const SolverKind solver : {SolverKind::Pbf, SolverKind::Dfsph}) {
    SCOPED_TRACE(to_string(solver));
    Simulation simulation(with_solver(column_setup(2, 12), solver), device());
    run_steps(simulation, 20);
    const float own = simulation.finish().dt;
    const Diagnostics before = simulation.diagnostics();
    simulation.ease(1);
    EXPECT_EQ(simulation.eased(), 1);
    run_steps(simulation, 10);
    EXPECT_GT(simulation.finish().dt, 1.2f * own);
    const Diagnostics after = simulation.diagnostics();
    if (after.pbf) {
      EXPECT_LT(after.pbf->residual.size(), before.pbf->residual.size());
    }
    if (after.solves) {
      EXPECT_GT(after.solves->density.mean_error, 5e-4f) << "the setup's bound";
      EXPECT_LE(after.solves->density.mean_error, 5e-3f);
    }
    EXPECT_EQ(simulation.setup().step.cfl, SimulationSetup{}.step.cfl) << "the setup stays";
    simulation.ease(0);
    run_steps(simulation, 1);
    EXPECT_LT(simulation.finish().dt, 1.1f * own);
  }
}

TEST_P(SolverRows, WhereNothingCanBeEasedAStepStaysAsItIs) {
  Simulation simulation(with_solver(column_setup(2, 8), SolverKind::Wcsph), device());
  simulation.ease(1);
  EXPECT_EQ(simulation.eased(), 0);
}

TEST_P(SolverRows, SayWhatItsSimulationsAre) {
  for (const SolverCase& c : solver_cases()) {
    SCOPED_TRACE(c.name);
    const SolverInfo& info = solver_info(c.setup);
    Simulation simulation(c.setup, device());
    const bool walled = c.setup.domain.walled(0);
    EXPECT_EQ(simulation.boundary_count() > 0, info.wall_particles && walled);
    EXPECT_EQ(simulation.particles().has("density"), info.has_density);
    EXPECT_EQ(search_settings(c.setup, c.setup.neighbors).list_always, info.lists_neighbors);
    EXPECT_EQ(step_bounds(c.setup).fixed > 0, !info.adaptive_step || c.setup.step.fixed > 0);
    const bool moves = simulation.diagnostics().kinetic_energy > 0;
    EXPECT_TRUE(moves || !info.thermal) << "a thermal fluid starts with velocities";
    run_steps(simulation, 2);
    EXPECT_LT(simulation.finish().max_speed, simulation.signal_speed());
    EXPECT_EQ(simulation.diagnostics().thermal.has_value(), info.thermal);
  }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(SolverRows);

}  // namespace
}  // namespace riffle::test
