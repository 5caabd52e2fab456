#pragma once
/// Shapes: the words with which a scene says where something is. Bodies of fluid use them; nothing here knows of fluids.
///
/// - A plain shape is one row of a table (`shapes()`): box, sphere, cylinder, capsule, polygon, and a mesh from a file. A file of its
///   own holds each.
/// - A region is a plain shape without others: the points of the shape that lie in none of `without`. A union is a list
///   of regions, which the owner of the list has.
/// - Every plain shape is closed: its surface belongs to it, so a point on the surface of both is in no difference. Sites
///   of a lattice often lie on a surface, where rounding would decide. A point nearer than tolerance() is on it. The
///   sphere alone compares exactly.
/// - In 2-D a shape is its section with the plane z = 0, and every z is ignored: a sphere is a disc, a cylinder the
///   rectangle around its axis, a polygon itself.
/// - A row has what its users ask: contains, bounds, volume, whether a lattice is centred on it, and a move.
/// - Lengths that mean "as far as the domain goes" are infinite until somebody who knows the domain cuts them with
///   within_domain().

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/math/vec.h"
#include "sim/meshes/triangle_mesh.h"

namespace riffle {

class MeshSurface;

enum class Shape { Box, Sphere, Cylinder, Capsule, Polygon, Mesh };

/// A plain shape. Lengths in the scene's unit [m].
struct PlainShape {
  Shape shape = Shape::Box;
  Vec3 min{}, max{};  ///< box
  Vec3 center{};      ///< sphere
  float radius = 0;   ///< sphere, cylinder, capsule
  Vec3 from{}, to{};  ///< cylinder: the centres of its ends; capsule: those of the balls at its ends

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

/// The points of a plain shape that lie in none of `without`.
struct Region : PlainShape {
  std::vector<PlainShape> without;

  bool plain() const { return without.empty(); }
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

extern const ShapeInfo box_shape, sphere_shape, cylinder_shape, capsule_shape, polygon_shape, mesh_shape;

/// All rows, in the order of the enum.
std::span<const ShapeInfo* const> shapes();
const ShapeInfo& shape_info(Shape shape);

bool contains(const Region& region, Vec3 point, int dimension);
bool in_any(std::span<const PlainShape> shapes, Vec3 point, int dimension);

/// Of the plain shape: what `without` takes away is not subtracted.
Bounds bounds_of(const PlainShape& shape);

/// How near the surface a point is on it: a millionth of the largest coordinate of the bounds.
double tolerance(const Bounds& bounds);

/// The region and all in it, moved.
Region moved(Region region, Vec3 by);

/// Cuts infinite lengths at the domain's box.
void within_domain(Region& region, Vec3 min, Vec3 max);

/// Two edges of a polygon that cross or touch, numbered from 0; {-1, -1} when none do. Neighbouring edges share a corner
/// and are compared only for lying on each other.
std::array<int, 2> crossing_edges(const PlainShape& polygon);

}  // namespace riffle
