#include "app/run/stability.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/run/run_watch.h"
#include "tests/app/run/scene_folder.h"
#include "tests/sim/dpd/dpd_setups.h"

namespace riffle::test {
namespace {

TEST(Stability, AColdFluidThatRepulsionPushesApartIsNotUnstable) {
  SimulationSetup setup = dpd_box(3, 5, Filling::Random);
  setup.dpd.temperature = 1e-4f;
  setup.step.fixed = 0.005f;
  Simulation simulation(setup, Device{});
  for (int k = 0; k < 40; ++k) {
    simulation.step();
    const StepReport clock = simulation.finish();
    const auto found = find_blow_up(simulation.diagnostics(), clock, simulation);
    ASSERT_FALSE(found) << found->what;
  }
  EXPECT_GT(simulation.latest().max_speed, 100 * 0.01f) << "as fast as a hundred times the thermal speed";
}

TEST(Stability, AHotFluidIsAllowedTheSameMultipleOfItsThermalSpeedAsBefore) {
  const SimulationSetup setup = dpd_box(3, 5, Filling::Random);
  EXPECT_FLOAT_EQ(Simulation(setup, Device{}).signal_speed(), 10);
}

TEST(Stability, WhatEndsARunAfterAFaultNamesTheFault) {
  Simulation simulation(dpd_box(3, 5, Filling::Random), Device{});
  EXPECT_EQ(with_fault("memory is short", simulation), "memory is short");
  SimulationState state = simulation.save_state();
  for (AttributeValues& attribute : state.attributes)
    if (attribute.name == "velocity") std::get<std::vector<Vec4>>(attribute.values)[7].x = NAN;
  simulation.restore_state(state);
  simulation.look_for_faults();
  ASSERT_TRUE(simulation.finish().faulty);
  const std::string text = with_fault("memory is short", simulation);
  EXPECT_TRUE(contains(text, "1 of 375 particles has a position or velocity that is no number")) << text;
  EXPECT_TRUE(text.ends_with("; then: memory is short")) << text;
}

// What repulsion throws off at first is no fault of a run that settles.
TEST(RunWatches, SayNothingOfTheSpeedsThatRandomPlacesGive) {
  for (const Filling filling : {Filling::Random, Filling::Lattice}) {
    SimulationSetup setup = dpd_box(3, 5, filling);
    Simulation simulation(setup, Device{});
    RunWatch watch;
    StepReport clock;
    clock.max_speed = 1.2f * simulation.signal_speed();
    clock.time = 0.1;
    EXPECT_EQ(watch.after_step(clock, simulation).has_value(), filling == Filling::Lattice);
    clock.time = 5.1;
    EXPECT_EQ(watch.after_step(clock, simulation).has_value(), filling == Filling::Random) << "once for each run";
  }
}

}  // namespace
}  // namespace riffle::test
