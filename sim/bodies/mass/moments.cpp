#include "sim/bodies/mass/moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace riffle::bodies {

namespace {

constexpr double kPi = std::numbers::pi;

Moments centered_at(const double (&center)[3], double volume) {
  Moments m;
  m.volume = volume;
  for (int a = 0; a < 3; ++a) m.center[a] = center[a];
  return m;
}

Moments box_moments(const PlainShape& box, int dimension) {
  double size[3] = {0, 0, 0}, center[3] = {0, 0, 0}, volume = 1;
  for (int a = 0; a < dimension; ++a) {
    const double low = component(box.min, a), high = component(box.max, a);
    size[a] = high - low;
    center[a] = low + 0.5 * size[a];
    volume *= size[a];
  }
  Moments m = centered_at(center, volume);
  for (int a = 0; a < dimension; ++a) m.second[a][a] = volume * size[a] * size[a] / 12;
  return m;
}

Moments sphere_moments(Vec3 at, double r, int dimension) {
  const double center[3] = {at.x, at.y, dimension == 3 ? at.z : 0};
  const double volume = dimension == 3 ? 4.0 / 3 * kPi * r * r * r : kPi * r * r;
  Moments m = centered_at(center, volume);
  for (int a = 0; a < dimension; ++a) m.second[a][a] = volume * r * r / (dimension + 2);
  return m;
}

/// Of what is round about an axis: `along` it and across it, the second moments.
Moments round_moments(const PlainShape& shape, const double (&way)[3], double length, double volume, double along,
                      double across, int dimension) {
  double center[3] = {0, 0, 0};
  for (int a = 0; a < dimension; ++a) center[a] = component(shape.from, a) + 0.5 * way[a];
  Moments m = centered_at(center, volume);
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < dimension; ++j)
      m.second[i][j] = (i == j ? across : 0) + (along - across) * (way[i] / length) * (way[j] / length);
  return m;
}

/// Cylinder or capsule.
Moments rod_moments(const PlainShape& shape, int dimension) {
  double way[3] = {0, 0, 0}, l = 0;
  for (int a = 0; a < dimension; ++a) {
    way[a] = double{component(shape.to, a)} - component(shape.from, a);
    l += way[a] * way[a];
  }
  l = std::sqrt(l);
  const double r = shape.radius;
  const bool capsule = shape.shape == Shape::Capsule;
  if (l == 0) {
    if (capsule || dimension == 2) return sphere_moments(shape.from, r, dimension);
    return centered_at({shape.from.x, shape.from.y, shape.from.z}, 0);
  }
  const double middle = dimension == 3 ? kPi * r * r * l : 2 * r * l;
  double volume = middle, along = middle * l * l / 12, across = middle * r * r / (dimension == 3 ? 4 : 3);
  if (capsule) {
    // Two halves of a ball, whose centroids are 3 r / 8 (of a disc 4 r / (3 pi)) from its middle.
    const double ends = dimension == 3 ? 4.0 / 3 * kPi * r * r * r : kPi * r * r;
    const double off = dimension == 3 ? 3 * r / 8 : 4 * r / (3 * kPi), own = r * r / (dimension + 2);
    volume += ends;
    along += ends * (own + l * off + 0.25 * l * l);
    across += ends * own;
  }
  return round_moments(shape, way, l, volume, along, across, dimension);
}

Moments polygon_moments(const PlainShape& polygon, int dimension) {
  const double origin[3] = {polygon.corners.front()[0], polygon.corners.front()[1], 0};
  SimplexSum triangles(origin, 2);
  const auto add = [&](const auto& corners) {
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto &a = corners[k], &b = corners[k + 1 == corners.size() ? 0 : k + 1];
      triangles.add({{a[0] - origin[0], a[1] - origin[1], 0}, {b[0] - origin[0], b[1] - origin[1], 0}, {}});
    }
  };
  if (crossing_edges(polygon)[0] < 0)
    add(polygon.corners);
  else
    for (const std::vector<Corner2d>& part : slabs_of(polygon.corners)) add(part);
  Moments flat = triangles.result();
  if (flat.volume < 0) {
    flat.volume = -flat.volume;
    for (auto& row : flat.second)
      for (double& entry : row) entry = -entry;
  }
  if (dimension == 2) return flat;
  const int axis = polygon.axis, plane[2] = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
  const double low = polygon.low, height = double{polygon.high} - polygon.low;
  Moments m;
  m.volume = flat.volume * height;
  m.center[axis] = low + 0.5 * height;
  m.second[axis][axis] = m.volume * height * height / 12;
  for (int i = 0; i < 2; ++i) {
    m.center[plane[i]] = flat.center[i];
    for (int j = 0; j < 2; ++j) m.second[plane[i]][plane[j]] = flat.second[i][j] * height;
  }
  return m;
}

}  // namespace

