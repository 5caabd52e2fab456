/// Moments of meshes, and of what `without` takes away.

#include <algorithm>
#include <cmath>
#include <map>

#include "core/math/domain.h"
#include "sim/bodies/mass/moments.h"
#include "sim/meshes/surface.h"
#include "sim/shapes/distance.h"

namespace riffle::bodies {

namespace {

/// Every edge is passed as often one way as the other.
bool edges_match(const IndexedMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> passes;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      passes[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return std::all_of(passes.begin(), passes.end(), [](const auto& edge) { return edge.second == 0; });
}

/// Whether the surface winds once around every place of a grid that it encloses.
bool winds_once(const MeshSurface& surface) {
  constexpr int kPlaces = 24;  // along each side
  const Vec3 low = surface.low(), extent = surface.high() - surface.low();
  for (int k = 0; k < kPlaces; ++k)
    for (int j = 0; j < kPlaces; ++j)
      for (int i = 0; i < kPlaces; ++i) {
        const auto at = [&](int n) { return (float(n) + 0.5f) / kPlaces; };
        const double winding = surface.tree().winding(low + Vec3{at(i) * extent.x, at(j) * extent.y, at(k) * extent.z});
        if (std::fabs(winding) > 0.25 && std::fabs(winding - 1) > 0.25) return false;
      }
  return true;
}

/// The share of a cell that lies inside a plane. Exact where the normal is along an axis.
double share_inside(const SurfaceDistance& d, double cell, int dimension) {
  double width = std::fabs(d.normal.x) + std::fabs(d.normal.y) + (dimension == 3 ? std::fabs(d.normal.z) : 0.0f);
  width = std::max(width, 1e-3) * cell;
  return std::clamp(0.5 - d.distance / width, 0.0, 1.0);
}

template <class Distance>
Moments sum_of_cells(Bounds bounds, int dimension, const Distance& distance) {
  double low[3] = {0, 0, 0}, extent[3] = {0, 0, 0}, longest = 0;
  for (int a = 0; a < dimension; ++a) {
    low[a] = component(bounds.min, a);
    extent[a] = double{component(bounds.max, a)} - component(bounds.min, a);
    if (!(extent[a] > 0)) return {};
    longest = std::max(longest, extent[a]);
  }
  const double cell = longest / (dimension == 3 ? kMomentCells : kMomentCells2);
  int count[3] = {1, 1, 1};
  for (int a = 0; a < dimension; ++a) {
    count[a] = static_cast<int>(std::ceil(extent[a] / cell - 1e-9));
    low[a] -= 0.5 * (count[a] * cell - extent[a]);  // the cells reach as far beyond both ends
  }
  // Sums from the middle of the cells, in cells.
  double volume = 0, first[3] = {0, 0, 0}, second[3][3] = {};
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i) {
        const double at[3] = {i + 0.5 - 0.5 * count[0], j + 0.5 - 0.5 * count[1],
                              dimension == 3 ? k + 0.5 - 0.5 * count[2] : 0};
        const Vec3 x{static_cast<float>(low[0] + (i + 0.5) * cell), static_cast<float>(low[1] + (j + 0.5) * cell),
                     dimension == 3 ? static_cast<float>(low[2] + (k + 0.5) * cell) : 0};
        const double share = share_inside(distance(x), cell, dimension);
        if (share == 0) continue;
        volume += share;
        for (int a = 0; a < dimension; ++a) {
          first[a] += share * at[a];
          for (int b = 0; b < dimension; ++b) second[a][b] += share * (at[a] * at[b] + (a == b ? 1.0 / 12 : 0));
        }
      }
  if (volume == 0) return {};
  Moments m;
  const double unit = dimension == 3 ? cell * cell * cell : cell * cell;
  m.volume = volume * unit;
  for (int a = 0; a < dimension; ++a) {
    m.center[a] = low[a] + (0.5 * count[a] + first[a] / volume) * cell;
    for (int b = 0; b < dimension; ++b)
      m.second[a][b] = (second[a][b] - first[a] * first[b] / volume) * unit * cell * cell;
  }
  return m;
}

FlatRegions alone(const Region& region, int dimension) {
  Domain domain;  // open: nothing has images
  domain.dimension = dimension;
  const Bounds bounds = bounds_of(region);
  domain.min = bounds.min;
  domain.max = bounds.max;
  const Vec3 extent = bounds.max - bounds.min;
  const float longest = std::max({extent.x, extent.y, dimension == 3 ? extent.z : 0});
  const Region* const one[] = {&region};
  return flatten(one, domain, region.shape == Shape::Mesh ? 2 * longest / kMomentCells : 0);
}

Bounds common_part(const Bounds& a, const Bounds& b) {
  return {{std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y), std::max(a.min.z, b.min.z)},
          {std::min(a.max.x, b.max.x), std::min(a.max.y, b.max.y), std::min(a.max.z, b.max.z)}};
}

Bounds both_parts(const Bounds& a, const Bounds& b) {
  return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)},
          {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)}};
}

}  // namespace

Moments mesh_moments(const PlainShape& shape) {
  if (!shape.surface) return {};
  const MeshSurface& surface = *shape.surface;
  const IndexedMesh& mesh = surface.mesh();
  if (!edges_match(mesh) || !winds_once(surface)) return cell_moments(shape, 3);
  const Vec3 middle = 0.5f * (surface.low() + surface.high());
  const double origin[3] = {middle.x, middle.y, middle.z};
  SimplexSum tetrahedra(origin, 3);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    double corner[3][3];
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 3; ++a) corner[k][a] = double{component(mesh.vertex(t, k), a)} - origin[a];
    tetrahedra.add(corner);
  }
  return tetrahedra.result();
}

Moments cell_moments(const PlainShape& shape, int dimension) {
  Region region;
  static_cast<PlainShape&>(region) = shape;
  const FlatRegions flat = alone(region, dimension);
  return sum_of_cells(bounds_of(shape), dimension,
                      [&](Vec3 x) { return surface_distance(flat.shapes[0], flat.corners.data(), x, dimension); });
}

Moments cut_moments(const Region& region, int dimension) {
  if (region.plain()) return {};
  const FlatRegions flat = alone(region, dimension);
  Bounds cuts = bounds_of(region.without.front());
  for (const PlainShape& cut : region.without) cuts = both_parts(cuts, bounds_of(cut));
  return sum_of_cells(common_part(bounds_of(region), cuts), dimension, [&](Vec3 x) {
    SurfaceDistance taken{kNowhere, {0, 1, 0}};
    for (std::size_t k = 1; k < flat.shapes.size(); ++k) {
      const SurfaceDistance d = surface_distance(flat.shapes[k], flat.corners.data(), x, dimension);
      if (d.distance < taken.distance) taken = d;
    }
    const SurfaceDistance own = surface_distance(flat.shapes[0], flat.corners.data(), x, dimension);
    return own.distance > taken.distance ? own : taken;
  });
}

}  // namespace riffle::bodies
