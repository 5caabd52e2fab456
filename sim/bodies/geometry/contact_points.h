#pragma once
/// Where two bodies touch or are about to.

#include <vector>

#include "sim/bodies/geometry/convex_piece.h"

namespace riffle::bodies {

struct ContactPoint {
  D3 at;           ///< between the two surfaces
  D3 normal;       ///< of length 1, towards the first body
  double gap = 0;  ///< along the normal; negative where they overlap
};

/// Between two convex bodies.
/// @param reach  gaps above it are left out
void convex_contacts(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, int dimension,
                     double reach, std::vector<ContactPoint>& out);

/// The same along a normal that is known. @param middle  the place of a contact that no features give; nullptr: then there is none
void contacts_along(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, D3 normal,
                    const D3* middle, double reach, std::vector<ContactPoint>& out);

/// How far two bodies are apart along a normal; negative where they overlap.
double gap_along(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, D3 normal);

/// Of bodies that overlap: the normal along which they are least deep in each other, of `found`, the way against it, and the
/// normals of their faces. EPA alone may miss it: of bodies that lie along each other, and of a facet inside a body.
D3 shortest_way(const ConvexPiece& a, const Place& at_a, const ConvexPiece& b, const Place& at_b, D3 found);

/// With the half space below a plane. @param normal  out of it; offset: dot(normal, x) on the plane
void plane_contacts(const ConvexPiece& a, const Place& at_a, D3 normal, double offset, double reach,
                    std::vector<ContactPoint>& out);

/// Leaves four of the points of each normal (two in 2-D): the deepest, and those that are furthest apart.
void thin_out(std::vector<ContactPoint>& points, int dimension);

}  // namespace riffle::bodies
