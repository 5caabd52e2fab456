#pragma once
/// The kernels of neighbors/points/point_tree.cu: one thread answers one query. Private to neighbors/; include it only
/// from .cu files.

#include "core/device/atomic.h"
#include "neighbors/order/nearest_list.h"
#include "neighbors/points/point_parts.h"
#include "neighbors/tree/tree_traversal.cuh"

namespace riffle {

/// Counts what a query costs, or does nothing.
template <bool Counted>
struct QueryWork {
  std::uint32_t *calls_of = nullptr, *nodes_of = nullptr;  ///< (queries) out

  struct Count {
    std::uint32_t calls = 0, nodes = 0;
    RIFFLE_HD void call() { calls += Counted; }
    RIFFLE_HD void node() { nodes += Counted; }
  };
  RIFFLE_HD void store([[maybe_unused]] std::int64_t q, [[maybe_unused]] const Count& count) const {
    if constexpr (Counted) calls_of[q] = count.calls, nodes_of[q] = count.nodes;
  }
};

/// launch(QueryWork<false>{}), or with QueryWork<true> if there is something to count into.
template <class Launch>
void with_work(SearchCounts* counts, const Launch& launch) {
  if (counts)
    launch(QueryWork<true>{counts->calls.data(), counts->nodes.data()});
  else
    launch(QueryWork<false>{});
}

/// A point cloud and the queries to it.
struct PointQueries {
  TreeView tree;
  const Vec4* points;             ///< in the tree's order
  const std::uint32_t* original;  ///< the caller's index by the tree's
  const Vec4* queries;
  const std::uint32_t* order;  ///< nullptr: the given order
  std::int64_t first = 0;      ///< first entry of `order`
  int capacity = 1;
  std::int32_t* index;
  float* distance;

  static PointQueries of(const TreeView& tree, const PartsSearch& search, std::int64_t first) {
    return {tree,
            search.points,
            search.original,
            search.queries,
            search.order,
            first,
            search.capacity,
            search.matches.index.data(),
            search.matches.distance.data()};
  }

  RIFFLE_HD std::int64_t query(std::int64_t t) const { return order ? order[first + t] : first + t; }

  /// visit(point, its place, r_ij, r2) returns whether to continue; called for every point of a leaf.
  template <class Visit>
  RIFFLE_HD bool visit_leaf(std::uint32_t leaf, Vec3 x, const Visit& visit) const {
    const int end = tree.leaf_end(leaf);
    for (int p = tree.leaf_begin(leaf); p < end; ++p) {
      const Vec3 r = separation(x, xyz(points[p]), PeriodicWrap{});
      if (!visit(p, r, squared_length(r))) return false;
    }
    return true;
  }

  RIFFLE_HD void fill_up(std::int64_t row, int found) const {
    fill_up_row(index + row, distance + row, found, capacity);
  }
};

/// Finds any `capacity` points in range.
template <bool Counted>
struct RangeSearch {
  PointQueries on;
  QueryWork<Counted> work;
  float radius2;
  float reach;           ///< if less than the radius: a cube of half this edge is known to hold enough points
  float box;             ///< half-width of the points' boxes, which must contain the query; infinite: not used
  bool sphere;           ///< whether points must be within the radius
  std::uint32_t* count;  ///< nullptr: the search ends once it has enough

