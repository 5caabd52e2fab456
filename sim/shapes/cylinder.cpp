/// A cylinder with flat ends, in any direction; in 2-D the rectangle around its axis.

#include <cmath>
#include <numbers>

#include "sim/shapes/shape.h"

namespace riffle {

namespace {

struct Line {
  double along[3] = {0, 0, 0};  ///< unit vector; 0 for a cylinder without a length
  double length = 0;
};

Line axis_of(const PlainShape& cylinder) {
  Line line;
  for (int a = 0; a < 3; ++a) {
    line.along[a] = double{component(cylinder.to, a)} - component(cylinder.from, a);
    line.length += line.along[a] * line.along[a];
  }
  line.length = std::sqrt(line.length);
  if (line.length > 0)
    for (double& part : line.along) part /= line.length;
  return line;
}

Bounds cylinder_bounds(const PlainShape& cylinder) {
  const Line line = axis_of(cylinder);
  float low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    const auto reach =
        static_cast<float>(cylinder.radius * std::sqrt(std::fmax(0.0, 1 - line.along[a] * line.along[a])));
    low[a] = std::fmin(component(cylinder.from, a), component(cylinder.to, a)) - reach;
    high[a] = std::fmax(component(cylinder.from, a), component(cylinder.to, a)) + reach;
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

bool cylinder_contains(const PlainShape& cylinder, Vec3 point, int dimension) {
  const Line line = axis_of(cylinder);
  const double reach = tolerance(cylinder_bounds(cylinder));
  double along = 0, square = 0;
  for (int a = 0; a < dimension; ++a) {
    const double d = double{component(point, a)} - component(cylinder.from, a);
    along += d * line.along[a];
    square += d * d;
  }
  if (along < -reach || along > line.length + reach) return false;
  const double radius = cylinder.radius + reach;
  return square - along * along <= radius * radius;
}

double cylinder_volume(const PlainShape& cylinder, int dimension, double unit) {
  const double length = axis_of(cylinder).length / unit, radius = cylinder.radius / unit;
  return dimension == 3 ? std::numbers::pi * radius * radius * length : 2 * radius * length;
}

void cylinder_move(PlainShape& cylinder, Vec3 by) {
  cylinder.from = cylinder.from + by;
  cylinder.to = cylinder.to + by;
}

}  // namespace

const ShapeInfo cylinder_shape{Shape::Cylinder,
                               "cylinder",
                               "A cylinder with flat ends (in 2-D a rectangle, or a disc if it is along z)",
                               cylinder_contains,
                               cylinder_bounds,
                               cylinder_volume,
                               true,
                               cylinder_move};

}  // namespace riffle
