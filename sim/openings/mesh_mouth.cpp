#include "sim/openings/mesh_mouth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/error.h"

namespace riffle {

namespace {

using Vector = std::array<double, 3>;

constexpr double kDegree = 0.017453292519943295;
constexpr double kSameNormal = 1 * kDegree;   // of a region's triangles
constexpr double kAskedNormal = 2 * kDegree;  // between what is asked for and a region's
constexpr double kFlatness = 1e-4;            // of the mesh's extent: how far from the plane corners may lie
constexpr double kAsNear = 1e-3;              // [spacings] two regions are equally near
constexpr std::size_t kMostNamed = 4;         // regions in a message

Vector vector_of(Vec3 v) { return {v.x, v.y, v.z}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot_of(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length_of(const Vector& a) { return std::sqrt(dot_of(a, a)); }
Vector cross_of(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The triangles of a mesh and which of them share an edge.
class Facets {
 public:
  explicit Facets(const IndexedMesh& mesh) : mesh_(mesh) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Vector a = corner(t, 0), twice = cross_of(corner(t, 1) - a, corner(t, 2) - a);
      twice_area_.push_back(length_of(twice));
      normal_.push_back(twice_area_[t] > 0 ? 1 / twice_area_[t] * twice : Vector{});
      for (int e = 0; e < 3; ++e) sharing_[edge(t, e)].push_back(t);
    }
    Vector low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
    for (const Vec3& v : mesh.vertices)
      for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], vector_of(v)[a]), high[a] = std::max(high[a], vector_of(v)[a]);
      }
    flatness_ = kFlatness * length_of(high - low);
  }

  std::vector<PlanarRegion> regions(double least_area) const {
    std::vector<std::size_t> by_area(twice_area_.size());
    std::iota(by_area.begin(), by_area.end(), std::size_t{0});
    std::stable_sort(by_area.begin(), by_area.end(),
                     [&](std::size_t a, std::size_t b) { return twice_area_[a] > twice_area_[b]; });
    std::vector<bool> used(twice_area_.size(), false);
    std::vector<PlanarRegion> found;
    for (const std::size_t seed : by_area) {
      if (used[seed] || !(twice_area_[seed] > 0)) continue;
      PlanarRegion region = grown(seed, used);
      if (region.area >= least_area) found.push_back(std::move(region));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const PlanarRegion& a, const PlanarRegion& b) { return a.area > b.area; });
    return found;
  }

 private:
  Vector corner(std::size_t t, int k) const { return vector_of(mesh_.vertex(t, k)); }
  std::uint64_t edge(std::size_t t, int e) const {
    const std::uint64_t a = mesh_.triangles[t][static_cast<std::size_t>(e)],
                        b = mesh_.triangles[t][static_cast<std::size_t>((e + 1) % 3)];
    return a < b ? a << 32 | b : b << 32 | a;
  }

  bool in_plane(std::size_t t, const Vector& normal, const Vector& place) const {
    if (dot_of(normal_[t], normal) < std::cos(kSameNormal)) return false;
    for (int k = 0; k < 3; ++k)
      if (std::fabs(dot_of(corner(t, k) - place, normal)) > flatness_) return false;
    return true;
  }

  PlanarRegion grown(std::size_t seed, std::vector<bool>& used) const {
    const Vector normal = normal_[seed], place = corner(seed, 0);
    std::vector<std::size_t> triangles{seed};
    used[seed] = true;
    for (std::size_t k = 0; k < triangles.size(); ++k)
      for (int e = 0; e < 3; ++e)
        for (const std::size_t next : sharing_.at(edge(triangles[k], e)))
          if (!used[next] && twice_area_[next] > 0 && in_plane(next, normal, place))
            used[next] = true, triangles.push_back(next);
    PlanarRegion region;
    std::map<std::uint64_t, std::pair<int, std::array<Vec3, 2>>>
        edges;  // in an order that does not depend on the machine
    Vector sum{}, direction{};
    for (const std::size_t t : triangles) {
      const double area = 0.5 * twice_area_[t];
      region.area += area;
      sum = sum + area / 3 * (corner(t, 0) + corner(t, 1) + corner(t, 2));
      direction = direction + area * normal_[t];
      for (int e = 0; e < 3; ++e) {
        auto& [count, ends] = edges[edge(t, e)];
        ++count, ends = {mesh_.vertex(t, e), mesh_.vertex(t, (e + 1) % 3)};
      }
    }
    region.middle = 1 / region.area * sum;
    region.normal = 1 / length_of(direction) * direction;
    for (const auto& [key, counted] : edges)
      if (counted.first == 1) region.rim.push_back(counted.second);
    return region;
  }

  const IndexedMesh& mesh_;
  std::vector<double> twice_area_;
  std::vector<Vector> normal_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> sharing_;
  double flatness_ = 0;
};

