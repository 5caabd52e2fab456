#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "app/desktop/picture/view_state.h"
#include "app/desktop/playback/series_history.h"
#include "app/desktop/timings/recent_times.h"
#include "app/desktop/timings/stage_history.h"
#include "app/desktop/widgets/plot.h"
#include "app/desktop/widgets/plot_scale.h"
#include "tests/desktop/widgets/without_a_window.h"

namespace riffle {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

desktop::SeriesHistory history_of(int samples, std::size_t most) {
  desktop::SeriesHistory history(1, most);
  for (int i = 0; i < samples; ++i) {
    // One spike up and one down: a decimation that takes every second sample would miss them half the time.
    const double value = i == 333 ? 50 : i == 334 ? -70 : std::sin(0.01 * i);
    history.add(0.5 * i, {&value, 1});
  }
  return history;
}

// The number of a theory belongs to the time that is shown, which is a sample's and not one of the curve's points.
TEST(PlotLine, HasAValueBetweenItsPoints) {
  desktop::ui::PlotLine line;
  for (const double t : {0.0, 1.0, 2.0, 3.0}) line.points.push_back({t, t * t, t * t, t * t});
  line.points.push_back({4, kNone, kNone, kNone});
  EXPECT_EQ(value_at(line, 2), 4);
  EXPECT_DOUBLE_EQ(value_at(line, 2.25), 5.25);
  EXPECT_EQ(value_at(line, 0), 0);
  for (const double outside : {-0.1, 3.5, 4.1}) EXPECT_TRUE(std::isnan(value_at(line, outside))) << outside;
  EXPECT_TRUE(std::isnan(desktop::ui::value_at({}, 0)));
}

// Of a scene with a free solid the energies are six lines.
TEST(Plots, LinesOfOnePlotHaveColoursOfTheirOwn) {
  for (const desktop::Appearance appearance : {desktop::Appearance::Dark, desktop::Appearance::Light}) {
    std::set<ImU32> colors;
    for (std::size_t k = 0; k < 6; ++k) colors.insert(desktop::ui::plot_color(k, appearance));
    EXPECT_EQ(colors.size(), 6u);
  }
}

// Where both axes begin at 0 their numbers meet in the corner.
TEST(Plots, NumbersOfTheTwoAxesDoNotLieOnEachOther) {
  const test::WithoutAWindow widgets({400, 300});
  const auto glyphs = [](const desktop::AxisRange& y) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({400, 300});
    ImGui::Begin("window");
    const desktop::ui::PlotFrame frame("plot", 120, {0, 1.6}, y, desktop::AxisScale::Linear, true, "", "s");
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_TextDisabled);
    std::vector<ImVec4> all;
    const auto& corners = ImGui::GetWindowDrawList()->VtxBuffer;
    for (int k = 0; k + 2 < corners.Size; ++k)
      if (corners[k].col == ink) {  // four corners of a letter
        all.push_back({corners[k].pos.x, corners[k].pos.y, corners[k + 2].pos.x, corners[k + 2].pos.y});
        k += 3;
      }
    ImGui::End();
    ImGui::EndFrame();
    return all;
  };
  for (const desktop::AxisRange& y : {desktop::AxisRange{0, 0.31}, {0, 1.6}, {-1, 1}}) {
    const std::vector<ImVec4> all = glyphs(y);
    ASSERT_GT(all.size(), 12u);
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const float across = std::min(all[a].z, all[b].z) - std::max(all[a].x, all[b].x);
        const float down = std::min(all[a].w, all[b].w) - std::max(all[a].y, all[b].y);
        EXPECT_FALSE(across > 0.1f && down > -1) << "letters " << a << " and " << b << " of the axis from " << y.min;
      }
  }
}

