#pragma once
/// Traversal of a tree of boxes: the leaves within reach of a particle are its candidates. Include only from .cu files.
///
/// Why no pair is lost although boxes are not widened: the distances of a box to a point and of two points are computed
/// by the same operations in the same order, and each operation, rounding included, is monotonic in its operands. So a
/// point in the box is computed to be at least as far away as the box. This does not hold across a periodic face, where
/// the possible rounding error is subtracted from the distance (periodic_gap).
///
/// Periodic axes have no images: the distance is to the box's nearest image, so that each leaf is met once.

#include <cmath>

#include "core/device/atomic.h"
#include "core/device/parallel.cuh"
#include "neighbors/functor.h"
#include "neighbors/hits/query_hits.h"
#include "neighbors/query.h"
#include "neighbors/search_view.h"

namespace riffle {

inline constexpr std::uint32_t kInfinityBits = 0x7f800000u;

/// Distance of two intervals on an open axis; 0 where they overlap. Infinite for an empty interval (low > high).
RIFFLE_INLINE float open_gap(float low, float high, float q_low, float q_high) {
  const float above = rounded_difference(low, q_high), below = rounded_difference(q_low, high);
  const float gap = above > below ? above : below;
  return gap > 0 ? gap : 0;
}

/// The same on a periodic axis, less the rounding error that it may contain and that a separation() may contain.
RIFFLE_INLINE float periodic_gap(float low, float high, float q_low, float q_high, float length, float inverse_length) {
  if (!(low <= high)) return float_from_bits(kInfinityBits);
  const float center = 0.5f * low + 0.5f * high, q_center = 0.5f * q_low + 0.5f * q_high;
  const float half = 0.5f * high - 0.5f * low, q_half = 0.5f * q_high - 0.5f * q_low;
  const float apart = fabsf(nearest_image(rounded_difference(q_center, center), length, inverse_length));
  const float scale = fabsf(low) + fabsf(high) + fabsf(q_low) + fabsf(q_high) + length;
  const float gap = apart - (half + q_half) - 0x1p-20f * scale;
  return gap > 0 ? gap : 0;  // 0 for NaN: far beyond the box anything may be near
}

/// Query points that are processed together.
struct QueryHull {
  Vec3 low{}, high{};
};

RIFFLE_INLINE float gap2(const TreeNode& node, const QueryHull& q, const PeriodicWrap& wrap) {
  const auto gap = [&](float low, float high, float q_low, float q_high, float length, float inverse_length) {
    return length > 0 ? periodic_gap(low, high, q_low, q_high, length, inverse_length)
                      : open_gap(low, high, q_low, q_high);
  };
  if (!wrap.any)
    return squared_length({open_gap(node.low.x, node.high.x, q.low.x, q.high.x),
                           open_gap(node.low.y, node.high.y, q.low.y, q.high.y),
                           open_gap(node.low.z, node.high.z, q.low.z, q.high.z)});
  return squared_length({gap(node.low.x, node.high.x, q.low.x, q.high.x, wrap.length.x, wrap.inverse_length.x),
                         gap(node.low.y, node.high.y, q.low.y, q.high.y, wrap.length.y, wrap.inverse_length.y),
                         gap(node.low.z, node.high.z, q.low.z, q.high.z, wrap.length.z, wrap.inverse_length.z)});
}

RIFFLE_INLINE float reach_of(float reach2) { return 1.00001f * sqrtf(reach2); }

/// The periodic axes on which one of the queries may reach an image. If every particle is nearer to the queries than
/// one period less the reach, no image is near, and plain distances are enough. This holds for all queries except those
/// near a face.
RIFFLE_INLINE PeriodicWrap wrap_needed(const TreeView& view, const PeriodicWrap& wrap, const QueryHull& q,
                                       float reach) {
  if (!wrap.any || view.leaves == 0) return wrap;
  const TreeNode root = view.nodes[0];
  const auto needs = [&](float low, float high, float q_low, float q_high, float length) {
    const float above = q_high - low, below = high - q_low;
    const float rounding = 0x1p-20f * (fabsf(low) + fabsf(high) + fabsf(q_low) + fabsf(q_high) + length);
    return length > 0 && !((above > below ? above : below) + reach + rounding < length);
  };
  PeriodicWrap needed = wrap;
  if (!needs(root.low.x, root.high.x, q.low.x, q.high.x, wrap.length.x)) needed.length.x = 0;
  if (!needs(root.low.y, root.high.y, q.low.y, q.high.y, wrap.length.y)) needed.length.y = 0;
  if (!needs(root.low.z, root.high.z, q.low.z, q.high.z, wrap.length.z)) needed.length.z = 0;
  needed.any = needed.length.x > 0 || needed.length.y > 0 || needed.length.z > 0;
  return needed;
}

/// visit(leaf) returns whether to continue; called in ascending order for every leaf below node `top` with gap2 <
/// reach2(). reach2() may shrink.
template <class Reach2, class Visit>
RIFFLE_INLINE void walk_below(const TreeView& view, std::uint32_t top, const PeriodicWrap& wrap, const QueryHull& q,
                              const Reach2& reach2, const Visit& visit) {
  const std::uint32_t inner = view.inner_nodes(), end = view.nodes[top].rope;
  for (std::uint32_t next = top; next != end;) {
    const TreeNode node = view.nodes[next];
    if (gap2(node, q, wrap) < reach2()) {
      if (next < inner) {
        next = node.left;
        continue;
      }
      if (!visit(next - inner)) return;
    }
    next = node.rope;
  }
}

/// The same for all leaves.
template <class Reach2, class Visit>
RIFFLE_INLINE void walk_tree(const TreeView& view, const PeriodicWrap& wrap, const QueryHull& q, const Reach2& reach2,
                             const Visit& visit) {
  if (view.leaves > 0) walk_below(view, 0, wrap, q, reach2, visit);
}

/// The squared distance between a particle's present position and the build position of one now within h of it, at
/// most: each may have moved by half of the difference between the build's radius and h, measured with rounding.
inline float tree_reach2(const TreeView& view, float h) {
  const double reach = (double{h} + (view.build_radius > h ? view.build_radius : h)) / 2 * (1 + 1e-5);
  const float reach2 = static_cast<float>(reach * reach);
  return reach2 > h * h ? reach2 : h * h;  // near the smallest floats only h * h is reliable
}

/// Calls begin, neighbor for every neighbour, and end for query i: one thread's work.
template <class F>
RIFFLE_HD void visit_tree_neighbors(const TreeView& view, const NeighborQuery& query, float reach2, const F& f, int i) {
  const Vec3 x_i = xyz(query.queries[i]);
  typename F::State state = f.begin(i);
  if (is_finite(x_i))
    walk_tree(
        view, wrap_needed(view, query.wrap, {x_i, x_i}, reach_of(reach2)), {x_i, x_i}, [&] { return reach2; },
        [&](std::uint32_t leaf) {
          const int end = view.leaf_end(leaf);
          for (int j = view.leaf_begin(leaf); j < end; ++j)
            visit_if_near(f, state, i, j, x_i, query.sources[j], query.wrap, query.h2, query.self);
          return true;
        });
  f.end(state, i);
}

/// On the CPU. reach2: tree_reach2()
void traverse_tree_cpu(const TreeView& view, const NeighborQuery& query, float reach2, const HitFunctor& functor);

#if RIFFLE_WITH_CUDA
inline constexpr int kTreeBlock = 128;
inline constexpr int kTreeBatch = 4;  ///< candidates with their loads in flight at once

template <class F>
__global__ void __launch_bounds__(kTreeBlock) tree_kernel(TreeView view, NeighborQuery query, float reach2, F f) {
  await_earlier_kernels();
  const int i = static_cast<int>(blockIdx.x) * kTreeBlock + static_cast<int>(threadIdx.x);
  if (i < query.query_count) visit_tree_neighbors(view, query, reach2, f, i);
}

__device__ inline float warp_least(float x) {
  RIFFLE_UNROLL
  for (int lane = 16; lane > 0; lane /= 2) x = fminf(x, __shfl_xor_sync(~0u, x, lane));
  return x;
}

/// How far other queries of a warp may be from its first query to walk with it: a walk costs the same for one query as
/// for many, but it meets more the larger the box round them is. Twice the reach does not enlarge the box much; neither
/// do four times the particles' mean distance, the extent of 32 particles in order.
__device__ inline float tree_spread(const TreeView& view, float reach) {
  const TreeNode root = view.nodes[0];
  const float volume = fmaxf(root.high.x - root.low.x, reach) * fmaxf(root.high.y - root.low.y, reach) *
                       fmaxf(root.high.z - root.low.z, reach);
  return fmaxf(2 * reach, 4 * cbrtf(volume / static_cast<float>(view.particles)));
}

/// A warp's walk. Its lanes test up to 32 pairs of children at a time. Nodes and leaves near the box round its queries
/// are kept in shared memory: nodes to open on a stack, leaves in a queue.
class TreeWalk {
 public:
  static constexpr int kLanes = 32;
  struct Shared {
    std::uint32_t open[512];  ///< left children of nodes within reach
    std::uint32_t leaf[3 * kLanes];
    Vec4 candidate[kLanes];
    int index[kLanes];
  };

