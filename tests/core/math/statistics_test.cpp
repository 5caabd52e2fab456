#include "core/math/statistics.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(spread_of({1, 2, 4, 9}).median, 3);
  EXPECT_EQ(spread_of({}).max, 0);
}

TEST(Statistics, UpperMedianIsOneOfTheValues) {
  EXPECT_EQ(upper_median(std::vector<double>{7}), 7);
  EXPECT_EQ(upper_median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(upper_median(std::vector<int>{4, 1, 9, 2}), 4);
}

}  // namespace riffle
