#pragma once
/// The mouth of an inlet that is a planar region of a mesh's surface: triangles in one plane that share edges.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/math/vec.h"
#include "sim/meshes/triangle_mesh.h"

namespace riffle {

struct PlanarRegion {
  std::array<double, 3> middle{}, normal{};  ///< [m] centre of area; unit vector, away from what the surface encloses
  double area = 0;                           ///< [m^2]
  std::vector<std::array<Vec3, 2>> rim;      ///< [m] edges that one triangle of the region has, in no order

  double width() const;  ///< [m] that of a ribbon, the radius of a disc: twice the area over the length of the rim

  friend bool operator==(const PlanarRegion&, const PlanarRegion&) = default;
};

struct MeshMouth {
  std::string file;  ///< as the scene has it, from the scene's folder
  MeshPlacement placement;
  std::optional<Vec3> normal;                  ///< of the region, of any length above 0
  std::optional<Vec3> near;                    ///< [m] the region is the nearest one
  std::shared_ptr<const PlanarRegion> region;  ///< nullptr before the file is read

  /// Whatever the file is called.
  bool same_region(const MeshMouth& other) const {
    return region && other.region ? *region == *other.region : region == other.region;
  }
};

/// Those of at least this area, the largest first. The normals of a region's triangles differ by less than a degree from that
/// of its largest one, and their corners lie in its plane.
std::vector<PlanarRegion> planar_regions(const IndexedMesh& mesh, double least_area);

/// The region that the mouth asks for in the placed mesh, whose triangles are turned outwards.
/// @param spacing  [m] of the particles: a region has at least the area of one, and is at least half of it wide
/// @throws InputError, without a file: there is none, there are several, it is too thin; with those that there are
PlanarRegion chosen_region(const MeshMouth& mouth, const IndexedMesh& mesh, float spacing);

}  // namespace riffle
