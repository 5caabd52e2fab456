#pragma once
/// The surface of a body that is not convex, for contact.
///
/// - A convex body meets its facets (triangles, in 2-D edges) one by one. The normal of a contact stays between those of the
///   facet and of its neighbour, so that a body slides over the seam of two facets in one plane.
/// - Two surfaces meet where the vertices of one, and places along its edges, are in the other.
/// - A surface is no volume: what gets further in than half its own thickness is not pushed out any more.

#include <memory>
#include <vector>

#include "sim/bodies/geometry/contact_points.h"
#include "sim/meshes/triangle_tree.h"

namespace riffle::bodies {

class ContactSurface {
 public:
  struct Facet {
    std::vector<int>
        corners;  ///< three, counter-clockwise as seen from outside; in 2-D two, with the inside on the left
  };

  /// @param between  [the unit of the vertices] places along edges are at most as far apart
  ContactSurface(std::vector<D3> vertices, const std::vector<Facet>& facets, int dimension, double between);

  /// Contacts of a convex body, normals towards it.
  /// @param bounds  of the body
  void contacts(const ConvexPiece& body, const Place& at_body, const Bounds3& bounds, const Place& at_surface,
                double reach, std::vector<ContactPoint>& out) const;

  /// Contacts of another surface, whose places are looked up here; normals towards it.
  void contacts(const ContactSurface& other, const Place& at_other, const Place& at_surface, double reach,
                std::vector<ContactPoint>& out) const;

 private:
  struct Side {
    D3 beside;         ///< of length 1, in the facet's plane, away from it
    double angle = 0;  ///< [rad] by which a normal may lean to this side
  };
  struct Node {
    Bounds3 bounds;
    int link = 0, count = 0;  ///< a leaf has `count` facets from `link` on; of others the first child is the next node
  };
  void build(int first, int count);
  template <class Visit>
  void for_each_near(const Bounds3& bounds, double reach, const Visit& visit) const;
  D3 allowed(std::size_t facet, D3 normal, bool& changed) const;

  int dimension_;
  std::vector<std::vector<D3>> corners_;
  std::vector<D3> normals_, middles_;
  std::vector<Bounds3> bounds_;
  std::vector<std::vector<Side>> sides_;
  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<D3> places_;              ///< vertices, and places along edges
  std::unique_ptr<TriangleTree> tree_;  ///< in 3-D
};

}  // namespace riffle::bodies
