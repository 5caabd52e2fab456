#include "neighbors/hits/candidate_test.h"
#include "neighbors/lists/csr_traversal.cuh"

namespace riffle {

// Entries are tested eight at a time and the hits packed for the functor: a row also lists pairs beyond h, and a branch
// on that would be mispredicted for every third entry.
void traverse_csr_cpu(const CsrView& view, const NeighborQuery& query, const HitFunctor& functor) {
  parallel_ranges(query.query_count, 256, [&](std::int64_t first, std::int64_t last) {
    QueryHits hits(query, functor);
    for (int i = static_cast<int>(first); i != last; ++i) {
      const Vec3 x_i = xyz(query.queries[i]);
      hits.begin(i);
      collect_listed(query, x_i, view.neighbor + view.start[i], static_cast<int>(view.end[i] - view.start[i]), hits);
      hits.end();
    }
  });
}

}  // namespace riffle
