#include "sim/shapes/shape.h"

#include <algorithm>
#include <cmath>

namespace riffle {

std::span<const ShapeInfo* const> shapes() {
  static constexpr const ShapeInfo* kShapes[] = {&box_shape,   &sphere_shape,  &cylinder_shape, &capsule_shape,
                                                 &plane_shape, &polygon_shape, &mesh_shape};
  return kShapes;
}

const ShapeInfo& shape_info(Shape shape) { return *shapes()[static_cast<std::size_t>(shape)]; }

bool in_any(std::span<const PlainShape> shapes, Vec3 point, int dimension) {
  return std::any_of(shapes.begin(), shapes.end(), [&](const PlainShape& shape) {
    return shape_info(shape.shape).contains(shape, point, dimension);
  });
}

bool in_union(const Region& region, Vec3 point, int dimension) {
  return shape_info(region.shape).contains(region, point, dimension) || in_any(region.with, point, dimension);
}

bool contains(const Region& region, Vec3 point, int dimension) {
  return in_union(region, point, dimension) && !in_any(region.without, point, dimension);
}

Bounds bounds_of(const PlainShape& shape) { return shape_info(shape.shape).bounds(shape); }

Bounds box_around(const Bounds& a, const Bounds& b) {
  return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y), std::min(a.min.z, b.min.z)},
          {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y), std::max(a.max.z, b.max.z)}};
}

Bounds bounds_of(const Region& region) {
  Bounds bounds = shape_info(region.shape).bounds(region);
  for (const PlainShape& part : region.with) bounds = box_around(bounds, bounds_of(part));
  return bounds;
}

double volume_of_parts(const Region& region, int dimension, double unit) {
  double sum = 0;
  for_each_part(region, [&](const PlainShape& part) { sum += shape_info(part.shape).volume(part, dimension, unit); });
  return sum;
}

bool has_plane(const Region& region) {
  bool found = false;
  for_each_part(region, [&](const PlainShape& part) { found = found || part.shape == Shape::Plane; });
  return found;
}

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
  for (PlainShape& part : region.with) shape_info(part.shape).move(part, by);
  for (PlainShape& cut : region.without) shape_info(cut.shape).move(cut, by);
  return region;
}

void within_domain(Region& region, Vec3 min, Vec3 max) {
  const auto cut = [&](PlainShape& shape) {
    if (std::isinf(shape.low)) shape.low = component(min, shape.axis);
    if (std::isinf(shape.high)) shape.high = component(max, shape.axis);
  };
  const auto cut_part = [&](PlainShape& shape) {
    cut(shape);
    if (shape.shape == Shape::Plane) shape.min = min, shape.max = max;
  };
  cut_part(region);
  for (PlainShape& shape : region.with) cut_part(shape);
  for (PlainShape& shape : region.without) cut(shape);
}

}  // namespace riffle
