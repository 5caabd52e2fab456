#include "sim/fluid_surface/block_set.h"

#include <bit>

#include "core/device/memory.h"
#include "core/device/parallel.cuh"

namespace riffle::fluid_surface {

namespace {

/// A table of a box takes at most that many entries per block.
constexpr std::uint64_t kTableEntries = 32;

struct TakeKeyPart {
  const std::uint64_t* keys;
  const std::uint32_t* order;  ///< nullptr: as they are
  int shift;
  std::uint32_t* part;
  RIFFLE_HD void operator()(std::int64_t i) const {
    part[i] = static_cast<std::uint32_t>(keys[order != nullptr ? order[i] : i] >> shift);
  }
};

struct TakeKeys {
  const std::uint64_t* keys;
  const std::uint32_t* order;
  std::uint64_t* sorted;
  RIFFLE_HD void operator()(std::int64_t i) const { sorted[i] = keys[order[i]]; }
};

struct MarkHeads {
  const std::uint64_t* keys;
  std::uint32_t* head;
  RIFFLE_HD void operator()(std::int64_t i) const { head[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0; }
};

struct WriteHeads {
  const std::uint64_t* keys;
  const std::uint32_t* head;
  std::uint32_t* block_of;  ///< in: the number of heads before the key
  std::uint64_t* out;
  std::uint32_t* begin;
  std::int64_t n;
  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t before = block_of[i], block = before + head[i] - 1;
    block_of[i] = block;
    if (head[i] != 0) {
      out[block] = keys[i];
      begin[block] = static_cast<std::uint32_t>(i);
    }
    if (i == n - 1) begin[block + 1] = static_cast<std::uint32_t>(n);
  }
};

struct ClearTable {
  std::uint32_t* table;
  RIFFLE_HD void operator()(std::int64_t key) const { table[key] = kNoBlock; }
};

struct FillTable {
  const std::uint64_t* keys;
  std::uint32_t* table;
  RIFFLE_HD void operator()(std::int64_t block) const { table[keys[block]] = static_cast<std::uint32_t>(block); }
};

struct MarkAround {
  const std::uint64_t* keys;
  BlockBox box;
  std::uint32_t* marked;  ///< by key
  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::int64_t k = i % 27;
    marked[box.beside(keys[i / 27], static_cast<int>(k % 3) - 1, static_cast<int>(k / 3 % 3) - 1,
                      static_cast<int>(k / 9) - 1)] = 1;  // several threads store the same
  }
};

struct TakeMarked {
  const std::uint32_t* before;  ///< by key: marked ones before it
  std::uint32_t* table;         ///< in: whether it is marked
  std::uint64_t* keys;
  RIFFLE_HD void operator()(std::int64_t key) const {
    if (table[key] == 0) {
      table[key] = kNoBlock;
      return;
    }
    keys[before[key]] = static_cast<std::uint64_t>(key);
    table[key] = before[key];
  }
};

struct ListAround {
  const std::uint64_t* keys;
  BlockBox box;
  std::uint64_t* around;
  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::int64_t k = i % 27;
    around[i] = box.beside(keys[i / 27], static_cast<int>(k % 3) - 1, static_cast<int>(k / 3 % 3) - 1,
                           static_cast<int>(k / 9) - 1);
  }
};

}  // namespace

std::uint32_t element_of(const Device& device, const std::uint32_t* array, std::size_t place) {
  std::uint32_t value = 0;
  copy_to_host(device, &value, array + place, sizeof value);
  return value;
}

const std::uint32_t* KeySorter::sort(const std::uint64_t* keys, std::size_t n, std::uint64_t count_of_keys) {
  const auto size = static_cast<std::int64_t>(n);
  const int bits = static_cast<int>(std::bit_width(count_of_keys - 1)), low_bits = bits < 32 ? bits : 32;
  for (Buffer<std::uint32_t>* buffer : {&part_, &sorted_part_, &order_, &other_order_}) buffer->resize(n);
  // `other_order_` begins as the identity and is the order of the low parts at the end of the first sort.
  parallel_for(device_, "low parts of keys", size, TakeKeyPart{keys, nullptr, 0, part_.data()});
  fill_iota(device_, other_order_.data(), n);
  sort_pairs(device_, part_.data(), sorted_part_.data(), other_order_.data(), order_.data(), n,
             low_bits > 0 ? low_bits : 1, scratch_);
  if (bits <= 32) return order_.data();
  parallel_for(device_, "high parts of keys", size, TakeKeyPart{keys, order_.data(), 32, part_.data()});
  sort_pairs(device_, part_.data(), sorted_part_.data(), order_.data(), other_order_.data(), n, bits - 32, scratch_);
  return other_order_.data();
}

void BlockSet::take_heads(const std::uint64_t* sorted_keys, std::size_t n) {
  const auto size = static_cast<std::int64_t>(n);
  head_.resize(n);
  block_of_.resize(n);
  parallel_for(device_, "first keys of blocks", size, MarkHeads{sorted_keys, head_.data()});
  exclusive_scan(device_, head_.data(), block_of_.data(), n, scratch_);
  count_ = element_of(device_, block_of_.data(), n - 1) + element_of(device_, head_.data(), n - 1);
  keys_.resize(count_);
  begin_.resize(std::size_t{count_} + 1);
  parallel_for(device_, "blocks", size,
               WriteHeads{sorted_keys, head_.data(), block_of_.data(), keys_.data(), begin_.data(), size});
}

void BlockSet::make_table(const BlockBox& box) {
  has_table_ = box.count() <= kTableEntries * count_;
  if (!has_table_) return;
  table_.resize(box.count());
  parallel_for(device_, "clear table of blocks", static_cast<std::int64_t>(box.count()), ClearTable{table_.data()});
  parallel_for(device_, "table of blocks", count_, FillTable{keys_.data(), table_.data()});
}

void BlockSet::assign(const std::uint64_t* sorted_keys, std::size_t n, const BlockBox& box) {
  take_heads(sorted_keys, n);
  make_table(box);
}

void BlockSet::assign_around(const BlockSet& blocks, const BlockBox& box, KeySorter& sorter) {
  const std::int64_t sides = 27 * std::int64_t{blocks.count()};
  if (blocks.has_table_) {
    has_table_ = true;
    const std::size_t entries = box.count();
    table_.resize(entries);
    head_.resize(entries);
    table_.fill_zero();
    parallel_for(device_, "blocks around", sides, MarkAround{blocks.keys_.data(), box, table_.data()});
    exclusive_scan(device_, table_.data(), head_.data(), entries, scratch_);
    count_ = element_of(device_, head_.data(), entries - 1) + element_of(device_, table_.data(), entries - 1);
    keys_.resize(count_);
    parallel_for(device_, "list blocks around", static_cast<std::int64_t>(entries),
                 TakeMarked{head_.data(), table_.data(), keys_.data()});
    return;
  }
  const auto n = static_cast<std::size_t>(sides);
  around_.resize(n);
  sorted_.resize(n);
  parallel_for(device_, "blocks around", sides, ListAround{blocks.keys_.data(), box, around_.data()});
  const std::uint32_t* const order = sorter.sort(around_.data(), n, box.count());
  parallel_for(device_, "sort blocks around", sides, TakeKeys{around_.data(), order, sorted_.data()});
  take_heads(sorted_.data(), n);
  make_table(box);
}

}  // namespace riffle::fluid_surface