  __device__ TreeWalk(const TreeView& view, Shared& shared)
      : view_(view),
        shared_(shared),
        lane_(static_cast<int>(threadIdx.x) % kLanes),
        leaves_at_once_(max(kLanes / view.leaf_size, 1)),
        own_leaf_(lane_ / view.leaf_size),
        own_place_(lane_ % view.leaf_size) {}

  /// visit(j, x_j) in every lane alike, for all particles of all leaves with gap2 < reach2; x_j is NaN for no particle.
  template <class Visit>
  __device__ void walk(const NeighborQuery& query, const PeriodicWrap& wrap, const QueryHull& hull, float reach2,
                       const Visit& visit) {
    const std::uint32_t inner = view_.inner_nodes();
    int open = 0, leaves = 0;
    if (inner == 0) {
      leaves = 1;
      if (lane_ == 0) shared_.leaf[0] = 0;
    } else {
      open = 1;
      if (lane_ == 0) shared_.open[0] = view_.nodes[0].left;
    }
    __syncwarp();
    while (open > 0) {
      // Each opened node leaves one more on the stack. Near its end nodes open singly, as deep as a tree can be.
      const int room = kOpen - kDeepest - open;
      const int taken = min(min(kLanes, open), max(room, 1));
      open -= taken;
      bool near[2] = {false, false};
      std::uint32_t child[2] = {0, 0}, below[2] = {0, 0};
      if (lane_ < taken) {
        child[0] = shared_.open[open + lane_];
        const TreeNode left = view_.nodes[child[0]];
        child[1] = left.rope;
        const TreeNode right = view_.nodes[child[1]];
        near[0] = gap2(left, hull, wrap) < reach2;
        near[1] = gap2(right, hull, wrap) < reach2;
        below[0] = left.left;
        below[1] = right.left;
      }
      __syncwarp();
      RIFFLE_UNROLL
      for (int side = 0; side < 2; ++side) {
        const bool is_leaf = child[side] >= inner;
        const unsigned inner_near = __ballot_sync(~0u, near[side] && !is_leaf);
        const unsigned leaves_near = __ballot_sync(~0u, near[side] && is_leaf);
        if (near[side] && !is_leaf) shared_.open[open + before_me(inner_near)] = below[side];
        if (near[side] && is_leaf) shared_.leaf[leaves + before_me(leaves_near)] = child[side] - inner;
        open += __popc(inner_near);
        leaves += __popc(leaves_near);
      }
      __syncwarp();
      for (; leaves >= leaves_at_once_; leaves -= leaves_at_once_)
        visit_leaves(query, leaves - leaves_at_once_, leaves_at_once_, visit);
    }
    for (; leaves > 0; leaves -= min(leaves, leaves_at_once_)) {
      const int n = min(leaves, leaves_at_once_);
      visit_leaves(query, leaves - n, n, visit);
    }
  }

