#include "core/timing/stages.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "support/devices.h"
#include "tests/sim/setups.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class Stages : public OnEachDevice {};

/// The small simulations of every solver, and one with everything that a solver does on demand.
std::vector<SolverCase> cases() {
  std::vector<SolverCase> all = solver_cases();
  SimulationSetup wcsph = with_solver(column_setup(3, 4), SolverKind::Wcsph);
  wcsph.fluids[0].surface_tension = 0.07f;
  wcsph.wcsph.shifting = 1;
  all.push_back({"WCSPH with surface tension and shifting", wcsph});
  SimulationSetup solid = with_solver(column_setup(3, 4), SolverKind::Wcsph);
  solid.solid_regions.emplace_back().max = {0.2f, 0.02f, 0.02f};
  all.push_back({"WCSPH with a solid", solid});
  SimulationSetup driven = solid;
  driven.solid_regions[0].drive.given = true;
  driven.solid_regions[0].drive.velocity = {0.1f, 0, 0};
  all.push_back({"WCSPH with a driven solid", driven});
  SimulationSetup damped = with_solver(column_setup(3, 4), SolverKind::Wcsph);
  damped.damping.push_back({damped.domain.min, damped.domain.max, 1, BoxFace::XMax});
  all.push_back({"WCSPH with a damping zone", damped});
  SimulationSetup drained = with_solver(column_setup(3, 4), SolverKind::Wcsph);
  drained.outlets.emplace_back().max = {0.05f, 0.05f, 0.05f};
  all.push_back({"WCSPH with an outlet", drained});
  return all;
}

TEST_P(Stages, TheTableHasEveryStageOfEverySolverAndSearchAndNoOther) {
  std::set<std::string> reported = {"query"};  // that of measurements (measure_search.h), which no step has
  for (SolverCase& one : cases())
    for (const NeighborMethodInfo& method : neighbor_methods())
      for (const float skin : {0.0f, 0.2f}) {
        one.setup.neighbors.method = method.method;
        one.setup.neighbors.skin = skin;
        Simulation simulation(one.setup, device());
        simulation.set_stirring(Stirring{StirringKind::Pull, one.setup.domain.min, one.setup.spacing, 0.01f});
        run_steps(simulation, 3);
        simulation.finish();
        for (const StageStats& stage : simulation.timings().stats()) {
          EXPECT_NE(find_stage(stage.name), nullptr) << one.name << ", " << method.name << ": " << stage.name;
          reported.insert(stage.name);
        }
      }
  for (const StageInfo& stage : kStages)
    EXPECT_TRUE(reported.contains(std::string(stage.name))) << stage.name << ": no solver has it";
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Stages);

TEST(StageTable, NamesEachStageOnceAndSaysWhatItDoes) {
  std::set<std::string_view> names;
  for (const StageInfo& stage : kStages) {
    EXPECT_TRUE(names.insert(stage.name).second) << stage.name;
    EXPECT_GT(std::string_view(stage.tip).size(), 10u) << stage.name;
    EXPECT_EQ(find_stage(stage.name), &stage);
  }
  EXPECT_EQ(find_stage("other"), nullptr) << "what is left of a step is no stage";
}

TEST(StageTable, ThePageOfTheWindowHasEachStageAndNoOther) {
  std::ifstream page(RIFFLE_SOURCE_DIR "/docs/window.md");
  std::string line;
  while (std::getline(page, line) && line != "## The stages of a step") {
  }
  std::set<std::string> written;
  while (std::getline(page, line) && !line.starts_with("## ")) {
    if (!line.starts_with("| `")) continue;
    const std::string names = line.substr(0, line.find(" |", 2));
    for (std::size_t begin = names.find('`'); begin != names.npos;) {
      const std::size_t end = names.find('`', begin + 1);
      written.insert(names.substr(begin + 1, end - begin - 1));
      begin = names.find('`', end + 1);
    }
  }
  std::set<std::string> known;
  for (const StageInfo& stage : kStages) known.emplace(stage.name);
  EXPECT_EQ(written, known);
}

}  // namespace
}  // namespace riffle::test
