/// Moments of meshes, of what `without` takes away, and of what shapes have in common.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/math/domain.h"
#include "sim/bodies/mass/moments.h"
#include "sim/meshes/surface.h"
#include "sim/shapes/distance.h"

namespace riffle::bodies {

namespace {

/// Every edge is passed as often one way as the other.
bool edges_match(const IndexedMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> passes;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      passes[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return std::all_of(passes.begin(), passes.end(), [](const auto& edge) { return edge.second == 0; });
}

/// Whether the surface winds once around every place of a grid that it encloses.
bool winds_once(const MeshSurface& surface) {
  constexpr int kPlaces = 24;  // along each side
  const Vec3 low = surface.low(), extent = surface.high() - surface.low();
  for (int k = 0; k < kPlaces; ++k)
    for (int j = 0; j < kPlaces; ++j)
      for (int i = 0; i < kPlaces; ++i) {
        const auto at = [&](int n) { return (float(n) + 0.5f) / kPlaces; };
        const double winding = surface.tree().winding(low + Vec3{at(i) * extent.x, at(j) * extent.y, at(k) * extent.z});
        if (std::fabs(winding) > 0.25 && std::fabs(winding - 1) > 0.25) return false;
      }
  return true;
}

/// The share of a cell that lies inside a plane. Exact where the normal is along an axis.
double share_inside(const SurfaceDistance& d, double cell, int dimension) {
  double width = std::fabs(d.normal.x) + std::fabs(d.normal.y) + (dimension == 3 ? std::fabs(d.normal.z) : 0.0f);
  width = std::max(width, 1e-3) * cell;
  return std::clamp(0.5 - d.distance / width, 0.0, 1.0);
}

/// The share of a cell that lies where rule(in) holds, in[k] telling whether a place is inside shape k. Surfaces are their
/// tangent planes: of one exact as above, of several counted by points.
template <class Rule>
class CellShare {
 public:
  CellShare(const FlatRegions& flat, int dimension, const Rule& rule)
      : flat_(flat),
        dimension_(dimension),
        rule_(rule),
        exact_(flat.grids.empty()),
        distance_(flat.shapes.size()),
        in_(flat.shapes.size()) {}

  /// Of each cell of a block around x that reaches `reach` [m] from it: 0 or 1; -1: a surface may pass the block.
  double whole(Vec3 x, double reach) {
    if (!exact_) return -1;
    for (std::size_t k = 0; k < in_.size(); ++k) {
      const float distance = surface_distance(flat_.shapes[k], flat_.corners.data(), x, dimension_).distance;
      if (!(std::fabs(distance) > kPastRounding * reach)) return -1;
      in_[k] = distance <= 0;
    }
    return rule_(in_) ? 1 : 0;
  }

  double operator()(Vec3 x, double cell) {
    crossing_.clear();
    double share = 0;
    for (std::size_t k = 0; k < in_.size(); ++k) {
      distance_[k] = surface_distance(flat_.shapes[k], flat_.corners.data(), x, dimension_);
      const double own = share_inside(distance_[k], cell, dimension_);
      in_[k] = distance_[k].distance <= 0;
      if (own > 0 && own < 1) crossing_.push_back(k), share = own;
    }
    if (crossing_.empty()) return rule_(in_) ? 1 : 0;
    if (crossing_.size() > 1) return counted(cell);
    char& in = in_[crossing_[0]];
    in = 1;
    const bool inside = rule_(in_);
    in = 0;
    return (inside ? share : 0) + (rule_(in_) ? 1 - share : 0);
  }

 private:
  /// An axis that all surfaces are at right angles to; -1: there is none.
  int common_axis() const {
    for (int a = 0; a < dimension_; ++a)
      if (std::all_of(crossing_.begin(), crossing_.end(),
                      [&](std::size_t k) { return std::fabs(component(distance_[k].normal, a)) > 1 - 1e-6f; }))
        return a;
    return -1;
  }

  double counted(double cell) {
    constexpr int kAlongOne = 512, kAlongEach3 = 8, kAlongEach2 = 32;  // points
    const int axis = common_axis(), each = dimension_ == 3 ? kAlongEach3 : kAlongEach2;
    int count[3] = {1, 1, 1};
    for (int a = 0; a < dimension_; ++a) count[a] = axis < 0 ? each : a == axis ? kAlongOne : 1;
    const auto off = [&](int a, int k) {
      return static_cast<float>(((k + 0.5) / count[a] - 0.5) * (a < dimension_ ? cell : 0));
    };
    int inside = 0;
    for (int k = 0; k < count[2]; ++k)
      for (int j = 0; j < count[1]; ++j)
        for (int i = 0; i < count[0]; ++i) {
          const Vec3 by{off(0, i), off(1, j), off(2, k)};
          for (const std::size_t c : crossing_) in_[c] = distance_[c].distance + dot(distance_[c].normal, by) <= 0;
          inside += rule_(in_) ? 1 : 0;
        }
    return double(inside) / (double(count[0]) * count[1] * count[2]);
  }

  static constexpr double kPastRounding = 1.001;

  const FlatRegions& flat_;
  int dimension_;
  const Rule& rule_;
  bool exact_;  // the distances, which those to meshes are not
  std::vector<SurfaceDistance> distance_;
  std::vector<char> in_;
  std::vector<std::size_t> crossing_;
};

/// Sums over the cells of a box, from the middle of all cells, in cells.
class CellSums {
 public:
  explicit CellSums(const std::array<int, 3>& count, int dimension) : count_(count), dimension_(dimension) {}

  /// A block of `size` cells whose first is `low`. @param share  of each of its cells that counts
  void add(const std::array<int, 3>& low, const std::array<int, 3>& size, double share) {
    double at[3] = {0, 0, 0}, cells = share;
    for (std::size_t a = 0; a < std::size_t(dimension_); ++a) {
      at[a] = low[a] + 0.5 * size[a] - 0.5 * count_[a];
      cells *= size[a];
    }
    volume_ += cells;
    for (std::size_t a = 0; a < 3; ++a) {
      first_[a] += cells * at[a];
      for (std::size_t b = 0; b < 3; ++b)
        second_[a][b] += cells * (at[a] * at[b] + (a == b ? double(size[a]) * size[a] / 12 : 0));
    }
  }

  /// @param low  the corner of the first cell [m]. @param cell  its side [m]
  Moments result(const double (&low)[3], double cell) const {
    if (volume_ == 0) return {};
    Moments m;
    const double unit = dimension_ == 3 ? cell * cell * cell : cell * cell;
    m.volume = volume_ * unit;
    for (std::size_t a = 0; a < std::size_t(dimension_); ++a) {
      m.center[a] = low[a] + (0.5 * count_[a] + first_[a] / volume_) * cell;
      for (std::size_t b = 0; b < std::size_t(dimension_); ++b)
        m.second[a][b] = (second_[a][b] - first_[a] * first_[b] / volume_) * unit * cell * cell;
    }
    return m;
  }

 private:
  std::array<int, 3> count_;
  int dimension_;
  double volume_ = 0, first_[3] = {0, 0, 0}, second_[3][3] = {};
};

/// Visits the cells of a box. A block of cells that no surface passes counts as one: most cells lie in such blocks.
template <class Rule>
class CellVisit {
 public:
  CellVisit(const FlatRegions& flat, int dimension, const Rule& rule, const double (&low)[3], double cell,
            CellSums& sums)
      : share_of_(flat, dimension, rule), dimension_(dimension), low_(low), cell_(cell), sums_(sums) {}

  void block(const std::array<int, 3>& low, const std::array<int, 3>& size) {
    double at[3] = {0, 0, 0}, across = 0;  // its middle [m]; the square of its diagonal [cells^2]
    for (std::size_t a = 0; a < std::size_t(dimension_); ++a) {
      at[a] = low_[a] + (low[a] + 0.5 * size[a]) * cell_;
      across += double(size[a]) * size[a];
    }
    const Vec3 middle{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
    const bool one = size[0] == 1 && size[1] == 1 && size[2] == 1;
    const double share = one ? share_of_(middle, cell_) : share_of_.whole(middle, 0.5 * std::sqrt(across) * cell_);
    if (share > 0) sums_.add(low, size, share);
    if (share >= 0) return;
    const std::size_t a = std::size_t(std::max_element(size.begin(), size.end()) - size.begin());
    std::array<int, 3> first = size, rest = size, next = low;
    first[a] = size[a] / 2;
    rest[a] = size[a] - first[a];
    next[a] = low[a] + first[a];
    block(low, first);
    block(next, rest);
  }

 private:
  CellShare<Rule> share_of_;
  int dimension_;
  const double (&low_)[3];
  double cell_;
  CellSums& sums_;
};

template <class Rule>
Moments sum_of_cells(Bounds bounds, int dimension, const FlatRegions& flat, const Rule& rule) {
  double low[3] = {0, 0, 0}, extent[3] = {0, 0, 0}, longest = 0;
  for (int a = 0; a < dimension; ++a) {
    low[a] = component(bounds.min, a);
    extent[a] = double{component(bounds.max, a)} - component(bounds.min, a);
    if (!(extent[a] > 0)) return {};
    longest = std::max(longest, extent[a]);
  }
  const double cell = longest / (dimension == 3 ? kMomentCells : kMomentCells2);
  std::array<int, 3> count = {1, 1, 1};
  for (std::size_t a = 0; a < std::size_t(dimension); ++a) {
    count[a] = static_cast<int>(std::ceil(extent[a] / cell - 1e-9));
    low[a] -= 0.5 * (count[a] * cell - extent[a]);  // the cells reach as far beyond both ends
  }
  CellSums sums(count, dimension);
  CellVisit<Rule>(flat, dimension, rule, low, cell, sums).block({0, 0, 0}, count);
  return sums.result(low, cell);
}

FlatRegions alone(const Region& region, int dimension) {
  Domain domain;  // open: nothing has images
  domain.dimension = dimension;
  const Bounds bounds = bounds_of(region);
  domain.min = bounds.min;
  domain.max = bounds.max;
  const Vec3 extent = bounds.max - bounds.min;
  const float longest = std::max({extent.x, extent.y, dimension == 3 ? extent.z : 0});
  const Region* const one[] = {&region};
  return flatten(one, domain, region.shape == Shape::Mesh ? 2 * longest / kMomentCells : 0);
}

Bounds common_part(const Bounds& a, const Bounds& b) {
  return {{std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y), std::max(a.min.z, b.min.z)},
          {std::min(a.max.x, b.max.x), std::min(a.max.y, b.max.y), std::min(a.max.z, b.max.z)}};
}

bool have_volume(const Bounds& bounds, int dimension) {
  for (int a = 0; a < dimension; ++a)
    if (!(component(bounds.max, a) > component(bounds.min, a))) return false;
  return true;
}

bool any_of(const std::vector<char>& in, std::size_t from, std::size_t to) {
  return std::any_of(in.begin() + static_cast<std::ptrdiff_t>(from), in.begin() + static_cast<std::ptrdiff_t>(to),
                     [](char one) { return one != 0; });
}

}  // namespace

Moments mesh_moments(const PlainShape& shape) {
  if (!shape.surface) return {};
  const MeshSurface& surface = *shape.surface;
  const IndexedMesh& mesh = surface.mesh();
  if (!edges_match(mesh) || !winds_once(surface)) return cell_moments(shape, 3);
  const Vec3 middle = 0.5f * (surface.low() + surface.high());
  const double origin[3] = {middle.x, middle.y, middle.z};
  SimplexSum tetrahedra(origin, 3);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    double corner[3][3];
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 3; ++a) corner[k][a] = double{component(mesh.vertex(t, k), a)} - origin[a];
    tetrahedra.add(corner);
  }
  return tetrahedra.result();
}

