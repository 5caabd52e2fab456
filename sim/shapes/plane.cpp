/// All that lies behind a plane: the side that its normal points away from. It is cut at a box, that of the domain.

#include <algorithm>
#include <cmath>

#include "sim/shapes/half_box.h"
#include "sim/shapes/shape.h"

namespace riffle {

namespace {

bool plane_is_cut(const PlainShape& plane) { return !(plane.min == plane.max); }

/// The third component does not matter in 2-D, where a normal has none.
Bounds plane_bounds(const PlainShape& plane) {
  const std::array<double, 3> normal = unit_normal(plane, 3);
  double low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    low[a] = plane_is_cut(plane) ? component(plane.min, a) : -INFINITY;
    high[a] = plane_is_cut(plane) ? component(plane.max, a) : INFINITY;
  }
  // Along an axis the plane ends the box where it is farthest from the box's other faces: at the corner that is deepest.
  float bounds[2][3];
  for (int a = 0; a < 3; ++a) {
    const double n = normal[static_cast<std::size_t>(a)];
    double from = low[a], to = high[a], deepest = 0;
    for (int b = 0; b < 3; ++b) {
      const double m = normal[static_cast<std::size_t>(b)];
      if (b == a || m == 0) continue;
      deepest += m * ((m > 0 ? low[b] : high[b]) - component(plane.point, b));
    }
    if (n > 0) to = std::min(to, component(plane.point, a) - deepest / n);
    if (n < 0) from = std::max(from, component(plane.point, a) - deepest / n);
    bounds[0][a] = static_cast<float>(from);
    bounds[1][a] = static_cast<float>(to);
  }
  return {{bounds[0][0], bounds[0][1], bounds[0][2]}, {bounds[1][0], bounds[1][1], bounds[1][2]}};
}

bool plane_contains(const PlainShape& plane, Vec3 point, int dimension) {
  const double reach = plane_is_cut(plane) ? tolerance({plane.min, plane.max}) : tolerance({plane.point, point});
  const std::array<double, 3> normal = unit_normal(plane, dimension);
  double above = 0;
  for (int a = 0; a < dimension; ++a) {
    if (plane_is_cut(plane) && (component(point, a) < component(plane.min, a) - reach ||
                                component(point, a) > component(plane.max, a) + reach))
      return false;
    above += normal[static_cast<std::size_t>(a)] * (double{component(point, a)} - component(plane.point, a));
  }
  return above <= reach;
}

/// A point of the plane is the top of pyramids whose bases are the box's faces: the plane itself adds nothing.
double plane_volume(const PlainShape& plane, int dimension, double unit) {
  if (!plane_is_cut(plane)) return INFINITY;
  double sum = 0;
  for (const FlatFace& face : faces_of_half_box(plane, dimension)) {
    const auto& first = face.corners.front();
    double area[3] = {0, 0, 0};
    for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
        area[a] += 0.5 * ((face.corners[k][b] - first[b]) * (face.corners[k + 1][c] - first[c]) -
                          (face.corners[k][c] - first[c]) * (face.corners[k + 1][b] - first[b]));
      }
    if (dimension == 2) return area[2] / (unit * unit);
    for (std::size_t a = 0; a < 3; ++a)
      sum += area[a] * (first[a] - double{component(plane.point, static_cast<int>(a))}) / 3;
  }
  return std::max(0.0, sum) / (unit * unit * unit);
}

void plane_move(PlainShape& plane, Vec3 by) {
  plane.point = plane.point + by;
  plane.min = plane.min + by;
  plane.max = plane.max + by;
}

}  // namespace

const ShapeInfo plane_shape{Shape::Plane,   "plane",      "All that lies behind a plane, as far as the domain goes",
                            plane_contains, plane_bounds, plane_volume,
                            false,          plane_move};

}  // namespace riffle
