#include "neighbors/brute/brute_force_traversal.cuh"
#include "neighbors/hits/candidate_test.h"

namespace riffle {

void traverse_brute_force_cpu(const NeighborQuery& query, int source_count, const HitFunctor& functor) {
  tbb::parallel_for(tbb::blocked_range<int>(0, query.query_count, 64), [&](const auto& range) {
    QueryHits hits(query, functor);
    for (int i = range.begin(); i != range.end(); ++i) {
      hits.begin(i);
      collect_hits(query, xyz(query.queries[i]), 0, source_count, hits);
      hits.end();
    }
  });
}

}  // namespace riffle
