#pragma once
/// Plain shapes for tests.

#include <array>
#include <vector>

#include "sim/shapes/shape.h"

namespace riffle::test {

inline PlainShape box(Vec3 min, Vec3 max) {
  PlainShape shape;
  shape.min = min;
  shape.max = max;
  return shape;
}

inline PlainShape ball(Vec3 center, float radius) {
  PlainShape shape;
  shape.shape = Shape::Sphere;
  shape.center = center;
  shape.radius = radius;
  return shape;
}

inline PlainShape cylinder(Vec3 from, Vec3 to, float radius) {
  PlainShape shape;
  shape.shape = Shape::Cylinder;
  shape.from = from;
  shape.to = to;
  shape.radius = radius;
  return shape;
}

inline PlainShape capsule(Vec3 from, Vec3 to, float radius) {
  PlainShape shape = cylinder(from, to, radius);
  shape.shape = Shape::Capsule;
  return shape;
}

/// Cut at no box.
inline PlainShape plane(Vec3 point, Vec3 normal) {
  PlainShape shape;
  shape.shape = Shape::Plane;
  shape.point = point;
  shape.normal = normal;
  return shape;
}

inline PlainShape polygon(std::vector<std::array<float, 2>> corners, int axis, float low, float high) {
  PlainShape shape;
  shape.shape = Shape::Polygon;
  shape.corners = std::move(corners);
  shape.axis = axis;
  shape.low = low;
  shape.high = high;
  return shape;
}

inline const std::vector<std::array<float, 2>> kAngle = {{0, 0},       {1, 0},    {1, 0.4f},
                                                         {0.4f, 0.4f}, {0.4f, 1}, {0, 1}};  // an L

/// One of each kind, polygons along each axis; all lie between -0.4 and 1.1.
inline std::vector<PlainShape> example_shapes(int dimension) {
  const float z = dimension == 3 ? 1.0f : 0.0f;
  std::vector<PlainShape> all = {box({-0.2f, 0.1f, 0}, {0.7f, 0.8f, 0.6f * z}), ball({0.3f, 0.4f, 0.2f * z}, 0.5f),
                                 cylinder({-0.3f, -0.1f, 0.1f * z}, {0.5f, 0.7f, 0.6f * z}, 0.3f),
                                 capsule({0.6f, 0, 0.5f * z}, {0, 0.5f, 0.1f * z}, 0.25f),
                                 polygon(kAngle, 2, -0.3f * z, 0.5f * z)};
  if (dimension == 3) {
    all.push_back(polygon(kAngle, 0, 0.1f, 0.5f));
    all.push_back(polygon(kAngle, 1, 0.1f, 0.5f));
  }
  return all;
}

}  // namespace riffle::test
