#include "neighbors/points/point_boxes.h"

#include "neighbors/points/point_kernels.cuh"

namespace riffle {

namespace {

struct WidenNodes {
  const TreeNode* points;
  TreeNode* boxes;
  float half;

  /// By what the subtraction before may have lost, and more.
  RIFFLE_HD static float outwards(float x, float direction) { return x + direction * 0x1p-22f * fabsf(x); }

  RIFFLE_HD void operator()(std::int64_t k) const {
    TreeNode node = points[k];
    node.low = {outwards(node.low.x - half, -1), outwards(node.low.y - half, -1), outwards(node.low.z - half, -1)};
    node.high = {outwards(node.high.x + half, 1), outwards(node.high.y + half, 1), outwards(node.high.z + half, 1)};
    boxes[k] = node;
  }
};

/// NaN contains nothing: a node without points in infinite boxes.
RIFFLE_INLINE bool contains(const TreeNode& node, Vec3 x) {
  return x.x >= node.low.x && x.x <= node.high.x && x.y >= node.low.y && x.y <= node.high.y && x.z >= node.low.z &&
         x.z <= node.high.z;
}

/// program(place of the point, r2) returns whether to continue; called for every box that contains x, as the paper's IS
/// program is.
template <class Count, class Program>
RIFFLE_INLINE void trace_boxes(const PointQueries& on, float half, Vec3 x, Count& costs, const Program& program) {
  const TreeView& tree = on.tree;
  if (tree.leaves == 0) return;
  const std::uint32_t inner = tree.inner_nodes();
  for (std::uint32_t next = 0; next != TreeView::kEnd;) {
    const TreeNode node = tree.nodes[next];
    costs.node();
    if (contains(node, x)) {
      if (next < inner) {
        next = node.left;
        continue;
      }
      const bool more = on.visit_leaf(next - inner, x, [&](int p, Vec3 r, float r2) {
        if (!in_box(r, half)) return true;
        costs.call();
        return program(p, r2);
      });
      if (!more) return;
    }
    next = node.rope;
  }
}

template <bool Counted>
struct BoxRange {
  PointQueries on;
  QueryWork<Counted> work;
  float half, radius2;
  bool sphere;           ///< whether a point in the box must be within the radius
  std::uint32_t* count;  ///< nullptr: the search ends once it has enough

  RIFFLE_HD void operator()(std::int64_t t) const {
    const std::int64_t q = on.query(t), row = q * on.capacity;
    const Vec3 x = xyz(on.queries[q]);
    int found = 0;
    std::uint32_t total = 0;
    typename QueryWork<Counted>::Count costs;
    if (is_finite(x))
      trace_boxes(on, half, x, costs, [&](int p, float r2) {
        if (sphere && !(r2 < radius2)) return true;
        ++total;
        if (found < on.capacity) {
          on.index[row + found] = static_cast<std::int32_t>(on.original[p]);
          on.distance[row + found] = rounded_sqrt(r2);
          ++found;
        }
        return count != nullptr || found < on.capacity;
      });
    on.fill_up(row, found);
    if (count) count[q] = total;
    work.store(q, costs);
  }
};

/// Nearest: what keeps the nearest so far, a NearestHeap or a NearestList.
template <bool Counted, class Nearest>
struct BoxNearest {
  PointQueries on;
  QueryWork<Counted> work;
  float half, radius2;

  RIFFLE_HD void operator()(std::int64_t t) const {
    const std::int64_t q = on.query(t), row = q * on.capacity;
    const Vec3 x = xyz(on.queries[q]);
    Nearest nearest{on.index + row, on.distance + row, on.capacity};
    typename QueryWork<Counted>::Count costs;
    if (is_finite(x))
      trace_boxes(on, half, x, costs, [&](int p, float r2) {
        if (r2 < radius2) nearest.offer(static_cast<std::int32_t>(on.original[p]), r2);
        return true;
      });
    nearest.finish();
    work.store(q, costs);
  }
};

struct FirstBoxes {
  PointQueries on;
  float half;
  TreeView points;
  std::uint32_t *hit, *index;

  RIFFLE_HD void operator()(std::int64_t q) const {
    const Vec3 x = xyz(on.queries[q]);
    int first = points.particles;
    QueryWork<false>::Count costs;
    if (is_finite(x) && points.leaves > 0) {
      if (half < float_from_bits(kInfinityBits))
        trace_boxes(on, half, x, costs, [&](int p, float) {
          first = p;
          return false;
        });
      else
        first = points.leaf_begin(near_leaf(points, x, [] {}));
    }
    hit[q] = static_cast<std::uint32_t>(first);
    index[q] = static_cast<std::uint32_t>(q);
  }
};

}  // namespace

void PointBoxes::build(const TreeView& tree, float half) {
  const std::size_t count = tree.leaves > 0 ? 2 * static_cast<std::size_t>(tree.leaves) - 1 : 0;
  nodes_.resize(count);
  // Wider by more than a rounded difference that is below `half` may exceed it.
  parallel_for(device_, "widen boxes", static_cast<std::int64_t>(count),
               WidenNodes{tree.nodes, nodes_.data(), half * (1 + 0x1p-21f)});
  view_ = tree;
  view_.nodes = nodes_.data();
  half_ = half;
}

void search_boxes(const Device& device, const TreeView& tree, PointBoxes& boxes, const PartsSearch& search) {
  std::int64_t first = 0;
  for (const SearchPart& part : search.parts) {
    const auto half = static_cast<float>(part.box);
    if (!boxes.has(half)) {
      const PointStage stage(search.timer, "bvh");
      boxes.build(tree, half);
    }
    const PointStage stage(search.timer, "search");
    const PointQueries on = PointQueries::of(boxes.view(), search, first);
    with_work(search.counts, [&]<bool Counted>(const QueryWork<Counted>& work) {
      if (search.nearest)
        with_nearest(search.capacity, [&]<class Nearest>() {
          parallel_for(device, "nearest of the boxes", part.queries,
                       BoxNearest<Counted, Nearest>{on, work, half, search.radius2()});
        });
      else
        parallel_for(device, "range search in boxes", part.queries,
                     BoxRange<Counted>{on, work, half, search.radius2(), part.sphere, search.match_count()});
    });
    first += part.queries;
  }
}

void find_first_boxes(const Device& device, const TreeView& tree, const PointBoxes& boxes, const Vec4* points,
                      const Vec4* queries, int query_count, std::uint32_t* hit, std::uint32_t* index) {
  PointQueries on{};
  on.tree = boxes.view();
  on.points = points;
  on.queries = queries;
  parallel_for(device, "first boxes", query_count, FirstBoxes{on, boxes.half(), tree, hit, index});
}

}  // namespace riffle
