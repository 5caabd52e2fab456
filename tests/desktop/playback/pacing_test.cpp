#include "app/desktop/playback/pacing.h"

#include <gtest/gtest.h>

namespace riffle {
namespace {

TEST(Pacing, WaitsUntilSimulatedTimeIsDue) {
  desktop::Pacing pacing;
  pacing.set_speed(1, 100, 0);
  EXPECT_DOUBLE_EQ(pacing.wait(100, 0), 0);
  EXPECT_NEAR(pacing.wait(100, 0.25), 0.25, 1e-12);
  EXPECT_NEAR(pacing.wait(100.2, 0.25), 0.05, 1e-12);
  EXPECT_DOUBLE_EQ(pacing.wait(100.3, 0.25), 0);
}

TEST(Pacing, SpeedIsSimulatedPerWallSecond) {
  desktop::Pacing pacing;
  pacing.set_speed(0.25, 0, 2);
  EXPECT_NEAR(pacing.wait(0, 2.5), 2, 1e-12);
  pacing.set_speed(5, 10, 3);
  EXPECT_NEAR(pacing.wait(10, 4), 0.2, 1e-12);
}

TEST(Pacing, FastestNeverWaits) {
  desktop::Pacing pacing;
  pacing.set_speed(INFINITY, 0, 0);
  EXPECT_EQ(pacing.wait(0, 1e9), 0);
  pacing.set_speed(1, 0, 1e9);
  EXPECT_EQ(pacing.wait(0, 1e9), 0) << "what was simulated at full speed is not waited for afterwards";
}

// A machine that was slow for a minute and then recovers must not show the lost minute in fast motion.
TEST(Pacing, AMachineThatFellBehindDoesNotRaceAfterwards) {
  desktop::Pacing pacing;
  pacing.set_speed(1, 0, 0);
  EXPECT_EQ(pacing.wait(60, 0.5), 0);
  double simulated = 0.5;
  int at_once = 0;
  while (pacing.wait(60, simulated) == 0) {
    simulated += 0.01;
    ASSERT_LT(++at_once, 100);
  }
  EXPECT_NEAR(simulated - 0.5, 0.1, 0.011);
}

TEST(Pacing, AShortDelayIsMadeUpFor) {
  desktop::Pacing pacing;
  pacing.set_speed(1, 0, 0);
  EXPECT_EQ(pacing.wait(0.05, 0), 0);
  EXPECT_NEAR(pacing.wait(0.05, 0.06), 0.01, 1e-12) << "0.05 s behind is within what is made up for";
}

TEST(Pacing, AfterAPauseNothingIsOwed) {
  desktop::Pacing pacing;
  pacing.set_speed(1, 0, 0);
  pacing.restart(1000, 0.2);
  EXPECT_EQ(pacing.wait(1000, 0.2), 0);
  EXPECT_NEAR(pacing.wait(1000, 0.3), 0.1, 1e-12);
}

// Nine quick steps, and a tenth that waits for a check: the status comes ten times a second, and after each slow step.
TEST(AchievedSpeed, CountsTheLongWaitsBetweenSteps) {
  desktop::AchievedSpeed achieved;
  double wall = 0, simulated = 0;
  std::uint64_t step = 0;
  for (int round = 0; round < 40; ++round) {
    for (int quick = 0; quick < 9; ++quick) wall += 0.011, simulated += 0.04, ++step;
    const double after_quick = achieved.at(wall, simulated, step);
    wall += 2.4, simulated += 0.04, ++step;
    const double after_slow = achieved.at(wall, simulated, step);
    if (round < 12) continue;
    EXPECT_NEAR(after_quick, 0.4 / 2.499, 0.016);
    EXPECT_NEAR(after_slow, 0.4 / 2.499, 0.016);
  }
}

TEST(AchievedSpeed, FollowsAChangeAndBeginsAgainAfterGoingBack) {
  desktop::AchievedSpeed achieved;
  EXPECT_EQ(achieved.at(0, 0, 0), 0) << "one moment has no speed";
  for (int k = 1; k <= 40; ++k) EXPECT_NEAR(achieved.at(0.125 * k, 0.125 * k, static_cast<std::uint64_t>(k)), 1, 1e-12);
  for (int k = 1; k <= 20; ++k)
    EXPECT_NEAR(achieved.at(5 + 0.125 * k, 5, static_cast<std::uint64_t>(40 + k)), 1 - k / 20.0, 1e-12);
  EXPECT_EQ(achieved.at(8, 1, 3), 0) << "going back begins again";
}

}  // namespace
}  // namespace riffle
