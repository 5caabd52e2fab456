#pragma once
/// Every pair is a candidate. On a GPU, tiles of sources pass through shared memory, so that 65,536 particles are fast.

#include "core/device/parallel.cuh"
#include "neighbors/functor.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"

namespace riffle {

inline constexpr int kBruteForceBlock = 128;

template <class F>
struct BruteForceTraversal {
  NeighborQuery query;
  int source_count;
  F f;

  struct Shared {
    Vec4 tile[kBruteForceBlock];
  };

  RIFFLE_HD void operator()(Block<kBruteForceBlock>& block, Shared& shared) const {
    PerThread<typename F::State, kBruteForceBlock> state;
    const int first = block.index() * kBruteForceBlock;
    block.each_thread([&](int t) {
      if (first + t < query.query_count) state[t] = f.begin(first + t);
    });
    for (int tile = 0; tile < source_count; tile += kBruteForceBlock) {
      block.each_thread([&](int t) {
        if (tile + t < source_count) shared.tile[t] = query.sources[tile + t];
      });
      block.each_thread([&](int t) {
        const int i = first + t;
        if (i >= query.query_count) return;
        const Vec3 x_i = xyz(query.queries[i]);
        const int in_tile = source_count - tile < kBruteForceBlock ? source_count - tile : kBruteForceBlock;
        for (int k = 0; k < in_tile; ++k) {
          const int j = tile + k;
          visit_if_near(f, state[t], i, j, x_i, shared.tile[k], query.wrap, query.h2, query.self);
        }
      });
    }
    block.each_thread([&](int t) {
      if (first + t < query.query_count) f.end(state[t], first + t);
    });
  }
};

/// On the CPU.
void traverse_brute_force_cpu(const NeighborQuery& query, int source_count, const HitFunctor& functor);

template <class F>
void traverse_brute_force([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name,
                          const NeighborQuery& query, int source_count, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const int blocks = (query.query_count + kBruteForceBlock - 1) / kBruteForceBlock;
    parallel_blocks<kBruteForceBlock>(device, name, blocks, BruteForceTraversal<F>{query, source_count, f});
    return;
  }
#endif
  traverse_brute_force_cpu(query, source_count, HitFunctor(f, query.h2));
}

}  // namespace riffle
