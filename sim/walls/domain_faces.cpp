#include "sim/walls/domain_faces.h"

#include <algorithm>
#include <cmath>

#include "sim/solver_info.h"
#include "sim/walls/solid_regions.h"

namespace riffle {

namespace {

constexpr double kMost = 1e12;          // of a count: more than any machine holds
constexpr double kMostFaceSites = 4e9;  // per axis: more than can be numbered, and far below the overflow of a count

/// Sites of one axis of the wall lattice: `inner` inside the box and `layers` beyond each walled face, evenly spaced so
/// that faces lie half a step from the sites on both sides.
struct WallAxis {
  std::int64_t layers = 0;
  std::int64_t inner = 1;
  double origin = 0, step = 0;
  double at(std::int64_t k) const { return step == 0 ? 0 : origin + (double(k) + 0.5) * step; }
  bool in_box(std::int64_t k) const { return k >= 0 && k < inner; }
  bool in_wall(std::int64_t k) const { return k >= -layers && k < inner + layers; }
  bool near_face(std::int64_t k, int side) const {
    return layers > 0 && (side == 0 ? k < layers : k >= inner - layers);
  }
  bool near_face(std::int64_t k) const { return near_face(k, 0) || near_face(k, 1); }
  bool beyond_face(std::int64_t k, int side) const { return side == 0 ? k < 0 : k >= inner; }
};

struct WallLattice {
  WallAxis axis[3];
};

WallAxis wall_axis(const SimulationSetup& setup, int axis) {
  constexpr double tolerance = 1e-3;  // a support radius of a whole number of spacings except for rounding
  const Domain& domain = setup.domain;
  WallAxis result;
  if (axis >= domain.dimension) return result;
  const double extent = component(domain.extent(), axis);
  result.inner = static_cast<std::int64_t>(std::clamp(std::round(extent / setup.spacing), 1.0, kMostFaceSites));
  result.step = extent / double(result.inner);
  result.origin = component(domain.min, axis);
  if (domain.walled(axis))
    result.layers = static_cast<std::int64_t>(std::ceil(setup.chosen_support_ratio() - tolerance));
  return result;
}

WallLattice wall_lattice(const SimulationSetup& setup) {
  return {{wall_axis(setup, 0), wall_axis(setup, 1), wall_axis(setup, 2)}};
}

struct Site {
  std::int64_t k[3];
  bool inside;
};

/// Adds the sites that `wanted` accepts.
template <class Wanted>
void sample(const WallLattice& lattice, SolidSamples& samples, const Wanted& wanted) {
  const WallAxis(&axis)[3] = lattice.axis;
  if (axis[0].layers + axis[1].layers + axis[2].layers == 0) return;  // a vast open box has too many rows to look at
  for (std::int64_t z = -2 * axis[2].layers; z < axis[2].inner + 2 * axis[2].layers; ++z)
    for (std::int64_t y = -2 * axis[1].layers; y < axis[1].inner + 2 * axis[1].layers; ++y) {
      const bool row_in_box = axis[2].in_box(z) && axis[1].in_box(y);
      const bool row_deep = row_in_box && !axis[2].near_face(z) && !axis[1].near_face(y);
      const bool row_in_wall = axis[2].in_wall(z) && axis[1].in_wall(y);
      for (std::int64_t x = -2 * axis[0].layers; x < axis[0].inner + 2 * axis[0].layers; ++x) {
        if (row_deep && x == axis[0].layers && axis[0].inner > 2 * axis[0].layers)
          x = axis[0].inner - axis[0].layers;  // skip the deep interior: it has the volume, the rest only the surface
        if (row_deep && axis[0].layers == 0) break;
        const bool inside = row_in_box && axis[0].in_box(x);
        if (!wanted(Site{{x, y, z}, inside})) continue;
        const Vec4 place{static_cast<float>(axis[0].at(x)), static_cast<float>(axis[1].at(y)),
                         static_cast<float>(axis[2].at(z)), 0};
        (inside ? samples.front : row_in_wall && axis[0].in_wall(x) ? samples.wall : samples.behind).push_back(place);
      }
    }
}

/// Sites of the box and of `times` times its walls' layers around it.
double sites_with_walls(const SimulationSetup& setup, int times) {
  const WallLattice lattice = wall_lattice(setup);
  double sites = 1;
  for (const WallAxis& axis : lattice.axis) sites *= double(axis.inner + 2 * times * axis.layers);
  return sites;
}

std::int64_t sites_between(const SimulationSetup& setup, int inner, int outer) {
  return static_cast<std::int64_t>(std::min(sites_with_walls(setup, outer) - sites_with_walls(setup, inner), kMost));
}

std::int64_t count_sites(const SimulationSetup& setup, std::vector<Vec4> SolidSamples::*list) {
  std::int64_t sites = 0;
  for (const Solid& solid : setup.solids) sites += static_cast<std::int64_t>(((*solid.samples).*list).size());
  return sites;
}

}  // namespace

SolidSamples sample_faces(const SimulationSetup& setup) {
  SolidSamples samples;
  samples.wall.reserve(static_cast<std::size_t>(sites_between(setup, 0, 1)));
  sample(wall_lattice(setup), samples, [](const Site&) { return true; });
  return samples;
}

SolidSamples sample_face(const SimulationSetup& setup, int axis, int side) {
  SolidSamples samples;
  const WallLattice lattice = wall_lattice(setup);
  sample(lattice, samples, [&, across = lattice.axis[axis]](const Site& site) {
    return site.inside ? across.near_face(site.k[axis], side) : across.beyond_face(site.k[axis], side);
  });
  return samples;
}

FaceVelocities face_velocities(const SimulationSetup& setup) {
  FaceVelocities faces{setup.domain};
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2; ++side) faces.velocity[a][side] = setup.wcsph.wall_velocity[a][side];
  return faces;
}

Solid faces_as_one_solid(const SimulationSetup& setup) {
  return {std::make_shared<const SolidSamples>(sample_faces(setup)), {}, face_velocities(setup)};
}

std::vector<Solid> faces_as_solids(const SimulationSetup& setup) {
  std::vector<Solid> solids;
  for (int a = 0; a < 3; ++a)
    for (int side = 0; side < 2 && setup.domain.walled(a); ++side) {
      Solid& face = solids.emplace_back();
      face.samples = std::make_shared<const SolidSamples>(sample_face(setup, a, side));
      face.placement.motion.velocity = setup.wcsph.wall_velocity[a][side];
    }
  return solids;
}

WallCounts count_walls(const SimulationSetup& setup, const StartProgress& progress) {
  if (!solver_info(setup).wall_particles) return {};
  if (!setup.solids.empty() && setup.solid_regions.empty())
    return {count_sites(setup, &SolidSamples::wall), count_sites(setup, &SolidSamples::behind)};
  const RegionSites regions = count_region_sites(setup, progress);  // none without regions
  return {sites_between(setup, 0, 1) + regions.wall, sites_between(setup, 1, 2) + regions.behind};
}

std::int64_t count_boundary_particles(const SimulationSetup& setup) { return count_walls(setup).wall; }
std::int64_t count_sites_behind_walls(const SimulationSetup& setup) { return count_walls(setup).behind; }

}  // namespace riffle
