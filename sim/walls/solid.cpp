#include "sim/walls/solid.h"

#include <fmt/format.h>

#include "core/error.h"

namespace riffle {

Rotation rotation_about(Vec3 axis, double angle) {
  const double length = std::sqrt(double{axis.x} * axis.x + double{axis.y} * axis.y + double{axis.z} * axis.z);
  const double x = axis.x / length, y = axis.y / length, z = axis.z / length;
  const double c = std::cos(angle), s = std::sin(angle), t = 1 - c;  // Rodrigues
  const auto row = [](double a, double b, double d) {
    return Vec3{static_cast<float>(a), static_cast<float>(b), static_cast<float>(d)};
  };
  return {row(t * x * x + c, t * x * y - s * z, t * x * z + s * y),
          row(t * x * y + s * z, t * y * y + c, t * y * z - s * x),
          row(t * x * z - s * y, t * y * z + s * x, t * z * z + c)};
}

std::vector<Placement> placements_of(const std::vector<Solid>& solids) {
  std::vector<Placement> placements;
  for (const Solid& solid : solids) placements.push_back(solid.placement);
  return placements;
}

void check_placement(const Placement& placement, int dimension, std::size_t solid) {
  const auto refuse = [&](const char* why) { throw InputError(fmt::format("solid number {}: {}", solid + 1, why)); };
  const Rotation& r = placement.pose.rotation;
  const Motion& m = placement.motion;
  for (const Vec3 v : {r.x, r.y, r.z, placement.pose.translation, m.velocity, m.angular_velocity, m.center})
    if (!is_finite(v)) refuse("a number of its pose or motion is not finite");
  constexpr float tolerance = 1e-4f;
  const Vec3 z{r.x.y * r.y.z - r.x.z * r.y.y, r.x.z * r.y.x - r.x.x * r.y.z, r.x.x * r.y.y - r.x.y * r.y.x};
  if (std::fabs(length2(r.x) - 1) > tolerance || std::fabs(length2(r.y) - 1) > tolerance ||
      std::fabs(dot(r.x, r.y)) > tolerance || length2(z - r.z) > tolerance * tolerance)
    refuse("its matrix is not a rotation; allowed: rows of length 1 at right angles, of determinant 1");
  if (dimension == 2 &&
      (r.z.z != 1 || r.z.x != 0 || r.z.y != 0 || r.x.z != 0 || r.y.z != 0 || placement.pose.translation.z != 0 ||
       m.velocity.z != 0 || m.angular_velocity.x != 0 || m.angular_velocity.y != 0))
    refuse("it leaves the plane; allowed in 2-D: turns about z, and moves along x and y");
}

}  // namespace riffle