Moments cell_moments(const PlainShape& shape, int dimension) {
  Region region;
  static_cast<PlainShape&>(region) = shape;
  const FlatRegions flat = alone(region, dimension);
  return sum_of_cells(bounds_of(shape), dimension, flat, [](const std::vector<char>& in) { return in[0] != 0; });
}

Moments cut_moments(const Region& region, int dimension) {
  if (region.without.empty()) return {};
  const FlatRegions flat = alone(region, dimension);
  Bounds cuts = bounds_of(region.without.front());
  for (const PlainShape& cut : region.without) cuts = box_around(cuts, bounds_of(cut));
  const std::size_t parts = 1 + region.with.size();
  return sum_of_cells(common_part(bounds_of(region), cuts), dimension, flat, [&](const std::vector<char>& in) {
    return any_of(in, 0, parts) && any_of(in, parts, in.size());
  });
}

Moments common_moments(const Region& region, std::size_t part, int dimension) {
  const Bounds own = bounds_of(region.with[part]);
  // The earlier shapes whose bounds meet those of the part, then the part: a union may have a thousand shapes.
  Region all;
  std::size_t earlier = 0;
  Bounds around{};
  const auto add = [&](const PlainShape& shape) {
    if (earlier++ == 0)
      static_cast<PlainShape&>(all) = shape;
    else
      all.with.push_back(shape);
  };
  const auto add_near = [&](const PlainShape& shape) {
    const Bounds bounds = bounds_of(shape);
    if (!have_volume(common_part(bounds, own), dimension)) return;
    around = earlier == 0 ? bounds : box_around(around, bounds);
    add(shape);
  };
  add_near(region);
  for (std::size_t k = 0; k < part; ++k) add_near(region.with[k]);
  if (earlier == 0) return {};
  const std::size_t last = earlier;
  add(region.with[part]);
  const FlatRegions flat = alone(all, dimension);
  return sum_of_cells(common_part(around, own), dimension, flat,
                      [&](const std::vector<char>& in) { return in[last] != 0 && any_of(in, 0, last); });
}

}  // namespace riffle::bodies