TEST(AxisMap, ALogarithmicAxisHasNoPlaceForWhatIsNotAboveZero) {
  const desktop::AxisMap log({0.1, 10}, desktop::AxisScale::Log, 0, 100),
      linear({-1, 1}, desktop::AxisScale::Linear, 0, 100);
  EXPECT_TRUE(log.has(0.01));
  for (const double value : {0.0, -0.01, kNone}) EXPECT_FALSE(log.has(value)) << value;
  EXPECT_TRUE(linear.has(-0.01));
}

TEST(SeriesHistory, MergingKeepsExtremesOrderAndEverySample) {
  const desktop::SeriesHistory history = history_of(10000, 64);
  ASSERT_LE(history.buckets().size(), 64u);
  ASSERT_GE(history.buckets().size(), 30u);
  double low = 0, high = 0, before = -1;
  std::uint32_t samples = 0;
  for (const auto& bucket : history.buckets()) {
    EXPECT_GT(bucket.begin, before);
    EXPECT_GE(bucket.end, bucket.begin);
    before = bucket.end;
    samples += bucket.samples;
    low = std::min(low, bucket.channels[0].low);
    high = std::max(high, bucket.channels[0].high);
    EXPECT_DOUBLE_EQ(bucket.channels[0].last, bucket.end == 0.5 * 333   ? 50
                                              : bucket.end == 0.5 * 334 ? -70
                                                                        : std::sin(0.02 * bucket.end));
  }
  EXPECT_EQ(low, -70);
  EXPECT_EQ(high, 50);
  EXPECT_EQ(samples, 10000u);
  EXPECT_EQ(history.buckets().front().begin, 0);
  EXPECT_EQ(history.end(), 0.5 * 9999);
}

TEST(SeriesHistory, NothingOfALaterTimeIsLeftAfterGoingBack) {
  desktop::SeriesHistory history = history_of(1000, 64);
  history.cut_after(100.1);
  ASSERT_FALSE(history.empty());
  EXPECT_LE(history.end(), 100.1);
  EXPECT_GT(history.end(), 90) << "a bucket of 16 samples at most goes with it";
  const double value = 3;
  history.add(40, {&value, 1});
  EXPECT_EQ(history.end(), 40);
  for (const auto& bucket : history.buckets())
    if (&bucket != &history.buckets().back()) {
      EXPECT_LE(bucket.end, 40);
    }
  history.cut_after(-1);
  EXPECT_TRUE(history.empty());
  history.add(0, {&value, 1});
  history.add(1, {&value, 1});
  EXPECT_EQ(history.buckets().size(), 2u) << "a history that starts again is as fine as a new one";
}

TEST(SeriesHistory, WhatIsNoNumberHidesNoExtreme) {
  desktop::SeriesHistory history(2, 2);
  for (const double value : {1.0, kNone, 4.0, kNone, 2.0}) {
    const double values[] = {value, kNone};
    history.add(history.empty() ? 0 : history.end() + 1, values);
  }
  const auto& first = history.buckets().front().channels;
  EXPECT_EQ(first[0].low, 1);
  EXPECT_EQ(first[0].high, 4);
  EXPECT_TRUE(std::isnan(first[1].high));
}

TEST(PlotScale, PixelsAndValuesAreEachOthersInverse) {
  for (const desktop::AxisScale scale : {desktop::AxisScale::Linear, desktop::AxisScale::Log}) {
    const desktop::AxisMap map({0.5, 200}, scale, 310, 12);
    EXPECT_FLOAT_EQ(map.pixel(0.5), 310);
    EXPECT_FLOAT_EQ(map.pixel(200), 12);
    for (const double value : {0.7, 3.0, 60.0, 199.0}) EXPECT_NEAR(map.value(map.pixel(value)), value, 1e-3 * value);
  }
  const desktop::AxisMap log({0.01, 100}, desktop::AxisScale::Log, 0, 400);
  EXPECT_FLOAT_EQ(log.pixel(1), 200) << "half of the decades";
  EXPECT_FLOAT_EQ(log.pixel(0), 0) << "no logarithm: at the lower end, and no NaN";
  EXPECT_FLOAT_EQ(log.pixel(-5), 0);
}

