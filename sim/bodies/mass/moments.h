#pragma once
/// Volume, centroid and second moments of regions of density 1.

#include <array>
#include <vector>

#include "sim/shapes/shape.h"

namespace riffle::bodies {

/// In 2-D of the section: z is 0 everywhere.
struct Moments {
  double volume = 0;             ///< [m^d]
  double center[3] = {0, 0, 0};  ///< [m]
  double second[3][3] = {};      ///< [m^(d+2)] integral of x_i x_j, x from the centre
};

/// `part` taken away from `whole`, in which it lies.
Moments difference(const Moments& whole, const Moments& part);

/// Both together, which have no part in common.
Moments sum(const Moments& one, const Moments& other);

/// Sums simplices with one corner at `origin` (tetrahedra; in 2-D triangles), whose volumes have the sign of their corners'
/// order.
class SimplexSum {
 public:
  SimplexSum(const double (&origin)[3], int dimension);
  /// corner: from the origin; in 2-D two of them are read
  void add(const double (&corner)[3][3]);
  Moments result() const;

 private:
  double origin_[3];
  int dimension_;
  double volume_ = 0, first_[3] = {0, 0, 0}, second_[3][3] = {};
};

/// Of a box, sphere, cylinder, capsule or polygon, by closed formulas. Nothing of it is infinite.
Moments plain_moments(const PlainShape& shape, int dimension);

/// Of a mesh: from its triangles where they wind once around what they enclose, otherwise from cells.
Moments mesh_moments(const PlainShape& shape);

inline constexpr int kMomentCells = 128;    ///< along the longest side, in 3-D
inline constexpr int kMomentCells2 = 1024;  ///< in 2-D

/// What `without` takes away, from cells of the bounds of that part. A cell that a surface passes counts by the share of it
/// that lies inside the surface's tangent plane, and one that several pass by points in it.
Moments cut_moments(const Region& region, int dimension);

/// What a shape of `with` has in common with the shapes before it, likewise. @param part  index in `with`
Moments common_moments(const Region& region, std::size_t part, int dimension);

/// Of the whole plain shape, from cells as above.
Moments cell_moments(const PlainShape& shape, int dimension);

/// Corners of the parts between two horizontal lines of a polygon whose edges cross, by the even-odd rule. Each part is convex
/// and counter-clockwise.
using Corner2d = std::array<double, 2>;
std::vector<std::vector<Corner2d>> slabs_of(const std::vector<std::array<float, 2>>& corners);

}  // namespace riffle::bodies
