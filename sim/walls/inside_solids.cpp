#include "sim/walls/inside_solids.h"

#include <algorithm>

namespace riffle {

SolidsAtRest::SolidsAtRest(const SimulationSetup& setup)
    : flat_(flat_solids(setup)), found_({}, setup, flat_, FoundSolids::At::Rest) {
  view_ = {flat_.shapes.data(), flat_.corners.data(), static_cast<int>(flat_.shapes.size()), setup.domain.dimension,
           kOnSurface * setup.spacing};
  found_.put_into(view_);
}

bool SolidsAtRest::nearer(Vec3 x, float distance) const {
  bool near = false;
  view_.for_each_near(x, std::max(distance, 0.0f),
                      [&](std::uint32_t, SurfaceDistance d) { near = near || d.distance < distance; });
  return near;
}

SurfaceDistance SolidsAtRest::nearest(Vec3 x, float reach) const {
  SurfaceDistance nearest{kNowhere, {0, 1, 0}};
  for_each_near(x, reach, [&](std::size_t, SurfaceDistance d) {
    if (d.distance < nearest.distance) nearest = d;
  });
  return nearest.distance < reach ? nearest : SurfaceDistance{kNowhere, {0, 1, 0}};
}

std::optional<std::size_t> SolidsAtRest::around(Vec3 x) const {
  std::optional<std::size_t> found;
  view_.for_each_near(x, 0, [&](std::uint32_t solid, SurfaceDistance d) {
    if (!found && d.distance < -view_.rounding) found = solid;
  });
  return found;
}

}  // namespace riffle