  RIFFLE_HD void operator()(std::int64_t t) const {
    const std::int64_t q = on.query(t), row = q * on.capacity;
    const Vec3 x = xyz(on.queries[q]);
    int found = 0;
    std::uint32_t total = 0;
    typename QueryWork<Counted>::Count costs;
    const auto take = [&](std::uint32_t leaf) {
      return on.visit_leaf(leaf, x, [&](int p, Vec3 r, float r2) {
        costs.call();
        if ((sphere && !(r2 < radius2)) || !in_box(r, box)) return true;
        ++total;
        if (found < on.capacity) {
          on.index[row + found] = static_cast<std::int32_t>(on.original[p]);
          on.distance[row + found] = rounded_sqrt(r2);
          ++found;
        }
        return count != nullptr || found < on.capacity;
      });
    };
    if (is_finite(x)) {
      const float half = reach < box ? reach : box;
      if (half < float_from_bits(kInfinityBits))
        walk_tree(
            on.tree, PeriodicWrap{}, {x - Vec3{half, half, half}, x + Vec3{half, half, half}},
            [&] {
              costs.node();
              return 1e-38f;  // what overlaps is 0 away
            },
            take);
      else
        walk_tree(
            on.tree, PeriodicWrap{}, {x, x},
            [&] {
              costs.node();
              return radius2;
            },
            take);
    }
    on.fill_up(row, found);
    if (count) count[q] = total;
    work.store(q, costs);
  }
};

/// The leaf reached by always descending to the nearer child: not always the nearest leaf, but a near one. tested() is
/// called for each node tested.
template <class Tested>
RIFFLE_INLINE std::uint32_t near_leaf(const TreeView& tree, Vec3 x, const Tested& tested) {
  std::uint32_t node = 0;
  while (node < tree.inner_nodes()) {
    tested(), tested();
    const std::uint32_t left = tree.nodes[node].left, right = tree.nodes[left].rope;
    const float to_left = gap2(tree.nodes[left], {x, x}, PeriodicWrap{});
    const float to_right = gap2(tree.nodes[right], {x, x}, PeriodicWrap{});
    node = to_right < to_left ? right : left;
  }
  return node - tree.inner_nodes();
}

/// Finds the nearest `capacity` points in range. Nearest: what keeps them, a NearestHeap or a NearestList.
template <bool Counted, class Nearest>
struct NearestPoints {
  PointQueries on;
  QueryWork<Counted> work;
  float radius2;
  float reach2;  ///< squared distance beyond which nothing is needed

  RIFFLE_HD void operator()(std::int64_t t) const {
    const std::int64_t q = on.query(t), row = q * on.capacity;
    const Vec3 x = xyz(on.queries[q]);
    Nearest nearest{on.index + row, on.distance + row, on.capacity};
    Count costs;
    if (is_finite(x) && on.tree.leaves > 0) search(x, nearest, costs);
    nearest.finish();
    work.store(q, costs);
  }

 private:
  using Count = typename QueryWork<Counted>::Count;

  // Starts from a leaf near the query and goes upwards, into the other child of each node on the way: near points come
  // first, and their distances then exclude most of the rest.
  RIFFLE_HD void search(Vec3 x, Nearest& nearest, Count& costs) const {
    const TreeView& tree = on.tree;
    const auto take = [&](std::uint32_t leaf) {
      return on.visit_leaf(leaf, x, [&](int p, Vec3, float r2) {
        costs.call();
        if (r2 < radius2) nearest.offer(static_cast<std::int32_t>(on.original[p]), r2);
        return true;
      });
    };
    const float bound2 = radius2 < reach2 ? radius2 : reach2;
    const auto within = [&] {
      costs.node();
      return useful2(nearest, bound2);
    };
    const std::uint32_t leaf = near_leaf(tree, x, [&] { costs.node(); });
    take(leaf);
    for (std::uint32_t node = tree.inner_nodes() + leaf; node != 0; node = tree.parent[node]) {
      const std::uint32_t left = tree.nodes[tree.parent[node]].left;
      walk_below(tree, left == node ? tree.nodes[left].rope : left, PeriodicWrap{}, {x, x}, within, take);
    }
  }
};

/// The paper's first pass: the first leaf that a query's ball reaches; if there is none, one beyond the last. With an
/// infinite radius every leaf is in reach of every query: then the leaf that the query is near.
struct FirstHits {
  TreeView tree;
  const Vec4* queries;
  float radius2;
  std::uint32_t* hit;    ///< (queries) out
  std::uint32_t* index;  ///< (queries) out: 0, 1, 2, ...

  RIFFLE_HD void operator()(std::int64_t q) const {
    const Vec3 x = xyz(queries[q]);
    std::uint32_t first = static_cast<std::uint32_t>(tree.leaves);
    if (is_finite(x) && tree.leaves > 0) {
      if (!is_finite(radius2))
        first = near_leaf(tree, x, [] {});
      else
        walk_tree(
            tree, PeriodicWrap{}, {x, x}, [&] { return radius2; },
            [&](std::uint32_t leaf) {
              first = leaf;
              return false;
            });
    }
    hit[q] = first;
    index[q] = static_cast<std::uint32_t>(q);
  }
};

}  // namespace riffle
