#include "sim/shapes/shape.h"

#include <algorithm>
#include <cmath>

namespace riffle {

std::span<const ShapeInfo* const> shapes() {
  static constexpr const ShapeInfo* kShapes[] = {&box_shape,     &sphere_shape,  &cylinder_shape,
                                                 &capsule_shape, &polygon_shape, &mesh_shape};
  return kShapes;
}

const ShapeInfo& shape_info(Shape shape) { return *shapes()[static_cast<std::size_t>(shape)]; }

bool in_any(std::span<const PlainShape> shapes, Vec3 point, int dimension) {
  return std::any_of(shapes.begin(), shapes.end(), [&](const PlainShape& shape) {
    return shape_info(shape.shape).contains(shape, point, dimension);
  });
}

bool contains(const Region& region, Vec3 point, int dimension) {
  return shape_info(region.shape).contains(region, point, dimension) && !in_any(region.without, point, dimension);
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
