#pragma once
/// Blocks of cells of an unbounded grid, sorted by their places; only those that are there take memory.

#include <cstdint>

#include "core/device/algorithms.h"
#include "core/device/buffer.h"
#include "core/device/workspace.h"
#include "core/math/vec.h"

namespace riffle::fluid_surface {

/// A box of blocks. A block's key is its number in the box, x first.
struct BlockBox {
  Int3 low;                              ///< the block with key 0
  std::uint64_t nx = 1, ny = 1, nz = 1;  ///< below 2^22 each

  RIFFLE_HD std::uint64_t count() const { return nx * ny * nz; }
  RIFFLE_HD std::uint64_t key(Int3 block) const {
    return (static_cast<std::uint64_t>(block.z - low.z) * ny + static_cast<std::uint64_t>(block.y - low.y)) * nx +
           static_cast<std::uint64_t>(block.x - low.x);
  }
  RIFFLE_HD Int3 block(std::uint64_t key) const {
    return {low.x + static_cast<int>(key % nx), low.y + static_cast<int>(key / nx % ny),
            low.z + static_cast<int>(key / nx / ny)};
  }
  /// The key of a neighbour. A block at the edge of the box has none beyond it: the caller leaves a margin.
  RIFFLE_HD std::uint64_t beside(std::uint64_t key, int dx, int dy, int dz) const {
    return key + static_cast<std::uint64_t>((static_cast<std::int64_t>(dz) * static_cast<std::int64_t>(ny) + dy) *
                                                static_cast<std::int64_t>(nx) +
                                            dx);
  }
};

inline constexpr std::uint32_t kNoBlock = 0xffffffffu;

/// For kernels.
struct BlockMap {
  const std::uint64_t* keys;   ///< (count) ascending
  const std::uint32_t* table;  ///< by key; nullptr: the box is too large for one
  std::uint32_t count;

  /// The number of the block with that key, or kNoBlock.
  RIFFLE_HD std::uint32_t find(std::uint64_t key) const {
    if (table != nullptr) return table[key];
    std::uint32_t low = 0, high = count;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (keys[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    return low < count && keys[low] == key ? low : kNoBlock;
  }
};

/// Sorts keys of up to 64 bits.
class KeySorter {
 public:
  explicit KeySorter(const Device& device) : device_(device) {}

  /// The order of the keys, ascending and stable: sorted[i] = keys[order[i]]. It stays until the next sort.
  /// @param count_of_keys keys are below that
  const std::uint32_t* sort(const std::uint64_t* keys, std::size_t n, std::uint64_t count_of_keys);

  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  Device device_;
  Workspace memory_{device_};
  Buffer<std::uint32_t>& part_ = memory_.make();
  Buffer<std::uint32_t>& sorted_part_ = memory_.make();
  Buffer<std::uint32_t>& order_ = memory_.make();
  Buffer<std::uint32_t>& other_order_ = memory_.make();
  ScratchMemory& scratch_ = memory_.make();
};

class BlockSet {
 public:
  explicit BlockSet(const Device& device) : device_(device) {}

  /// The different keys among these, which are sorted. Waits.
  void assign(const std::uint64_t* sorted_keys, std::size_t n, const BlockBox& box);

  /// These blocks and all that touch them. Waits.
  void assign_around(const BlockSet& blocks, const BlockBox& box, KeySorter& sorter);

  std::uint32_t count() const { return count_; }
  BlockMap map() const { return {keys_.data(), has_table_ ? table_.data() : nullptr, count_}; }
  /// (n) of assign(): the number of each key's block
  const std::uint32_t* block_of() const { return block_of_.data(); }
  /// (count + 1) of assign(): where the keys of each block begin
  const std::uint32_t* begin() const { return begin_.data(); }

  std::size_t memory_bytes() const { return memory_.bytes(); }

 private:
  void take_heads(const std::uint64_t* sorted_keys, std::size_t n);
  void make_table(const BlockBox& box);

  Device device_;
  std::uint32_t count_ = 0;
  bool has_table_ = false;
  Workspace memory_{device_};
  Buffer<std::uint64_t>& keys_ = memory_.make();
  Buffer<std::uint32_t>& table_ = memory_.make();
  Buffer<std::uint32_t>& head_ = memory_.make();
  Buffer<std::uint32_t>& block_of_ = memory_.make();
  Buffer<std::uint32_t>& begin_ = memory_.make();
  Buffer<std::uint64_t>& around_ = memory_.make();
  Buffer<std::uint64_t>& sorted_ = memory_.make();
  ScratchMemory& scratch_ = memory_.make();
};

/// The element at `place` of an array on a device. Waits.
std::uint32_t element_of(const Device& device, const std::uint32_t* array, std::size_t place);

}  // namespace riffle::fluid_surface
