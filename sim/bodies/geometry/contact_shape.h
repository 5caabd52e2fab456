#pragma once
/// The bodies of contact that regions are.

#include <memory>
#include <optional>

#include "sim/bodies/geometry/contact_surface.h"

namespace riffle {

struct Region;
struct Domain;

namespace bodies {

/// Either one convex body, or a surface and its hull. Lengths in `unit`, from `origin`, a point of the scene.
struct ContactShape {
  std::optional<ConvexPiece> convex;  ///< of a surface its hull, which meets planes as the surface does
  std::unique_ptr<ContactSurface> surface;
  bool endless[3] = {false, false,
                     false};  ///< along this periodic axis: a shape of it goes on for a period beyond both faces
};

/// - Exact: box, sphere, cylinder, capsule, plane, convex polygon; in 2-D their sections.
/// - A mesh whose hull is nowhere more than a twentieth of the unit away from it: its hull.
/// - Any other polygon or mesh: the surface of its triangles (in 2-D edges).
/// - With `with` or `without`: a surface of triangles (edges) on a grid of the unit, 16 to 128 cells along the longest side. Edges
///   stay sharp; what is thinner than a cell may be lost.
/// @param unit [m] the particle spacing
ContactShape contact_shape(const Region& region, const Domain& domain, D3 origin, double unit);

}  // namespace bodies
}  // namespace riffle
