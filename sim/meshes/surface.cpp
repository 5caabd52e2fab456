#include "sim/meshes/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"
#include "core/math/cross_product.h"

namespace riffle {

namespace {

constexpr std::size_t kKeptGrids = 3;
constexpr std::size_t kKeptThinParts = 8;

IndexedMesh last_triangles(const IndexedMesh& mesh, std::size_t count) {
  IndexedMesh part;
  if (count == 0) return part;
  part.vertices = mesh.vertices;
  part.triangles.assign(mesh.triangles.end() - static_cast<std::ptrdiff_t>(count), mesh.triangles.end());
  return part;
}

bool same_bits(const IndexedMesh& a, const IndexedMesh& b) {
  return a.triangles == b.triangles && a.vertices.size() == b.vertices.size() &&
         std::memcmp(a.vertices.data(), b.vertices.data(), a.vertices.size() * sizeof(Vec3)) == 0;
}

std::uint64_t hash_of(const IndexedMesh& mesh) {
  std::uint64_t hash = 1469598103934665603ull;
  const auto mix = [&](const void* data, std::size_t words) {
    const char* from = static_cast<const char*>(data);
    for (std::size_t k = 0; k < words; ++k) {
      std::uint32_t word;
      std::memcpy(&word, from + 4 * k, 4);
      hash = (hash ^ word) * 1099511628211ull;
    }
  };
  mix(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3) / 4);
  mix(mesh.triangles.data(), mesh.triangles.size() * sizeof(Triangle) / 4);
  return hash;
}

struct Made {
  std::uint64_t hash;
  IndexedMesh from;  ///< as it was given, placed
  std::weak_ptr<const MeshSurface> surface;
};

std::shared_ptr<const MeshSurface> made_or_shared(IndexedMesh mesh) {
  static std::mutex mutex;
  static std::vector<Made> before;
  const std::uint64_t hash = hash_of(mesh);
  const std::lock_guard lock(mutex);
  std::erase_if(before, [](const Made& made) { return made.surface.expired(); });
  for (const Made& made : before)
    if (made.hash == hash && same_bits(made.from, mesh))
      if (auto surface = made.surface.lock()) return surface;
  auto surface = std::make_shared<const MeshSurface>(mesh);
  before.push_back({hash, std::move(mesh), surface});
  return surface;
}

}  // namespace

MeshSurface::MeshSurface(const IndexedMesh& mesh)
    : repaired_(repaired(mesh)), tree_(repaired_.mesh), closing_(last_triangles(repaired_.mesh, repaired_.closed)) {
  const IndexedMesh& all = repaired_.mesh;
  low_ = {INFINITY, INFINITY, INFINITY}, high_ = -low_;
  for (std::size_t t = 0; t < all.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3 v = all.vertex(t, k);
      low_ = {std::min(low_.x, v.x), std::min(low_.y, v.y), std::min(low_.z, v.z)};
      high_ = {std::max(high_.x, v.x), std::max(high_.y, v.y), std::max(high_.z, v.z)};
    }
  if (all.triangles.empty()) low_ = high_ = {};
  double area = 0, moment[3] = {};
  for (std::size_t t = 0; t < all.triangles.size(); ++t) {
    double v[3][3];  // products of lengths above 1e12 m are no floats
    for (int k = 0; k < 3; ++k) {
      const Vec3 at = all.vertex(t, k);
      v[k][0] = double{at.x} - low_.x, v[k][1] = double{at.y} - low_.y, v[k][2] = double{at.z} - low_.z;
    }
    const auto& [a, b, c] = v;
    volume_ +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
    const double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double twice =
        std::hypot(ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]);
    area += twice;
    for (int k = 0; k < 3; ++k) moment[k] += twice * (a[k] + b[k] + c[k]) / 3;
  }
  centroid_ = area > 0 ? low_ + Vec3{static_cast<float>(moment[0] / area), static_cast<float>(moment[1] / area),
                                     static_cast<float>(moment[2] / area)}
                       : 0.5f * (low_ + high_);
}

float MeshSurface::distance(Vec3 place) const {
  const float distance = std::sqrt(tree_.nearest(place).distance2);
  return contains(place) ? -distance : distance;
}

double MeshSurface::winding_of_file(Vec3 place, double winding) const { return winding - closing_.winding(place); }

const WindingSamples& MeshSurface::winding_samples() const {
  std::call_once(winding_sampled_, [this] { winding_samples_ = sample_winding(*this); });
  return winding_samples_;
}

ThinPart MeshSurface::part_thinner_than(float thickness) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [of, part] : thin_parts_)
    if (of == thickness) return part;
  const ThinPart part = sample_thickness(*this, thickness);
  if (thin_parts_.size() == kKeptThinParts) thin_parts_.erase(thin_parts_.begin());
  thin_parts_.emplace_back(thickness, part);
  return part;
}

std::shared_ptr<const DistanceGrid> MeshSurface::grid(const GridWish& wish) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [wanted, grid] : grids_)
    if (wanted == wish) return grid;
  auto grid = std::make_shared<const DistanceGrid>(tree_, wish);
  if (grids_.size() == kKeptGrids) grids_.erase(grids_.begin());
  grids_.emplace_back(wish, grid);
  return grid;
}

std::shared_ptr<const MeshSurface> mesh_surface(const IndexedMesh& mesh, const MeshPlacement& placement) {
  auto surface = made_or_shared(placed(mesh, placement));
  if (surface->mesh().triangles.empty())
    throw InputError(
        fmt::format("none of its {} triangles has an area where corners nearer than a millionth of the mesh are one; "
                    "allowed: a surface "
                    "around some volume, not scaled down to nothing",
                    mesh.triangles.size()));
  return surface;
}

std::shared_ptr<const MeshSurface> moved_surface(const MeshSurface& surface, Vec3 by) {
  IndexedMesh mesh = surface.mesh();
  for (Vec3& v : mesh.vertices) v += by;
  return made_or_shared(std::move(mesh));
}

}  // namespace riffle
