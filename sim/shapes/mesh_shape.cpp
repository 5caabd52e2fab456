/// What the surface of a mesh file encloses. Before the file is read it is nothing.

#include "sim/meshes/surface.h"
#include "sim/shapes/shape.h"

namespace riffle {

namespace {

bool mesh_contains(const PlainShape& mesh, Vec3 point, int) { return mesh.surface && mesh.surface->contains(point); }

Bounds mesh_bounds(const PlainShape& mesh) {
  return mesh.surface ? Bounds{mesh.surface->low(), mesh.surface->high()} : Bounds{};
}

double mesh_volume(const PlainShape& mesh, int, double unit) {
  return mesh.surface ? mesh.surface->volume() / (unit * unit * unit) : 0;
}

void mesh_move(PlainShape& mesh, Vec3 by) {
  mesh.placement.at += by;
  if (mesh.surface) mesh.surface = moved_surface(*mesh.surface, by);
}

}  // namespace

const ShapeInfo mesh_shape{Shape::Mesh,   "mesh",      "What a mesh from a file encloses",
                           mesh_contains, mesh_bounds, mesh_volume,
                           true,          mesh_move,   true};

}  // namespace riffle
