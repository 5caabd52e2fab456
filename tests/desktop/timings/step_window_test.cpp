#include "app/desktop/timings/step_window.h"

#include <gtest/gtest.h>

namespace riffle {
namespace {

const std::vector<std::string> kNames = {"build", "list"};
const desktop::TimedSetup kFenns{"pbf", "fenns", "cpu"}, kBucket{"pbf", "bucket", "cpu"};

/// A moment: what build and list take [ms]; on the host's clock a step takes 1 ms more.
void add(desktop::StepWindow& window, std::vector<float> ms, std::uint64_t steps = 1) {
  desktop::StageHistory::Column column;
  column.steps = steps;
  column.wall_ms = 1;
  for (const float part : ms) column.wall_ms += part;
  column.mean_ms = std::move(ms);
  window.add(column, kNames);
}

TEST(StepWindow, AllRowsAreOfTheSameSteps) {
  desktop::StepWindow window;
  window.begin(kFenns);
  for (const auto& ms : std::vector<std::vector<float>>{{1}, {2, 10}, {3}, {4, 20}, {5}}) add(window, ms);
  const desktop::StepStatistics s = window.statistics();
  ASSERT_EQ(s.stages.size(), 2u);
  EXPECT_EQ(s.steps, 5u);
  EXPECT_DOUBLE_EQ(s.stages[0].median_ms, 3);
  EXPECT_DOUBLE_EQ(s.stages[1].mean_ms, 6) << "spread over the steps that do without it";
  EXPECT_DOUBLE_EQ(s.stages[1].median_ms, 0);
  EXPECT_DOUBLE_EQ(s.stages[0].mean_ms + s.stages[1].mean_ms + s.other.mean_ms, s.step.mean_ms);
  EXPECT_DOUBLE_EQ(s.step.p95_ms, 25);
  for (const StageStats& stage : s.stages) {
    EXPECT_LE(stage.median_ms, s.step.median_ms);
    EXPECT_EQ(stage.count, 5u);
  }
}

TEST(StepWindow, AMeanIsOfStepsAndNotOfMoments) {
  desktop::StepWindow window;
  window.begin(kFenns);
  add(window, {1}, 9);
  add(window, {11}, 1);
  EXPECT_DOUBLE_EQ(window.statistics().stages[0].mean_ms, 2);
  EXPECT_EQ(window.statistics().steps, 10u);
}

TEST(StepWindow, OldMomentsAreForgotten) {
  desktop::StepWindow window;
  window.begin(kFenns);
  add(window, {1000});
  for (std::size_t k = 0; k < desktop::StepWindow::kMoments; ++k) add(window, {2}, 3);
  EXPECT_EQ(window.statistics().steps, 3 * desktop::StepWindow::kMoments);
  EXPECT_DOUBLE_EQ(window.statistics().stages[0].mean_ms, 2);
}

TEST(StepWindow, AStepWhoseStagesOutlastTheHostsCallTakesAsLongAsThey) {
  desktop::StepWindow window;
  window.begin({"pbf", "fenns", "cuda"});
  desktop::StageHistory::Column column;
  column.steps = 1;
  column.wall_ms = 0.1f;
  column.mean_ms = {2, 3};
  window.add(column, kNames);
  EXPECT_DOUBLE_EQ(window.statistics().step.median_ms, 5);
  EXPECT_DOUBLE_EQ(window.statistics().other.median_ms, 0);
}

TEST(StepWindow, ASwitchStartsAnewAndKeepsWhatWasBefore) {
  desktop::StepWindow window;
  window.begin(kFenns);
  EXPECT_EQ(window.statistics().before.what, "");
  for (const float build : {1.0f, 2.0f, 3.0f}) add(window, {build});
  window.begin(kBucket);
  EXPECT_EQ(window.statistics().steps, 0u);
  add(window, {7, 1});
  const desktop::StepStatistics s = window.statistics();
  EXPECT_DOUBLE_EQ(s.stages[0].median_ms, 7);
  EXPECT_EQ(s.before.what, "fenns");
  EXPECT_DOUBLE_EQ(s.before.median_ms.at("build"), 2);
  EXPECT_DOUBLE_EQ(s.before.median_ms.at("step"), 3);
  EXPECT_FALSE(s.before.median_ms.contains("list"));

  window.begin(kBucket);  // another gravity
  EXPECT_EQ(window.statistics().steps, 0u);
  EXPECT_EQ(window.statistics().before.what, "fenns") << "nothing that it depends on was switched";
  window.begin({"dpd", "bucket", "cuda"});  // no step was made since
  EXPECT_EQ(window.statistics().before.what, "fenns");
}

/// Moments of these lengths [ms], each of one step that took 0.1 s with what is between steps, while others kept so many
/// processors busy.
void add_moments(desktop::StepWindow& window, std::initializer_list<float> ms, std::optional<double> others) {
  for (const float wall : ms) {
    desktop::StageHistory::Column column;
    column.steps = 1;
    column.wall_ms = wall;
    column.mean_ms = {wall};
    column.seconds = 0.1;
    column.others = others;
    window.add(column, kNames);
  }
}

// Steps per second and simulated time per second are of the same steps.
TEST(StepWindow, SimulatedTimeIsThatOfTheSameSteps) {
  desktop::StageHistory history;
  desktop::StepWindow window;
  window.begin(kFenns);
  double wall = 0;
  for (std::uint64_t step = 0; step <= 60; step += 3) {
    if (history.sample({}, step, 0, wall, {}, 0.04 * double(step))) window.add(history.columns().back(), {});
    wall += step % 2 == 0 ? 0.1 : 1.4;
  }
  const desktop::StepStatistics found = window.statistics();
  EXPECT_EQ(found.steps, 60u);
  EXPECT_NEAR(found.simulated_per_second(), 0.04 * found.steps_per_second(), 1e-9);
  EXPECT_NEAR(found.steps_per_second(), 60 / 15.0, 1e-9);
}

TEST(StepWindow, ADifferenceWithinTheScatterIsNone) {
  desktop::StepWindow window;
  window.begin(kFenns);
  EXPECT_EQ(against_before(window.statistics()), "");
  add_moments(window, {10, 11, 12}, 3.0);
  EXPECT_EQ(against_before(window.statistics()), "") << "nothing was before";
  EXPECT_EQ(other_programs(window.statistics()), "3.0 processors busy");
  EXPECT_NEAR(window.statistics().steps_per_second(), 10, 1e-9);
  window.begin(kBucket);
  EXPECT_EQ(against_before(window.statistics()), "") << "no step since";
  EXPECT_EQ(window.statistics().steps_per_second(), 0);
  add_moments(window, {5, 5.5f, 6}, 0.0);
  EXPECT_EQ(against_before(window.statistics()), "50 % less");
  EXPECT_EQ(other_programs(window.statistics()), "0.0 processors busy, 3.0 before");
  add_moments(window, {10.5f}, {});
  EXPECT_EQ(against_before(window.statistics()), "no clear difference");
  window.begin(kFenns);
  add_moments(window, {20, 21, 22}, {});
  EXPECT_EQ(against_before(window.statistics()), "265 % more") << "21 beside 5.75";
  EXPECT_EQ(other_programs(window.statistics()), "");
}

TEST(StepWindow, StepsOfBeforeARestartDoNotCount) {
  desktop::StepWindow window;
  window.begin(kFenns);
  add(window, {9});
  window.restart();
  add(window, {1});
  EXPECT_EQ(window.statistics().steps, 1u);
  EXPECT_DOUBLE_EQ(window.statistics().stages[0].median_ms, 1);
}

TEST(StepWindow, WhatWasSwitchedIsNamed) {
  EXPECT_EQ(desktop::difference(kFenns, kBucket), "bucket");
  EXPECT_EQ(desktop::difference(kFenns, {"dpd", "fenns", "cuda"}), "dpd, cuda");
  EXPECT_EQ(desktop::difference(kFenns, kFenns), "");
}

}  // namespace
}  // namespace riffle
