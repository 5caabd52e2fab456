#pragma once
/// Convex bodies as the library Bullet has them: how far they are apart, and hulls of points. The only part of Riffle that
/// knows Bullet. Lengths are about 1 to 1000.

#include <memory>
#include <span>
#include <vector>

#include "sim/bodies/geometry/vector3.h"

namespace riffle::bodies {

class ConvexCore {
 public:
  explicit ConvexCore(std::span<const D3> points);  ///< their hull; one point, two, or a flat one are allowed
  ConvexCore(D3 center, D3 axis, double half_length, double radius);  ///< a cylinder; axis: of length 1
  ConvexCore(ConvexCore&&) noexcept;
  ConvexCore& operator=(ConvexCore&&) noexcept;
  ~ConvexCore();

 private:
  struct Shape;
  std::unique_ptr<Shape> shape_;
  friend struct CoreGap gap_between(const ConvexCore&, const Place&, const ConvexCore&, const Place&);
};

struct CoreGap {
  bool known = false;  ///< false: the search failed, as for two bodies of one place
  bool apart = false;  ///< otherwise they overlap
  D3 normal;           ///< of length 1, from b to a: the shortest way apart
  D3 middle;           ///< between the two places that are nearest to each other, or deepest in each other
};

/// By the algorithms GJK and EPA.
CoreGap gap_between(const ConvexCore& a, const Place& at_a, const ConvexCore& b, const Place& at_b);

struct Hull {
  std::vector<D3> vertices;
  std::vector<std::vector<int>> faces;  ///< counter-clockwise as seen from outside
};

/// @param shrink  by which every face is moved inwards
Hull hull_of(std::span<const D3> points, double shrink = 0);

}  // namespace riffle::bodies
