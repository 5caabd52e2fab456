#include "sim/walls/surface_bend.h"

#include "core/device/parallel.cuh"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

namespace {

// An edge has no curvature that particles resolve. There, and behind the middle of a small solid, the bend ends here.
constexpr float kMostBend = 1, kLeastBend = -0.75f;
constexpr float kMostTurn = 0.5f;  // k times the depth over 2

struct FindBend {
  SurfaceView surface;
  float spacing;
  Vec4* site;  ///< in and out

  RIFFLE_HD SurfaceDistance at(Vec3 x) const {
    return nearest_surface(surface.shapes, surface.count, surface.corners, x, surface.dimension);
  }
  /// Its divergence is the sum of the curvatures.
  RIFFLE_HD float normal_at(Vec3 x, int axis, float step) const {
    (axis == 0 ? x.x : axis == 1 ? x.y : x.z) += step;
    return component(at(x).normal, axis);
  }

  RIFFLE_HD void operator()(std::int64_t s) const {
    const float depth = -site[s].w;
    const SurfaceDistance here = at(xyz(site[s]));
    const Vec3 foot = xyz(site[s]) - here.distance * here.normal;
    float k = 0;
    for (int axis = 0; axis < surface.dimension; ++axis)
      k += (normal_at(foot, axis, spacing) - normal_at(foot, axis, -spacing)) / (2 * spacing);
    const float in_front = 0.25f * spacing * k;  // half a spacing times k / 2
    float inside = 0.5f * depth * k;
    if (inside > kMostTurn) inside = kMostTurn;
    float bend = (1 + in_front) / (1 - inside) - 1;
    if (!(bend > kLeastBend)) bend = kLeastBend;
    if (bend > kMostBend) bend = kMostBend;
    site[s].w = bend;
  }
};

}  // namespace

void find_bends(const FlatRegions& region, const Domain& domain, float spacing, std::vector<Vec4>& sites) {
  const Device device;  // whatever the simulation runs on: all have the same bends
  const SurfaceView surface{region.shapes.data(), region.corners.data(), static_cast<int>(region.shapes.size()),
                            domain.dimension, 0};
  parallel_for(device, "surface bends", static_cast<std::int64_t>(sites.size()),
               FindBend{surface, spacing, sites.data()});
}

}  // namespace riffle
