#pragma once
/// Triangles of a region, for pictures.
///
/// - A plain shape gets its own corners: flat faces, sharp edges, round sides of a fixed number of segments.
/// - A union of them, in 3-D, is the meshes of all: each is closed, and what lies within another is hidden.
/// - What has cuts, or reaches beyond the domain, and a union in 2-D, is found from the signed distance by dual contouring
///   (Ju et al. 2002): one vertex in each cell of a grid that the surface passes, at the place that fits the tangent planes
///   best, and then on the surfaces themselves. Edges stay sharp. What is thinner than a cell may be lost.
/// - Only what lies within the domain's box is covered; a face of the domain closes what goes on beyond it.
/// - Every corner has the normal of the surface that its triangle lies on.

#include "core/math/domain.h"
#include "core/math/triangles.h"
#include "sim/shapes/shape.h"

namespace riffle {

/// A closed surface, of a union several; in 2-D an area with its outline. Nothing if the region has no part within the domain.
TriangleMesh mesh_of(const Region& region, const Domain& domain);

/// A mesh of the same by dual contouring, whatever the region is. @param cells  of the grid along its longest side
TriangleMesh contour_mesh(const Region& region, const Domain& domain, int cells);

}  // namespace riffle
