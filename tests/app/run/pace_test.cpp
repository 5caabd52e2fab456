#include "app/run/pace.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/solver.h"
#include "sim/solver_info.h"

namespace riffle {
namespace {

/// A machine that simulates `rate` seconds per second, in steps of a tenth of a second of wall time.
class Machine {
 public:
  Machine() { pace.restart(wall, simulated); }

  /// @return how often the share changed
  int run(double seconds, double rate, double wanted = 1) {
    int changes = 0;
    for (int k = 0; k < static_cast<int>(std::lround(10 * seconds)); ++k) {
      wall += 0.1;
      simulated += 0.1 * rate;
      changes += pace.follow(wall, simulated, wanted);
    }
    return changes;
  }

  PaceGovernor pace;
  double wall = 100, simulated = 3;
};

TEST(Pace, StaysWhereThereIsTime) {
  Machine machine;
  EXPECT_EQ(machine.run(20, 1), 0);
  EXPECT_EQ(machine.pace.share(), 0);
  EXPECT_NEAR(machine.pace.factor(), 1, 1e-9);
}

TEST(Pace, EasesOneLevelWhereALittleIsMissingAndTwoWhereMuchIs) {
  Machine little, much;
  little.run(0.7, 0.95);
  EXPECT_EQ(little.pace.share(), 0) << "it may be a busy moment";
  little.run(0.5, 0.95);
  EXPECT_EQ(little.pace.share(), 0.25);
  EXPECT_FALSE(little.pace.behind());
  much.run(0.7, 0.5);
  EXPECT_EQ(much.pace.share(), 0.5);
}

TEST(Pace, SaysThatItIsBehindOnlyWhereNothingIsLeftToEase) {
  Machine machine;
  machine.run(1.2, 0.5);
  EXPECT_EQ(machine.pace.share(), 1);
  EXPECT_FALSE(machine.pace.behind()) << "the last level has not been measured yet";
  machine.run(1, 0.5);
  EXPECT_TRUE(machine.pace.behind());
  machine.run(1, 1);
  EXPECT_FALSE(machine.pace.behind());
}

TEST(Pace, TakesBackALevelAtATimeOnceItHasKeptUpForAWhile) {
  Machine machine;
  machine.run(1.2, 0.5);
  machine.run(1.5, 1);
  EXPECT_EQ(machine.pace.share(), 1) << "too early";
  machine.run(3, 1);
  EXPECT_EQ(machine.pace.share(), 0.75);
  machine.run(20, 1);
  EXPECT_EQ(machine.pace.share(), 0);
}

TEST(Pace, TakesBackAtOnceWhereThereIsAmpleTime) {
  Machine machine;
  machine.run(1.2, 0.5);
  machine.run(2.5, 2);
  EXPECT_EQ(machine.pace.share(), 0);
}

/// Half eased it keeps up, with less it does not: how often it tries.
TEST(Pace, TriesALevelThatProvedTooSlowMoreAndMoreRarely) {
  Machine machine;
  const auto changes = [&](double seconds) {
    int count = 0;
    for (double t = 0; t < seconds; t += 0.1) count += machine.run(0.1, machine.pace.share() >= 0.5 ? 1.0 : 0.8);
    return count;
  };
  const int first = changes(30), later = (changes(120), changes(30));
  EXPECT_GE(first, 4);
  EXPECT_LE(later, 2);
}

TEST(Pace, FollowsTheSpeedThatIsWanted) {
  Machine half, double_speed, fastest;
  EXPECT_EQ(half.run(3, 0.5, 0.5), 0);
  EXPECT_GT(double_speed.run(3, 1, 2), 0);
  EXPECT_EQ(fastest.run(3, 1, INFINITY), 0) << "as fast as possible is fast enough in real time";
}

TEST(Pace, APauseIsNoSlowness) {
  Machine machine;
  machine.run(1, 1);
  machine.wall += 60;
  machine.pace.restart(machine.wall, machine.simulated);
  EXPECT_EQ(machine.run(5, 1), 0);
}

TEST(EaseText, NamesWhatIsEased) {
  SimulationSetup setup;
  setup.solver = SolverKind::Pbf;
  EXPECT_EQ(ease_text(setup, 0), "not eased");
  EXPECT_EQ(ease_text(setup, 1), "eased by 100 %: cfl 0.3, 2 iterations");
  EXPECT_EQ(ease_text(setup, 0.5), "eased by 50 %: cfl 0.25, 3 iterations");
  setup.solver = SolverKind::Dfsph;
  EXPECT_EQ(ease_text(setup, 1), "eased by 100 %: cfl 0.4, density_error 0.005");
  setup.solver = SolverKind::Wcsph;
  EXPECT_EQ(ease_text(setup, 0.5), "wcsph has nothing to ease");
}

}  // namespace
}  // namespace riffle
