#pragma once
/// The part of a box that lies behind a plane: what a plane is within the domain.

#include <vector>

#include "sim/shapes/shape.h"

namespace riffle {

/// A convex polygon with its corners counter-clockwise as seen from outside.
struct FlatFace {
  std::vector<std::array<double, 3>> corners;
  std::array<double, 3> normal;  ///< outwards, of length 1
};

/// Its faces; in 2-D one, the area, whose normal is that of the drawing plane. None if nothing of the box lies behind the plane.
/// @param plane  one that is cut at a box
std::vector<FlatFace> faces_of_half_box(const PlainShape& plane, int dimension);

/// The unit vector along the plane's normal; in 2-D z is 0. That of a normal of length 0 is 0.
std::array<double, 3> unit_normal(const PlainShape& plane, int dimension);

/// Which coordinates along the normal the corners of a box have, from the plane's point on: all are above 0 where the plane
/// leaves nothing of the box, all below 0 where it leaves all.
struct Crossed {
  double least, most;  ///< [m]
};
Crossed crossed_by(const PlainShape& plane, const Bounds& box, int dimension);

}  // namespace riffle
