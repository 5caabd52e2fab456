#include "sim/meshes/creases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math/cross_product.h"
#include "sim/meshes/triangle_tree.h"

namespace riffle {

namespace {

Vec3 unit(Vec3 v) {
  const float length = std::sqrt(length2(v));
  return length > 0 ? (1 / length) * v : Vec3{};
}

}  // namespace

TriangleMesh with_creases(const IndexedMesh& mesh, float crease_degrees) {
  struct Corner {
    Vec3 normal;
    float angle;
  };
  const std::size_t count = mesh.triangles.size();
  std::vector<Vec3> normal(count);
  std::vector<std::uint32_t> first(mesh.vertices.size() + 1, 0);  // of each vertex, into `around`
  for (std::size_t t = 0; t < count; ++t) {
    const Vec3 a = mesh.vertex(t, 0);
    normal[t] = unit(cross_product(mesh.vertex(t, 1) - a, mesh.vertex(t, 2) - a));
    for (const std::uint32_t v : mesh.triangles[t]) ++first[v + 1];
  }
  for (std::size_t v = 0; v + 1 < first.size(); ++v) first[v + 1] += first[v];
  std::vector<Corner> around(3 * count);
  std::vector<std::uint32_t> filled(first.begin(), first.end() - 1);
  for (std::size_t t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3 at = mesh.vertex(t, k), u = unit(mesh.vertex(t, (k + 1) % 3) - at),
                 v = unit(mesh.vertex(t, (k + 2) % 3) - at);
      around[filled[mesh.triangles[t][static_cast<std::size_t>(k)]]++] = {
          normal[t], std::acos(std::clamp(dot(u, v), -1.0f, 1.0f))};
    }
  const auto smooth = static_cast<float>(std::cos(double{crease_degrees} * std::numbers::pi / 180));
  TriangleMesh result;
  result.corners.reserve(3 * count);
  for (std::size_t t = 0; t < count; ++t)
    for (const std::uint32_t v : mesh.triangles[t]) {
      Vec3 mean{};
      for (std::uint32_t k = first[v]; k < first[v + 1]; ++k)
        if (dot(around[k].normal, normal[t]) >= smooth) mean += around[k].angle * around[k].normal;
      mean = unit(mean);
      result.corners.push_back({mesh.vertices[v], length2(mean) > 0 ? mean : normal[t]});
    }
  return result;
}

}  // namespace riffle
