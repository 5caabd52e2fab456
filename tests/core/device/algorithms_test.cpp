#include "core/device/algorithms.h"

#include <algorithm>
#include <numeric>

#include "core/math/vec.h"
#include "support/devices.h"
#include "support/random.h"

namespace riffle::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers random_numbers(std::uint32_t seed, std::size_t n, std::uint32_t below) {
  Random random(seed);
  Numbers numbers(n);
  for (auto& number : numbers) number = below == 0 ? random.bits() : random.bits() % below;
  return numbers;
}

class Algorithms : public OnEachDevice {
 protected:
  void expect_sorted(const Numbers& keys, int key_bits) {
    const std::size_t n = keys.size();
    Numbers values(n);
    std::iota(values.begin(), values.end(), 7u);
    const Buffer<std::uint32_t> keys_in(device(), keys), values_in(device(), values);
    Buffer<std::uint32_t> keys_out(device(), n), values_out(device(), n);
    sort_pairs(device(), keys_in.data(), keys_out.data(), values_in.data(), values_out.data(), n, key_bits, scratch_);

    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    Numbers sorted_keys(n), sorted_values(n);
    for (std::size_t i = 0; i < n; ++i) sorted_keys[i] = keys[order[i]], sorted_values[i] = values[order[i]];
    EXPECT_EQ(keys_out.to_host(), sorted_keys);
    EXPECT_EQ(values_out.to_host(), sorted_values);
    EXPECT_EQ(keys_in.to_host(), keys) << "the input was changed";
    EXPECT_EQ(values_in.to_host(), values) << "the input was changed";
  }

  ScratchMemory scratch_{Device{}};
  void SetUp() override {
    OnEachDevice::SetUp();
    if (!IsSkipped()) scratch_ = ScratchMemory(device());
  }
};

TEST_P(Algorithms, ScanStartsAtZeroAndLeavesTheLastElementOut) {
  for (const std::size_t n : {0, 1, 2, 1000, 16384, 16385, 1000003}) {
    const Numbers in = random_numbers(1, n, 100);
    Numbers expected(n);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0u);
    const Buffer<std::uint32_t> from(device(), in);
    Buffer<std::uint32_t> to(device(), n);
    exclusive_scan(device(), from.data(), to.data(), n, scratch_);
    EXPECT_EQ(to.to_host(), expected) << n;
    EXPECT_EQ(from.to_host(), in) << "the input was changed";
  }
}

TEST_P(Algorithms, ScanInPlaceReadsBeforeItWrites) {
  for (const std::size_t n : {1, 1000, 1000003})
    for (int run = 0; run < 5; ++run) {  // threads divide the work differently each time
      const Numbers in = random_numbers(2, n, 100);
      Numbers expected(n);
      std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0u);
      Buffer<std::uint32_t> both(device(), in);
      exclusive_scan(device(), both.data(), both.data(), n, scratch_);
      ASSERT_EQ(both.to_host(), expected) << n;
    }
}

TEST_P(Algorithms, ScanWrapsAround) {
  const Numbers in(100000, 0xffffffffu);
  Buffer<std::uint32_t> both(device(), in);
  exclusive_scan(device(), both.data(), both.data(), in.size(), scratch_);
  const Numbers out = both.to_host();
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<std::uint32_t>(0 - i));
}

TEST_P(Algorithms, ScanIn64BitsPasses2To32) {
  for (const std::size_t n : {0, 1, 2, 1000, 16385, 1000003}) {
    const Numbers in = random_numbers(7, n, 0);
    const std::vector<std::uint64_t> wide(in.begin(), in.end());
    std::vector<std::uint64_t> expected(n);
    std::exclusive_scan(wide.begin(), wide.end(), expected.begin(), std::uint64_t{0});
    const Buffer<std::uint64_t> from(device(), wide);
    Buffer<std::uint64_t> to(device(), n), both(device(), wide);
    exclusive_scan(device(), from.data(), to.data(), n, scratch_);
    exclusive_scan(device(), both.data(), both.data(), n, scratch_);
    EXPECT_EQ(to.to_host(), expected) << n;
    EXPECT_EQ(both.to_host(), expected) << n << ", in place";
    if (n > 1000) {
      EXPECT_GT(expected.back(), std::uint64_t{1} << 32) << "this case cannot distinguish 32 bits from 64";
    }
  }
}

