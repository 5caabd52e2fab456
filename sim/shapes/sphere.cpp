/// A sphere; in 2-D a disc.

#include <numbers>

#include "sim/shapes/shape.h"

namespace riffle {

namespace {

bool sphere_contains(const PlainShape& sphere, Vec3 point, int dimension) {
  Vec3 d = point - sphere.center;
  if (dimension == 2) d.z = 0;
  return length2(d) <= sphere.radius * sphere.radius;
}

Bounds sphere_bounds(const PlainShape& sphere) {
  const Vec3 reach{sphere.radius, sphere.radius, sphere.radius};
  return {sphere.center - reach, sphere.center + reach};
}

double sphere_volume(const PlainShape& sphere, int dimension, double unit) {
  const double across = 2 * double{sphere.radius} / unit;
  double product = 1;
  for (int a = 0; a < dimension; ++a) product *= across;
  return product * (dimension == 3 ? std::numbers::pi / 6 : std::numbers::pi / 4);
}

void sphere_move(PlainShape& sphere, Vec3 by) { sphere.center = sphere.center + by; }

}  // namespace

const ShapeInfo sphere_shape{
    Shape::Sphere, "sphere",   "A sphere (in 2-D a disc)", sphere_contains, sphere_bounds, sphere_volume,
    true,          sphere_move};

}  // namespace riffle