/// [m] From a place to the region.
double distance_to(const PlanarRegion& region, const Vector& place) {
  const Vector &n = region.normal, r = place - region.middle;
  const Vector aside = std::fabs(n[0]) < 0.7 ? Vector{1, 0, 0} : Vector{0, 1, 0};
  const Vector u = cross_of(n, aside), v = cross_of(n, u);
  const auto flat = [&](const Vector& x) {
    return std::array<double, 2>{dot_of(x, u) / dot_of(u, u), dot_of(x, v) / dot_of(u, u)};
  };
  const auto at = flat(r);
  bool inside = false;
  double nearest = INFINITY;
  for (const auto& [first, second] : region.rim) {
    const Vector a = vector_of(first), along = vector_of(second) - a, off = place - a;
    const double share = std::clamp(dot_of(off, along) / std::max(dot_of(along, along), 1e-300), 0.0, 1.0);
    nearest = std::min(nearest, length_of(off - share * along));
    const auto p = flat(a - region.middle), q = flat(vector_of(second) - region.middle);
    if ((p[1] > at[1]) != (q[1] > at[1]) && at[0] < (q[0] - p[0]) * (at[1] - p[1]) / (q[1] - p[1]) + p[0])
      inside = !inside;
  }
  return inside ? std::fabs(dot_of(r, n)) : nearest;
}

std::string text_of(const Vector& v) {
  const auto rounded = [](double x) { return std::fabs(x) < 5e-7 ? 0.0 : x; };
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", rounded(v[0]), rounded(v[1]), rounded(v[2]));
}

/// "0.01 m^2 at [0, 1, 0] with the normal [0, -1, 0]" of the first ones.
std::string list_of(const std::vector<PlanarRegion>& regions) {
  std::string text;
  for (std::size_t k = 0; k < std::min(regions.size(), kMostNamed); ++k)
    text += fmt::format("{}{:.3g} m^2 at {} with the normal {}", k == 0 ? "" : "; ", regions[k].area,
                        text_of(regions[k].middle), text_of(regions[k].normal));
  return text + (regions.size() > kMostNamed ? fmt::format("; and {} more", regions.size() - kMostNamed) : "");
}

}  // namespace

double PlanarRegion::width() const {
  double length = 0;
  for (const auto& [a, b] : rim) length += length_of(vector_of(b) - vector_of(a));
  return length > 0 ? 2 * area / length : 0;
}

std::vector<PlanarRegion> planar_regions(const IndexedMesh& mesh, double least_area) {
  return Facets(mesh).regions(least_area);
}

PlanarRegion chosen_region(const MeshMouth& mouth, const IndexedMesh& mesh, float spacing) {
  const double least = double{spacing} * spacing;
  const std::vector<PlanarRegion> all = planar_regions(mesh, least);
  if (all.empty())
    throw InputError(
        fmt::format("found no planar region of at least a particle's face ({:.3g} m^2); allowed: a mesh with a "
                    "flat mouth, or a smaller particle spacing",
                    least));
  std::vector<PlanarRegion> fitting = all;
  if (mouth.normal) {
    const Vector asked = vector_of(*mouth.normal);
    std::erase_if(fitting, [&](const PlanarRegion& region) {
      return dot_of(region.normal, asked) < std::cos(kAskedNormal) * length_of(asked);
    });
    if (fitting.empty())
      throw InputError(
          fmt::format("found no planar region with the normal {}; there are: {}", text_of(asked), list_of(all)));
  }
  std::size_t chosen = 0;
  if (mouth.near) {
    std::vector<double> distance;
    for (const PlanarRegion& region : fitting) distance.push_back(distance_to(region, vector_of(*mouth.near)));
    chosen = static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) - distance.begin());
    std::vector<PlanarRegion> as_near;
    for (std::size_t k = 0; k < fitting.size(); ++k)
      if (distance[k] <= distance[chosen] + kAsNear * spacing) as_near.push_back(fitting[k]);
    if (as_near.size() > 1)
      throw InputError(
          fmt::format("found {} planar regions that are equally near to {}: {}; allowed: a place that is "
                      "nearer to one, or a normal",
                      as_near.size(), text_of(vector_of(*mouth.near)), list_of(as_near)));
  } else if (fitting.size() > 1) {
    throw InputError(
        fmt::format("found {} planar regions with that normal: {}; allowed: `near`, a place to which the mouth "
                    "is nearest",
                    fitting.size(), list_of(fitting)));
  }
  const PlanarRegion& region = fitting[chosen];
  if (region.width() < 0.5 * spacing)
    throw InputError(
        fmt::format("found a planar region too thin for the particles: {}, {:.3g} m wide; allowed: at least half "
                    "a particle spacing, {:.3g} m",
                    list_of({region}), region.width(), 0.5 * spacing));
  return region;
}

}  // namespace riffle
