#pragma once
/// Traversal of neighbours that are listed one particle after the other.

#include "core/device/parallel.cuh"
#include "neighbors/functor.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

/// Entries that are read at once; on a GPU, their loads are in flight at once.
inline constexpr int kCsrBatch = 4;
struct alignas(16) CsrEntries {
  std::uint32_t a, b, c, d;
};

/// One thread per particle. Listed pairs were within the build's radius; this tests whether they are within h now.
template <class F>
struct CsrTraversal {
  CsrView view;
  NeighborQuery query;
  F f;

  RIFFLE_HD void operator()(std::int64_t index) const {
    if (skips(f)) return;
    const auto i = static_cast<int>(index);
    const std::uint64_t begin = view.start[i], end = view.end[i];
    typename F::State state = f.begin(i);
    visit_row(state, i, begin, end);
    f.end(state, i);
  }

 private:
  // The rows of a warp's threads are far apart, so each of their loads is a separate transaction; an aligned one brings
  // four entries. A row may begin and end within such a batch. The other rows' entries are replaced by i itself, whose
  // record is already loaded (or by source 0 if i is no source), and then dropped. The next batch is requested before
  // the wait for this one's neighbours.
  RIFFLE_HD void visit_row(typename F::State& state, int i, std::uint64_t begin, std::uint64_t end) const {
    if (begin == end) return;
    const Vec3 x_i = xyz(query.queries[i]);
    const int at_hand = query.self ? i : 0;
    const auto head = static_cast<int>(begin % kCsrBatch), count = static_cast<int>(end - begin) + head;
    const auto* batch = reinterpret_cast<const CsrEntries*>(view.neighbor + (begin - static_cast<unsigned>(head)));
    CsrEntries next = *batch;
    for (int k = 0; k < count; k += kCsrBatch) {
      int j[kCsrBatch] = {static_cast<int>(next.a), static_cast<int>(next.b), static_cast<int>(next.c),
                          static_cast<int>(next.d)};
      if (k + kCsrBatch < count) next = *++batch;
      bool mine[kCsrBatch];
      Vec4 x_j[kCsrBatch];
      typename SourceOf<F>::Type source[kCsrBatch];
      RIFFLE_UNROLL
      for (int b = 0; b < kCsrBatch; ++b) {
        mine[b] = k + b >= head && k + b < count;
        if (!mine[b]) j[b] = at_hand;
        x_j[b] = query.sources[j[b]];
        source[b] = fetch_source(f, j[b], x_j[b]);
      }
      RIFFLE_UNROLL
      for (int b = 0; b < kCsrBatch; ++b) {
        const PairTest pair = test_pair(x_i, xyz(x_j[b]), query.wrap, query.h2);
        if (mine[b] && pair.near()) visit_neighbor(f, state, i, j[b], pair.r_ij, pair.r2, source[b]);
      }
    }
  }
};

/// On the CPU.
void traverse_csr_cpu(const CsrView& view, const NeighborQuery& query, const HitFunctor& functor);

template <class F>
void traverse_csr([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const CsrView& view,
                  const NeighborQuery& query, const F& f) {
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    parallel_for(device, name, query.query_count, CsrTraversal<F>{view, query, f});
    return;
  }
#endif
  traverse_csr_cpu(view, query, HitFunctor(f, query.h2));
}

}  // namespace riffle