TEST(PlotScale, RangesHaveRoomAndIgnoreWhatCannotBeShown) {
  const double values[] = {2, kNone, -1, INFINITY, 5};
  const desktop::AxisRange range = desktop::range_of(values, desktop::AxisScale::Linear);
  EXPECT_LT(range.min, -1);
  EXPECT_GT(range.max, 5);
  EXPECT_LT(range.max - range.min, 8);
  const desktop::AxisRange log = desktop::range_of(values, desktop::AxisScale::Log);
  EXPECT_GT(log.min, 0);
  EXPECT_LT(log.min, 2);
  EXPECT_GT(log.max, 5);
  const double constant[] = {1e6, 1e6 * (1 + 1e-12)};
  const desktop::AxisRange around = desktop::range_of(constant, desktop::AxisScale::Linear);
  EXPECT_GT(around.max - around.min, 1e5) << "rounding must not fill the plot";
  const double zero[] = {0};
  for (const desktop::AxisRange& r :
       {desktop::range_of({}, desktop::AxisScale::Linear), desktop::range_of(zero, desktop::AxisScale::Linear),
        desktop::range_of(zero, desktop::AxisScale::Log), desktop::range_of({}, desktop::AxisScale::Log)})
    EXPECT_GT(r.max, r.min);
}

TEST(PlotScale, TicksAreRoundAscendAndLieWithin) {
  const desktop::AxisRange ranges[] = {{0, 1}, {-3.7, 12.1}, {0, 4.2e7}, {1e-5, 3e-5}, {-2e9, 1e9}};
  for (const desktop::AxisRange& range : ranges) {
    const desktop::AxisTicks ticks = desktop::axis_ticks(range, desktop::AxisScale::Linear, 5);
    ASSERT_GE(ticks.ticks.size(), 2u) << range.max;
    ASSERT_LE(ticks.ticks.size(), 8u) << range.max;
    for (std::size_t i = 0; i < ticks.ticks.size(); ++i) {
      const double slack = 1e-5 * (range.max - range.min);
      EXPECT_GE(ticks.ticks[i].value, range.min - slack);
      EXPECT_LE(ticks.ticks[i].value, range.max + slack);
      if (i > 0) {
        EXPECT_GT(ticks.ticks[i].value, ticks.ticks[i - 1].value);
      }
    }
  }
  EXPECT_EQ(desktop::axis_ticks({0, 4.2e7}, desktop::AxisScale::Linear, 5).factor, "\u00d710\u2076");
  EXPECT_EQ(desktop::axis_ticks({0, 3e-5}, desktop::AxisScale::Linear, 3).factor, "\u00d710\u207b\u2076");
  EXPECT_EQ(desktop::axis_ticks({0, 7}, desktop::AxisScale::Linear, 3).factor, "");
}

TEST(PlotScale, LogarithmicTicksArePowersOfTenWithMoreWhereTheyAreFew) {
  std::vector<std::string> labels;
  for (const desktop::AxisTick& tick : desktop::axis_ticks({0.5, 20000}, desktop::AxisScale::Log, 5).ticks)
    labels.push_back(tick.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"1", "10", "100", "1000", "10000"}));
  labels.clear();
  for (const desktop::AxisTick& tick : desktop::axis_ticks({0.9, 6}, desktop::AxisScale::Log, 5).ticks)
    labels.push_back(tick.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"1", "2", "5"}));
}

