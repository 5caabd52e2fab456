/// All points within the radius of a line between two ends; in 2-D a strip with round ends.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/shapes/shape.h"

namespace riffle {

namespace {

Bounds capsule_bounds(const PlainShape& capsule) {
  float low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    low[a] = std::fmin(component(capsule.from, a), component(capsule.to, a)) - capsule.radius;
    high[a] = std::fmax(component(capsule.from, a), component(capsule.to, a)) + capsule.radius;
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/// Between the ends, in 2-D as seen along z.
double length_of(const PlainShape& capsule, int dimension) {
  double square = 0;
  for (int a = 0; a < dimension; ++a)
    square += std::pow(double{component(capsule.to, a)} - component(capsule.from, a), 2);
  return std::sqrt(square);
}

bool capsule_contains(const PlainShape& capsule, Vec3 point, int dimension) {
  const double length = length_of(capsule, dimension);
  double along = 0, square = 0;
  for (int a = 0; a < dimension; ++a) {
    const double d = double{component(point, a)} - component(capsule.from, a);
    if (length > 0) along += d * (double{component(capsule.to, a)} - component(capsule.from, a)) / length;
    square += d * d;
  }
  const double nearest = std::clamp(along, 0.0, length), radius = capsule.radius + tolerance(capsule_bounds(capsule));
  return square - along * along + (along - nearest) * (along - nearest) <= radius * radius;
}

double capsule_volume(const PlainShape& capsule, int dimension, double unit) {
  const double length = length_of(capsule, dimension) / unit, r = capsule.radius / unit;
  return dimension == 3 ? std::numbers::pi * r * r * (length + 4 * r / 3) : r * (2 * length + std::numbers::pi * r);
}

void capsule_move(PlainShape& capsule, Vec3 by) {
  capsule.from = capsule.from + by;
  capsule.to = capsule.to + by;
}

}  // namespace

const ShapeInfo capsule_shape{Shape::Capsule,
                              "capsule",
                              "A cylinder with round ends (in 2-D a strip with round ends)",
                              capsule_contains,
                              capsule_bounds,
                              capsule_volume,
                              true,
                              capsule_move};

}  // namespace riffle
