#include "core/read_once.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace riffle {
namespace {

TEST(ReadOnce, ReadsOnceForEachNumber) {
  ReadOnce<int> value;
  int reads = 0;
  const auto read = [&] { return 10 * ++reads; };
  EXPECT_EQ(value.of(0, read), 10) << "0 is a number as any other";
  EXPECT_EQ(value.of(0, read), 10);
  EXPECT_EQ(value.of(7, read), 20);
  EXPECT_EQ(value.of(7, read), 20);
  EXPECT_EQ(reads, 2);
}

TEST(ReadOnce, ReadsAgainAfterAFailure) {
  ReadOnce<int> value;
  EXPECT_EQ(value.of(1, [] { return 5; }), 5);
  EXPECT_THROW(value.of(2, []() -> int { throw std::runtime_error("lost"); }), std::runtime_error);
  EXPECT_EQ(value.of(2, [] { return 6; }), 6);
}

}  // namespace
}  // namespace riffle
