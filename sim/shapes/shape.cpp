#include "sim/shapes/shape.h"

#include <algorithm>
#include <cmath>

namespace riffle {

std::span<const ShapeInfo* const> shapes() {
  static constexpr const ShapeInfo* kShapes[] = {&box_shape, &sphere_shape, &cylinder_shape, &polygon_shape};
  return kShapes;
}

const ShapeInfo& shape_info(Shape shape) { return *shapes()[static_cast<std::size_t>(shape)]; }

bool contains(const Region& region, Vec3 point, int dimension) {
  if (!shape_info(region.shape).contains(region, point, dimension)) return false;
  return std::none_of(region.without.begin(), region.without.end(),
                      [&](const PlainShape& cut) { return shape_info(cut.shape).contains(cut, point, dimension); });
}

Bounds bounds_of(const PlainShape& shape) { return shape_info(shape.shape).bounds(shape); }

double tolerance(const Bounds& bounds) {
  double largest = 0;
  for (const Vec3& corner : {bounds.min, bounds.max})
    for (int a = 0; a < 3; ++a) {
      const double coordinate = std::fabs(double{component(corner, a)});
      if (std::isfinite(coordinate)) largest = std::max(largest, coordinate);
    }
  return 1e-6 * largest;
}

Region moved(Region region, Vec3 by) {
  shape_info(region.shape).move(region, by);
  for (PlainShape& cut : region.without) shape_info(cut.shape).move(cut, by);
  return region;
}

void within_domain(Region& region, Vec3 min, Vec3 max) {
  const auto cut = [&](PlainShape& shape) {
    if (std::isinf(shape.low)) shape.low = component(min, shape.axis);
    if (std::isinf(shape.high)) shape.high = component(max, shape.axis);
  };
  cut(region);
  for (PlainShape& shape : region.without) cut(shape);
}

}  // namespace riffle
