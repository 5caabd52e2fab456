#include "app/run/run_guard.h"

#include <gtest/gtest.h>

#include "sim/start/sampling.h"
#include "tests/sim/solver_cases.h"

namespace riffle::test {
namespace {

class HeldAges : public testing::Test {
 protected:
  /// From step 0 on.
  static void hold(RunGuard& guard, int states) {
    Simulation simulation(fixed_steps(), Device{});
    for (int k = 0; k < states; ++k) {
      if (k > 0) simulation.step();
      guard.keep(simulation, nullptr);
    }
  }

  static SimulationSetup fixed_steps() {
    SimulationSetup setup = with_solver(column_setup(2, 5), SolverKind::Wcsph);
    setup.step.fixed = 1e-4f;
    return setup;
  }
  static std::size_t bytes_of_one() { return held_state_bytes(fixed_steps(), count_particles(fixed_steps())); }
};

TEST_F(HeldAges, OneStateIsTheLastOne) {
  RunGuard guard(false);
  EXPECT_EQ(guard.last(), nullptr);
  EXPECT_EQ(guard.go_back(1), nullptr);
  hold(guard, 12);
  EXPECT_EQ(guard.last()->step(), 11u);
  EXPECT_EQ(guard.go_back(12e-4)->step(), 11u);
  EXPECT_EQ(guard.go_back(12e-4)->step(), 11u) << "there is no older one";
  EXPECT_EQ(guard.memory_bytes(), bytes_of_one());
}

TEST_F(HeldAges, EachTimeItGoesBackTwiceAsFar) {
  RunGuard guard(true);
  hold(guard, 12);  // of steps 0 to 11
  EXPECT_EQ(guard.last()->step(), 11u);
  EXPECT_EQ(guard.go_back(11.9e-4)->step(), 11u);
  EXPECT_EQ(guard.go_back(11.9e-4)->step(), 10u) << "1.8 steps or more";
  EXPECT_EQ(guard.last()->step(), 10u) << "later ones are forgotten";
  EXPECT_EQ(guard.go_back(11.9e-4)->step(), 8u) << "3.8 or more";
  EXPECT_EQ(guard.go_back(11.9e-4)->step(), 4u) << "7.8 or more";
  EXPECT_EQ(guard.go_back(11.9e-4)->step(), 4u) << "the oldest one";
  EXPECT_EQ(guard.memory_bytes(), bytes_of_one());
}

TEST_F(HeldAges, TheOldestOfFourIsFourToEightIntervalsOld) {
  for (int states = 9; states < 40; ++states) {
    SCOPED_TRACE(states);
    RunGuard guard(true);
    hold(guard, states);
    EXPECT_EQ(guard.memory_bytes(), 4 * bytes_of_one());
    const double fault = states - 0.1;  // [steps]
    std::vector<double> ages;
    for (int k = 0; k < 5; ++k) ages.push_back(fault - static_cast<double>(guard.go_back(fault * 1e-4)->step()));
    EXPECT_NEAR(ages[0], 0.9, 1e-6);
    EXPECT_GT(ages[1], 1.8);
    EXPECT_GT(ages.back(), 4.8);
    EXPECT_LT(ages.back(), 8.0);
  }
}

}  // namespace
}  // namespace riffle::test
