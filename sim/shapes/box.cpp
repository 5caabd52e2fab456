/// A box along the axes.

#include "sim/shapes/shape.h"

namespace riffle {

namespace {

Bounds box_bounds(const PlainShape& box) { return {box.min, box.max}; }

bool box_contains(const PlainShape& box, Vec3 point, int dimension) {
  const double reach = tolerance(box_bounds(box));
  for (int a = 0; a < dimension; ++a)
    if (component(point, a) < component(box.min, a) - reach || component(point, a) > component(box.max, a) + reach)
      return false;
  return true;
}

double box_volume(const PlainShape& box, int dimension, double unit) {
  double product = 1;
  for (int a = 0; a < dimension; ++a) product *= (double{component(box.max, a)} - component(box.min, a)) / unit;
  return product;
}

void box_move(PlainShape& box, Vec3 by) {
  box.min = box.min + by;
  box.max = box.max + by;
}

}  // namespace

const ShapeInfo box_shape{Shape::Box, "box", "A box", box_contains, box_bounds, box_volume, false, box_move};

}  // namespace riffle
