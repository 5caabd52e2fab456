#include "neighbors/brute/brute_force_traversal.cuh"
#include "neighbors/hits/candidate_test.h"

namespace riffle {

void traverse_brute_force_cpu(const NeighborQuery& query, int source_count, const HitFunctor& functor) {
  parallel_ranges(query.query_count, 64, [&](std::int64_t first, std::int64_t last) {
    QueryHits hits(query, functor);
    for (int i = static_cast<int>(first); i != last; ++i) {
      hits.begin(i);
      collect_hits(query, xyz(query.queries[i]), 0, source_count, hits);
      hits.end();
    }
  });
}

}  // namespace riffle