Moments difference(const Moments& whole, const Moments& part) {
  if (part.volume == 0) return whole;
  Moments m;
  m.volume = whole.volume - part.volume;
  if (!(m.volume > 0)) return {};
  const double share = part.volume / m.volume;
  double way[3];
  for (int i = 0; i < 3; ++i) {
    way[i] = part.center[i] - whole.center[i];
    m.center[i] = whole.center[i] - share * way[i];
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      m.second[i][j] = whole.second[i][j] - part.second[i][j] - whole.volume * share * way[i] * way[j];
  return m;
}

Moments sum(const Moments& one, const Moments& other) {
  if (other.volume == 0) return one;
  if (one.volume == 0) return other;
  Moments m;
  m.volume = one.volume + other.volume;
  const double share = other.volume / m.volume;
  double way[3];
  for (int i = 0; i < 3; ++i) {
    way[i] = other.center[i] - one.center[i];
    m.center[i] = one.center[i] + share * way[i];
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      m.second[i][j] = one.second[i][j] + other.second[i][j] + one.volume * share * way[i] * way[j];
  return m;
}

SimplexSum::SimplexSum(const double (&origin)[3], int dimension)
    : origin_{origin[0], origin[1], origin[2]}, dimension_(dimension) {}

void SimplexSum::add(const double (&corner)[3][3]) {
  const auto &a = corner[0], &b = corner[1], &c = corner[2];
  const double volume = dimension_ == 2 ? 0.5 * (a[0] * b[1] - a[1] * b[0])
                                        : (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                                              6;
  const int corners = dimension_ + 1;
  volume_ += volume;
  for (int i = 0; i < dimension_; ++i) {
    const double sum_i = a[i] + b[i] + (dimension_ == 3 ? c[i] : 0);
    first_[i] += volume * sum_i / corners;
    for (int j = 0; j < dimension_; ++j) {
      const double sum_j = a[j] + b[j] + (dimension_ == 3 ? c[j] : 0);
      const double products = a[i] * a[j] + b[i] * b[j] + (dimension_ == 3 ? c[i] * c[j] : 0);
      second_[i][j] += volume * (products + sum_i * sum_j) / (corners * (corners + 1));
    }
  }
}

Moments SimplexSum::result() const {
  Moments m;
  if (volume_ == 0) return m;
  m.volume = volume_;
  for (int i = 0; i < dimension_; ++i) {
    m.center[i] = origin_[i] + first_[i] / volume_;
    for (int j = 0; j < dimension_; ++j) m.second[i][j] = second_[i][j] - first_[i] * first_[j] / volume_;
  }
  return m;
}

Moments plain_moments(const PlainShape& shape, int dimension) {
  switch (shape.shape) {
    case Shape::Box: return box_moments(shape, dimension);
    case Shape::Sphere: return sphere_moments(shape.center, shape.radius, dimension);
    case Shape::Cylinder:
    case Shape::Capsule: return rod_moments(shape, dimension);
    case Shape::Polygon: return polygon_moments(shape, dimension);
    case Shape::Plane: return {};  // a body has an end
    case Shape::Mesh: break;
  }
  return mesh_moments(shape);
}

std::vector<std::vector<Corner2d>> slabs_of(const std::vector<std::array<float, 2>>& corners) {
  const std::size_t n = corners.size();
  struct Edge {
    Corner2d low, high;
    double at(double y) const { return low[0] + (high[0] - low[0]) * ((y - low[1]) / (high[1] - low[1])); }
  };
  std::vector<Edge> edges;
  std::vector<double> heights;
  for (std::size_t k = 0; k < n; ++k) {
    const Corner2d a{corners[k][0], corners[k][1]}, b{corners[(k + 1) % n][0], corners[(k + 1) % n][1]};
    heights.push_back(a[1]);
    if (a[1] != b[1]) edges.push_back(a[1] < b[1] ? Edge{a, b} : Edge{b, a});
  }
  for (std::size_t i = 0; i < edges.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double from = std::max(edges[i].low[1], edges[j].low[1]), to = std::min(edges[i].high[1], edges[j].high[1]);
      if (!(from < to)) continue;
      const double before = edges[i].at(from) - edges[j].at(from), after = edges[i].at(to) - edges[j].at(to);
      if ((before < 0) != (after < 0) && before != after)
        heights.push_back(from + (to - from) * (before / (before - after)));
    }
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  std::vector<std::vector<Corner2d>> parts;
  for (std::size_t h = 0; h + 1 < heights.size(); ++h) {
    const double low = heights[h], high = heights[h + 1], middle = low + 0.5 * (high - low);
    std::vector<const Edge*> across;
    for (const Edge& edge : edges)
      if (edge.low[1] <= low && edge.high[1] >= high) across.push_back(&edge);
    std::sort(across.begin(), across.end(),
              [&](const Edge* a, const Edge* b) { return a->at(middle) < b->at(middle); });
    for (std::size_t k = 0; k + 1 < across.size(); k += 2) {
      const Edge &left = *across[k], &right = *across[k + 1];
      const Corner2d all[4] = {
          {left.at(low), low}, {right.at(low), low}, {right.at(high), high}, {left.at(high), high}};
      std::vector<Corner2d> part;
      for (int c = 0; c < 4; ++c)
        if (all[c] != all[(c + 3) % 4]) part.push_back(all[c]);
      if (part.size() > 2) parts.push_back(std::move(part));
    }
  }
  return parts;
}

}  // namespace riffle::bodies
