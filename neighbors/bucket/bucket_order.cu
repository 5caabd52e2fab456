#include "neighbors/bucket/bucket_order.h"

#include <tbb/parallel_sort.h>

#include <algorithm>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"

namespace riffle {

namespace {

constexpr std::uint32_t kLong = 0xfffffffeu;  ///< at the head of a list that is not walked; no particle has this number

struct CountLists {
  BucketLists lists;
  std::uint32_t* total;  ///< (cells + 1) out; 0 for long lists and at the end
  std::uint32_t* long_lists;

  RIFFLE_HD void operator()(std::int64_t c) const {
    std::uint32_t n = 0;
    if (c < lists.cells) {
      for (std::uint32_t p = lists.head[c]; p != BucketLists::kEnd && n <= kWalkLimit; p = lists.next[p]) ++n;
      if (n > kWalkLimit) {
        lists.head[c] = kLong;
        atomic_store(long_lists, 1u);
        n = 0;
      }
    }
    total[c] = n;
  }
};

/// A block first counts the members of one cell among its own particles: if all particles were in one cell, their
/// atomics would queue up at one address.
struct BlockCrowd {
  std::uint32_t cell;     ///< of some member of the block; BucketLists::kEnd: none
  std::uint32_t members;  ///< of that cell
  std::uint32_t base;
};

/// own[t]: cell_of(i) for the block's particle t, BucketLists::kEnd if that particle does not count; BucketLists::kEnd beyond `count`.
template <class CellOf>
RIFFLE_INLINE void find_members(Block<kBucketBlock>& block, BlockCrowd& crowd,
                                PerThread<std::uint32_t, kBucketBlock>& own, int count, const CellOf& cell_of) {
  block.each_thread([&](int t) {
    if (t == 0) {
      crowd.cell = BucketLists::kEnd;
      crowd.members = 0;
    }
  });
  block.each_thread([&](int t) {
    const std::int64_t i = std::int64_t{block.index()} * kBucketBlock + t;
    own[t] = i < count ? cell_of(i) : BucketLists::kEnd;
    if (own[t] != BucketLists::kEnd) atomic_store(&crowd.cell, own[t]);
  });
}

struct CountMembers {
  const std::uint32_t* cell;  ///< (count)
  int count;
  const std::uint32_t* head;        ///< (cells) only lists with kLong here count; nullptr: all do
  const std::uint32_t* long_lists;  ///< (1) 0: there are none; nullptr with head
  std::uint32_t* total;             ///< (cells) in and out
  using Shared = BlockCrowd;

  RIFFLE_HD void operator()(Block<kBucketBlock>& block, Shared& crowd) const {
    if (long_lists && *long_lists == 0) return;
    PerThread<std::uint32_t, kBucketBlock> own;
    find_members(block, crowd, own, count, [&](std::int64_t i) {
      const bool wanted = !head || head[cell[i]] == kLong;
      return wanted ? cell[i] : std::uint32_t{BucketLists::kEnd};
    });
    block.each_thread([&](int t) {
      if (own[t] == BucketLists::kEnd) return;
      atomic_add(own[t] == crowd.cell ? &crowd.members : &total[own[t]], 1);
    });
    block.each_thread([&](int t) {
      if (t == 0 && crowd.members > 0) atomic_add(&total[crowd.cell], crowd.members);
    });
  }
};

struct WalkLists {
  BucketLists lists;
  const std::uint32_t* start;
  std::uint32_t* order;
  std::uint32_t* cell;

  RIFFLE_HD void operator()(std::int64_t c) const {
    std::uint32_t place = start[c];
    std::uint32_t p = lists.head[c];
    if (p == kLong) {
      lists.head[c] = place;  // place of its first particle, which PlaceMembers counts up
      return;
    }
    for (; p != BucketLists::kEnd; p = lists.next[p]) {
      order[place] = p;
      cell[place] = static_cast<std::uint32_t>(c);
      ++place;
    }
  }
};

struct PlaceMembers {
  BucketLists lists;
  const std::uint32_t* start;
  const std::uint32_t* long_lists;
  std::uint32_t* order;
  std::uint32_t* cell;
  using Shared = BlockCrowd;

