#include <numeric>

#include "core/device/buffer.h"
#include "kernels.h"
#include "support/devices.h"
#include "support/random.h"

namespace riffle::test {
namespace {

class Parallel : public OnEachDevice {};

TEST_P(Parallel, EveryElementIsVisitedOnce) {
  for (const std::int64_t n : {1, 127, 128, 129, 1024, 1025, 1000003}) {
    Buffer<std::uint32_t> visits(device(), static_cast<std::size_t>(n));
    visits.fill_zero();
    count_visits(device(), visits.data(), n);
    EXPECT_EQ(visits.to_host(), std::vector<std::uint32_t>(static_cast<std::size_t>(n), 1)) << n;
  }
}

TEST_P(Parallel, NoElementsLaunchNothing) {
  EXPECT_NO_THROW(count_visits(device(), nullptr, 0));
  EXPECT_NO_THROW(count_visits(device(), nullptr, -1));
  EXPECT_NO_THROW(reverse_and_sum_blocks(device(), nullptr, nullptr, nullptr, 0));
  EXPECT_NO_THROW(synchronize(device()));
}

TEST_P(Parallel, PhasesSeeWhatOtherThreadsWroteInThePhaseBefore) {
  for (const int blocks : {1, 3, 500}) {
    const auto n = static_cast<std::size_t>(blocks) * kTestBlock;
    Random random(1);
    std::vector<std::uint32_t> in(n);
    for (auto& value : in) value = random.bits();
    const Buffer<std::uint32_t> device_in(device(), in);
    Buffer<std::uint32_t> reversed(device(), n), sums(device(), static_cast<std::size_t>(blocks));
    reverse_and_sum_blocks(device(), device_in.data(), reversed.data(), sums.data(), blocks);
    const std::vector<std::uint32_t> r = reversed.to_host(), s = sums.to_host();
    for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); ++b) {
      std::uint32_t sum = 0;
      for (std::size_t t = 0; t < kTestBlock; ++t) {
        sum += in[b * kTestBlock + t];
        ASSERT_EQ(r[b * kTestBlock + t], in[b * kTestBlock + kTestBlock - 1 - t]);
      }
      ASSERT_EQ(s[b], sum);
    }
  }
}

TEST_P(Parallel, ReturningFromAPhaseEndsOnlyThatPhase) {
  Buffer<std::uint32_t> out(device(), 5 * kTestBlock);
  leave_a_phase_early(device(), out.data(), 5);
  const std::vector<std::uint32_t> values = out.to_host();
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], i % 2 == 0 ? 10u : 11u);
}

TEST_P(Parallel, PerThreadValuesStartAtZero) {
  Buffer<std::uint32_t> out(device(), 9 * kTestBlock);
  read_untouched_values(device(), out.data(), 9);
  EXPECT_EQ(out.to_host(), std::vector<std::uint32_t>(9 * kTestBlock, 0));
}

// Launches on a GPU overlap: a kernel must not start its work before the one before it has ended.
TEST_P(Parallel, EveryLaunchSeesWhatTheOneBeforeItHasWritten) {
  constexpr int rounds = 300;
  for (const std::size_t n : {std::size_t{500}, std::size_t{70001}}) {
    std::vector<std::uint32_t> expected(n), next(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<std::uint32_t>(i);
    Buffer<std::uint32_t> x(device(), expected), y(device(), n);
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < n; ++i) next[i] = 3 * expected[(i + 7919) % n] + 1;
      expected.swap(next);
    }
    pass_on(device(), x.data(), y.data(), static_cast<std::int64_t>(n), rounds);
    static_assert(rounds % 2 == 0);
    EXPECT_EQ(x.to_host(), expected) << n;
  }
}

TEST_P(Parallel, AReductionIsTheSameFromRunToRunAndOnBothDevices) {
  for (const int n : {1, 100, 2047, 2048, 2049, 300001}) {
    Random random(2);
    std::vector<float> values(static_cast<std::size_t>(n));
    for (float& value : values) value = random.uniform(-1, 1) * (random.chance(0.01f) ? 1e6f : 1.0f);
    const Buffer<float> on_cpu(Device{}, values), on_device(device(), values);
    const float expected = sum(Device{}, on_cpu.data(), n);
    for (int run = 0; run < 5; ++run) EXPECT_EQ(sum(device(), on_device.data(), n), expected) << n;
    EXPECT_NEAR(
        expected, std::accumulate(values.begin(), values.end(), 0.0),
        1e-6 * std::accumulate(values.begin(), values.end(), 0.0, [](double a, float b) { return a + std::abs(b); }));
  }
}

TEST_P(Parallel, AReductionOfNothingIsTheIdentity) {
  EXPECT_EQ(sum(device(), nullptr, 0), 0);
  EXPECT_EQ(range(device(), nullptr, 0).first_largest, -1);
}

TEST_P(Parallel, AReductionSeesTheFirstAndTheLastElement) {
  for (const std::size_t n : {1, 2048, 2049, 100000})
    for (const std::size_t where : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<std::uint32_t> values(n, 50);
      values[where] = 90;
      Buffer<std::uint32_t> buffer(device(), values);
      EXPECT_EQ(range(device(), buffer.data(), static_cast<std::int64_t>(n)).first_largest,
                static_cast<std::int64_t>(where));
      values[where] = 10;
      buffer.assign(values);
      EXPECT_EQ(range(device(), buffer.data(), static_cast<std::int64_t>(n)).min, 10u);
    }
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Parallel);

}  // namespace
}  // namespace riffle::test
