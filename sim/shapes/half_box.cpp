#include "sim/shapes/half_box.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace riffle {

namespace {

using BoxPoint = std::array<double, 3>;

double height_above(const BoxPoint& normal, const BoxPoint& x, Vec3 point) {
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a) sum += normal[a] * (x[a] - double{component(point, static_cast<int>(a))});
  return sum;
}

/// What of a polygon lies behind the plane (Sutherland and Hodgman), and the two places where the plane crosses it.
std::vector<BoxPoint> part_behind(const std::vector<BoxPoint>& corners, const BoxPoint& normal, Vec3 point,
                                  std::vector<BoxPoint>& crossings) {
  std::vector<BoxPoint> left;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const BoxPoint &a = corners[k], &b = corners[(k + 1) % corners.size()];
    const double at_a = height_above(normal, a, point), at_b = height_above(normal, b, point);
    if (at_a <= 0) left.push_back(a);
    if (at_a == 0) crossings.push_back(a);
    if ((at_a < 0 && at_b > 0) || (at_a > 0 && at_b < 0)) {
      const double t = at_a / (at_a - at_b);
      BoxPoint x;
      for (std::size_t c = 0; c < 3; ++c) x[c] = a[c] + t * (b[c] - a[c]);
      left.push_back(x);
      crossings.push_back(x);
    }
  }
  if (left.size() < 3) left.clear();
  return left;
}

BoxPoint cross_of_points(const BoxPoint& a, const BoxPoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The corners that the plane has in common with the box: counter-clockwise around its normal.
std::optional<FlatFace> cap_of(std::vector<BoxPoint> crossings, const BoxPoint& normal, double slack) {
  std::vector<BoxPoint> corners;
  for (const BoxPoint& x : crossings)
    if (std::none_of(corners.begin(), corners.end(), [&](const BoxPoint& known) {
          return std::hypot(x[0] - known[0], x[1] - known[1], x[2] - known[2]) <= slack;
        }))
      corners.push_back(x);
  if (corners.size() < 3) return std::nullopt;
  BoxPoint middle{0, 0, 0};
  for (const BoxPoint& x : corners)
    for (std::size_t a = 0; a < 3; ++a) middle[a] += x[a] / static_cast<double>(corners.size());
  const BoxPoint other = std::fabs(normal[0]) < 0.7 ? BoxPoint{1, 0, 0} : BoxPoint{0, 1, 0};
  const BoxPoint v = cross_of_points(normal, other), u = cross_of_points(v, normal);
  const auto angle = [&](const BoxPoint& x) {
    double on_u = 0, on_v = 0;
    for (std::size_t a = 0; a < 3; ++a) on_u += u[a] * (x[a] - middle[a]), on_v += v[a] * (x[a] - middle[a]);
    return std::atan2(on_v, on_u);
  };
  std::sort(corners.begin(), corners.end(), [&](const BoxPoint& a, const BoxPoint& b) { return angle(a) < angle(b); });
  return FlatFace{std::move(corners), normal};
}

}  // namespace

std::array<double, 3> unit_normal(const PlainShape& plane, int dimension) {
  const BoxPoint given{plane.normal.x, plane.normal.y, dimension == 3 ? plane.normal.z : 0};
  const double length = std::hypot(given[0], given[1], given[2]);
  if (!(length > 0)) return {0, 0, 0};
  return {given[0] / length, given[1] / length, given[2] / length};
}

Crossed crossed_by(const PlainShape& plane, const Bounds& box, int dimension) {
  const BoxPoint normal = unit_normal(plane, dimension);
  Crossed crossed{0, 0};
  for (int a = 0; a < dimension; ++a) {
    const double n = normal[static_cast<std::size_t>(a)], at = component(plane.point, a);
    if (n == 0) continue;  // infinite lengths too
    const double low = n * (component(box.min, a) - at), high = n * (component(box.max, a) - at);
    crossed.least += std::min(low, high);
    crossed.most += std::max(low, high);
  }
  return crossed;
}

std::vector<FlatFace> faces_of_half_box(const PlainShape& plane, int dimension) {
  const BoxPoint normal = unit_normal(plane, dimension);
  const double low[3] = {plane.min.x, plane.min.y, plane.min.z}, high[3] = {plane.max.x, plane.max.y, plane.max.z};
  std::vector<FlatFace> faces;
  std::vector<BoxPoint> crossings;
  if (dimension == 2) {
    const std::vector<BoxPoint> box = {
        {low[0], low[1], 0}, {high[0], low[1], 0}, {high[0], high[1], 0}, {low[0], high[1], 0}};
    if (auto left = part_behind(box, normal, plane.point, crossings); !left.empty())
      faces.push_back({std::move(left), {0, 0, 1}});
    return faces;
  }
  double longest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, high[axis] - low[axis]);
    for (const bool upper : {false, true}) {
      const std::size_t second = (axis + 1) % 3, third = (axis + 2) % 3;
      std::vector<BoxPoint> box;
      for (const auto& [far_second, far_third] :
           {std::pair(false, false), {true, false}, {true, true}, {false, true}}) {
        BoxPoint corner;
        corner[axis] = upper ? high[axis] : low[axis];
        corner[second] = far_second ? high[second] : low[second];
        corner[third] = far_third ? high[third] : low[third];
        box.push_back(corner);
      }
      if (!upper) std::reverse(box.begin(), box.end());
      BoxPoint outwards{0, 0, 0};
      outwards[axis] = upper ? 1 : -1;
      // A face of the box that lies in the plane is the plane's own, which comes last.
      const bool in_plane = std::all_of(box.begin(), box.end(),
                                        [&](const BoxPoint& x) { return height_above(normal, x, plane.point) == 0; });
      auto left = part_behind(box, normal, plane.point, crossings);
      if (!left.empty() && !in_plane) faces.push_back({std::move(left), outwards});
    }
  }
  if (faces.empty()) return faces;
  if (auto cap = cap_of(std::move(crossings), normal, 1e-9 * longest)) faces.push_back(*std::move(cap));
  return faces;
}

}  // namespace riffle