  RIFFLE_HD void operator()(Block<kBucketBlock>& block, Shared& crowd) const {
    if (*long_lists == 0) return;
    PerThread<std::uint32_t, kBucketBlock> own, place;
    find_members(block, crowd, own, lists.count, [&](std::int64_t i) {
      const std::uint32_t c = lists.cell[i];
      const bool is_long = start[c + 1] - start[c] > kWalkLimit;
      return is_long ? c : std::uint32_t{BucketLists::kEnd};
    });
    block.each_thread([&](int t) {
      if (own[t] == BucketLists::kEnd) return;
      place[t] = atomic_add(own[t] == crowd.cell ? &crowd.members : &lists.head[own[t]], 1);
    });
    block.each_thread([&](int t) {
      if (t == 0 && crowd.members > 0) crowd.base = atomic_add(&lists.head[crowd.cell], crowd.members);
    });
    block.each_thread([&](int t) {
      if (own[t] == BucketLists::kEnd) return;
      const std::uint32_t p = own[t] == crowd.cell ? crowd.base + place[t] : place[t];
      order[p] = static_cast<std::uint32_t>(std::int64_t{block.index()} * kBucketBlock + t);
      cell[p] = own[t];
    });
  }
};

struct RenumberLists {
  BucketLists lists;

  RIFFLE_HD void operator()(std::int64_t p) const {
    const std::uint32_t c = lists.cell[p], i = static_cast<std::uint32_t>(p);
    if (p == 0 || lists.cell[p - 1] != c) lists.head[c] = i;
    lists.next[p] = p + 1 < lists.count && lists.cell[p + 1] == c ? i + 1 : BucketLists::kEnd;
  }
};

// Thread timing decides which of two particles is inserted first.
void sort_within_lists(std::int64_t cells, const std::uint32_t* start, std::uint32_t* order) {
  constexpr std::uint32_t for_all_threads = 1u << 16;
  parallel_ranges(cells, 4096, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c != end; ++c) {
      if (start[c + 1] - start[c] >= for_all_threads)
        tbb::parallel_sort(order + start[c], order + start[c + 1]);
      else if (start[c + 1] - start[c] > 1)
        std::sort(order + start[c], order + start[c + 1]);
    }
  });
}

}  // namespace

void order_by_lists(const Device& device, const BucketLists& lists, std::uint32_t* start, std::uint32_t* order,
                    std::uint32_t* cell, std::uint32_t* long_lists, ScratchMemory& scratch) {
  const int blocks = bucket_blocks(lists.count);
  parallel_for(device, "count lists", lists.cells + 1, CountLists{lists, start, long_lists});
  parallel_blocks<kBucketBlock>(device, "count long lists", blocks,
                                CountMembers{lists.cell, lists.count, lists.head, long_lists, start});
  exclusive_scan(device, start, start, static_cast<std::size_t>(lists.cells) + 1, scratch);
  parallel_for(device, "walk lists", lists.cells, WalkLists{lists, start, order, cell});
  parallel_blocks<kBucketBlock>(device, "place long lists", blocks,
                                PlaceMembers{lists, start, long_lists, order, cell});
  if (device.is_cpu()) sort_within_lists(lists.cells, start, order);
}

void renumber_lists(const Device& device, const BucketLists& lists) {
  parallel_for(device, "renumber lists", lists.count, RenumberLists{lists});
}

void count_cells(const Device& device, const std::uint32_t* cell, int count, std::uint32_t* total) {
  parallel_blocks<kBucketBlock>(device, "count cells", bucket_blocks(count),
                                CountMembers{cell, count, nullptr, nullptr, total});
}

}  // namespace riffle