 private:
  static constexpr int kOpen = 512;
  static constexpr int kDeepest = 96;  ///< a code's 64 bits, and 32 of the leaf's number

  __device__ int before_me(unsigned lanes) const { return __popc(lanes & ((1u << lane_) - 1)); }

  /// Processes leaves [first, first + n) in the queue.
  template <class Visit>
  __device__ void visit_leaves(const NeighborQuery& query, int first, int n, const Visit& visit) {
    const float nowhere = float_from_bits(0x7fc00000u);
    const int end = min(n * view_.leaf_size, kLanes);
    for (int part = 0; part < view_.leaf_size; part += kLanes) {  // once, except for leaves larger than a warp
      Vec4 own{nowhere, nowhere, nowhere, 0};
      int j = -1;
      if (own_leaf_ < n) {
        const std::uint32_t leaf = shared_.leaf[first + own_leaf_];
        j = view_.leaf_begin(leaf) + own_place_ + part;
        if (j < view_.leaf_end(leaf)) own = query.sources[j];
      }
      shared_.candidate[lane_] = own;
      shared_.index[lane_] = j;
      __syncwarp();
      RIFFLE_NO_UNROLL
      for (int k = 0; k < end; k += kTreeBatch) {
        Vec4 x_j[kTreeBatch];
        RIFFLE_UNROLL
        for (int b = 0; b < kTreeBatch; ++b) x_j[b] = shared_.candidate[k + b];
        RIFFLE_UNROLL
        for (int b = 0; b < kTreeBatch; ++b) visit(k + b, x_j[b]);
      }
      __syncwarp();
    }
  }

