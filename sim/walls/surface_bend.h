#pragma once
/// How much faster than beside a plane the velocity goes on behind a curved surface.
///
/// Near a solid the fluid's velocity along the surface, relative to the solid, is g s / (1 + k s / 2) at the distance s
/// (negative inside): k is the sum of the surface's two curvatures [1/m], positive where the solid is convex, and g the gradient at
/// the surface. Then the shear falls as the area of the surface at s grows, to the first order in k s. Beside a plane a wall
/// particle gets the mirrored velocity (sim/walls/wall_motion.h); beside a curved surface `1 + bend` times that.

#include <vector>

#include "core/math/domain.h"
#include "sim/shapes/distance.h"

namespace riffle {

/// sites: w, in: the distance from the surface [m], negative inside; out: the bend, 0 where the surface is flat
/// spacing: of the particles [m]; the fluid that a site feels is taken to be half as far in front of the surface
void find_bends(const FlatRegions& region, const Domain& domain, float spacing, std::vector<Vec4>& sites);

}  // namespace riffle
