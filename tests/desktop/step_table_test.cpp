#include "app/desktop/step_table.h"

#include <gtest/gtest.h>

namespace riffle {
namespace {

StageStats stage(const std::string& name, std::uint64_t count, double mean_ms) {
  StageStats stats;
  stats.name = name;
  stats.count = count;
  stats.mean_ms = mean_ms;
  return stats;
}

std::string text(const StepTable& table) {
  std::string names;
  for (const auto& row : table.rows()) names += row.stage.name + std::to_string(row.color) + " ";
  return names;
}

const std::vector<std::string> kNames = {"build", "forces", "drift"};

TEST(StepTable, NothingIsShownBeforeTheFirstStep) {
  StepTable table;
  table.follow({}, {}, {}, 0, "wcsph", true);
  EXPECT_TRUE(table.rows().empty());
  EXPECT_EQ(table.step().count, 0u);
  EXPECT_TRUE(table.outdated());
}

TEST(StepTable, TheLastTimesStayUntilThereAreNewOnes) {
  StepTable table;
  table.follow({stage("build", 9, 1), stage("forces", 9, 2)}, kNames, stage("step", 9, 4), 3, "wcsph", true);
  EXPECT_EQ(text(table), "build0 forces1 ");
  EXPECT_DOUBLE_EQ(table.other_ms(), 1);
  EXPECT_FALSE(table.outdated());

  table.follow({}, kNames, {}, 0, "wcsph", true);  // counted anew: another solver
  EXPECT_EQ(text(table), "build0 forces1 ");
  EXPECT_DOUBLE_EQ(table.other_ms(), 1);
  EXPECT_TRUE(table.outdated());

  table.follow({stage("drift", 2, 1)}, kNames, stage("step", 2, 1), 1, "dpd", true);
  EXPECT_EQ(text(table), "drift2 ");
  EXPECT_FALSE(table.outdated());
}

TEST(StepTable, AFirstStepOfWhichStagesAreStillToComeIsNotShown) {
  StepTable table;
  table.follow({stage("build", 9, 1), stage("forces", 9, 2)}, kNames, stage("step", 9, 4), 3, "wcsph", true);
  table.follow({stage("drift", 1, 1)}, kNames, stage("step", 3, 1), 1, "wcsph", true);
  EXPECT_EQ(text(table), "build0 forces1 ");
  table.follow({stage("drift", 2, 1), stage("forces", 1, 1)}, kNames, stage("step", 3, 1), 1, "dpd", true);
  EXPECT_EQ(text(table), "drift2 forces1 ");
}

TEST(StepTable, AStageThatAnotherSearchDoesNotNeedKeepsItsRow) {
  StepTable table;
  table.follow({stage("build", 9, 1), stage("drift", 9, 3), stage("forces", 9, 2)}, kNames, stage("step", 9, 6), 6,
               "wcsph", true);
  table.follow({stage("build", 5, 1), stage("forces", 5, 2)}, kNames, stage("step", 5, 4), 3, "wcsph", true);
  EXPECT_EQ(text(table), "build0 drift2 forces1 ");
  EXPECT_EQ(table.rows()[1].stage.count, 0u);
  EXPECT_EQ(table.rows()[2].stage.count, 5u);
}

TEST(StepTable, ASingleStepIsShownWhereNoneFollows) {
  StepTable table;
  table.follow({stage("drift", 1, 1)}, kNames, stage("step", 1, 1), 1, "wcsph", false);
  EXPECT_EQ(text(table), "drift2 ");
  EXPECT_FALSE(table.outdated());
}

}  // namespace
}  // namespace riffle
