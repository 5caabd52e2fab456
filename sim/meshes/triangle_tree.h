#pragma once
/// A tree of boxes around triangles: which triangle is nearest, and how often the surface winds around a place.
///
/// The generalised winding number (Jacobson et al. 2013) is the solid angle of all triangles over 4 pi: 1 inside a closed
/// surface, 0 outside, and in between near the holes of an open one. A group of triangles that is further away than 2.5
/// times its radius counts as one dipole, the sum of its areas times normals (Barill et al. 2018).

#include <cstdint>
#include <vector>

#include "sim/meshes/triangle_mesh.h"

namespace riffle {

class TriangleTree {
 public:
  explicit TriangleTree(const IndexedMesh& mesh);

  double winding(Vec3 place) const;

  struct Nearest {
    float distance2;         ///< [m^2]; that of the call if no triangle is nearer
    std::uint32_t triangle;  ///< of the mesh; kNone if no triangle is nearer
    Vec3 way;                ///< from the place to the nearest point
    std::uint32_t place;     ///< of the triangle in the tree
  };
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// @param guess  Nearest::place of a place nearby, which makes the search quicker; kNone: nobody knows one
  Nearest nearest(Vec3 place, float within2 = 3.4e38f, std::uint32_t guess = kNone) const;

 private:
  struct Corners {
    Vec3 a, b, c;
  };
  /// A leaf has `count` triangles from `link` on. Of another node the first child is the next node, and `link` is the
  /// second.
  struct Node {
    Vec3 low, high;
    std::uint32_t link = 0, count = 0;
  };
  /// Of each node, for winding numbers.
  struct Dipole {
    Vec3 center, sum;  ///< sum of areas times normals [m^2]
    float far2 = 0;    ///< [m^2] square of the distance beyond which it stands for the node
    float area = 0;    ///< [m^2]
  };

  void build(std::uint32_t node, std::uint32_t first, std::uint32_t count, const std::vector<Vec3>& middles,
             const IndexedMesh& mesh);
  void try_triangle(std::uint32_t k, Vec3 place, Nearest& best) const;

  std::vector<Node> nodes_;
  std::vector<Dipole> dipoles_;
  std::vector<Corners> corners_;         ///< in the order of the leaves
  std::vector<std::uint32_t> triangle_;  ///< of the mesh, likewise
};

}  // namespace riffle
