#pragma once
/// Normals of a mesh for pictures.

#include "core/math/triangles.h"
#include "sim/meshes/triangle_mesh.h"

namespace riffle {

/// At each corner of a triangle the mean normal of those triangles around the vertex that are inclined to it by less than
/// the crease angle, weighted by their angles there. Sharper edges stay sharp.
TriangleMesh with_creases(const IndexedMesh& mesh, float crease_degrees = 35);

}  // namespace riffle
