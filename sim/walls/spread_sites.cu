#include "sim/walls/spread_sites.h"

#include "core/device/parallel.cuh"
#include "core/math/periodic.h"
#include "neighbors/build_sorted.h"
#include "neighbors/chosen_cells.h"
#include "neighbors/traverse.cuh"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

namespace {

constexpr int kRounds = 30;            // the spread of the volumes falls no further
constexpr float kReach = 1.25f;        // [spacings] of the repulsion
constexpr float kStrength = 0.25f;     // [spacings]
constexpr float kLongestStep = 0.15f;  // [spacings]
constexpr float kTolerance = 0.02f;    // [spacings] of the distance that a site keeps

/// Where the surface puts a site: its distance is made the wanted one.
struct KeepDistance {
  SurfaceView surface;
  float tolerance;

  /// @return false if it cannot be had near x, at an edge
  RIFFLE_HD bool operator()(Vec3& x, float wanted) const {
    for (int k = 0; k < 4; ++k) {
      const SurfaceDistance d = nearest_surface(surface.shapes, surface.count, surface.corners, x, surface.dimension);
      const float off = wanted - d.distance;
      if (off < tolerance && off > -tolerance) return true;
      x += off * d.normal;
    }
    return false;
  }
};

struct Repel {
  SurfaceView surface;
  Domain domain;
  float spacing;
  const Vec4* site;  ///< in the search's order; w is the distance to keep
  Vec4* moved;       ///< out

  struct State {
    Vec3 push;
  };
  RIFFLE_HD State begin(int) const { return {{0, 0, 0}}; }
  RIFFLE_HD void neighbor(State& state, int i, int j, Vec3 r_ij, float r2) const {
    if (i == j || !(r2 > 0)) return;
    const float r = sqrtf(r2), q = 1 - r / (kReach * spacing);
    if (q > 0) state.push += (q * q / r) * r_ij;
  }
  RIFFLE_HD void end(State& state, int i) const {
    const Vec3 from = xyz(site[i]);
    const SurfaceDistance d = nearest_surface(surface.shapes, surface.count, surface.corners, from, surface.dimension);
    Vec3 step = (kStrength * spacing) * (state.push - dot(state.push, d.normal) * d.normal);
    if (surface.dimension == 2) step.z = 0;
    const float length = sqrtf(length2(step)), longest = kLongestStep * spacing;
    if (length > longest) step = (longest / length) * step;
    Vec3 x = from + step;
    if (!KeepDistance{surface, kTolerance * spacing}(x, site[i].w)) x = from;
    moved[i] = make_vec4(periodic_image(x, domain), site[i].w);
  }
};

}  // namespace

void spread_sites(const FlatRegions& region, const Domain& domain, float spacing, const SamplingProgress& progress,
                  std::vector<Vec4>& sites) {
  if (sites.empty()) return;
  const Device device;  // whatever the simulation runs on: all have the same sites
  Buffer<Vec4> site(device, std::span<const Vec4>(sites)), sorted(device), moved(device, sites.size());
  const SurfaceView surface{region.shapes.data(), region.corners.data(), static_cast<int>(region.shapes.size()),
                            domain.dimension, 0};
  const auto count = static_cast<int>(sites.size());
  NeighborSearch search(device, with_chosen_cells({{.method = NeighborMethod::Hoetzlein}, /*deterministic=*/true},
                                                  domain, kReach * spacing, count));
  for (int round = 0; round < kRounds; ++round) {
    progress.look();
    build_sorted(search, site.data(), count, domain, kReach * spacing, sorted);
    for_each_neighbor_in_grid(search, "spread sites", sorted.data(), sorted.data(), count, kReach * spacing,
                              Repel{surface, domain, spacing, sorted.data(), moved.data()});
    site.swap(moved);
  }
  sites = site.to_host();
}

}  // namespace riffle
