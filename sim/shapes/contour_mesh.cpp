/// Dual contouring of a region's signed distance; see mesh.h.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "sim/shapes/distance.h"
#include "sim/shapes/mesh.h"

namespace riffle {

namespace {

// A direction in which the tangent planes of a cell agree less than this, relative to the one in which they agree most,
// is that of an edge, along which the vertex stays in the middle.
constexpr double kEdge = 0.05;
constexpr double kEdgeOfTwo = 0.01;  // the same between the surfaces of two shapes
constexpr float kOff = 0.02f;        // [cells] from a surface, where its normal is asked: on it rounding would decide
constexpr float kSameFace = 0.9f;    // cosine between normals of one smooth face within a cell
constexpr float kOutOfCell = 0.25f;  // [cells] that a vertex may be outside its cell
constexpr int kBlock = 8;            // [grid points] edge of a block that is skipped where no surface is near

/// The region within the domain's box: the smallest distance to its shapes, and the largest of that and the others. Each is a
/// face.
class Faces {
 public:
  Faces(const Region& region, const Domain& domain) : dimension_(domain.dimension) {
    Region wanted = region;
    within_domain(wanted, domain.min, domain.max);
    const Region* one = &wanted;
    flat_ = flatten({&one, 1}, domain);
    parts_ = 1 + static_cast<int>(wanted.with.size());
    box_.shape = Shape::Box;
    box_.low = domain.min;
    box_.high = domain.max;
  }

  int dimension() const { return dimension_; }
  int count() const { return static_cast<int>(flat_.shapes.size()) + 1; }

  SurfaceDistance of(int face, Vec3 x) const {
    if (face + 1 == count()) return surface_distance(box_, nullptr, x, dimension_);
    const FlatShape& shape = flat_.shapes[static_cast<std::size_t>(face)];
    const SurfaceDistance d =
        surface_distance(shape, flat_.corners.data(), RegionsAtRest{}.into(flat_.shapes[0], x), dimension_);
    return shape.cut ? SurfaceDistance{-d.distance, -d.normal} : d;
  }

  /// [m] of the region along the axis; 0: it has no images there.
  float period(int axis) const { return component(flat_.shapes[0].period, axis); }

  float distance(Vec3 x) const { return of(outermost(x), x).distance; }

  int outermost(Vec3 x) const {
    int face = 0;
    float most = of(0, x).distance;
    for (int k = 1; k < parts_; ++k)
      if (const float d = of(k, x).distance; d < most) most = d, face = k;
    for (int k = parts_; k < count(); ++k)
      if (const float d = of(k, x).distance; d > most) most = d, face = k;
    return face;
  }

 private:
  FlatRegions flat_;
  FlatShape box_;
  int parts_ = 1;  ///< shapes of the region, which come first
  int dimension_;
};

/// Where an edge of the grid meets the surface.
struct Crossing {
  Vec3 at, normal;
  int face;
};

struct Matrix3 {
  double m[3][3] = {};

  void add(Vec3 n) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] += double{component(n, i)} * component(n, j);
  }
};

