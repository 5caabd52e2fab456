#pragma once
/// Meshes for tests, and their files.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "sim/meshes/surface.h"

namespace riffle::test {

/// A surface of rings of vertices: place(u, v), u around each ring and v from ring to ring, both from 0 to 1.
/// @param closed  the last ring joins the first; otherwise all of the first and of the last ring is one vertex each
template <class Place>
IndexedMesh ring_mesh(int around, int rings, bool closed, const Place& place) {
  IndexedMesh mesh;
  const int last = closed ? rings : rings - 1;
  const auto index = [&](int r, int k) -> std::uint32_t {
    if (!closed && r == 0) return 0;
    if (!closed && r == rings - 1) return 1;
    return static_cast<std::uint32_t>((closed ? 0 : 2) + (closed ? r % rings : r - 1) * around + k % around);
  };
  const double step = closed ? 1.0 / rings : 1.0 / (rings - 1);
  if (!closed) mesh.vertices = {place(0.0, 0.0), place(0.0, 1.0)};
  for (int r = closed ? 0 : 1; r < (closed ? rings : rings - 1); ++r)
    for (int k = 0; k < around; ++k) mesh.vertices.push_back(place(double(k) / around, r * step));
  for (int r = 0; r < last; ++r)
    for (int k = 0; k < around; ++k)
      for (const Triangle& t : {Triangle{index(r, k), index(r, k + 1), index(r + 1, k + 1)},
                                Triangle{index(r, k), index(r + 1, k + 1), index(r + 1, k)}})
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
  return mesh;
}

inline IndexedMesh ball_mesh(Vec3 center, float radius, int around = 48) {
  return ring_mesh(around, around / 2 + 1, false, [&](double u, double v) {
    const double a = 2 * std::numbers::pi * u, b = std::numbers::pi * v;
    return center + radius * Vec3{static_cast<float>(std::sin(b) * std::sin(a)), -static_cast<float>(std::cos(b)),
                                  static_cast<float>(std::sin(b) * std::cos(a))};
  });
}

/// Around the axis y.
inline IndexedMesh torus_mesh(Vec3 center, float large, float small, int around = 64) {
  return ring_mesh(around, around, true, [&](double u, double v) {
    const double a = 2 * std::numbers::pi * u, b = 2 * std::numbers::pi * v;
    const double r = large - small * std::cos(b);
    return center + Vec3{static_cast<float>(r * std::sin(a)), -small * static_cast<float>(std::sin(b)),
                         static_cast<float>(r * std::cos(a))};
  });
}

inline IndexedMesh box_mesh(Vec3 low, Vec3 high) {
  IndexedMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

inline std::string obj_text(const IndexedMesh& mesh) {
  std::string text;
  for (const Vec3& v : mesh.vertices)
    text += "v " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
  for (const Triangle& t : mesh.triangles)
    text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) + "\n";
  return text;
}

inline std::filesystem::path write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace riffle::test
