#include "kernels.h"

#include <utility>

#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"

namespace riffle::test {

namespace {

struct CountVisits {
  std::uint32_t* visits;
  RIFFLE_HD void operator()(std::int64_t i) const { ++visits[i]; }
};

struct ReverseAndSum {
  const std::uint32_t* in;
  std::uint32_t* reversed;
  std::uint32_t* sums;

  struct Shared {
    std::uint32_t tile[kTestBlock];
  };

  RIFFLE_HD void operator()(Block<kTestBlock>& block, Shared& shared) const {
    PerThread<std::uint32_t, kTestBlock> mine;
    const int first = block.index() * kTestBlock;
    block.each_thread([&](int t) { mine[t] = shared.tile[t] = in[first + t]; });
    block.each_thread([&](int t) { reversed[first + t] = shared.tile[kTestBlock - 1 - t]; });
    block.each_thread([&](int t) { shared.tile[kTestBlock - 1 - t] = mine[t]; });
    for (int stride = 1; stride < kTestBlock; stride *= 2)
      block.each_thread([&](int t) {
        if (t % (2 * stride) == 0) shared.tile[t] += shared.tile[t + stride];
      });
    block.each_thread([&](int t) {
      if (t == kTestBlock - 1) sums[block.index()] = shared.tile[0];
    });
  }
};

struct PassOn {
  std::int64_t n;
  const std::uint32_t* from;
  std::uint32_t* to;
  struct Shared {};

  RIFFLE_HD void operator()(std::int64_t i) const {
    std::uint32_t value = from[(i + 7919) % n];
    if (i % 1021 == 0)  // the kernel's last threads are late; an even number of these turns changes nothing
      for (int k = 0; k < 2000; ++k) value = ~value;
    to[i] = 3 * value + 1;
  }
  RIFFLE_HD void operator()(Block<kTestBlock>& block, Shared&) const {
    block.each_thread([&](int t) {
      const std::int64_t i = std::int64_t{block.index()} * kTestBlock + t;
      if (i < n) (*this)(i);
    });
  }
};

struct LeaveEarly {
  std::uint32_t* out;
  struct Shared {};

  RIFFLE_HD void operator()(Block<kTestBlock>& block, Shared&) const {
    PerThread<std::uint32_t, kTestBlock> value;
    block.each_thread([&](int t) {
      if (t % 2 == 0) return;
      value[t] = 1;
    });
    block.each_thread([&](int t) { out[block.index() * kTestBlock + t] = value[t] + 10; });
  }
};

struct ReadUntouched {
  std::uint32_t* out;
  struct Shared {};

  RIFFLE_HD void operator()(Block<kTestBlock>& block, Shared&) const {
    PerThread<std::uint32_t, kTestBlock> value;
    block.each_thread([&](int t) { out[block.index() * kTestBlock + t] = value[t]; });
  }
};

struct Sum {
  const float* values;
  RIFFLE_HD static float identity() { return 0; }
  RIFFLE_HD static float combine(float a, float b) { return a + b; }
  RIFFLE_HD float operator()(std::int64_t i) const { return values[i]; }
};

struct RangeOf {
  const std::uint32_t* values;
  RIFFLE_HD static Range identity() { return {}; }
  RIFFLE_HD static Range combine(Range a, Range b) {
    Range both;
    both.min = a.min < b.min ? a.min : b.min;
    both.max = a.max > b.max ? a.max : b.max;
    const bool a_first = b.first_largest < 0 || (a.first_largest >= 0 && a.first_largest < b.first_largest);
    if (a.max == b.max)
      both.first_largest = a_first ? a.first_largest : b.first_largest;
    else
      both.first_largest = a.max > b.max ? a.first_largest : b.first_largest;
    return both;
  }
  RIFFLE_HD Range operator()(std::int64_t i) const {
    Range one;
    one.first_largest = i;
    one.min = one.max = values[i];
    return one;
  }
};

}  // namespace

void count_visits(const Device& device, std::uint32_t* visits, std::int64_t n) {
  parallel_for(device, "count visits", n, CountVisits{visits});
}

void reverse_and_sum_blocks(const Device& device, const std::uint32_t* in, std::uint32_t* reversed, std::uint32_t* sums,
                            int blocks) {
  parallel_blocks<kTestBlock>(device, "reverse and sum", blocks, ReverseAndSum{in, reversed, sums});
}

void leave_a_phase_early(const Device& device, std::uint32_t* out, int blocks) {
  parallel_blocks<kTestBlock>(device, "leave early", blocks, LeaveEarly{out});
}

void read_untouched_values(const Device& device, std::uint32_t* out, int blocks) {
  parallel_blocks<kTestBlock>(device, "read untouched", blocks, ReadUntouched{out});
}

void pass_on(const Device& device, std::uint32_t* x, std::uint32_t* y, std::int64_t n, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const PassOn kernel{n, x, y};
    if (round % 3 == 2)
      parallel_blocks<kTestBlock>(device, "pass on", static_cast<int>((n + kTestBlock - 1) / kTestBlock), kernel);
    else
      parallel_for(device, "pass on", n, kernel);
    std::swap(x, y);
  }
}

float sum(const Device& device, const float* values, std::int64_t n) {
  return reduce<float>(device, "sum", n, Sum{values});
}

Range range(const Device& device, const std::uint32_t* values, std::int64_t n) {
  return reduce<Range>(device, "range", n, RangeOf{values});
}

}  // namespace riffle::test