  const TreeView& view_;
  Shared& shared_;
  int lane_, leaves_at_once_, own_leaf_, own_place_;
};

/// For queries in the order of the particles. A warp walks the tree as one, with the box round its queries. A warp's
/// particles are close together, except where the curve jumps: then there are several such boxes, one after the other.
/// A query that takes no part in a walk has a NaN position during it and is within h of nothing.
template <bool Periodic, class F>
__global__ void __launch_bounds__(kTreeBlock) tree_group_kernel(TreeView view, NeighborQuery query, float reach2, F f) {
  await_earlier_kernels();
  // Raw bytes, since CUDA forbids __shared__ objects with a constructor and Vec4 zeroes itself.
  __shared__ alignas(16) unsigned char bytes[kTreeBlock / TreeWalk::kLanes * sizeof(TreeWalk::Shared)];
  TreeWalk::Shared& own = reinterpret_cast<TreeWalk::Shared*>(bytes)[threadIdx.x / TreeWalk::kLanes];
  TreeWalk tree(view, own);
  const int i = static_cast<int>(blockIdx.x) * kTreeBlock + static_cast<int>(threadIdx.x);
  const bool asks = i < query.query_count;
  const PeriodicWrap wrap = Periodic ? query.wrap : PeriodicWrap{};  // a compile-time constant: no run-time test
  const float nowhere = float_from_bits(0x7fc00000u), infinity = float_from_bits(kInfinityBits);
  const float reach = reach_of(reach2), spread = tree_spread(view, reach);
  Vec3 x_i{nowhere, nowhere, nowhere};
  typename F::State state;
  if (asks) {
    x_i = xyz(query.queries[i]);
    state = f.begin(i);
  }
  bool waits = asks && is_finite(x_i);
  unsigned waiting;
  while ((waiting = __ballot_sync(~0u, waits)) != 0) {
    const int leader = __ffs(static_cast<int>(waiting)) - 1;
    const Vec3 lead{__shfl_sync(~0u, x_i.x, leader), __shfl_sync(~0u, x_i.y, leader), __shfl_sync(~0u, x_i.z, leader)};
    const bool walks =
        waits && fabsf(x_i.x - lead.x) <= spread && fabsf(x_i.y - lead.y) <= spread && fabsf(x_i.z - lead.z) <= spread;
    waits = waits && !walks;
    const Vec3 asking = walks ? x_i : Vec3{nowhere, nowhere, nowhere};
    const Vec3 low = walks ? x_i : Vec3{infinity, infinity, infinity};
    const Vec3 high = walks ? -x_i : Vec3{infinity, infinity, infinity};
    const QueryHull hull{{warp_least(low.x), warp_least(low.y), warp_least(low.z)},
                         {-warp_least(high.x), -warp_least(high.y), -warp_least(high.z)}};
    tree.walk(query, wrap_needed(view, wrap, hull, reach), hull, reach2, [&](int k, const Vec4& x_j) {
      const PairTest pair = test_pair(asking, xyz(x_j), wrap, query.h2);
      if (!pair.near()) return;
      const int j = own.index[k];
      if (j != i) visit_neighbor(f, state, i, j, pair.r_ij, pair.r2, fetch_source(f, j, x_j));
    });
  }
  if (asks) f.end(state, i);
}
#endif

template <bool Own, class F>
void traverse_tree([[maybe_unused]] const Device& device, [[maybe_unused]] const char* name, const TreeView& view,
                   const NeighborQuery& query, float h, const F& f) {
  const float reach2 = tree_reach2(view, h);
#if RIFFLE_WITH_CUDA
  if (device.is_cuda()) {
    const int blocks = (query.query_count + kTreeBlock - 1) / kTreeBlock;
    if constexpr (Own) {
      const auto kernel = query.wrap.any ? tree_group_kernel<true, F> : tree_group_kernel<false, F>;
      launch_kernel(device, name, kernel, static_cast<unsigned>(blocks), kTreeBlock, 0, view, query, reach2, f);
    } else {
      launch_kernel(device, name, tree_kernel<F>, static_cast<unsigned>(blocks), kTreeBlock, 0, view, query, reach2, f);
    }
    return;
  }
#endif
  traverse_tree_cpu(view, query, reach2, HitFunctor(f, query.h2));
}

}  // namespace riffle
