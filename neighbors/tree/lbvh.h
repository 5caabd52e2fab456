#pragma once
/// A linear bounding volume hierarchy: a tree of boxes round particles sorted along a Morton curve (Karras 2012,
/// "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees").
///
/// Boxes are exactly the hulls of positions, without widening: neighbors/tree/tree_traversal.cuh explains why no pair
/// is lost. No call waits for the device unless its comment says so.

#include "neighbors/kept_search.h"
#include "neighbors/order/morton_order.h"
#include "neighbors/search_view.h"

namespace riffle {

class Lbvh {
 public:
  static constexpr int kMostInLeaf = 256;

  /// @param leaf_size  particles per leaf, at most kMostInLeaf; 0: the fastest on the device. Affects only speed
  /// @throws InputError
  explicit Lbvh(const Device& device, int leaf_size = 0);

  /// positions: (count), any order; a position that is not finite is in no box and is never found. frame: codes resolve
  /// the part of it that the particles occupy; positions outside it are clamped, so that a particle that has flown away
  /// does not use up all bits. Affects only speed.
  void build(const Vec4* positions, int count, int dimension, const BoundingBox& frame);

  /// Fits the boxes to moved particles; each leaf keeps its indices. positions: (count), in any order, best that of
  /// order(). Waits. @param slack  growth of a box that is not counted [length]
  /// @return the fraction of boxes that have more than doubled since build
  double refit(const Vec4* positions, float slack);

  /// The codes of the leaves, and the sizes that boxes had at build. Waits.
  KeptBuilds kept() const;

  /// The tree that kept() is of, over particles that are in its order, with boxes round `positions`. order() is of no use
  /// then. @return false: it is not of a tree over so many particles, and nothing has changed
  bool restore(const KeptBuilds& kept, const Vec4* positions, int count, int dimension, const BoundingBox& frame);

  /// (count) the particle that was at order()[p] moves to p: view() refers to that order.
  const std::uint32_t* order() const { return sorted_.order(); }
  const Device& device() const { return device_; }
  TreeView view() const { return {nodes_.data(), parent_.data(), leaves_, leaf_size_, count_, 0}; }
  int count() const { return count_; }

  /// For the last build, not the last refit. Waits.
  CrowdStats crowds(float edge) const { return sorted_.crowds(edge); }
  BoundingBox bounds() const { return sorted_.bounds(); }
  std::size_t memory_bytes() const { return sorted_.memory_bytes() + memory_.bytes(); }
  /// Approximate [bytes] of a tree over `count` particles.
  static double estimate(const Device& device, int leaf_size, std::int64_t count);

 private:
  void resize();
  std::size_t node_count() const { return leaves_ > 0 ? 2 * static_cast<std::size_t>(leaves_) - 1 : 0; }

  Device device_;
  int count_ = 0, leaves_ = 0, leaf_size_ = 1;
  MortonOrder sorted_;
  Workspace memory_{device_};
  Buffer<std::uint64_t>& leaf_code_ = memory_.make();  ///< (leaves) of each leaf's first particle
  Buffer<TreeNode>& nodes_ = memory_.make();           ///< (2 leaves - 1)
  Buffer<std::uint32_t>& parent_ = memory_.make();     ///< (2 leaves - 1)
  Buffer<std::uint32_t>& arrivals_ = memory_.make();   ///< (leaves) children that have reached an inner node
  Buffer<float>& built_size_ = memory_.make();         ///< (2 leaves - 1) sum of each box's edges at build
  Buffer<std::uint32_t>& grown_ = memory_.make();      ///< (1)
};

}  // namespace riffle
