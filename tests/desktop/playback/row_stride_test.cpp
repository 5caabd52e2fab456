// How far the rows of the table are apart, from what they and the steps between them took.

#include "app/desktop/playback/row_stride.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/timing/processor_seconds.h"

namespace riffle {
namespace {

using desktop::RowStride;

constexpr double kInterval = 0.5;  // [s] simulated

/// So many rows, each of that cost, with that much time per interval between them. @return the time of the last one
double note(RowStride& stride, int rows, double row, double rest, double time = 0) {
  for (int k = 0; k < rows; ++k) {
    time += kInterval * static_cast<double>(stride.intervals());
    stride.note(time, kInterval, row, rest);
  }
  return time;
}

TEST(RowStride, AMachineThatIsBusyForAMomentLosesNoRow) {
  RowStride stride;
  double time = note(stride, 5, 1e-4, 1e-1);
  for (int k = 0; k < 50; ++k) {
    time = note(stride, 1, 1, 1e-1, time);  // this row alone would earn 500 intervals without one
    ASSERT_EQ(stride.intervals(), 1u);
    time = note(stride, 2, 1e-4, 1e-1, time);
  }
  note(stride, 50, 1e-2, 10, time);  // slow for long: rows and steps alike
  EXPECT_EQ(stride.intervals(), 1u);
  EXPECT_TRUE(stride.changes().empty());
}

TEST(RowStride, DearRowsAreAPowerOfTwoOfIntervalsApartAndItIsSaidFromWhenOn) {
  RowStride stride;
  const double later = note(stride, 20, 1e-2, 1e-2);  // 50 intervals for 2 %
  EXPECT_EQ(stride.intervals(), 64u);
  std::vector<RowStride::Change> doubled;
  for (double time = 3, apart = 1; apart < 64; apart *= 2, time += apart)
    doubled.push_back({time * kInterval, apart * kInterval, 2 * apart * kInterval});
  EXPECT_EQ(stride.changes(), doubled);
  const double much_later = note(stride, 20, 1e-2, 1e-2, later);
  EXPECT_EQ(stride.changes().size(), doubled.size());
  note(stride, 20, 1e-5, 1e-2, much_later);
  EXPECT_EQ(stride.intervals(), 1u) << "cheap rows come back";
  EXPECT_EQ(stride.changes().back().to, kInterval);
}

// A run's first rows cost more than all others: once they left a table with a 25th of its rows for the rest of the run.
TEST(RowStride, DearRowsAtTheBeginningLeaveNoFewerThanTheShareAllows) {
  RowStride stride;
  double time = note(stride, 3, 1e-2, 1e-2);
  for (int k = 0; k < 6; ++k) {
    time = note(stride, 1, 1.2e-3, 1e-2, time);  // 6 intervals for 2 %
    EXPECT_LE(stride.intervals(), 16u) << k;
  }
  EXPECT_EQ(stride.intervals(), 8u);
  note(stride, 3, 0, 1e-2, time);
  EXPECT_EQ(stride.intervals(), 1u) << "rows cost nothing any more";
}

TEST(RowStride, TheTimeOfOtherProgramsIsNoCostOfARow) {
  const double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_LT(processor_seconds() - before, 0.05);
  double sum = 0;
  for (int k = 1; processor_seconds() - before < 0.06; ++k) sum += 1.0 / k;
  EXPECT_GT(sum, 1) << "this thread's own is one";
}

TEST(RowStride, EveryIntervalHasARowIfThatIsWanted) {
  RowStride stride;
  stride.measure_all(true);
  const double time = note(stride, 20, 1, 1e-2);
  EXPECT_EQ(stride.intervals(), 1u);
  EXPECT_TRUE(stride.changes().empty());
  stride.measure_all(false);
  EXPECT_GT(stride.intervals(), 1u);
  note(stride, 1, 1, 1e-2, time);
  EXPECT_EQ(stride.changes().size(), 1u);
}

TEST(RowStride, WhereTheRunGoesOnFromAnEarlierMomentTheRowsAreAsFarApartAsBefore) {
  RowStride stride;
  note(stride, 20, 1e-2, 1e-2);
  stride.go_on_from(2 * kInterval);
  EXPECT_EQ(stride.intervals(), 64u);
  EXPECT_EQ(stride.changes(), (std::vector<RowStride::Change>{{2 * kInterval, kInterval, 64 * kInterval}}));
  stride.go_on_from(5 * kInterval);
  EXPECT_EQ(stride.changes().size(), 1u) << "that is before";
}

TEST(RowStride, IntervalsWithoutARowAreCounted) {
  EXPECT_EQ(desktop::intervals_without_row(0, 1, 11, 0.1), 0u);
  EXPECT_EQ(desktop::intervals_without_row(0, 1, 6, 0.1), 5u);
  EXPECT_EQ(desktop::intervals_without_row(0, 0.99999, 11, 0.1), 0u) << "a step that ends slightly before";
  EXPECT_EQ(desktop::intervals_without_row(0.35, 0.35, 1, 0.1), 0u);
  EXPECT_EQ(desktop::intervals_without_row(0, 0.1, 3, 0.1), 0u) << "with a row of the present state";
}

}  // namespace
}  // namespace riffle
