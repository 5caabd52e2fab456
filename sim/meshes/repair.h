#pragma once
/// Makes a closed surface of the triangles of a file, as far as they have one.

#include <cstddef>

#include "sim/meshes/triangle_mesh.h"

namespace riffle {

struct RepairedMesh {
  IndexedMesh mesh;
  std::size_t dropped = 0;  ///< triangles without area
  std::size_t flipped = 0;  ///< triangles that were the wrong way round
  std::size_t closed = 0;   ///< triangles that were added to close holes, the last of the mesh
};

/// - Vertices nearer to each other than a millionth of the extent become one, and triangles without area go.
/// - Neighbours along an edge that two triangles share are turned the same way round. A part whose triangles were not, or
///   that lies in no other, is turned outwards.
/// - Every loop of edges that have one triangle is closed by a fan of triangles around its middle.
RepairedMesh repaired(const IndexedMesh& mesh);

}  // namespace riffle
