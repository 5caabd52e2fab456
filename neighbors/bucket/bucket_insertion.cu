#include "neighbors/bucket/bucket_insertion.h"

#include <algorithm>
#include <string>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "core/device/reduce.cuh"
#include "core/text/log_write.h"

namespace riffle {

namespace {

constexpr int kMaxParts = 8;
/// Particles to insert per part, at least: a part costs a launch, and smaller parts save no waiting.
constexpr std::uint32_t kLeastPart = 4096;

struct FindAndInsert {
  Grid grid;
  const Vec4* positions;
  BucketLists lists;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t c = grid.index(grid.cell_of(xyz(positions[i])));
    lists.cell[i] = c;
    lists.next[i] = atomic_exchange(&lists.head[c], static_cast<std::uint32_t>(i));
  }
};

struct FindPending {
  Grid grid;
  const Vec4* positions;
  BucketLists lists;

  RIFFLE_HD void operator()(std::int64_t i) const {
    lists.cell[i] = grid.index(grid.cell_of(xyz(positions[i]))) | BucketLists::kPending;
  }
};

struct InsertPending {
  BucketLists lists;
  const std::uint8_t* list_state;  ///< (cells), or nullptr: no list is undone

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t marked = lists.cell[i], c = marked & ~BucketLists::kPending;
    if (marked == c && !(list_state && list_state[c] == kListUndone)) return;
    lists.next[i] = atomic_exchange(&lists.head[c], static_cast<std::uint32_t>(i));
    if (marked != c) lists.cell[i] = c;
  }
};

struct MarkUndone {
  BucketLists lists;
  const std::uint8_t* list_state;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const std::uint32_t marked = lists.cell[i];
    if (list_state[marked & ~BucketLists::kPending] == kListUndone) lists.cell[i] = marked | BucketLists::kPending;
  }
};

struct CountPending {
  const std::uint32_t* cell;

  RIFFLE_HD static std::uint32_t identity() { return 0; }
  RIFFLE_HD static std::uint32_t combine(std::uint32_t a, std::uint32_t b) { return a + b; }
  RIFFLE_HD std::uint32_t operator()(std::int64_t i) const { return cell[i] / BucketLists::kPending; }
};

/// Particles in equal parts, and the parts that a launch works on.
struct Parts {
  int blocks = 0;  ///< of kBucketBlock particles, in each part
  int working = 0;
  int part[kMaxParts] = {};

  RIFFLE_HD std::int64_t first(int p) const { return std::int64_t{p} * blocks * kBucketBlock; }
  RIFFLE_HD int part_of(int block) const { return part[block / blocks]; }
  RIFFLE_HD std::int64_t particle(int block, int t) const {
    return first(part_of(block)) + std::int64_t{block % blocks} * kBucketBlock + t;
  }
};

struct NoShared {};

/// For a part that joins: the previous round has left its winners at the heads.
struct FollowHeads {
  BucketLists lists;
  std::int64_t first;

  RIFFLE_HD void operator()(std::int64_t k) const {
    const std::int64_t i = first + k;
    if (i >= lists.count) return;
    const std::uint32_t marked = lists.cell[i], c = marked & ~BucketLists::kPending;
    if (marked != c) lists.next[i] = lists.head[c];
  }
};

/// Lines 6 to 9 of Listing 1: each unvisited particle writes itself to the head of its list. A particle that finds a
/// head from this round need not write: any one may win. Without that test, a million particles at one point would
/// contend for its cache line 64 times.
struct ScatterToHeads {
  BucketLists lists;
  Parts parts;
  using Shared = NoShared;

  RIFFLE_HD void operator()(Block<kBucketBlock>& block, Shared&) const {
    block.each_thread([&](int t) {
      const std::int64_t i = parts.particle(block.index(), t);
      if (i >= lists.count) return;
      const std::uint32_t marked = lists.cell[i], c = marked & ~BucketLists::kPending;
      if (marked != c && atomic_load(&lists.head[c]) == lists.next[i])
        atomic_store(&lists.head[c], static_cast<std::uint32_t>(i));
    });
  }
};

/// Lines 12 to 17: the particle at the head is visited; the others come before it.
struct VisitHeads {
  BucketLists lists;
  Parts parts;
  std::uint32_t* unvisited;  ///< (parts) in and out

  struct Shared {
    std::uint32_t unvisited;
  };