/// Of a symmetric matrix, by Jacobi's rotations; columns of `vectors`.
void find_eigenvectors(Matrix3& a, double (&vectors)[3][3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) vectors[i][j] = i == j;
  for (int sweep = 0; sweep < 12; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (std::fabs(a.m[p][q]) < 1e-15) continue;
        const double theta = (a.m[q][q] - a.m[p][p]) / (2 * a.m[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double x = a.m[k][p], y = a.m[k][q];
          a.m[k][p] = c * x - s * y, a.m[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = a.m[p][k], y = a.m[q][k];
          a.m[p][k] = c * x - s * y, a.m[q][k] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = vectors[k][p], y = vectors[k][q];
          vectors[k][p] = c * x - s * y, vectors[k][q] = s * x + c * y;
        }
      }
}

/// The shortest step that fits planes best: sum n n^T step = b. Directions with little weight are left out.
Vec3 step_to_planes(Matrix3 sum, const double (&b)[3], double least) {
  double vectors[3][3];
  find_eigenvectors(sum, vectors);
  const double most = std::max({sum.m[0][0], sum.m[1][1], sum.m[2][2]});
  double step[3] = {};
  for (int v = 0; v < 3; ++v) {
    if (!(sum.m[v][v] > least * most)) continue;
    const double along = vectors[0][v] * b[0] + vectors[1][v] * b[1] + vectors[2][v] * b[2];
    for (int i = 0; i < 3; ++i) step[i] += vectors[i][v] * along / sum.m[v][v];
  }
  return {static_cast<float>(step[0]), static_cast<float>(step[1]), static_cast<float>(step[2])};
}

class Contour {
 public:
  Contour(const Region& region, const Domain& domain, int cells) : faces_(region, domain) {
    Region wanted = region;
    within_domain(wanted, domain.min, domain.max);
    const Bounds bounds = bounds_of(wanted);
    float low[3] = {0, 0, 0}, extent[3] = {0, 0, 0}, longest = 0;
    for (int a = 0; a < faces_.dimension(); ++a) {
      const float from = component(domain.min, a), to = component(domain.max, a);
      low[a] = std::max(component(bounds.min, a), from);
      extent[a] = std::min(component(bounds.max, a), to) - low[a];
      const bool crosses = component(bounds.min, a) < from || component(bounds.max, a) > to;
      if (crosses && faces_.period(a) > 0) low[a] = from, extent[a] = to - from;  // its images are at both faces
      if (!(extent[a] > 0)) return;
      longest = std::max(longest, extent[a]);
    }
    cell_ = longest / static_cast<float>(cells);
    // Faces along the axes lie between points of the grid, and all around is a layer outside.
    constexpr float shift = 1.37f;
    for (int a = 0; a < faces_.dimension(); ++a) {
      low[a] -= shift * cell_;
      count_[a] = static_cast<int>(std::ceil(extent[a] / cell_)) + 4;
    }
    origin_ = {low[0], low[1], low[2]};
    sample();
    find_crossings();
    place_vertices();
  }

  TriangleMesh surface() const;
  TriangleMesh area() const;

 private:
  using Index = std::array<int, 3>;

  std::size_t at(Index i) const {
    return (static_cast<std::size_t>(i[2]) * static_cast<std::size_t>(count_[1]) + static_cast<std::size_t>(i[1])) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(i[0]);
  }
  Vec3 point(Index i) const {
    return origin_ + cell_ * Vec3{static_cast<float>(i[0]), static_cast<float>(i[1]), static_cast<float>(i[2])};
  }
  bool inside(Index i) const { return value_[at(i)] < 0; }
  static Index moved_by(Index i, int axis, int by) {
    i[static_cast<std::size_t>(axis)] += by;
    return i;
  }
  /// Calls visit(index) for all points, or all cells.
  template <class Visit>
  void for_each(bool cells, const Visit& visit) const {
    int last[3];
    for (int a = 0; a < 3; ++a) last[a] = count_[a] - (cells && count_[a] > 1 ? 1 : 0);
    for (int k = 0; k < last[2]; ++k)
      for (int j = 0; j < last[1]; ++j)
        for (int i = 0; i < last[0]; ++i) visit(Index{i, j, k});
  }

  void sample();
  void find_crossings();
  void place_vertices();
  Crossing crossing_between(Index from, int axis) const;
  Vec3 vertex_of(const std::vector<const Crossing*>& met, Vec3 low) const;
  Vec3 normal_at(Vec3 vertex, const Crossing& crossing) const;
  bool in_cell(Vec3 x, Vec3 low) const {
    for (int a = 0; a < faces_.dimension(); ++a) {
      const float by = (component(x, a) - component(low, a)) / cell_;
      if (!(by >= -kOutOfCell && by <= 1 + kOutOfCell)) return false;
    }
    return true;
  }

  Faces faces_;
  float cell_ = 0;  ///< [m]
  Vec3 origin_{};
  int count_[3] = {1, 1, 1};  ///< points of the grid
  std::vector<float> value_;  ///< (points) distance, or only its sign where no surface is near
  std::vector<Crossing> crossings_;
  std::vector<std::int32_t> crossing_[3];  ///< (points) of the edge that goes up an axis from there; -1: none
  std::vector<Vec3> vertex_;               ///< (points) of the cell whose lower corner it is
  std::vector<char> mixed_;                ///< (points) whether the surface goes through that cell
};

void Contour::sample() {
  value_.resize(at({count_[0] - 1, count_[1] - 1, count_[2] - 1}) + 1);
  int blocks[3];
  for (int a = 0; a < 3; ++a) blocks[a] = (count_[a] + kBlock - 1) / kBlock;
  const bool flat = faces_.dimension() == 2;
  const float half = 0.5f * static_cast<float>(kBlock - 1);
  for (int c = 0; c < blocks[2]; ++c)
    for (int b = 0; b < blocks[1]; ++b)
      for (int a = 0; a < blocks[0]; ++a) {
        const Index first{a * kBlock, b * kBlock, c * kBlock};
        const Vec3 middle = point(first) + half * cell_ * Vec3{1, 1, flat ? 0.0f : 1.0f};
        const float far = faces_.distance(middle);
        // The neighbours of the block's points must have the same sign too.
        const bool all = std::fabs(far) > std::sqrt(3.0f) * (half + 1) * cell_;
        const auto end = [&](int axis) {
          return std::min(first[static_cast<std::size_t>(axis)] + kBlock, count_[axis]);
        };
        for (int k = first[2]; k < end(2); ++k)
          for (int j = first[1]; j < end(1); ++j)
            for (int i = first[0]; i < end(0); ++i)
              value_[at({i, j, k})] = all ? far : faces_.distance(point({i, j, k}));
      }
}

Crossing Contour::crossing_between(Index from, int axis) const {
  const Vec3 a = point(from), way = point(moved_by(from, axis, 1)) - a;
  // False position, with the Illinois rule: an end that stays counts half the next time.
  float low = 0, high = 1, at_low = value_[at(from)], at_high = value_[at(moved_by(from, axis, 1))], t = 0.5f;
  for (int step = 0, last = 0; step < 40; ++step) {
    t = low + (high - low) * std::clamp(at_low / (at_low - at_high), 0.01f, 0.99f);
    const float d = faces_.distance(a + t * way);
    if (std::fabs(d) < 1e-6f * cell_ || high - low < 1e-6f) break;
    if ((d < 0) == (at_low < 0)) {
      low = t, at_low = d;
      if (last == 1) at_high *= 0.5f;
      last = 1;
    } else {
      high = t, at_high = d;
      if (last == 2) at_low *= 0.5f;
      last = 2;
    }
  }
  Crossing crossing{a + t * way, {}, 0};
  crossing.face = faces_.outermost(crossing.at);
  // Within the solid, where no face hides another one's edge.
  const float in = inside(from) ? -kOff : kOff;
  crossing.normal = faces_.of(crossing.face, crossing.at + in * way).normal;
  return crossing;
}

void Contour::find_crossings() {
  for (int axis = 0; axis < faces_.dimension(); ++axis) {
    crossing_[axis].assign(value_.size(), -1);
    for_each(false, [&](Index i) {
      if (i[static_cast<std::size_t>(axis)] + 1 >= count_[axis] || inside(i) == inside(moved_by(i, axis, 1))) return;
      crossing_[axis][at(i)] = static_cast<std::int32_t>(crossings_.size());
      crossings_.push_back(crossing_between(i, axis));
    });
  }
}

Vec3 Contour::vertex_of(const std::vector<const Crossing*>& met, Vec3 low) const {
  Vec3 middle{};
  for (const Crossing* crossing : met) middle += crossing->at;
  middle = (1 / static_cast<float>(met.size())) * middle;
  Matrix3 sum;
  double b[3] = {};
  std::vector<int> faces;
  for (const Crossing* crossing : met) {
    sum.add(crossing->normal);
    const double ahead = dot(crossing->normal, crossing->at - middle);
    for (int i = 0; i < 3; ++i) b[i] += ahead * component(crossing->normal, i);
    if (std::find(faces.begin(), faces.end(), crossing->face) == faces.end()) faces.push_back(crossing->face);
  }
  Vec3 x = middle + step_to_planes(sum, b, kEdge);
  for (int step = 0; step < 4; ++step) {
    Matrix3 planes;
    double away[3] = {};
    for (const int face : faces) {
      const SurfaceDistance d = faces_.of(face, x);
      planes.add(d.normal);
      for (int i = 0; i < 3; ++i) away[i] -= double{d.distance} * component(d.normal, i);
    }
    x += step_to_planes(planes, away, kEdgeOfTwo);
  }
  if (in_cell(x, low) && std::fabs(faces_.distance(x)) < 1e-3f * cell_) return x;
  // Several surfaces in one cell, or an edge outside: a place on the nearest surface.
  Vec3 nearest = middle;
  for (int step = 0; step < 8; ++step) {
    const SurfaceDistance d = faces_.of(faces_.outermost(nearest), nearest);
    nearest -= d.distance * d.normal;
  }
  return in_cell(nearest, low) ? nearest : met.front()->at;
}

void Contour::place_vertices() {
  vertex_.resize(value_.size());
  mixed_.assign(value_.size(), 0);
  std::vector<const Crossing*> met;
  const int dimension = faces_.dimension();
  for_each(true, [&](Index i) {
    met.clear();
    for (int axis = 0; axis < dimension; ++axis) {
      const int second = (axis + 1) % dimension, third = dimension == 3 ? (axis + 2) % 3 : -1;
      for (int v = 0; v < 2; ++v)
        for (int w = 0; w < (third < 0 ? 1 : 2); ++w) {
          Index from = moved_by(i, second, v);
          if (third >= 0) from = moved_by(from, third, w);
          if (const std::int32_t c = crossing_[axis][at(from)]; c >= 0)
            met.push_back(&crossings_[static_cast<std::size_t>(c)]);
        }
    }
    const Vec3 low = point(i);
    if (met.empty()) {
      vertex_[at(i)] = low + 0.5f * cell_ * Vec3{1, 1, dimension == 3 ? 1.0f : 0.0f};
      return;
    }
    mixed_[at(i)] = 1;
    vertex_[at(i)] = vertex_of(met, low);
  });
}

/// Of the face that the crossing is on. A vertex on an edge belongs to several.
Vec3 Contour::normal_at(Vec3 vertex, const Crossing& crossing) const {
  const Vec3 in = -kOff * cell_ * crossing.normal;
  for (const float towards : {0.0f, 0.25f}) {
    const Vec3 normal = faces_.of(crossing.face, vertex + towards * (crossing.at - vertex) + in).normal;
    if (dot(normal, crossing.normal) > kSameFace) return normal;
  }
  return crossing.normal;
}

/// A triangle across an edge, where the solid is thinner than a cell, is flat.
void face_forward(MeshCorner (&corner)[3], Vec3 normal, float least_area) {
  const Vec3 u = corner[1].at - corner[0].at, v = corner[2].at - corner[0].at;
  const Vec3 across{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const float area = std::sqrt(length2(across));
  if (!(area > least_area) || dot(across, normal) > 0.7f * area) return;
  for (MeshCorner& one : corner) one.normal = (1 / area) * across;
}

TriangleMesh Contour::surface() const {
  TriangleMesh mesh;
  if (value_.empty()) return mesh;
  for (int axis = 0; axis < 3; ++axis) {
    const int second = (axis + 1) % 3, third = (axis + 2) % 3;
    for_each(false, [&](Index i) {
      const std::int32_t c = crossing_[axis][at(i)];
      if (c < 0) return;
      const Crossing& crossing = crossings_[static_cast<std::size_t>(c)];
      // The four cells around the edge, counter-clockwise as seen from its upper end.
      const Index back = moved_by(i, second, -1);
      Vec3 around[4] = {vertex_[at(moved_by(back, third, -1))], vertex_[at(moved_by(i, third, -1))], vertex_[at(i)],
                        vertex_[at(back)]};
      if (!inside(i)) std::swap(around[1], around[3]);
      MeshCorner corner[4];
      for (int k = 0; k < 4; ++k) corner[k] = {around[k], normal_at(around[k], crossing)};
      const auto off = [&](int a, int b) { return std::fabs(faces_.distance(0.5f * (around[a] + around[b]))); };
      const int from = off(0, 2) <= off(1, 3) ? 0 : 1;
      for (const int k : {0, 1}) {
        MeshCorner own[3] = {corner[from], corner[(from + 1 + k) % 4], corner[(from + 2 + k) % 4]};
        face_forward(own, crossing.normal, 1e-3f * cell_ * cell_);
        mesh.corners.insert(mesh.corners.end(), std::begin(own), std::end(own));
      }
    });
  }
  return mesh;
}

TriangleMesh Contour::area() const {
  TriangleMesh mesh;
  if (value_.empty()) return mesh;
  const auto add = [&](Vec3 a, Vec3 b, Vec3 c) {
    for (const Vec3 at : {a, b, c}) mesh.corners.push_back({at, {0, 0, 1}});
  };
  // Around each point inside lie four cells; their vertices bound its part of the area.
  for_each(false, [&](Index i) {
    if (!inside(i)) return;
    const Index cells[4] = {moved_by(moved_by(i, 0, -1), 1, -1), moved_by(i, 1, -1), i, moved_by(i, 0, -1)};
    Vec3 around[4];
    bool at_edge = false;
    for (int k = 0; k < 4; ++k) {
      around[k] = vertex_[at(cells[k])];
      at_edge |= mixed_[at(cells[k])] != 0;
    }
    if (at_edge) {
      for (int k = 0; k < 4; ++k) add(point(i), around[k], around[(k + 1) % 4]);
    } else {
      add(around[0], around[1], around[2]);
      add(around[0], around[2], around[3]);
    }
  });
  for (int axis = 0; axis < 2; ++axis)
    for_each(false, [&](Index i) {
      if (crossing_[axis][at(i)] < 0) return;
      mesh.outline.push_back(vertex_[at(i)]);
      mesh.outline.push_back(vertex_[at(moved_by(i, 1 - axis, -1))]);
    });
  return mesh;
}

}  // namespace

TriangleMesh contour_mesh(const Region& region, const Domain& domain, int cells) {
  const Contour contour(region, domain, cells);
  return domain.dimension == 2 ? contour.area() : contour.surface();
}

}  // namespace riffle