// An axis of numbers needs at least two of them to be useful.
TEST(PlotScale, EveryAxisHasTwoDifferentLabelsAtLeast) {
  const auto expect_two = [](desktop::AxisRange range, desktop::AxisScale scale, int wanted) {
    const desktop::AxisTicks ticks = desktop::axis_ticks(range, scale, wanted);
    std::set<std::string> labels;
    for (const desktop::AxisTick& tick : ticks.ticks) {
      labels.insert(tick.label);
      const double slack = 1e-5 * (range.max - range.min);
      EXPECT_GE(tick.value, range.min - slack) << range.min << " to " << range.max;
      EXPECT_LE(tick.value, range.max + slack) << range.min << " to " << range.max;
    }
    ASSERT_GE(labels.size(), 2u) << range.min << " to " << range.max << ", asked for " << wanted;
    ASSERT_EQ(labels.size(), ticks.ticks.size()) << range.min << " to " << range.max << ": two numbers look the same";
    ASSERT_LE(labels.size(), 3u * static_cast<unsigned>(wanted)) << range.min << " to " << range.max;
  };
  for (const int wanted : {2, 3, 5, 8})
    for (double begin = 1e-7; begin < 1e8; begin *= 1.17) {
      for (double ratio = 3.2; ratio < 1e6; ratio *= 1.31)
        expect_two({begin, ratio * begin}, desktop::AxisScale::Log, wanted);
      for (const double share : {2e-6, 1e-4, 0.03, 0.4, 1.0, 1.7, 2.9, 40.0}) {
        expect_two({begin, begin * (1 + share)}, desktop::AxisScale::Linear, wanted);
        expect_two({-begin, begin * (share - 1)}, desktop::AxisScale::Linear, wanted);
      }
    }
}

TEST(PlotScale, NearlyConstantValuesGetAnAxisThatCanBeRead) {
  for (const double value : {0.012, 7.0, 99999.0, -3.4e8})
    for (const double change : {0.0, 1e-12, 3e-8, 4e-7, 2e-6, 1e-4}) {
      const double values[] = {value, value * (1 + change)};
      for (const int wanted : {2, 3}) {
        const desktop::AxisTicks ticks = desktop::axis_ticks(desktop::range_of(values, desktop::AxisScale::Linear),
                                                             desktop::AxisScale::Linear, wanted);
        ASSERT_GE(ticks.ticks.size(), 2u) << value << " " << change;
        EXPECT_NE(ticks.ticks[0].label, ticks.ticks[1].label) << value << " " << change;
      }
    }
}

TEST(StageHistory, StagesAndTheRestAddUpToTheStep) {
  // Two of "solve" per step.
  const std::vector<StageStats> stats = {{"build", 10, 1.0, 1, 1}, {"solve", 20, 0.5, 0.5, 0.5}};
  desktop::StageHistory history;
  history.sample(stats, 10, 30);
  EXPECT_TRUE(history.columns().empty()) << "since when is not known";
  history.sample({{"build", 20, 1.5, 1, 1}, {"solve", 40, 0.5, 0.5, 0.5}}, 20, 70);
  ASSERT_EQ(history.columns().size(), 1u);
  const desktop::StageHistory::Column& column = history.columns()[0];
  EXPECT_FLOAT_EQ(column.wall_ms, 4);
  EXPECT_FLOAT_EQ(std::accumulate(column.mean_ms.begin(), column.mean_ms.end(), 0.0f), 3);
}

TEST(RecentTimes, AllStatisticsAreOfTheLastOnes) {
  desktop::RecentTimes times;
  EXPECT_EQ(times.stats("none").median_ms, 0);
  for (int i = 0; i < 100; ++i) times.add(1000);
  for (std::size_t i = 0; i < desktop::RecentTimes::kKept; ++i) times.add(static_cast<double>(i % 100));
  const StageStats stats = times.stats("step");
  EXPECT_EQ(stats.count, 100 + desktop::RecentTimes::kKept);
  EXPECT_NEAR(stats.median_ms, 49, 2);
  EXPECT_NEAR(stats.p95_ms, 94, 2);
  EXPECT_NEAR(stats.mean_ms, 49, 1) << "not of those that were 1000";
}

TEST(PlotNumber, HasAUnitOnlyWhereItIsANumber) {
  EXPECT_EQ(desktop::plot_number(1.25, "Pa"), "1.25 Pa");
  EXPECT_EQ(desktop::plot_number(1.25), "1.25");
  EXPECT_EQ(desktop::plot_number(NAN, "Pa"), "no number");
}

}  // namespace

}  // namespace riffle
