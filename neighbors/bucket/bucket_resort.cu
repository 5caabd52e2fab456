#include "neighbors/bucket/bucket_resort.h"

#include <algorithm>
#include <vector>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"

namespace riffle {

namespace {

constexpr std::uint32_t kPending = BucketLists::kPending;

/// If more than this many consecutive particles left the same list, the list is undone instead. One thread skips them
/// all, and a moving clump of a million would occupy it for a second.
constexpr int kLongestGap = 512;

/// Reads first, so that threads which share the byte do not contend for it.
RIFFLE_INLINE void mark(std::uint8_t* byte, std::uint8_t value) {
  if (atomic_load(byte) != value) atomic_store(byte, value);
}

struct FindMoved {
  Grid grid;
  const Vec4* positions;
  BucketLists lists;
  std::uint8_t* list_state;
  std::uint8_t* gained;
  ResortCounts* counts;

  struct Shared {
    std::uint32_t moved;
  };

  RIFFLE_HD void operator()(Block<kBucketBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      if (t == 0) shared.moved = 0;
    });
    block.each_thread([&](int t) {
      const std::int64_t i = std::int64_t{block.index()} * kBucketBlock + t;
      if (i >= lists.count) return;
      const std::uint32_t now = grid.index(grid.cell_of(xyz(positions[i]))), then = lists.cell[i];
      if (now == then) return;
      lists.cell[i] = now | kPending;
      mark(&list_state[then], kListLost);
      if (gained) mark(&gained[now], 1);
      atomic_add(&shared.moved, 1);
    });
    block.each_thread([&](int t) {
      if (t == 0 && shared.moved > 0) atomic_add(&counts->since_order, shared.moved);
    });
  }
};

/// p, or the first particle after it that has not left; kPending if that one is too far away.
RIFFLE_INLINE std::uint32_t skip_moved(const BucketLists& lists, std::uint32_t p) {
  for (int gap = 0; p != BucketLists::kEnd && (lists.cell[p] & kPending) != 0; ++gap) {
    if (gap == kLongestGap) return kPending;
    p = lists.next[p];
  }
  return p;
}

/// One thread per particle that stays: its successor becomes the next particle that also stays. The threads of a list
/// share no link: they write only to particles that stay, and follow only links of those that left.
struct SkipMoved {
  BucketLists lists;
  std::uint8_t* list_state;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t c = lists.cell[i];
    if ((c & kPending) != 0 || atomic_load(&list_state[c]) != kListLost) return;
    const std::uint32_t old = lists.next[i], p = skip_moved(lists, old);
    if (p == kPending)
      atomic_store(&list_state[c], kListUndone);
    else if (p != old)
      lists.next[i] = p;
  }
};

struct SkipMovedHeads {
  BucketLists lists;
  std::uint8_t* list_state;
  ResortCounts* counts;

  RIFFLE_HD void operator()(std::int64_t c) const {
    if (c == 0) {
      counts->last = counts->since_order - counts->before;
      counts->before = counts->since_order;
    }
    if (list_state[c] == kListKept) return;
    std::uint32_t p = list_state[c] == kListUndone ? kPending : skip_moved(lists, lists.head[c]);
    if (p == kPending) {
      list_state[c] = kListUndone;
      p = BucketLists::kEnd;
    }
    lists.head[c] = p;
  }
};

void sort_list(const BucketLists& lists, std::int64_t c, std::vector<std::uint32_t>& members) {
  members.clear();
  for (std::uint32_t p = lists.head[c]; p != BucketLists::kEnd; p = lists.next[p]) members.push_back(p);
  if (members.size() < 2) return;
  // The old members are the ascending rest after the inserted ones.
  auto rest = members.end() - 1;
  while (rest != members.begin() && *(rest - 1) < *rest) --rest;
  std::sort(members.begin(), rest);
  std::inplace_merge(members.begin(), rest, members.end());
  lists.head[c] = members.front();
  for (std::size_t k = 0; k + 1 < members.size(); ++k) lists.next[members[k]] = members[k + 1];
  lists.next[members.back()] = BucketLists::kEnd;
}

}  // namespace

void unlink_moved(const Device& device, const Grid& grid, const Vec4* positions, const BucketLists& lists,
                  std::uint8_t* list_state, std::uint8_t* gained, ResortCounts* counts) {
  const auto bytes = static_cast<std::size_t>(lists.cells);
  fill_bytes(device, list_state, kListKept, bytes);
  if (gained) fill_bytes(device, gained, 0, bytes);
  parallel_blocks<kBucketBlock>(device, "find moved", bucket_blocks(lists.count),
                                FindMoved{grid, positions, lists, list_state, gained, counts});
  parallel_for(device, "skip moved", lists.count, SkipMoved{lists, list_state});
  parallel_for(device, "skip moved heads", lists.cells, SkipMovedHeads{lists, list_state, counts});
}

void sort_lists(const BucketLists& lists, const std::uint8_t* list_state, const std::uint8_t* gained) {
  parallel_ranges(lists.cells, 4096, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint32_t> members;
    for (std::int64_t c = begin; c != end; ++c)
      if (!gained || gained[c] != 0 || list_state[c] == kListUndone) sort_list(lists, c, members);
  });
}

}  // namespace riffle
