#pragma once
/// PointStructure::Points: one tree of the points, which each part searches as far as it needs.

#include "neighbors/points/point_parts.h"
#include "neighbors/search_view.h"

namespace riffle {

/// Answers the queries. tree: of the points, with the boxes of the points themselves.
void search_point_tree(const Device& device, const TreeView& tree, const PartsSearch& search);

/// Only fills the count of the points that each query wants.
void count_in_point_tree(const Device& device, const TreeView& tree, const PartsSearch& search);

/// The first leaf that each query's ball reaches; if there is none, the number of leaves. With an infinite radius every
/// leaf is in reach of every query: then a leaf that the query is near.
/// hit, index: (query_count) out: the leaf; 0, 1, 2, ...
void find_first_leaves(const Device& device, const TreeView& tree, const Vec4* queries, int query_count, float radius,
                       std::uint32_t* hit, std::uint32_t* index);

}  // namespace riffle