TEST_P(Algorithms, MaximumScanCarriesTheLargestAcrossZeros) {
  // The scan fills a table with few entries set: a 0 must take the last entry before it, however far away.
  for (const std::size_t n : {0, 1, 2, 1000, 16384, 16385, 1000003})
    for (const std::uint32_t one_in : {1u, 50u, 300000u}) {
      Numbers in = random_numbers(8, n, 0);
      for (std::size_t i = 0; i < n; ++i)
        if ((i + 1) % one_in != 0) in[i] = 0;
      Numbers expected(n);
      std::inclusive_scan(in.begin(), in.end(), expected.begin(),
                          [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
      const Buffer<std::uint32_t> from(device(), in);
      Buffer<std::uint32_t> to(device(), n), both(device(), in);
      inclusive_max_scan(device(), from.data(), to.data(), n, scratch_);
      inclusive_max_scan(device(), both.data(), both.data(), n, scratch_);
      EXPECT_EQ(to.to_host(), expected) << n << ", one in " << one_in;
      EXPECT_EQ(both.to_host(), expected) << n << ", in place";
    }
}

TEST_P(Algorithms, SelectionKeepsTheFlaggedInTheirOrder) {
  for (const std::size_t n : {0, 1, 2, 1000, 16384, 16385, 1000003})
    for (const std::uint32_t one_in : {1u, 2u, 7u, 100000000u}) {
      SCOPED_TRACE(testing::Message() << n << " elements, one flag in " << one_in);
      const Numbers in = random_numbers(9, n, 0), chance = random_numbers(10, n, one_in);
      std::vector<std::uint8_t> flags(n);
      for (std::size_t i = 0; i < n; ++i)
        flags[i] = chance[i] != 0 ? 0 : i % 2 == 0 ? 1 : 255;  // any value but 0 is a flag
      Numbers expected;
      for (std::size_t i = 0; i < n; ++i)
        if (flags[i] != 0) expected.push_back(in[i]);
      const Buffer<std::uint32_t> from(device(), in);
      const Buffer<std::uint8_t> flagged(device(), flags);
      Buffer<std::uint32_t> to(device(), expected.size()), selected(device(), Numbers{12345});
      select_flagged(device(), from.data(), flagged.data(), to.data(), selected.data(), n, scratch_);
      EXPECT_EQ(selected.to_host(), Numbers{static_cast<std::uint32_t>(expected.size())});
      EXPECT_EQ(to.to_host(), expected);
      EXPECT_EQ(from.to_host(), in) << "the input was changed";
    }
}

TEST_P(Algorithms, SortIsStable) {
  for (const std::size_t n : {0, 1, 2, 255, 4096, 70001})
    for (const std::uint32_t keys : {1, 2, 7, 1000}) {
      SCOPED_TRACE(testing::Message() << n << " pairs, " << keys << " different keys");
      expect_sorted(random_numbers(3, n, keys), 10);
    }
}

TEST_P(Algorithms, SortTakesEveryNumberOfKeyBits) {
  expect_sorted(Numbers(1000, 0), 0);
  for (int bits = 1; bits <= 32; ++bits) {
    SCOPED_TRACE(testing::Message() << bits << " bits");
    expect_sorted(random_numbers(4, 20000, bits == 32 ? 0 : 1u << bits), bits);
  }
}

TEST_P(Algorithms, SortOfAMillionPairsIsStable) { expect_sorted(random_numbers(5, 1000003, 30000), 15); }

TEST_P(Algorithms, IotaCounts) {
  for (const std::size_t n : {0, 1, 1000, 100001}) {
    Buffer<std::uint32_t> to(device(), n);
    fill_iota(device(), to.data(), n);
    Numbers expected(n);
    std::iota(expected.begin(), expected.end(), 0u);
    EXPECT_EQ(to.to_host(), expected);
  }
}

TEST_P(Algorithms, GatherMovesElementsOfBothSizesTogether) {
  constexpr std::size_t n = 5003;
  Random random(6);
  Numbers order(n), small(n);
  std::vector<Vec4> large(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = n - 1; i > 0; --i)
    std::swap(order[i], order[static_cast<std::size_t>(random.below(static_cast<int>(i) + 1))]);
  for (std::size_t i = 0; i < n; ++i) {
    small[i] = random.bits();
    large[i] = {random.uniform(-1, 1), static_cast<float>(i), random.uniform(-1, 1), -static_cast<float>(i)};
  }
  const Buffer<std::uint32_t> order_(device(), order), small_from(device(), small);
  const Buffer<Vec4> large_from(device(), large);
  std::vector<Buffer<std::uint32_t>> small_to;
  std::vector<Buffer<Vec4>> large_to;
  std::vector<GatherArray> arrays;
  for (int a = 0; a < kMaxGatherArrays; ++a)
    if (a % 2 == 0) {
      small_to.emplace_back(device(), n);
      arrays.push_back({small_from.data(), small_to.back().data(), 4});
    } else {
      large_to.emplace_back(device(), n);
      arrays.push_back({large_from.data(), large_to.back().data(), 16});
    }
  gather(device(), order_.data(), n, arrays.data(), kMaxGatherArrays);
  for (const auto& buffer : small_to) {
    const Numbers to = buffer.to_host();
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(to[i], small[order[i]]);
  }
  for (const auto& buffer : large_to) {
    const std::vector<Vec4> to = buffer.to_host();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(xyz(to[i]) == xyz(large[order[i]]));
      ASSERT_EQ(to[i].w, large[order[i]].w);
    }
  }
}

TEST_P(Algorithms, GatherKeepsTheBitsOfANaN) {
  // An id or a signalling NaN may change when it passes through a float register.
  const Numbers bits{0x7fa00001u, 0xffc00000u, 0xffffffffu, 0x00000001u, 0x80000000u};
  const Buffer<std::uint32_t> from(device(), bits), order(device(), Numbers{4, 3, 2, 1, 0});
  Buffer<std::uint32_t> to(device(), bits.size());
  const GatherArray array{from.data(), to.data(), 4};
  gather(device(), order.data(), bits.size(), &array, 1);
  EXPECT_EQ(to.to_host(), Numbers(bits.rbegin(), bits.rend()));
}

TEST_P(Algorithms, GatherOfNothingIsNothing) {
  EXPECT_NO_THROW(gather(device(), nullptr, 0, nullptr, 0));
  EXPECT_NO_THROW(synchronize(device()));
}

TEST_P(Algorithms, TooManyArraysAreRefusedRatherThanCutOff) {
  const std::vector<GatherArray> arrays(kMaxGatherArrays + 1);
  EXPECT_THROW(gather(device(), nullptr, 0, arrays.data(), kMaxGatherArrays + 1), std::logic_error);
}

RIFFLE_INSTANTIATE_ON_EACH_DEVICE(Algorithms);

}  // namespace
}  // namespace riffle::test
