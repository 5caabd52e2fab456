#include "app/run/fault_cause.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/run/near_solid.h"
#include "sim/solver.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

SimulationSetup calm() { return with_solver(column_setup(2, 10), SolverKind::Wcsph); }

SolidRegion box_at(float x, const char* name) {
  SolidRegion box;
  box.name = name;
  box.shape = Shape::Box;
  box.min = {x, 0.1f, 0};
  box.max = {x + 0.04f, 0.14f, 0};
  return box;
}

std::string cause_of(const SimulationSetup& setup, const FaultSurroundings& around = {}) {
  return likely_cause(Simulation(setup, Device{}), around);
}

TEST(FaultCauses, NothingStandsOutInACalmScene) { EXPECT_EQ(cause_of(calm()), ""); }

TEST(FaultCauses, AStepAboveTheStableOne) {
  SimulationSetup setup = calm();
  const float stable = stable_dt(setup);
  setup.step.fixed = 0.9f * stable;
  EXPECT_EQ(cause_of(setup), "");
  setup.step.fixed = 1.1f * stable;
  EXPECT_TRUE(cause_of(setup).starts_with("time.step: steps of ")) << cause_of(setup);
  Simulation halved(setup, Device{});
  halved.shorten_steps(0.5);
  EXPECT_EQ(likely_cause(halved, {}), "") << "it is not the scene's step any more";
  setup.step.fixed = 0;
  setup.step.cfl = 0.5f;
  EXPECT_EQ(cause_of(setup), "time.cfl is 0.5, where 0.2 is usual: steps are too long");
}

TEST(FaultCauses, OfDpdTheStepIsSaidToBeOneOfTheTemperaturesError) {
  SimulationSetup setup = dpd_box(3, 4);
  setup.step.fixed = 1.1f * stable_dt(setup);
  const std::string cause = cause_of(setup);
  EXPECT_TRUE(cause.find("\u03c4 kT is within 3 % of solver.temperature, and much longer ones") != std::string::npos)
      << cause;
}

TEST(FaultCauses, ASoftFluid) {
  SimulationSetup setup = calm();
  setup.wcsph.speed_of_sound = 0.6f * automatic_signal_speed(setup);
  EXPECT_EQ(cause_of(setup), "");
  setup.wcsph.speed_of_sound = 0.4f * automatic_signal_speed(setup);
  EXPECT_TRUE(cause_of(setup).starts_with("solver.speed_of_sound is ")) << cause_of(setup);
}

TEST(FaultCauses, AFreeSolidOfExtremeDensity) {
  SimulationSetup setup = calm();
  SolidRegion box = box_at(0.2f, "float");
  box.free.given = true;
  box.free.density = 500;
  setup.solid_regions = {box};
  EXPECT_EQ(cause_of(setup), "");
  setup.solid_regions[0].free.density = 10;
  EXPECT_EQ(cause_of(setup), "the free solid 'float' has 0.01 times the density of 'water'");
  setup.solid_regions[0].free.density = 60000;
  EXPECT_EQ(cause_of(setup), "the free solid 'float' has 60 times the density of 'water'");
}

TEST(FaultCauses, BodiesThatOverlapSoonAfterTheStart) {
  const std::vector<scenes::Warning> warnings = {{scenes::WarningKind::UnusedFluid, "", "", "unused"},
                                                 {scenes::WarningKind::BodiesOverlap, "", "", "they overlap"}};
  EXPECT_EQ(cause_of(calm(), {0, warnings, ""}), "they overlap");
  EXPECT_EQ(cause_of(calm(), {100, warnings, ""}), "") << "they have been apart for long";
}

// An event may be harmless, where a step that is too long is not.
TEST(FaultCauses, AllThatHoldAreNamedThoseBeyondABoundFirst) {
  const std::vector<scenes::Warning> warnings = {{scenes::WarningKind::BodiesOverlap, "", "", "they overlap"}};
  EXPECT_EQ(cause_of(calm(), {100, warnings, "it was eased"}), "it was eased");
  EXPECT_EQ(cause_of(calm(), {0, warnings, "it was eased", "an event has acted"}),
            "it was eased; perhaps also: they overlap; perhaps also: an event has acted");
  SimulationSetup setup = calm();
  setup.step.fixed = 1.1f * stable_dt(setup);
  const std::string cause = cause_of(setup, {100, {}, "", "an event has acted"});
  EXPECT_TRUE(cause.starts_with("time.step: steps of ")) << cause;
  EXPECT_TRUE(cause.ends_with("; perhaps also: an event has acted")) << cause;
}

TEST(NearSolids, AreNamedWithTheirKindWithinASupportRadius) {
  SimulationSetup setup = calm();
  setup.solid_regions = {box_at(0.15f, "post"), box_at(0.22f, "raft"), box_at(0.3f, "piston")};
  setup.solid_regions[1].free.given = true;
  setup.solid_regions[1].free.density = 500;
  setup.solid_regions[2].drive.given = true;
  setup.solid_regions[2].drive.velocity = {0, 1, 0};
  const Simulation simulation(setup, Device{});
  EXPECT_EQ(near_solid_text(simulation, {0.145f, 0.12f, 0}, 0), "0.005 m from the solid 'post'");
  EXPECT_EQ(near_solid_text(simulation, {0.215f, 0.12f, 0}, 0), "0.005 m from the free solid 'raft'");
  EXPECT_EQ(near_solid_text(simulation, {0.24f, 0.12f, 0}, 0), "in the free solid 'raft'");
  EXPECT_EQ(near_solid_text(simulation, {0.32f, 0.15f, 0}, 0), "0.01 m from the driven solid 'piston'");
  EXPECT_EQ(near_solid_text(simulation, {0.32f, 0.25f, 0}, 0.1), "0.01 m from the driven solid 'piston'");
  EXPECT_EQ(near_solid_text(simulation, {0.32f, 0.25f, 0}, 0), "") << "it has not come there";
  EXPECT_EQ(near_solid_text(simulation, {0.05f, 0.05f, 0}, 0), "");
  EXPECT_EQ(near_solid_text(simulation, {NAN, 0.05f, 0}, 0), "");
}

}  // namespace
}  // namespace riffle::test
