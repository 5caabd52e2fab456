#include "core/device/algorithms.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_scan.h>
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/device/parallel.cuh"
#include "core/math/vec.h"
#if RIFFLE_WITH_CUDA
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#endif

namespace riffle {

namespace {

struct Iota {
  std::uint32_t* to;
  RIFFLE_HD void operator()(std::int64_t i) const { to[i] = static_cast<std::uint32_t>(i); }
};

struct Gather {
  const std::uint32_t* order;
  GatherArray arrays[kMaxGatherArrays];
  int array_count;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t from = order[i];
    for (int a = 0; a < array_count; ++a) {
      const GatherArray& array = arrays[a];
      if (array.element_bytes == 16)
        static_cast<Vec4*>(array.to)[i] = static_cast<const Vec4*>(array.from)[from];
      else
        static_cast<std::uint32_t*>(array.to)[i] = static_cast<const std::uint32_t*>(array.from)[from];
    }
  }
};

struct MarkTail {
  std::uint32_t first;  ///< of the tail
  std::uint32_t* tail;
  std::uint8_t* staying;
  RIFFLE_HD void operator()(std::int64_t k) const {
    tail[k] = first + static_cast<std::uint32_t>(k);
    staying[k] = 1;
  }
};

struct MarkGaps {
  const std::uint32_t* places;
  std::uint32_t first;
  std::uint8_t* staying;
  RIFFLE_HD void operator()(std::int64_t k) const {
    if (places[k] >= first) staying[places[k] - first] = 0;
  }
};

template <class T>
struct FillGaps {
  const std::uint32_t* places;  ///< those before the tail come first, as many as elements of the tail stay
  const std::uint32_t* from;
  const std::uint32_t* moved;
  T* array;
  RIFFLE_HD void operator()(std::int64_t k) const {
    if (k < static_cast<std::int64_t>(*moved)) array[places[k]] = array[from[k]];
  }
};

// Least-significant-digit radix sort, stable, one counting pass per digit and chunk. std::stable_sort through an index
// takes about five times as long at a million keys.
void radix_sort_cpu(const std::uint32_t* keys_in, std::uint32_t* keys_out, const std::uint32_t* values_in,
                    std::uint32_t* values_out, std::size_t n, int key_bits) {
  constexpr int digit_bits = 8, digits = 1 << digit_bits;
  const int passes = std::max(1, (key_bits + digit_bits - 1) / digit_bits);
  const int chunks = std::max(1, std::min<int>(cpu_threads(), static_cast<int>(n / 4096)));
  const auto chunk_begin = [&](int c) { return n * static_cast<std::size_t>(c) / chunks; };

  std::vector<std::uint32_t> spare_keys(passes > 1 ? n : 0), spare_values(passes > 1 ? n : 0);
  std::vector<std::size_t> count(static_cast<std::size_t>(chunks) * digits);
  const std::uint32_t* from_keys = keys_in;
  const std::uint32_t* from_values = values_in;
  for (int pass = 0; pass < passes; ++pass) {
    // The last pass must land in the output, so the targets alternate backwards from it.
    const bool to_output = (passes - 1 - pass) % 2 == 0;
    std::uint32_t* to_keys = to_output ? keys_out : spare_keys.data();
    std::uint32_t* to_values = to_output ? values_out : spare_values.data();
    const int shift = pass * digit_bits;
    std::fill(count.begin(), count.end(), 0);
    tbb::parallel_for(0, chunks, [&](int c) {
      std::size_t* mine = &count[static_cast<std::size_t>(c) * digits];
      for (std::size_t i = chunk_begin(c); i < chunk_begin(c + 1); ++i) ++mine[(from_keys[i] >> shift) & (digits - 1)];
    });
    std::size_t total = 0;
    for (int d = 0; d < digits; ++d)
      for (int c = 0; c < chunks; ++c) total += std::exchange(count[static_cast<std::size_t>(c) * digits + d], total);
    tbb::parallel_for(0, chunks, [&](int c) {
      std::size_t* next = &count[static_cast<std::size_t>(c) * digits];
      for (std::size_t i = chunk_begin(c); i < chunk_begin(c + 1); ++i) {
        const std::size_t slot = next[(from_keys[i] >> shift) & (digits - 1)]++;
        to_keys[slot] = from_keys[i];
        to_values[slot] = from_values[i];
      }
    });
    from_keys = to_keys;
    from_values = to_values;
  }
}

struct Maximum {
  RIFFLE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? b : a; }
};

template <class T>
void exclusive_scan_cpu(const T* in, T* out, std::size_t n) {
  using Range = tbb::blocked_range<std::size_t>;
  tbb::parallel_scan(
      Range(0, n, 16384), T{0},
      [&](const Range& range, T sum, bool final) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          const T value = in[i];  // before out[i] is written: in == out is allowed
          if (final) out[i] = sum;
          sum += value;
        }
        return sum;
      },
      [](T a, T b) { return a + b; });
}

void inclusive_max_scan_cpu(const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
  using Range = tbb::blocked_range<std::size_t>;
  tbb::parallel_scan(
      Range(0, n, 16384), std::uint32_t{0},
      [&](const Range& range, std::uint32_t largest, bool final) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) {
          largest = std::max(largest, in[i]);
          if (final) out[i] = largest;
        }
        return largest;
      },
      Maximum{});
}

