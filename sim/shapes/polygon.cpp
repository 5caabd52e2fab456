/// A polygon; in 3-D extruded along an axis.

#include <algorithm>
#include <cmath>

#include "sim/shapes/shape.h"

namespace riffle {

namespace {

using Corner = std::array<float, 2>;

struct Plane {
  int first, second;  ///< the two axes beside the polygon's own
};

Plane plane_of(const PlainShape& polygon) { return {polygon.axis == 0 ? 1 : 0, polygon.axis == 2 ? 1 : 2}; }

Bounds polygon_bounds(const PlainShape& polygon) {
  const auto [first, second] = plane_of(polygon);
  float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  low[polygon.axis] = polygon.low;
  high[polygon.axis] = polygon.high;
  for (const auto& [axis, part] : {std::pair(first, 0u), std::pair(second, 1u)}) {
    low[axis] = INFINITY, high[axis] = -INFINITY;
    for (const Corner& corner : polygon.corners) {
      low[axis] = std::min(low[axis], corner[part]);
      high[axis] = std::max(high[axis], corner[part]);
    }
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

const Corner& next_of(const PlainShape& polygon, std::size_t i) {
  return polygon.corners[i + 1 == polygon.corners.size() ? 0 : i + 1];
}

double squared_distance(double x, double y, const Corner& a, const Corner& b) {
  const double ux = double{b[0]} - a[0], uy = double{b[1]} - a[1], dx = x - a[0], dy = y - a[1];
  const double square = ux * ux + uy * uy;
  const double t = square > 0 ? std::clamp((dx * ux + dy * uy) / square, 0.0, 1.0) : 0;
  return (dx - t * ux) * (dx - t * ux) + (dy - t * uy) * (dy - t * uy);
}

bool polygon_contains(const PlainShape& polygon, Vec3 point, int dimension) {
  const Bounds box = polygon_bounds(polygon);
  const double reach = tolerance(box);
  for (int a = 0; a < dimension; ++a)
    if (component(point, a) < component(box.min, a) - reach || component(point, a) > component(box.max, a) + reach)
      return false;
  const auto [first, second] = plane_of(polygon);
  const double x = component(point, first), y = component(point, second);
  bool inside = false;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const Corner &a = polygon.corners[i], &b = next_of(polygon, i);
    if (squared_distance(x, y, a, b) <= reach * reach) return true;
    if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) * (double{b[0]} - a[0]) / (double{b[1]} - a[1]))
      inside = !inside;
  }
  return inside;
}

double polygon_volume(const PlainShape& polygon, int dimension, double unit) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const Corner &a = polygon.corners[i], &b = next_of(polygon, i);
    twice += a[0] / unit * (b[1] / unit) - b[0] / unit * (a[1] / unit);
  }
  return 0.5 * std::fabs(twice) * (dimension == 3 ? (double{polygon.high} - polygon.low) / unit : 1);
}

void polygon_move(PlainShape& polygon, Vec3 by) {
  const auto [first, second] = plane_of(polygon);
  for (Corner& corner : polygon.corners) {
    corner[0] += component(by, first);
    corner[1] += component(by, second);
  }
  polygon.low += component(by, polygon.axis);
  polygon.high += component(by, polygon.axis);
}

/// Twice the signed area of a triangle.
double turn(const Corner& a, const Corner& b, const Corner& c) {
  return (double{b[0]} - a[0]) * (double{c[1]} - a[1]) - (double{b[1]} - a[1]) * (double{c[0]} - a[0]);
}

bool between(const Corner& a, const Corner& b, const Corner& on) {
  return std::min(a[0], b[0]) <= on[0] && on[0] <= std::max(a[0], b[0]) && std::min(a[1], b[1]) <= on[1] &&
         on[1] <= std::max(a[1], b[1]);
}

bool meet(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  const double c_of_ab = turn(a, b, c), d_of_ab = turn(a, b, d), a_of_cd = turn(c, d, a), b_of_cd = turn(c, d, b);
  if (((c_of_ab > 0) != (d_of_ab > 0)) && ((a_of_cd > 0) != (b_of_cd > 0)) && c_of_ab != 0 && d_of_ab != 0 &&
      a_of_cd != 0 && b_of_cd != 0)
    return true;
  return (c_of_ab == 0 && between(a, b, c)) || (d_of_ab == 0 && between(a, b, d)) ||
         (a_of_cd == 0 && between(c, d, a)) || (b_of_cd == 0 && between(c, d, b));
}

/// The edge from b goes back along the one that ends there.
bool turns_back(const Corner& a, const Corner& b, const Corner& c) {
  const double back = (double{a[0]} - b[0]) * (double{c[0]} - b[0]) + (double{a[1]} - b[1]) * (double{c[1]} - b[1]);
  return turn(a, b, c) == 0 && back >= 0;
}

}  // namespace

std::array<int, 2> crossing_edges(const PlainShape& polygon) {
  const std::size_t n = polygon.corners.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Corner &a = polygon.corners[j], &b = next_of(polygon, j), &c = polygon.corners[i], &d = next_of(polygon, i);
      if (j == 0 && i + 1 == n) continue;  // where the last edge lies on the first, another meets one of them
      const bool bad = i == j + 1 ? turns_back(a, b, d) : meet(a, b, c, d);
      if (bad) return {static_cast<int>(j), static_cast<int>(i)};
    }
  return {-1, -1};
}

const ShapeInfo polygon_shape{Shape::Polygon,
                              "polygon",
                              "A polygon, in 3-D extruded along an axis",
                              polygon_contains,
                              polygon_bounds,
                              polygon_volume,
                              false,
                              polygon_move};

}  // namespace riffle
