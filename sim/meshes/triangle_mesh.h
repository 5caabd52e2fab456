#pragma once
/// Triangles that share vertices, as mesh files have them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/math/vec.h"

namespace riffle {

using Triangle = std::array<std::uint32_t, 3>;  ///< indices of vertices, counter-clockwise as seen from outside

struct IndexedMesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;

  Vec3 vertex(std::size_t triangle, int corner) const {
    return vertices[triangles[triangle][static_cast<std::size_t>(corner)]];
  }
};

/// Where a mesh file stands in a scene. A vertex v comes to `at` + Rz Ry Rx (scale v): it is scaled, then turned about the
/// axis x, then y, then z, which all stand still, then moved.
struct MeshPlacement {
  Vec3 scale{1, 1, 1};
  Vec3 rotation{};  ///< [degrees] about x, y and z, counter-clockwise as seen from the axis' positive end
  Vec3 at{};        ///< [m]

  friend bool operator==(const MeshPlacement&, const MeshPlacement&) = default;
};

IndexedMesh placed(const IndexedMesh& mesh, const MeshPlacement& placement);

}  // namespace riffle
