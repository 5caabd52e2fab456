#include "render/solids/solid_pick.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace riffle::render {
namespace {

struct Double3 {
  double x, y, z;
};

Double3 between(Vec3 from, Vec3 to) { return {double{to.x} - from.x, double{to.y} - from.y, double{to.z} - from.z}; }
double product(const Double3& a, const Double3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Double3 normal_of(const Double3& a, const Double3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Lengths of the ray's direction to the triangle, by Cramer's rule; infinite if it is missed.
double meet_triangle(const MeshCorner* corner, Vec3 origin, const Double3& along) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const Double3 u = between(corner[0].at, corner[1].at), v = between(corner[0].at, corner[2].at);
  const Double3 across = normal_of(along, v);
  const double determinant = product(u, across);
  if (determinant == 0) return never;
  const Double3 from = between(corner[0].at, origin);
  const double a = product(from, across) / determinant;
  const Double3 turned = normal_of(from, u);
  const double b = product(along, turned) / determinant;
  const double t = product(v, turned) / determinant;
  return a >= 0 && b >= 0 && a + b <= 1 && t >= 0 ? t : never;
}

/// Lengths of the direction to a solid; infinite if it is missed.
double meet_solid(const SolidMesh& solid, Vec3 origin, Vec3 direction) {
  double nearest = std::numeric_limits<double>::infinity();
  const auto& corners = solid.mesh.corners;
  const Vec3 from = solid.pose.back(origin);
  const Double3 along = between({}, solid.pose.turned_back(direction));
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
    nearest = std::min(nearest, meet_triangle(&corners[i], from, along));
  return nearest;
}

float distance_of(double lengths, Vec3 direction) {
  const Double3 along = between({}, direction);
  return static_cast<float>(lengths * std::sqrt(product(along, along)));
}

struct Met {
  double lengths = std::numeric_limits<double>::infinity();  ///< of the direction
  std::size_t solid = 0;
};

Met first_met(const Solids& solids, Vec3 origin, Vec3 direction) {
  Met first;
  for (std::size_t k = 0; k < solids.meshes.size(); ++k)
    if (const double lengths = meet_solid(solids.meshes[k], origin, direction); lengths < first.lengths)
      first = {lengths, k};
  return first;
}

}  // namespace

std::optional<SolidHit> hit_solid(const Solids& solids, Vec3 origin, Vec3 direction) {
  const Met first = first_met(solids, origin, direction);
  if (!std::isfinite(first.lengths)) return std::nullopt;
  return SolidHit{first.solid, distance_of(first.lengths, direction)};
}

std::optional<float> solid_on_ray(const Solids& solids, Vec3 origin, Vec3 direction) {
  const auto hit = hit_solid(solids, origin, direction);
  return hit ? std::optional(hit->distance) : std::nullopt;
}

std::optional<SolidHit> hit_area(const Solids& solids, Vec3 origin, Vec3 direction) {
  for (std::size_t k = solids.meshes.size(); k-- > 0;)
    if (const double lengths = meet_solid(solids.meshes[k], origin, direction); std::isfinite(lengths))
      return SolidHit{k, distance_of(lengths, direction)};
  return std::nullopt;
}

}  // namespace riffle::render
