#pragma once
/// A convex body for contact: its core, from which the direction of contact comes, and its surface, from which the places and
/// gaps come. A core is the body less a margin, so that bodies that touch have cores that are apart.

#include <vector>

#include "sim/bodies/geometry/convex_core.h"
#include "sim/bodies/geometry/core_faces.h"
#include "sim/bodies/geometry/short_list.h"

namespace riffle::bodies {

/// Places of a surface that are foremost in a direction: a point, the two ends of an edge, or the corners of a face.
using Feature = ShortList<D3, 16>;

class ConvexPiece {
 public:
  /// A sphere, or a capsule whose ends are points[0] and points[1].
  static ConvexPiece round(std::vector<D3> points, double radius);
  static ConvexPiece cylinder(D3 from, D3 to, double radius, double margin);
  /// In 3-D.
  static ConvexPiece polyhedron(const std::vector<D3>& points, double margin);
  /// In 2-D. @param corners  counter-clockwise in the plane z = 0
  static ConvexPiece polygon(std::vector<D3> corners, double margin);
  /// A facet of a surface: a triangle, in 2-D an edge with two ends. Its core is itself.
  static ConvexPiece facet(std::vector<D3> corners, D3 normal);

  const ConvexCore& core() const { return core_; }
  const CoreFaces& core_faces() const { return core_faces_; }
  Feature feature(D3 direction) const;  ///< direction: of length 1
  D3 support(D3 direction) const;       ///< the foremost place
  /// The face's normal if one is within a ten-thousandth of the direction, otherwise the direction.
  D3 snapped(D3 direction) const;
  /// Normals of faces and of a cylinder's ends; of many faces only some.
  const std::vector<D3>& directions() const { return directions_; }
  Bounds3 bounds(const Place& place) const;
  double radius() const { return reach_; }  ///< of the ball around the frame's origin that holds the piece

 private:
  enum class Kind { Round, Cylinder, Flat };
  ConvexPiece(Kind kind, ConvexCore core) : kind_(kind), core_(std::move(core)) {}
  void find_edges();
  void find_reach();
  int face_along(D3 direction, double cosine) const;

  Kind kind_;
  ConvexCore core_;
  CoreFaces core_faces_;
  std::vector<D3> points_;  ///< round: its ends; cylinder: the centres of its ends; flat: vertices
  double round_ = 0;        ///< radius of the sphere, capsule or cylinder
  std::vector<std::vector<int>> faces_;
  std::vector<D3> normals_;  ///< (faces)
  struct Edge {
    int end = 0;
    D3 direction;  ///< of length 1
  };
  std::vector<std::vector<Edge>> edges_;  ///< (vertices) to the vertices at the other ends
  std::vector<D3> directions_;
  double reach_ = 0;
};

}  // namespace riffle::bodies
