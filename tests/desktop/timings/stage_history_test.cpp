#include "app/desktop/timings/stage_history.h"

#include <gtest/gtest.h>

#include <deque>

namespace riffle {
namespace {

StageStats stage(const std::string& name, std::uint64_t count, double mean_ms) {
  StageStats stats;
  stats.name = name;
  stats.count = count;
  stats.mean_ms = mean_ms;
  return stats;
}

TEST(StageHistory, AColumnIsTheMeanOfItsOwnStepsOnly) {
  desktop::StageHistory history;
  history.sample({stage("build", 10, 1)}, 10, 12);
  EXPECT_TRUE(history.columns().empty()) << "there was no sample before, so the steps are unknown";
  // 10 steps of 1 ms and then 10 of 3 ms: the mean over all 20 is 2.
  history.sample({stage("build", 20, 2)}, 20, 47);
  ASSERT_EQ(history.columns().size(), 1u);
  EXPECT_NEAR(history.columns()[0].mean_ms[0], 3, 1e-5);
  EXPECT_NEAR(history.columns()[0].wall_ms, 3.5, 1e-5);
  EXPECT_EQ(history.columns()[0].step, 20u);
}

TEST(StageHistory, NoStepNoColumn) {
  desktop::StageHistory history;
  history.sample({stage("build", 10, 1)}, 10, 0);
  for (int i = 0; i < 5; ++i) history.sample({stage("build", 10, 1)}, 10, 0);
  EXPECT_TRUE(history.columns().empty());
}

// A list that is built only every fifth step costs a fifth of its time per step.
TEST(StageHistory, AStageThatRunsNowAndThenIsSpreadOverTheSteps) {
  desktop::StageHistory history;
  history.sample({stage("list", 0, 0)}, 0, 0);
  history.sample({stage("list", 2, 5)}, 10, 0);
  EXPECT_NEAR(history.columns()[0].mean_ms[0], 1, 1e-6);
}

TEST(StageHistory, AStageThatComesLaterGetsAPlaceBehindTheOthers) {
  desktop::StageHistory history;
  history.sample({stage("build", 1, 1)}, 1, 0);
  history.sample({stage("build", 2, 1)}, 2, 0);
  history.sample({stage("list", 1, 4), stage("build", 3, 1)}, 3, 0);
  ASSERT_EQ(history.stages(), (std::vector<std::string>{"build", "list"}));
  ASSERT_EQ(history.columns().size(), 2u);
  EXPECT_EQ(history.columns()[0].mean_ms.size(), 1u);
  EXPECT_NEAR(history.columns()[1].mean_ms[0], 1, 1e-6);
  EXPECT_NEAR(history.columns()[1].mean_ms[1], 4, 1e-6);
}

TEST(StageHistory, AnEventStandsAtTheNextColumnOnce) {
  desktop::StageHistory history;
  history.sample({stage("build", 1, 1)}, 1, 0);
  history.mark("bucket", "pbf, bucket");
  history.sample({stage("build", 1, 1)}, 1, 0);  // no step: the event waits
  history.sample({stage("build", 2, 1)}, 2, 0);
  history.sample({stage("build", 3, 1)}, 3, 0);
  ASSERT_EQ(history.columns().size(), 2u);
  EXPECT_EQ(history.columns()[0].event, "bucket");
  EXPECT_EQ(history.columns()[1].event, "");
  for (const auto& column : history.columns()) EXPECT_EQ(column.in_use, "pbf, bucket");
}

// After a reset the timer's totals start at 0: without restart() the first columns would be 0 or a total's remainder.
TEST(StageHistory, ANewTimerContinuesTheColumns) {
  desktop::StageHistory history;
  history.sample({stage("build", 100, 1)}, 100, 0);
  history.sample({stage("build", 110, 1)}, 110, 0);
  history.restart();
  history.sample({stage("build", 0, 0)}, 0, 0);
  history.sample({stage("build", 5, 2)}, 5, 0);
  ASSERT_EQ(history.columns().size(), 2u);
  EXPECT_EQ(history.columns()[1].step, 5u);
  EXPECT_NEAR(history.columns()[1].mean_ms[0], 2, 1e-6);
}

TEST(StageHistory, ColumnsKnowTheirRun) {
  desktop::StageHistory history;
  history.sample({stage("build", 0, 1)}, 0, 0);
  history.sample({stage("build", 1, 1)}, 1, 0);
  history.begin_run();
  history.restart();
  EXPECT_NE(history.columns()[0].run, history.run()) << "before the other run has a column";
  history.sample({stage("build", 0, 1)}, 0, 0);
  history.sample({stage("build", 1, 1)}, 1, 0);
  ASSERT_EQ(history.columns().size(), 2u);
  EXPECT_NE(history.columns()[0].run, history.columns()[1].run);
  EXPECT_EQ(history.columns()[1].run, history.run());
}

TEST(StageHistory, KeepsTheNewestColumnsOnly) {
  desktop::StageHistory history;
  for (std::uint64_t step = 0; step <= desktop::StageHistory::kColumns + 50; ++step)
    history.sample({stage("build", step, 1)}, step, 0);
  EXPECT_EQ(history.columns().size(), desktop::StageHistory::kColumns);
  EXPECT_EQ(history.columns().back().step, desktop::StageHistory::kColumns + 50);
}

TEST(StageHistory, AnOutlierDoesNotFlattenThePlot) {
  std::deque<desktop::StageHistory::Column> columns;
  EXPECT_EQ(desktop::plot_top_ms(columns), 1);
  for (int k = 0; k < 101; ++k) {
    columns.emplace_back();
    columns.back().mean_ms = {k < 97 ? 2.0f : 3.0f};
    columns.back().wall_ms = k == 50 ? 900.0f : 0;
  }
  EXPECT_EQ(desktop::plot_top_ms(columns), 1.25 * 3) << "the 4 of 3 ms count, the one of 900 ms does not";
  columns.resize(50);
  EXPECT_EQ(desktop::plot_top_ms(columns), 1.25 * 2);
}

TEST(StageHistory, AColumnHasTheTimeSinceTheLastSample) {
  desktop::StageHistory history;
  history.sample({stage("build", 1, 1)}, 1, 0, 10, 1.0);
  history.sample({stage("build", 2, 1)}, 2, 0, 12, 0.5);
  history.sample({stage("build", 2, 1)}, 2, 0, 60, 2.0);  // a pause
  history.sample({stage("build", 3, 1)}, 3, 0, 60.5, 0.25);
  ASSERT_EQ(history.columns().size(), 2u);
  EXPECT_DOUBLE_EQ(history.columns()[0].seconds, 2);
  EXPECT_EQ(history.columns()[0].others, 0.5);
  EXPECT_DOUBLE_EQ(history.columns()[1].seconds, 0.5);
  EXPECT_EQ(history.columns()[1].others, 0.25);
}

}  // namespace
}  // namespace riffle
