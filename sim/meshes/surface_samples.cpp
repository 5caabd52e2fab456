#include "sim/meshes/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/math/cross_product.h"
#include "core/math/even_places.h"
#include "sim/meshes/surface.h"

namespace riffle {

namespace {

bool is_clear(double winding) { return std::fabs(winding - std::round(winding)) <= 0.25; }

}  // namespace

WindingSamples sample_winding(const MeshSurface& surface, int places) {
  WindingSamples samples;
  samples.places = places;
  const Vec3 extent = surface.high() - surface.low();
  for (int k = 0; k < samples.places; ++k) {
    const Vec3 part = even_place(k, 3);
    const Vec3 x = surface.low() + Vec3{part.x * extent.x, part.y * extent.y, part.z * extent.z};
    const double winding = surface.tree().winding(x);
    samples.inside += winding > 0.5;
    if (!is_clear(winding) && samples.unclear++ == 0) samples.unclear_place = x;
    if (!is_clear(surface.winding_of_file(x, winding)) && samples.open++ == 0) samples.open_place = x;
  }
  return samples;
}

ThinPart sample_thickness(const MeshSurface& surface, float thickness, int places) {
  const IndexedMesh& mesh = surface.mesh();
  if (mesh.triangles.empty()) return {};
  std::vector<double> area(mesh.triangles.size());
  std::vector<Vec3> normal(mesh.triangles.size());
  for (std::size_t t = 0; t < area.size(); ++t) {
    const Vec3 a = mesh.vertex(t, 0), n = cross_product(mesh.vertex(t, 1) - a, mesh.vertex(t, 2) - a);
    area[t] = std::sqrt(double{length2(n)});
    normal[t] = area[t] > 0 ? static_cast<float>(1 / area[t]) * n : Vec3{};
  }
  std::partial_sum(area.begin(), area.end(), area.begin());
  ThinPart thin;
  int found = 0;
  for (int k = 0; k < places; ++k) {
    const Vec3 part = even_place(k, 3);
    const double at = (k + 0.5) / places * area.back();
    const auto t = static_cast<std::size_t>(
        std::min(std::upper_bound(area.begin(), area.end(), at) - area.begin(), std::ptrdiff_t(area.size()) - 1));
    const float root = std::sqrt(part.x), u = 1 - root, v = root * (1 - part.y), w = root * part.y;
    const Vec3 x = u * mesh.vertex(t, 0) + v * mesh.vertex(t, 1) + w * mesh.vertex(t, 2);
    // Near an edge the way inwards leaves the solid at its other side, and the solid is no plate there.
    bool leaves = false;
    for (const float depth : {0.5f, 1.0f}) leaves = leaves || !surface.contains(x - (depth * thickness) * normal[t]);
    if (leaves && found++ == 0) thin.place = x;
  }
  thin.share = double(found) / places;
  return thin;
}

}  // namespace riffle
