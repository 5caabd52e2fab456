#include "neighbors/points/point_tree.h"

#include "neighbors/points/point_kernels.cuh"

namespace riffle {

void search_point_tree(const Device& device, const TreeView& tree, const PartsSearch& search) {
  const PointSearchSettings& s = search.settings;
  const bool boxed = !search.nearest && (!s.sphere_test || s.box_scale != 1);
  const PointStage stage(search.timer, "search");
  std::int64_t first = 0;
  for (const SearchPart& part : search.parts) {
    const PointQueries on = PointQueries::of(tree, search, first);
    const auto reach = static_cast<float>(part.reach);
    with_work(search.counts, [&]<bool Counted>(const QueryWork<Counted>& work) {
      if (search.nearest)
        with_nearest(search.capacity, [&]<class Nearest>() {
          parallel_for(device, "nearest points", part.queries,
                       NearestPoints<Counted, Nearest>{on, work, search.radius2(), reach * reach});
        });
      else
        parallel_for(device, "range search", part.queries,
                     RangeSearch<Counted>{on, work, search.radius2(), reach,
                                          boxed ? static_cast<float>(part.box) : BoundingBox::kInfinity, s.sphere_test,
                                          search.match_count()});
    });
    first += part.queries;
  }
}

void count_in_point_tree(const Device& device, const TreeView& tree, const PartsSearch& search) {
  const PointSearchSettings& s = search.settings;
  PointQueries on = PointQueries::of(tree, search, 0);
  on.capacity = 0;
  const float box = s.sphere_test && s.box_scale == 1 ? BoundingBox::kInfinity : s.box_scale * search.radius;
  parallel_for(
      device, "count in the tree", search.query_count,
      RangeSearch<false>{on, {}, search.radius2(), BoundingBox::kInfinity, box, s.sphere_test, search.match_count()});
}

void find_first_leaves(const Device& device, const TreeView& tree, const Vec4* queries, int query_count, float radius,
                       std::uint32_t* hit, std::uint32_t* index) {
  parallel_for(device, "first leaves", query_count, FirstHits{tree, queries, radius * radius, hit, index});
}

}  // namespace riffle
