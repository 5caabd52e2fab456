#include "app/desktop/timings/machine_load.h"

#include <gtest/gtest.h>

#include <chrono>

namespace riffle::desktop {
namespace {

TEST(MachineLoad, BusyIsAllButIdleAndWaiting) {
  EXPECT_EQ(busy_seconds("cpu  100 10 40 5000 300 4 6 40 90 0\n", 100), 2.0);
  EXPECT_FALSE(busy_seconds("", 100));
  EXPECT_FALSE(busy_seconds("cpu0 1 1 1 1 1 1 1 1 1 1", 100));
  EXPECT_FALSE(busy_seconds("intr 1 1 1 1 1 1 1 1 1 1", 100));
}

// Own work is no load of others: a thread works while the load is measured over half a second.
TEST(MachineLoad, CountsNeitherItselfNorBeforeTheFirstCall) {
  const auto clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  MachineLoad load;
  const double begin = clock();
  EXPECT_FALSE(load.others(begin));
  EXPECT_FALSE(load.others(begin)) << "no time has passed";
  while (clock() < begin + 0.5) {
  }
  const auto others = load.others(clock());
  if (!others) GTEST_SKIP() << "the system does not say";
  EXPECT_GE(*others, 0);
  EXPECT_LT(*others, 1e4);
}

}  // namespace
}  // namespace riffle::desktop
