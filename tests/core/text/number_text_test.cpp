#include "core/text/number_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace riffle {

TEST(NumberText, BytesHaveTheUnitThatKeepsThemBelow1024) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.0 KiB");
  EXPECT_EQ(bytes_text(3.25 * 1024 * 1024 * 1024), "3.2 GiB");
  EXPECT_EQ(bytes_text(200.0 * 1024 * 1024), "200 MiB");
}

TEST(NumberText, CountsThingsInTheirSingularAndPlural) {
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(2, "row"), "2 rows");
}

TEST(NumberText, ThousandsAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1048576), "1,048,576");
  EXPECT_EQ(grouped(-999), "-999");
  EXPECT_EQ(grouped(-123456), "-123,456");
}

TEST(NumberText, MillisecondsKeepTheFiguresThatMatter) {
  EXPECT_EQ(milliseconds_text(0.0456, 3), "0.046");
  EXPECT_EQ(milliseconds_text(0.9996, 3), "1.00");
  EXPECT_EQ(milliseconds_text(12.34, 3), "12.3");
  EXPECT_EQ(milliseconds_text(99.96, 3), "100");
  EXPECT_EQ(milliseconds_text(2191.6, 3), "2,192");
  EXPECT_EQ(milliseconds_text(0.04567, 4), "0.0457");
  EXPECT_EQ(milliseconds_text(9.99951, 4), "10.00");
  EXPECT_EQ(milliseconds_text(123.45, 4), "123.5");
  EXPECT_EQ(milliseconds_text(-0.5, 3), "-0.500");
  EXPECT_EQ(milliseconds_text(INFINITY, 3), "inf");
  EXPECT_EQ(milliseconds_text(NAN, 3), "nan");
}

}  // namespace riffle
