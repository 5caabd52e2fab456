#pragma once
/// PointStructure::Optix: for each part of the queries a tree of boxes by NVIDIA's driver.

#include "neighbors/optix/optix_points.h"
#include "neighbors/points/point_parts.h"
#include "neighbors/search_view.h"

namespace riffle {

/// Answers the queries, a ray for each. A query with a point twice in its heap is answered by the tree of the points. Waits
/// where there may be such queries: of more than kMostNearest nearest points.
/// boxes: has the points of the search. tree: of the same points. met_twice: memory.
/// @return how many queries the tree answered
std::int64_t search_by_optix(const Device& device, OptixPoints& boxes, const TreeView& tree, const PartsSearch& search,
                             Buffer<std::uint32_t>& met_twice);

/// The first box that each query's ray meets, as the place of its point; if there is none, the number of points.
/// half: half-width of the boxes, finite. hit, index: (query_count) out: the place; 0, 1, 2, ...
void find_first_boxes_by_optix(const Device& device, OptixPoints& boxes, const Vec4* queries, int query_count,
                               float half, std::uint32_t* hit, std::uint32_t* index, StageTimer* timer);

}  // namespace riffle
