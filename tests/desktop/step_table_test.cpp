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
  table.follow({}, {}, {}, 0, true);
  EXPECT_TRUE(table.rows().empty());
  EXPECT_EQ(table.step().count, 0u);
  EXPECT_TRUE(table.outdated());
}

TEST(StepTable, TheLastTimesStayUntilThereAreNewOnes) {
  StepTable table;
  table.follow({stage("build", 9, 1), stage("forces", 9, 2)}, kNames, stage("step", 9, 4), 3, true);
  EXPECT_EQ(text(table), "build0 forces1 ");
  EXPECT_DOUBLE_EQ(table.other_ms(), 1);
  EXPECT_FALSE(table.outdated());

  table.follow({}, kNames, {}, 0, true);  // counted anew: another solver
  EXPECT_EQ(text(table), "build0 forces1 ");
  EXPECT_DOUBLE_EQ(table.other_ms(), 1);
  EXPECT_TRUE(table.outdated());

  table.follow({stage("drift", 2, 1)}, kNames, stage("step", 2, 1), 1, true);
  EXPECT_EQ(text(table), "drift2 ");
  EXPECT_FALSE(table.outdated());
}

TEST(StepTable, AFirstStepOfWhichStagesAreStillToComeIsNotShown) {
  StepTable table;
  table.follow({stage("build", 9, 1), stage("forces", 9, 2)}, kNames, stage("step", 9, 4), 3, true);
  table.follow({stage("drift", 1, 1)}, kNames, stage("step", 3, 1), 1, true);
  EXPECT_EQ(text(table), "build0 forces1 ");
  table.follow({stage("drift", 2, 1), stage("forces", 1, 1)}, kNames, stage("step", 3, 1), 1, true);
  EXPECT_EQ(text(table), "drift2 forces1 ");
}

TEST(StepTable, ASingleStepIsShownWhereNoneFollows) {
  StepTable table;
  table.follow({stage("drift", 1, 1)}, kNames, stage("step", 1, 1), 1, false);
  EXPECT_EQ(text(table), "drift2 ");
  EXPECT_FALSE(table.outdated());
}

}  // namespace
}  // namespace riffle
