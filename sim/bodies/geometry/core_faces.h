#pragma once
/// Cores of few faces: how far they are apart, where a face says it.

#include <optional>
#include <span>
#include <vector>

#include "sim/bodies/geometry/lanes.h"

namespace riffle::bodies {

/// The hull of some points as vertices and planes; a point or a line has no faces. Larger hulls than kMost are left empty.
struct CoreFaces {
  static constexpr std::size_t kMost = 16;  ///< vertices, and faces

  std::vector<D3> vertices;
  std::vector<std::vector<int>> faces;  ///< counter-clockwise as seen from outside
  std::vector<D3> normals;
  std::vector<double> offsets;  ///< dot(normal, x) on the face
  std::vector<Lanes3> fours;    ///< the vertices again, the last one as often as it takes

  CoreFaces() = default;
  CoreFaces(std::vector<D3> vertices, std::vector<std::vector<int>> faces);

  /// Gives each face the one of these normals that is nearly its own: vertices of a hull are rounded.
  void straighten(std::span<const D3> given);

  bool empty() const { return vertices.empty(); }
};

struct FaceGap {
  D3 normal;       ///< from b to a
  D3 middle;       ///< between the two places that are nearest to each other
  double gap = 0;  ///< > 0
};

/// Where the foremost vertex of one core lies before a face of the other: everything else of the two is further apart, so that the
/// face's normal is the shortest way. No value: the cores overlap, or two edges, or vertices beside faces, are nearest.
std::optional<FaceGap> gap_by_faces(const CoreFaces& a, const Place& at_a, const CoreFaces& b, const Place& at_b);

}  // namespace riffle::bodies
