#include "core/timing/stage_timer.h"

#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "support/devices.h"

namespace riffle::test {
namespace {

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// Sleeping on the host also counts as time between two events of an idle stream.
class Timers : public OnEachDevice {};

TEST_P(Timers, AStageCostsWhatItTook) {
  StageTimer timer(device());
  for (int k = 0; k < 20; ++k) {
    const auto scope = timer.scope("sleep");
    sleep_ms(k == 19 ? 40 : 2);
  }
  timer.collect(true);
  const std::vector<StageStats> stats = timer.stats();
  ASSERT_EQ(stats.size(), 1u);
  EXPECT_EQ(stats[0].name, "sleep");
  EXPECT_EQ(stats[0].count, 20u);
  // Lower bounds are sharp; a busy machine may sleep longer than requested.
  EXPECT_GE(stats[0].mean_ms, 0.95 * (19 * 2 + 40) / 20);
  EXPECT_GE(stats[0].median_ms, 0.95 * 2);
  EXPECT_LE(stats[0].median_ms, stats[0].p95_ms);
  EXPECT_LE(stats[0].median_ms, 30);
}

TEST_P(Timers, QuantilesAreThoseOfTheLastSamplesOnly) {
  StageTimer timer(device());
  // More than a twentieth of the window: as long as they are in it, they set the 95 % quantile.
  constexpr int slow = 300;
  static_assert(20 * slow > StageTimer::kWindow);
  for (int k = 0; k < slow; ++k) {
    const auto scope = timer.scope("stage");
    sleep_ms(1);
  }
  timer.collect(true);
  EXPECT_GE(timer.stats()[0].median_ms, 0.95);
  for (int k = 0; k < StageTimer::kWindow; ++k) const auto scope = timer.scope("stage");
  timer.collect(true);
  const StageStats stats = timer.stats()[0];
  EXPECT_EQ(stats.count, std::uint64_t{StageTimer::kWindow} + slow);
  EXPECT_LT(stats.p95_ms, 0.9) << "samples that left the window still count";
  EXPECT_GE(stats.mean_ms, 0.95 * slow / double(stats.count)) << "the mean is over all samples";
}

TEST_P(Timers, MoreSamplesThanTheWindowAreCounted) {
  StageTimer timer(device());
  for (int k = 0; k < 3 * StageTimer::kWindow + 17; ++k) const auto scope = timer.scope("stage");
  timer.collect(true);
  EXPECT_EQ(timer.stats()[0].count, std::uint64_t{3 * StageTimer::kWindow + 17});
}

TEST_P(Timers, NestedStagesAreTimedEach) {
  StageTimer timer(device());
  {
    const auto outer = timer.scope("outer");
    sleep_ms(3);
    for (int k = 0; k < 3; ++k) {
      const auto inner = timer.scope("inner");
      sleep_ms(3);
    }
  }
  timer.collect(true);
  const std::vector<StageStats> stats = timer.stats();
  ASSERT_EQ(stats.size(), 2u);
  EXPECT_EQ(stats[0].name, "outer");  // in order of first use
  EXPECT_EQ(stats[1].name, "inner");
  EXPECT_EQ(stats[0].count, 1u);
  EXPECT_EQ(stats[1].count, 3u);
  EXPECT_GE(stats[0].mean_ms, 3 * stats[1].mean_ms + 2.5);
}

TEST_P(Timers, ResetForgetsTheWarmUp) {
  StageTimer timer(device());
  {
    const auto scope = timer.scope("stage");
    sleep_ms(20);
  }
  timer.reset();
  EXPECT_TRUE(timer.stats().empty());
  { const auto scope = timer.scope("stage"); }
  timer.collect(true);
  ASSERT_EQ(timer.stats().size(), 1u);
  EXPECT_EQ(timer.stats()[0].count, 1u);
  EXPECT_LT(timer.stats()[0].mean_ms, 15);
}

// Events between kernels keep them from overlapping: of short steps on a GPU few are measured, and these stand for all.
TEST_P(Timers, OfShortStepsOnAGpuSomeAreMeasuredAndStandForTheOthers) {
  StageTimer timer(device());
  constexpr std::uint64_t steps = 400;
  for (std::uint64_t k = 0; k < steps; ++k) {
    timer.begin_step();
    {
      const auto both = timer.scope("long and short");
      const auto alone = timer.scope("long");
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    const auto scope = timer.scope("long and short");
  }
  timer.collect(true);
  const std::vector<StageStats> stats = timer.stats();
  ASSERT_EQ(stats.size(), 2u);
  EXPECT_LE(stats[1].count, steps);
  EXPECT_GE(stats[1].count, steps - (device().is_cpu() ? 0 : 20))
      << "those after the last measured step do not count yet";
  EXPECT_EQ(stats[0].count, 2 * stats[1].count) << "each call of a measured step stands for as many";
  EXPECT_LT(stats[0].mean_ms, 0.75 * stats[1].mean_ms) << "the short calls weigh as much as the long ones";
}

TEST_P(Timers, AStageIsMeasuredWhenItAppearsInAnyStep) {
  StageTimer timer(device());
  for (int k = 0; k < 50; ++k) {
    timer.begin_step();
    const auto scope = timer.scope("stage");
    if (k == 17) const auto rare = timer.scope("rare");
  }
  timer.collect(true);
  ASSERT_EQ(timer.stats().size(), 2u);
  EXPECT_EQ(timer.stats()[1].count, 1u);
}

TEST_P(Timers, LongStepsAreAllMeasured) {
  StageTimer timer(device());
  for (int k = 0; k < 30; ++k) {
    timer.begin_step();
    const auto scope = timer.scope("stage");
    sleep_ms(4);
  }
  timer.collect(true);
  EXPECT_EQ(timer.stats()[0].count, 30u);
  EXPECT_GE(timer.stats()[0].mean_ms, 0.95 * 4);
}

TEST_P(Timers, TheFirstStepAfterAResetIsMeasured) {
  StageTimer timer(device());
  for (int round = 0; round < 50; ++round) {
    for (int k = 0; k < 10; ++k) {
      timer.begin_step();
      const auto scope = timer.scope("warm-up");
    }
    timer.reset();
    timer.begin_step();
    { const auto scope = timer.scope("stage"); }
    timer.collect(true);
    ASSERT_EQ(timer.stats().size(), 1u) << round;
    EXPECT_EQ(timer.stats()[0].count, 1u);
    timer.reset();
  }
}

TEST_P(Timers, AStageLeftByAnExceptionIsClosed) {
  StageTimer timer(device());
  for (int k = 0; k < 3; ++k) {
    try {
      const auto scope = timer.scope("stage");
      throw std::runtime_error("left");
    } catch (const std::runtime_error&) {
    }
  }
  timer.collect(true);
  EXPECT_EQ(timer.stats()[0].count, 3u);
}

TEST_P(Timers, ATimerWithoutSamplesHasNoStages) {
  StageTimer timer(device());
  timer.collect(true);
  timer.reset();
  EXPECT_TRUE(timer.stats().empty());
  StageTimer other = std::move(timer);
  EXPECT_TRUE(other.stats().empty());
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Timers);

}  // namespace
}  // namespace riffle::test
