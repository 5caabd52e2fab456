#include "neighbors/bucket/bucket_traversal.cuh"
#include "neighbors/hits/candidate_test.h"

namespace riffle {

// After an order, the particles of a list are consecutive until they change cell: such runs are tested eight at a time.
void traverse_bucket_cpu(const BucketView& view, const NeighborQuery& query, const HitFunctor& functor) {
  parallel_ranges(query.query_count, 256, [&](std::int64_t first, std::int64_t last) {
    QueryHits hits(query, functor);
    for (int i = static_cast<int>(first); i != last; ++i) {
      const Vec3 x_i = xyz(query.queries[i]);
      hits.begin(i);
      std::uint32_t begin = 0, end = 0;
      const Vec3 u = view.grid.coordinates(x_i);
      for_each_row(view.grid, {u, u}, [&](int y, int z, const CellSpan& span) {
        walk_row(view, y, z, span, [&](std::uint32_t j) {
          if (j != end) {
            collect_hits(query, x_i, static_cast<int>(begin), static_cast<int>(end), hits);
            begin = j;
          }
          end = j + 1;
        });
      });
      collect_hits(query, x_i, static_cast<int>(begin), static_cast<int>(end), hits);
      hits.end();
    }
  });
}

}  // namespace riffle
