#include "app/run/stability.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace riffle::test