  RIFFLE_HD void operator()(Block<kBucketBlock>& block, Shared& shared) const {
    block.each_thread([&](int t) {
      if (t == 0) shared.unvisited = 0;
    });
    block.each_thread([&](int t) {
      const std::int64_t i = parts.particle(block.index(), t);
      if (i >= lists.count) return;
      const std::uint32_t marked = lists.cell[i], c = marked & ~BucketLists::kPending;
      if (marked == c) return;
      const std::uint32_t winner = lists.head[c];
      if (winner == static_cast<std::uint32_t>(i)) {
        lists.cell[i] = c;
      } else {
        lists.next[i] = winner;
        atomic_add(&shared.unvisited, 1);
      }
    });
    block.each_thread([&](int t) {
      if (t == 0 && shared.unvisited > 0) atomic_add(&unvisited[parts.part_of(block.index())], shared.unvisited);
    });
  }
};

}  // namespace

void BucketInserter::insert_all(const Grid& grid, const Vec4* positions, const BucketLists& lists) {
  if (insertion_ == BucketInsertion::Atomic) {
    parallel_for(device_, "insert", lists.count, FindAndInsert{grid, positions, lists});
    return;
  }
  parallel_for(device_, "find cells", lists.count, FindPending{grid, positions, lists});
  insert_iteratively(lists, static_cast<std::uint32_t>(lists.count));
}

void BucketInserter::insert_pending(const BucketLists& lists, const std::uint8_t* list_state,
                                    const std::uint32_t* expected) {
  if (insertion_ == BucketInsertion::Atomic) {
    parallel_for(device_, "insert", lists.count, InsertPending{lists, list_state});
    return;
  }
  std::uint32_t particles = 0;
  copy_to_host(device_, &particles, expected, sizeof particles);
  if (particles > 0) parallel_for(device_, "mark undone", lists.count, MarkUndone{lists, list_state});
  insert_iteratively(lists, particles);
}

void BucketInserter::insert_iteratively(const BucketLists& lists, std::uint32_t expected) {
  rounds_ = 0;
  handed_over_ = 0;
  if (expected == 0) return;
  const int part_count = std::clamp(static_cast<int>(expected / kLeastPart), 1, kMaxParts);
  Parts parts;
  parts.blocks = (bucket_blocks(lists.count) + part_count - 1) / part_count;
  const std::uint32_t few = expected / static_cast<std::uint32_t>(part_count) / 2;  // unvisited: the next part joins
  unvisited_.resize(kMaxParts);

  int joined = 0;
  std::uint32_t left = 0;
  for (; rounds_ < kMaxRounds; ++rounds_) {
    if (joined < part_count && left <= few) {
      const std::int64_t in_part = std::int64_t{parts.blocks} * kBucketBlock;
      parallel_for(device_, "join", in_part, FollowHeads{lists, parts.first(joined)});
      parts.part[parts.working++] = joined++;
    }
    if (parts.working == 0) return;
    const int blocks = parts.working * parts.blocks;
    parallel_blocks<kBucketBlock>(device_, "scatter to heads", blocks, ScatterToHeads{lists, parts});
    unvisited_.fill_zero();
    parallel_blocks<kBucketBlock>(device_, "visit heads", blocks, VisitHeads{lists, parts, unvisited_.data()});
    std::uint32_t unvisited[kMaxParts];
    copy_to_host(device_, unvisited, unvisited_.data(), sizeof unvisited);
    left = 0;
    int working = 0;
    for (int k = 0; k < parts.working; ++k) {
      const int p = parts.part[k];
      if (unvisited[p] > 0) parts.part[working++] = p;
      left += unvisited[p];
    }
    parts.working = working;
  }
  if (left > 0 || joined < part_count) hand_over(lists);
}

void BucketInserter::hand_over(const BucketLists& lists) {
  handed_over_ = reduce<std::uint32_t>(device_, "count pending", lists.count, CountPending{lists.cell});
  if (handed_over_ == 0) return;
  parallel_for(device_, "insert", lists.count, InsertPending{lists, nullptr});
  if (said_so_) return;
  said_so_ = true;
  log::write(log::Level::Warning, "bucket: " + std::to_string(handed_over_) + " of " + std::to_string(lists.count) +
                                      " particles were left after " + std::to_string(kMaxRounds) +
                                      " rounds of the iterative insertion (a cell takes one particle per round); such "
                                      "a rest is inserted atomically, now and in later builds");
}

}  // namespace riffle
