#pragma once
/// Triangles in space: the surface of a solid, or an area in the plane z = 0.

#include <cstddef>
#include <vector>

#include "core/math/vec.h"

namespace riffle {

struct MeshCorner {
  Vec3 at;      ///< [m]
  Vec3 normal;  ///< outwards, of length 1
};

struct TriangleMesh {
  /// Three for each triangle, counter-clockwise as seen from outside; of an area as seen from positive z. Triangles that
  /// touch share the bits of their corners, so that a closed surface has no gap.
  std::vector<MeshCorner> corners;
  std::vector<Vec3> outline;  ///< of an area: two ends for each piece of its edge; of a surface: nothing

  std::size_t triangles() const { return corners.size() / 3; }
};

}  // namespace riffle
