#include "app/desktop/timings/step_window.h"

#include <gtest/gtest.h>

namespace riffle {
namespace {

desktop::StepStatistics statistics(const std::string& stage, std::uint64_t steps) {
  desktop::StepStatistics all;
  if (steps == 0) return all;
  all.stages = {{stage, steps, 1, 1, 1}};
  all.step = {"step", steps, 2, 2, 2};
  all.steps = steps;
  return all;
}

TEST(StepTable, NothingIsShownBeforeTheFirstStep) {
  desktop::StepTable table;
  EXPECT_TRUE(table.outdated());
  table.follow(statistics("", 0), "wcsph");
  EXPECT_TRUE(table.shown().stages.empty());
  EXPECT_TRUE(table.outdated());
}

TEST(StepTable, TheLastTimesStayUntilThereAreNewOnes) {
  desktop::StepTable table;
  table.follow(statistics("build", 9), "pbf");
  EXPECT_FALSE(table.outdated());
  desktop::StepStatistics none = statistics("", 0);  // counting restarted: another solver
  none.before.what = "pbf";
  table.follow(none, "dpd");
  ASSERT_EQ(table.shown().stages.size(), 1u);
  EXPECT_EQ(table.shown().stages[0].name, "build");
  EXPECT_EQ(table.shown().before.what, "pbf");
  EXPECT_TRUE(table.outdated());
  table.follow(statistics("drift", 1), "dpd");
  ASSERT_EQ(table.shown().stages.size(), 1u);
  EXPECT_EQ(table.shown().stages[0].name, "drift");
  EXPECT_FALSE(table.outdated());
}

TEST(StepTable, TimesOfAnEarlierRunAreKnownToBeThat) {
  desktop::StepTable table;
  table.follow(statistics("", 0), "pbf", {1, 0});
  EXPECT_FALSE(table.of_earlier_run()) << "nothing is shown";
  table.follow(statistics("build", 9), "pbf", {1, 0});
  EXPECT_FALSE(table.of_earlier_run());
  table.follow(statistics("", 0), "pbf", {1, 0});
  EXPECT_TRUE(table.outdated());
  EXPECT_FALSE(table.of_earlier_run()) << "another search in the same run";
  table.follow(statistics("", 0), "pbf", {1, 1});
  EXPECT_TRUE(table.of_earlier_run());
  table.follow(statistics("build", 1), "pbf", {1, 1});
  EXPECT_FALSE(table.of_earlier_run());
}

TEST(StepTable, AStageThatAnotherSearchDoesNotNeedKeepsItsRow) {
  desktop::StepStatistics first = statistics("build", 9), second = first;
  first.stages = {{"build", 9, 1, 1, 1}, {"list", 9, 3, 3, 3}, {"forces", 9, 2, 2, 2}};
  second.stages = {{"build", 5, 1, 1, 1}, {"forces", 5, 2, 2, 2}};
  desktop::StepTable table;
  table.follow(first, "dpd");
  table.follow(second, "dpd");
  const auto& rows = table.shown().stages;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].name, "list");
  EXPECT_EQ(rows[1].count, 0u);
  EXPECT_EQ(rows[2].count, 5u);
}

}  // namespace
}  // namespace riffle
