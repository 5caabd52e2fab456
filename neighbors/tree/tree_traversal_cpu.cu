#include <cmath>
#include <vector>

#include "neighbors/hits/candidate_test.h"
#include "neighbors/tree/tree_traversal.cuh"

namespace riffle {

namespace {

/// On the CPU, a few consecutive queries that are near each other walk the tree once, together. Consecutive leaves are
/// one range of candidates, which are tested eight at a time.
constexpr int kTreeQueries = 8;

/// Gathers queries from `first` on, at most kTreeQueries, that are near the first. Returns their number, and their box.
int gather_queries(const Vec4* queries, int first, int last, float reach, QueryHull& hull) {
  const Vec3 x = xyz(queries[first]);
  hull = {x, x};
  if (!is_finite(x)) return 1;
  int n = 1;
  for (; n < kTreeQueries && first + n < last; ++n) {
    const Vec3 y = xyz(queries[first + n]);
    if (!(std::fabs(y.x - x.x) <= reach && std::fabs(y.y - x.y) <= reach && std::fabs(y.z - x.z) <= reach)) break;
    hull.low = {std::fmin(hull.low.x, y.x), std::fmin(hull.low.y, y.y), std::fmin(hull.low.z, y.z)};
    hull.high = {std::fmax(hull.high.x, y.x), std::fmax(hull.high.y, y.y), std::fmax(hull.high.z, y.z)};
  }
  return n;
}

/// The leaves that at least one of a few queries may reach.
class ReachedLeaves {
 public:
  void clear() { count_ = 0; }

  void add(std::uint32_t leaf, const TreeNode& box) {
    if (count_ == leaf_.size()) {
      leaf_.resize(count_ + kMore);
      for (auto& corner : corner_) corner.resize(count_ + kMore);
    }
    leaf_[count_] = leaf;
    const float corners[6] = {box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z};
    for (std::size_t k = 0; k < 6; ++k) corner_[k][count_] = corners[k];
    ++count_;
  }

  /// visit(leaf) for each leaf that x itself reaches, in the order of insertion.
  template <class Visit>
  void for_each(Vec3 x, const PeriodicWrap& wrap, float reach2, const Visit& visit) const {
    std::size_t first = 0;
#if RIFFLE_AVX2
    if (!wrap.any)
      for (; first < count_; first += 8) {
        unsigned mask = reached8(x, reach2, first);
        if (count_ - first < 8) mask &= (1u << (count_ - first)) - 1;
        for (; mask != 0; mask &= mask - 1) visit(leaf_[first + static_cast<unsigned>(__builtin_ctz(mask))]);
      }
#endif
    for (; first < count_; ++first)
      if (gap2(box(first), {x, x}, wrap) < reach2) visit(leaf_[first]);
  }

 private:
  static constexpr std::size_t kMore = 64;  ///< a multiple of 8, the number read at once

  TreeNode box(std::size_t k) const {
    return {{corner_[0][k], corner_[1][k], corner_[2][k]}, 0, {corner_[3][k], corner_[4][k], corner_[5][k]}, 0};
  }

#if RIFFLE_AVX2
  /// gap2() < reach2 for eight leaves, on open axes, operation by operation.
  unsigned reached8(Vec3 x, float reach2, std::size_t first) const {
    const auto gap = [&](float q, std::size_t axis) {
      const __m256 at = _mm256_set1_ps(q);
      const __m256 above = _mm256_sub_ps(_mm256_loadu_ps(&corner_[axis][first]), at);
      const __m256 below = _mm256_sub_ps(at, _mm256_loadu_ps(&corner_[axis + 3][first]));
      return _mm256_max_ps(_mm256_max_ps(above, below), _mm256_setzero_ps());
    };
    const __m256 dx = gap(x.x, 0), dy = gap(x.y, 1), dz = gap(x.z, 2);
    const __m256 d2 = _mm256_fmadd_ps(dz, dz, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dx, dx)));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_set1_ps(reach2), _CMP_LT_OQ)));
  }
#endif

  std::size_t count_ = 0;
  std::vector<std::uint32_t> leaf_;
  std::vector<float> corner_[6];  ///< of the boxes: low x, y, z, high x, y, z
};

void visit_queries(const TreeView& view, const NeighborQuery& whole, float reach2, const HitFunctor& functor, int first,
                   int last) {
  QueryHits hits(whole, functor);
  const NeighborQuery query = whole;  // its fields stay in registers across the functor's calls
  ReachedLeaves leaves;
  const TreeNode* leaf_nodes = view.nodes + view.inner_nodes();
  const float spread = reach_of(reach2);
  for (int next = first; next < last;) {
    QueryHull hull;
    const int together = gather_queries(query.queries, next, last, spread, hull);
    const PeriodicWrap wrap = wrap_needed(view, query.wrap, hull, spread);
    leaves.clear();
    if (is_finite(hull.low))
      walk_tree(
          view, wrap, hull, [&] { return reach2; },
          [&](std::uint32_t leaf) {
            leaves.add(leaf, leaf_nodes[leaf]);
            return true;
          });
    for (const int group_end = next + together; next < group_end; ++next) {
      const Vec3 x_i = xyz(query.queries[next]);
      hits.begin(next);
      int begin = 0, end = 0;
      leaves.for_each(x_i, wrap, reach2, [&](std::uint32_t leaf) {
        if (view.leaf_begin(leaf) != end) {
          collect_hits(query, x_i, begin, end, hits);
          begin = view.leaf_begin(leaf);
        }
        end = view.leaf_end(leaf);
      });
      collect_hits(query, x_i, begin, end, hits);
      hits.end();
    }
  }
}

}  // namespace

void traverse_tree_cpu(const TreeView& view, const NeighborQuery& query, float reach2, const HitFunctor& functor) {
  parallel_ranges(query.query_count, 256, [&](std::int64_t first, std::int64_t last) {
    visit_queries(view, query, reach2, functor, static_cast<int>(first), static_cast<int>(last));
  });
}

}  // namespace riffle
