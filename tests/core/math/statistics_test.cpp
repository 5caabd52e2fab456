#include "core/math/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace riffle {

TEST(Statistics, SpreadIsThatOfTheSamples) {
  std::vector<double> samples;
  for (int k = 100; k >= 0; --k) samples.push_back(k);
  const Spread s = spread_of(samples);
  EXPECT_EQ(s.median, 50);
  EXPECT_EQ(s.min, 0);
  EXPECT_EQ(s.max, 100);
  EXPECT_EQ(s.p5, 5);
  EXPECT_EQ(s.p95, 95);
  EXPECT_NEAR(s.sigma, std::sqrt(858.5), 1e-12) << "101 (101 + 1) / 12";
  EXPECT_EQ(spread_of({7}).sigma, 0);
  EXPECT_DOUBLE_EQ(spread_of({3, 9}).sigma, std::sqrt(18));
  EXPECT_EQ(spread_of({1, 2, 4, 9}).median, 3);
  EXPECT_EQ(spread_of({}).max, 0);
}

// The ranks are those of published tables of confidence intervals of the median.
TEST(Statistics, TheMedianLiesInItsRange) {
  const struct {
    std::size_t samples;
    double low, high;  // ranks from 1
  } cases[] = {{1, 1, 1},  {2, 1, 2},   {5, 1, 5},    {6, 1, 6},        {8, 1, 8},       {9, 2, 8},
               {10, 2, 9}, {20, 6, 15}, {50, 18, 33}, {1000, 469, 532}, {1001, 469, 533}};
  for (const auto& [samples, low, high] : cases) {
    std::vector<double> values;
    for (std::size_t k = samples; k > 0; --k) values.push_back(double(k));
    const MedianRange range = median_range(values);
    EXPECT_EQ(range.low, low) << samples;
    EXPECT_EQ(range.high, high) << samples;
    EXPECT_EQ(range.median, 0.5 * (double(samples) + 1)) << samples;
  }
  EXPECT_EQ(median_range({}).high, 0);
  EXPECT_TRUE((MedianRange{1, 2, 3}.overlaps({3, 4, 5})));
  EXPECT_TRUE((MedianRange{3, 4, 5}.overlaps({1, 2, 3})));
  EXPECT_FALSE((MedianRange{1, 2, 3}.overlaps({3.1, 4, 5})));
  EXPECT_FALSE((MedianRange{3.1, 4, 5}.overlaps({1, 2, 3})));
}

TEST(Statistics, UpperMedianIsOneOfTheValues) {
  EXPECT_EQ(upper_median(std::vector<double>{7}), 7);
  EXPECT_EQ(upper_median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(upper_median(std::vector<int>{4, 1, 9, 2}), 4);
}

}  // namespace riffle
