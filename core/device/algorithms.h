#pragma once
/// Scan, sort and compaction on either device: CUB on CUDA, oneTBB and the standard algorithms on the CPU.
/// `scratch` is working memory that the caller keeps, so that a step allocates nothing.

#include <cstddef>
#include <cstdint>

#include "core/device/buffer.h"

namespace riffle {

using ScratchMemory = Buffer<std::byte>;

/// out[i] = in[0] + ... + in[i-1], out[0] = 0, for i in 0..n-1. in == out is allowed. Sums wrap modulo 2^32.
void exclusive_scan(const Device& device, const std::uint32_t* in, std::uint32_t* out, std::size_t n,
                    ScratchMemory& scratch);

/// The same in 64 bits, for sums that may exceed 2^32, such as counts of pairs.
void exclusive_scan(const Device& device, const std::uint64_t* in, std::uint64_t* out, std::size_t n,
                    ScratchMemory& scratch);

/// out[i] = the largest of in[0] .. in[i], for i in 0..n-1. in == out is allowed.
void inclusive_max_scan(const Device& device, const std::uint32_t* in, std::uint32_t* out, std::size_t n,
                        ScratchMemory& scratch);

/// Copies the elements whose flag is not 0, in their order, to to[0..*selected-1]. `selected` (1) is on the device, so
/// the host need not wait for it. in, flags: (n); to: room for every flagged element, at most n. Arrays are distinct.
void select_flagged(const Device& device, const std::uint32_t* in, const std::uint8_t* flags, std::uint32_t* to,
                    std::uint32_t* selected, std::size_t n, ScratchMemory& scratch);

/// Stable ascending sort of (key, value) pairs by the lowest `key_bits` bits; the higher ones must be 0.
/// The four arrays are distinct and have n elements; the inputs do not change.
void sort_pairs(const Device& device, const std::uint32_t* keys_in, std::uint32_t* keys_out,
                const std::uint32_t* values_in, std::uint32_t* values_out, std::size_t n, int key_bits,
                ScratchMemory& scratch);

/// to[i] = i
void fill_iota(const Device& device, std::uint32_t* to, std::size_t n);

/// One array of a gather: elements of 4 or 16 bytes.
struct GatherArray {
  const void* from = nullptr;  ///< (n) elements
  void* to = nullptr;          ///< (n) elements, not overlapping
  int element_bytes = 4;
};

/// to[i] = from[order[i]] for every array, in one launch. At most kMaxGatherArrays arrays.
inline constexpr int kMaxGatherArrays = 12;
void gather(const Device& device, const std::uint32_t* order, std::size_t n, const GatherArray* arrays,
            int array_count);

/// Takes elements out of arrays of n without moving the others more than need be: the last ones fill the gaps.
class GapFiller {
 public:
  explicit GapFiller(const Device& device)
      : device_(device), tail_(device), staying_(device), from_(device), moved_(device), scratch_(device) {}

  /// places: (count) of the elements to take out, ascending, on the device; it must stay until the last fill(). Asynchronous.
  void find(const std::uint32_t* places, std::size_t count, std::size_t n);
  /// Afterwards the array has n - count elements. Elements of 4 or 16 bytes.
  void fill(void* array, int element_bytes) const;

  std::size_t bytes() const {
    return tail_.bytes() + staying_.bytes() + from_.bytes() + moved_.bytes() + scratch_.bytes();
  }

 private:
  Device device_;
  const std::uint32_t* places_ = nullptr;
  std::size_t count_ = 0;
  Buffer<std::uint32_t> tail_;    ///< (count) the last places
  Buffer<std::uint8_t> staying_;  ///< (count) 1 where the element there is not taken out
  Buffer<std::uint32_t> from_;    ///< (moved) the places of those that fill the gaps
  Buffer<std::uint32_t> moved_;   ///< (1)
  ScratchMemory scratch_;
};

}  // namespace riffle
