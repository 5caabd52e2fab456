#pragma once
/// Measures of triangle meshes for tests, summed in double.

#include <array>

#include "sim/shapes/mesh.h"

namespace riffle::test {

/// Across a triangle, as long as twice its area.
inline std::array<double, 3> across_triangle(Vec3 a, Vec3 b, Vec3 c) {
  const double ux = double{b.x} - a.x, uy = double{b.y} - a.y, uz = double{b.z} - a.z;
  const double vx = double{c.x} - a.x, vy = double{c.y} - a.y, vz = double{c.z} - a.z;
  return {uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx};
}

/// By the divergence theorem.
inline double volume_of_mesh(const TriangleMesh& mesh) {
  double six = 0;
  for (std::size_t i = 0; i < mesh.corners.size(); i += 3) {
    const Vec3 a = mesh.corners[i].at;
    const auto across = across_triangle(a, mesh.corners[i + 1].at, mesh.corners[i + 2].at);
    six += across[0] * a.x + across[1] * a.y + across[2] * a.z;
  }
  return six / 6;
}

/// Of a mesh in the plane z = 0.
inline double area_of_mesh(const TriangleMesh& mesh) {
  double twice = 0;
  for (std::size_t i = 0; i < mesh.corners.size(); i += 3)
    twice += across_triangle(mesh.corners[i].at, mesh.corners[i + 1].at, mesh.corners[i + 2].at)[2];
  return twice / 2;
}

}  // namespace riffle::test
