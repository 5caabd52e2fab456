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

class SolverRows : public OnEachDevice {};

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
