#pragma once
/// Kernels of the tests of core/device/parallel.cuh and core/device/reduce.cuh, behind functions that plain C++ can
/// call.

#include <cstdint>

#include "core/device/device.h"

namespace riffle::test {

/// visits[i] += 1 for i in 0..n-1
void count_visits(const Device& device, std::uint32_t* visits, std::int64_t n);

inline constexpr int kTestBlock = 64;

/// Per block b of kTestBlock elements: reversed = in, back to front; sums[b] = sum of the block.
/// Each phase reads what other threads wrote in the phase before, and each thread keeps a value over all of them.
void reverse_and_sum_blocks(const Device& device, const std::uint32_t* in, std::uint32_t* reversed, std::uint32_t* sums,
                            int blocks);

/// out[b * kTestBlock + t] = 10 where t is even, else 11: the even threads return early from the first phase.
void leave_a_phase_early(const Device& device, std::uint32_t* out, int blocks);

/// out[b * kTestBlock + t] = what a PerThread<int> holds before anything is stored in it.
void read_untouched_values(const Device& device, std::uint32_t* out, int blocks);

/// Launches `rounds` kernels that each read what the one before has written, far away: to[i] = 3 from[(i + 7919) % n] + 1,
/// alternately from x to y and back, one element per thread and blocks in turns. A few elements take long.
void pass_on(const Device& device, std::uint32_t* x, std::uint32_t* y, std::int64_t n, int rounds);

/// Sum of n floats by reduce().
float sum(const Device& device, const float* values, std::int64_t n);

/// Smallest and largest value, and the first index of the largest.
struct Range {
  std::int64_t first_largest = -1;
  std::uint32_t min = 0xffffffffu;
  std::uint32_t max = 0;
};
Range range(const Device& device, const std::uint32_t* values, std::int64_t n);

}  // namespace riffle::test
