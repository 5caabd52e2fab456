/// Rows that are left out because they would take too long.

#include "bench/rtnn/row_times.h"

#include <gtest/gtest.h>

namespace riffle::test {
namespace {

using bench::RtnnRow;
using bench::RtnnState;

/// balls: points per ball.
RtnnRow row_of(const char* sweep, double radius, double balls, double ms) {
  RtnnRow row;
  row.cloud = "lidar";
  row.input = "shuffled";
  row.structure = "boxes";
  row.sweep = sweep;
  row.variant = "NoOpt";
  row.radius = radius;
  row.ball_mean = balls;
  row.total.median = ms;
  return row;
}

TEST(RtnnRowTimes, FollowTheLineThroughTheLastTwoThatWereMeasured) {
  const RtnnRow wide = row_of("width", 2, 64, -1);
  std::vector<RtnnRow> before{row_of("width", 0.25, 1, 39)};
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(wide, {}), 0);
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(wide, before), 0.039) << "as long, at least";
  before.push_back(row_of("width", 0.5, 4, 40));
  before.push_back(row_of("width", 1, 24, 100));
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(wide, before), 0.22);
  before.push_back(row_of("width", 1.5, 40, -1));
  before.back().state = RtnnState::LeftOut;
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(wide, before), 0.22) << "it has no time";
  before.push_back(row_of("width", 1.75, 60, 1));
  before.back().variant = "Sched";
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(wide, before), 0.22) << "another variant's";
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(row_of("radius", 2, 64, -1), {row_of("radius", 1, 20, 100)}), 0.1);
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(row_of("", 2, 64, -1), {row_of("", 1, 20, 100)}), 0) << "nothing grows";
  EXPECT_DOUBLE_EQ(bench::predicted_seconds(wide, {row_of("width", 1, 20, 5), row_of("width", 1.5, 40, 3)}), 0.003)
      << "no line falls";
}

TEST(RtnnRowTimes, WhatWouldTakeLongerThanARowMaySaysSo) {
  const std::vector<RtnnRow> before{row_of("width", 0.5, 4, 40), row_of("width", 1, 24, 100)};
  const RtnnRow wide = row_of("width", 2, 64, -1);
  EXPECT_EQ(bench::why_too_long(wide, before, 0.23), "");
  EXPECT_EQ(bench::why_too_long(wide, before, 0.2),
            "left out: would take about 0.22 s a search, more than --row-seconds 0.2");
  EXPECT_EQ(bench::why_too_long(wide, {}, 0.2), "") << "nothing is known of it";
}

}  // namespace
}  // namespace riffle::test
