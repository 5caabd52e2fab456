#pragma once
/// The surface of a solid from a mesh file, placed in a scene.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/meshes/distance_grid.h"
#include "sim/meshes/repair.h"
#include "sim/meshes/surface_samples.h"

namespace riffle {

class MeshSurface {
 public:
  /// @param mesh  finite, with at least one triangle that has an area
  explicit MeshSurface(const IndexedMesh& mesh);

  const IndexedMesh& mesh() const { return repaired_.mesh; }
  const RepairedMesh& repair() const { return repaired_; }
  Vec3 low() const { return low_; }
  Vec3 high() const { return high_; }
  double volume() const { return volume_; }    ///< [m^3]
  Vec3 centroid() const { return centroid_; }  ///< [m] of its area: a mesh that is turned takes it along

  bool contains(Vec3 place) const { return tree_.winding(place) > 0.5; }
  float distance(Vec3 place) const;  ///< [m] exact but for rounding; negative inside
  const TriangleTree& tree() const { return tree_; }

  /// How often the surface of the file, before its holes were closed, winds around a place.
  /// @param winding  of the closed surface, tree().winding(place)
  double winding_of_file(Vec3 place, double winding) const;

  /// Measured at the first call and kept, since a scene is reviewed after each change of a key.
  const WindingSamples& winding_samples() const;

  /// The part that is thinner. The results of the last thicknesses are kept. @param thickness [m]
  ThinPart part_thinner_than(float thickness) const;

  /// The distances on a grid. The last grids are kept.
  std::shared_ptr<const DistanceGrid> grid(const GridWish& wish) const;

 private:
  RepairedMesh repaired_;
  TriangleTree tree_, closing_;  ///< all; the triangles that close holes alone
  Vec3 low_, high_, centroid_;
  double volume_ = 0;
  mutable std::once_flag winding_sampled_;
  mutable WindingSamples winding_samples_;
  mutable std::mutex mutex_;                                    ///< of what follows
  mutable std::vector<std::pair<float, ThinPart>> thin_parts_;  ///< by thickness
  mutable std::vector<std::pair<GridWish, std::shared_ptr<const DistanceGrid>>> grids_;
};

/// The surface of these triangles at this place. One that somebody has is not made a second time.
/// @throws InputError, without a file, when the repair leaves no triangle
std::shared_ptr<const MeshSurface> mesh_surface(const IndexedMesh& mesh, const MeshPlacement& placement);

/// The surface elsewhere.
std::shared_ptr<const MeshSurface> moved_surface(const MeshSurface& surface, Vec3 by);

}  // namespace riffle