void select_flagged_cpu(const std::uint32_t* in, const std::uint8_t* flags, std::uint32_t* to, std::uint32_t* selected,
                        std::size_t n) {
  constexpr std::size_t piece = 16384;
  const std::size_t pieces = (n + piece - 1) / piece;
  std::vector<std::size_t> start(pieces);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t p) {
    std::size_t count = 0;
    for (std::size_t i = p * piece; i < std::min(n, (p + 1) * piece); ++i) count += flags[i] != 0;
    start[p] = count;
  });
  std::size_t total = 0;
  for (std::size_t& s : start) total += std::exchange(s, total);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t p) {
    std::uint32_t* next = to + start[p];
    for (std::size_t i = p * piece; i < std::min(n, (p + 1) * piece); ++i)
      if (flags[i] != 0) *next++ = in[i];
  });
  *selected = static_cast<std::uint32_t>(total);
}

#if RIFFLE_WITH_CUDA
/// Runs a CUB algorithm: the first call asks how much scratch memory it needs, the second does the work.
template <class Algorithm>
void run_with_scratch(ScratchMemory& scratch, const Algorithm& algorithm) {
  std::size_t bytes = 0;
  RIFFLE_CUDA_CHECK(algorithm(nullptr, bytes));
  if (scratch.size() < bytes) scratch.resize(bytes);
  RIFFLE_CUDA_CHECK(algorithm(scratch.data(), bytes));
}
#endif

template <class T>
void exclusive_scan_of(const Device& device, const T* in, T* out, std::size_t n, ScratchMemory& scratch) {
  if (n == 0) return;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, n, cuda_stream(device));
    });
    return;
  }
#endif
  (void)device;
  (void)scratch;
  exclusive_scan_cpu(in, out, n);
}

}  // namespace

void exclusive_scan(const Device& device, const std::uint32_t* in, std::uint32_t* out, std::size_t n,
                    ScratchMemory& scratch) {
  exclusive_scan_of(device, in, out, n, scratch);
}

void exclusive_scan(const Device& device, const std::uint64_t* in, std::uint64_t* out, std::size_t n,
                    ScratchMemory& scratch) {
  exclusive_scan_of(device, in, out, n, scratch);
}

void inclusive_max_scan(const Device& device, const std::uint32_t* in, std::uint32_t* out, std::size_t n,
                        ScratchMemory& scratch) {
  if (n == 0) return;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(memory, bytes, in, out, Maximum{}, n, cuda_stream(device));
    });
    return;
  }
#endif
  (void)device;
  (void)scratch;
  inclusive_max_scan_cpu(in, out, n);
}

void select_flagged(const Device& device, const std::uint32_t* in, const std::uint8_t* flags, std::uint32_t* to,
                    std::uint32_t* selected, std::size_t n, ScratchMemory& scratch) {
  if (n == 0) {
    fill_bytes(device, selected, 0, sizeof *selected);
    return;
  }
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::Flagged(memory, bytes, in, flags, to, selected, static_cast<std::int64_t>(n),
                                        cuda_stream(device));
    });
    return;
  }
#endif
  (void)device;
  (void)scratch;
  select_flagged_cpu(in, flags, to, selected, n);
}

void sort_pairs(const Device& device, const std::uint32_t* keys_in, std::uint32_t* keys_out,
                const std::uint32_t* values_in, std::uint32_t* values_out, std::size_t n, int key_bits,
                ScratchMemory& scratch) {
  if (n == 0) return;
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, keys_in, keys_out, values_in, values_out, n, 0,
                                             std::max(key_bits, 1), cuda_stream(device));
    });
    return;
  }
#endif
  (void)device;
  (void)scratch;
  radix_sort_cpu(keys_in, keys_out, values_in, values_out, n, key_bits);
}

void fill_iota(const Device& device, std::uint32_t* to, std::size_t n) {
  parallel_for(device, "iota", static_cast<std::int64_t>(n), Iota{to});
}

void gather(const Device& device, const std::uint32_t* order, std::size_t n, const GatherArray* arrays,
            int array_count) {
  if (array_count > kMaxGatherArrays) throw std::logic_error("gather: more than kMaxGatherArrays arrays");
  Gather kernel{order, {}, array_count};
  std::copy_n(arrays, array_count, kernel.arrays);
  parallel_for(device, "gather", static_cast<std::int64_t>(n), kernel);
}

void GapFiller::find(const std::uint32_t* places, std::size_t count, std::size_t n) {
  places_ = places;
  count_ = count;
  tail_.resize(count);
  staying_.resize(count);
  from_.resize(count);
  moved_.resize(1);
  const auto first = static_cast<std::uint32_t>(n - count);
  const auto threads = static_cast<std::int64_t>(count);
  parallel_for(device_, "mark tail", threads, MarkTail{first, tail_.data(), staying_.data()});
  parallel_for(device_, "mark gaps", threads, MarkGaps{places, first, staying_.data()});
  select_flagged(device_, tail_.data(), staying_.data(), from_.data(), moved_.data(), count, scratch_);
}

void GapFiller::fill(void* array, int element_bytes) const {
  const auto threads = static_cast<std::int64_t>(count_);
  if (element_bytes == 16)
    parallel_for(device_, "fill gaps", threads,
                 FillGaps<Vec4>{places_, from_.data(), moved_.data(), static_cast<Vec4*>(array)});
  else
    parallel_for(device_, "fill gaps", threads,
                 FillGaps<std::uint32_t>{places_, from_.data(), moved_.data(), static_cast<std::uint32_t*>(array)});
}

}  // namespace riffle
