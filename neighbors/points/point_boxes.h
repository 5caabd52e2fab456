#pragma once
/// PointStructure::Boxes: the paper's structure by this program's own tree. Each part of the queries is searched in a
/// tree of boxes round the points, as wide as the part needs. A query is a point, as the paper's very short ray is: its
/// neighbours are among the boxes that contain it.

#include "neighbors/points/point_parts.h"
#include "neighbors/search_view.h"

namespace riffle {

/// A tree of equally wide boxes, one for each point. Since all are equally wide, its nodes are those of the tree of the
/// points, each wider by half a box: neither the order nor the connections depend on the width, and one pass over the
/// nodes builds it. The nodes are rounded outwards, so that no box that contains a query is missed.
class PointBoxes {
 public:
  explicit PointBoxes(const Device& device) : device_(device), nodes_(device) {}

  /// tree: of the points; must outlive the view. half: half-width of the boxes, which may be infinite.
  void build(const TreeView& tree, float half);
  /// Forgets the boxes, for example because the points have changed.
  void clear() { half_ = -1; }
  bool has(float half) const { return half_ == half; }

  const TreeView& view() const { return view_; }
  float half() const { return half_; }
  std::size_t memory_bytes() const { return nodes_.bytes(); }

 private:
  Device device_;
  Buffer<TreeNode> nodes_;  ///< (2 leaves - 1)
  TreeView view_;
  float half_ = -1;  ///< below 0: not built
};

/// Answers the queries. tree: of the points. boxes: those of the last part are left in it.
void search_boxes(const Device& device, const TreeView& tree, PointBoxes& boxes, const PartsSearch& search);

/// The paper's first pass: the first box that contains each query, by the place of its point in the tree's order; if
/// there is none, the number of points. In infinite boxes every query would find the first one: then a box that the
/// query is near. hit, index: (query_count) out: the box; 0, 1, 2, ...
void find_first_boxes(const Device& device, const TreeView& tree, const PointBoxes& boxes, const Vec4* points,
                      const Vec4* queries, int query_count, std::uint32_t* hit, std::uint32_t* index);

}  // namespace riffle
