#pragma once
/// Whether places lie in a setup's solids, or near them.

#include <algorithm>
#include <cstddef>
#include <optional>

#include "sim/walls/solid_surfaces.h"

namespace riffle {

/// Whether x is nearer than that to one of the regions; with a negative distance whether it lies that deep in one.
inline bool is_nearer(const FlatRegions& regions, Vec3 x, float distance, int dimension) {
  bool near = false;
  for_each_region(regions.shapes.data(), static_cast<int>(regions.shapes.size()), regions.corners.data(), x,
                  std::max(distance, 0.0f), dimension,
                  [&](std::uint32_t, SurfaceDistance d) { near = near || d.distance < distance; });
  return near;
}

class InsideSolids {
 public:
  explicit InsideSolids(const SimulationSetup& setup)
      : solids_(flat_solids(setup)), dimension_(setup.domain.dimension), rounding_(kOnSurface * setup.spacing) {}

  /// The region that x lies in, deeper than a particle at rest on its surface may; nothing if x is outside of all.
  std::optional<std::size_t> around(Vec3 x) const {
    std::optional<std::size_t> found;
    for_each_region(solids_.shapes.data(), static_cast<int>(solids_.shapes.size()), solids_.corners.data(), x, 0,
                    dimension_, [&](std::uint32_t solid, SurfaceDistance d) {
                      if (!found && d.distance < -rounding_) found = solid;
                    });
    return found;
  }

 private:
  static constexpr float kOnSurface = 0.02f;  // [spacings]
  FlatRegions solids_;
  int dimension_;
  float rounding_;
};

}  // namespace riffle
