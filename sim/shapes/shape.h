#pragma once
/// Shapes: the words with which a scene says where something is. Bodies of fluid use them; nothing here knows of fluids.
///
/// - A plain shape is one row of a table (`shapes()`): box, sphere, cylinder, capsule, plane, polygon, and a mesh from a file. A
///   file of its own holds each.
/// - A region is the union of a plain shape and others, without further ones: the points that lie in the shape or in one of
///   `with`, and in none of `without`. Points in several of them count once.
/// - Every plain shape is closed: its surface belongs to it, so a point on the surface of both is in no difference. Sites
///   of a lattice often lie on a surface, where rounding would decide. A point nearer than tolerance() is on it. The
///   sphere alone compares exactly.
/// - In 2-D a shape is its section with the plane z = 0, and every z is ignored: a sphere is a disc, a cylinder the
///   rectangle around its axis, a polygon itself.
/// - A row has what its users ask: contains, bounds, volume, whether a lattice is centred on it, and a move.
/// - Lengths that mean "as far as the domain goes" are infinite until somebody who knows the domain cuts them with
///   within_domain(). So is a plane: all that lies behind it, up to the domain's box. Where it is taken away it has no end.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/math/vec.h"
#include "sim/meshes/triangle_mesh.h"

namespace riffle {

class MeshSurface;

enum class Shape { Box, Sphere, Cylinder, Capsule, Plane, Polygon, Mesh };

/// A plain shape. Lengths in the scene's unit [m].
struct PlainShape {
  Shape shape = Shape::Box;
  Vec3 min{}, max{};  ///< box; plane: the box that it is cut at, nowhere as long as both are one place
  Vec3 center{};      ///< sphere
  float radius = 0;   ///< sphere, cylinder, capsule
  Vec3 from{}, to{};  ///< cylinder: the centres of its ends; capsule: those of the balls at its ends
  Vec3 point{};       ///< plane: a point on it
  Vec3 normal{};      ///< plane: away from what it holds, of any length above 0

  /// Polygon: its corners in order, either way round, in the two coordinates beside `axis`, x before y before z. Where
  /// its edges cross, points inside an even number of turns are outside.
  std::vector<std::array<float, 2>> corners;
  int axis = 2;             ///< polygon: it is extruded along this axis, 0 to 2; in 2-D always 2
  float low = 0, high = 0;  ///< polygon: from and to along `axis`; may be infinite

  std::string file;                            ///< mesh: as the scene has it, from the scene's folder
  MeshPlacement placement;                     ///< mesh
  std::shared_ptr<const MeshSurface> surface;  ///< mesh: of the file, placed; nullptr before the file is read

  friend bool operator==(const PlainShape&, const PlainShape&) = default;
};

/// The points of a plain shape or of one of `with` that lie in none of `without`.
struct Region : PlainShape {
  std::vector<PlainShape> with{};
  std::vector<PlainShape> without{};

  bool plain() const { return with.empty() && without.empty(); }
  friend bool operator==(const Region&, const Region&) = default;
};

struct Bounds {
  Vec3 min, max;
};

struct ShapeInfo {
  Shape shape;
  const char* word;  ///< as in scenes, "box"
  const char* name;  ///< in a sentence, "A box"
  bool (*contains)(const PlainShape& shape, Vec3 point, int dimension);
  Bounds (*bounds)(const PlainShape& shape);
  double (*volume)(const PlainShape& shape, int dimension, double unit);  ///< in unit^dimension
  bool centred;  ///< a lattice that fills it is centred on it; otherwise it starts at the lower corner of the bounds
  void (*move)(PlainShape& shape, Vec3 by);
  bool from_file = false;  ///< solids alone have it, in 3-D and not among `without`
};

extern const ShapeInfo box_shape, sphere_shape, cylinder_shape, capsule_shape, plane_shape, polygon_shape, mesh_shape;

/// All rows, in the order of the enum.
std::span<const ShapeInfo* const> shapes();
const ShapeInfo& shape_info(Shape shape);

bool contains(const Region& region, Vec3 point, int dimension);
/// Whether the point lies in the shape or in one of `with`, whatever `without` takes away.
bool in_union(const Region& region, Vec3 point, int dimension);
bool in_any(std::span<const PlainShape> shapes, Vec3 point, int dimension);

Bounds bounds_of(const PlainShape& shape);
/// Of the shape and all of `with`: what `without` takes away is not subtracted.
Bounds bounds_of(const Region& region);
/// The box around both.
Bounds box_around(const Bounds& a, const Bounds& b);

/// The sum over the shape and all of `with`, in unit^dimension: what several have counts for each of them, and `without` is
/// not subtracted.
double volume_of_parts(const Region& region, int dimension, double unit);

/// Calls visit(shape) for the shape of a region and for all of `with`.
template <class Visit>
void for_each_part(const Region& region, const Visit& visit) {
  visit(static_cast<const PlainShape&>(region));
  for (const PlainShape& part : region.with) visit(part);
}

/// Whether the shape, or one of `with`, is a plane.
bool has_plane(const Region& region);

/// How near the surface a point is on it: a millionth of the largest coordinate of the bounds.
double tolerance(const Bounds& bounds);

/// The region and all in it, moved.
Region moved(Region region, Vec3 by);

/// Cuts infinite lengths at the domain's box, and planes that are not taken away, wherever they were cut before.
void within_domain(Region& region, Vec3 min, Vec3 max);

/// Two edges of a polygon that cross or touch, numbered from 0; {-1, -1} when none do. Neighbouring edges share a corner
/// and are compared only for lying on each other.
std::array<int, 2> crossing_edges(const PlainShape& polygon);

}  // namespace riffle
