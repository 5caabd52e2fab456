#pragma once
/// Where the parts of a cycle run (sim/dfsph/coarse/coarse_equations.cuh): on large levels in a launch each, on small ones in one
/// launch of one block.

#include <cstdint>

#include "core/device/parallel.cuh"
#include "sim/dfsph/coarse/coarse_equations.cuh"

namespace riffle::dfsph::coarse {

/// F on cells of a level larger than those of LowerLevels.
template <class F>
struct OnCells {
  const SolveState* state;
  F f;
  RIFFLE_HD void operator()(std::int64_t c) const {
    if (state->waves != 0) f(c);
  }
};
template <class F>
OnCells(const SolveState*, F) -> OnCells<F>;

/// The part of a cycle on levels that are small, in one launch of one block: each would cost as much as its launch.
inline constexpr int kLowerBlock = 1024, kMostLowerLevels = 16;
inline constexpr std::int64_t kMostLowerCells = 4096;
struct LowerLevels {
  const SolveState* state;
  int count;
  Level level[kMostLowerLevels];

  struct Shared {
    int unused;
  };

  template <class F>
  RIFFLE_HD static void on_cells(const Block<kLowerBlock>& block, const Level& level, const F& f) {
    const std::int64_t cells = level.cells.count();
    block.each_thread([&](int t) {
      for (std::int64_t c = t; c < cells; c += kLowerBlock) f(c);
    });
  }
  RIFFLE_HD void operator()(Block<kLowerBlock>& block, Shared&) const {
    if (state->waves == 0) return;
    const Level& last = level[count - 1];
    for (int l = 1; l < count; ++l) on_cells(block, level[l], Coarsen{level[l - 1], level[l]});
    on_cells(block, level[0], StartLevel{level[0]});
    for (int l = 1; l < count; ++l) on_cells(block, level[l], Restrict{level[l - 1], level[l]});
    constexpr int kLastSweeps = 7;  // odd, so that the result is in next
    for (int k = 0; k < kLastSweeps; ++k)
      on_cells(block, last, Smooth{last, k % 2 == 0 ? last.q : last.next, k % 2 == 0 ? last.next : last.q});
    for (int l = count - 2; l >= 0; --l) {
      on_cells(block, level[l], Prolong{level[l], level[l + 1]});
      on_cells(block, level[l], Smooth{level[l], level[l].q, level[l].next});
    }
  }
};

}  // namespace riffle::dfsph::coarse
