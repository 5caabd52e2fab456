#include "sim/shapes/distance.h"

#include <algorithm>
#include <cmath>

#include "core/math/domain.h"
#include "sim/meshes/surface.h"
#include "sim/shapes/half_box.h"

namespace riffle {

namespace {

constexpr float kInfinite = INFINITY;

/// Takes away the ends at both faces of periodic axes.
void go_on_through_faces(FlatShape& flat, const Domain& domain) {
  for (int a = 0; a < domain.dimension; ++a) {
    if (!domain.periodic(a)) continue;
    const float slack = 1e-5f * component(domain.extent(), a);
    const bool spans = component(flat.low, a) <= component(domain.min, a) + slack &&
                       component(flat.high, a) >= component(domain.max, a) - slack;
    if (!spans) continue;
    const bool along = (flat.shape == Shape::Polygon && flat.axis == a) ||
                       ((flat.shape == Shape::Cylinder || flat.shape == Shape::Capsule) &&
                        std::fabs(component(flat.along, a)) > 1 - 1e-6f);
    if (along) flat.begin = -kInfinite, flat.end = kInfinite;
    if (!along && flat.shape != Shape::Box) continue;
    (a == 0 ? flat.low.x : a == 1 ? flat.low.y : flat.low.z) = -kInfinite;
    (a == 0 ? flat.high.x : a == 1 ? flat.high.y : flat.high.z) = kInfinite;
  }
}

/// Of a region that does not go on through them. @param bounds  of all its shapes
void find_images(FlatShape& first, const Bounds& bounds, const Domain& domain) {
  const auto period = [&](int a) {
    const float extent = component(domain.extent(), a), length = component(bounds.max, a) - component(bounds.min, a);
    return domain.periodic(a) && length <= extent ? extent : 0;  // not of what is infinite
  };
  first.period = {period(0), period(1), period(2)};
  first.middle = {first.period.x > 0 ? 0.5f * (bounds.min.x + bounds.max.x) : 0,
                  first.period.y > 0 ? 0.5f * (bounds.min.y + bounds.max.y) : 0,
                  first.period.z > 0 ? 0.5f * (bounds.min.z + bounds.max.z) : 0};
}

bool turns_clockwise(const PlainShape& polygon) {
  double twice = 0;
  for (std::size_t k = 0; k < polygon.corners.size(); ++k) {
    const auto& [ax, ay] = polygon.corners[k];
    const auto& [bx, by] = polygon.corners[(k + 1) % polygon.corners.size()];
    twice += double{ax} * by - double{bx} * ay;
  }
  return twice < 0;
}

FlatShape flat_of(const PlainShape& shape, std::uint32_t solid, const Domain& domain, std::vector<Corner2>& corners) {
  FlatShape flat{.shape = shape.shape, .solid = solid, .axis = shape.axis};
  const Bounds bounds = bounds_of(shape);
  flat.low = bounds.min;
  flat.high = bounds.max;
  switch (shape.shape) {
    case Shape::Box: break;
    case Shape::Sphere:
      flat.center = shape.center;
      flat.radius = shape.radius;
      break;
    case Shape::Cylinder:
    case Shape::Capsule: {
      Vec3 way = shape.to - shape.from;
      if (domain.dimension == 2) way.z = 0;
      if (domain.dimension == 2 && length2(way) == 0) flat.shape = Shape::Sphere;  // the section of one along z
      flat.center = shape.from;
      flat.radius = shape.radius;
      flat.end = std::sqrt(length2(way));
      flat.along = flat.end > 0 ? (1 / flat.end) * way : Vec3{1, 0, 0};
      break;
    }
    case Shape::Plane: {
      PlainShape endless = shape;
      endless.min = endless.max = {};
      const auto normal = unit_normal(shape, domain.dimension);
      flat.center = shape.point;
      flat.along = {static_cast<float>(normal[0]), static_cast<float>(normal[1]), static_cast<float>(normal[2])};
      flat.low = bounds_of(endless).min;
      flat.high = bounds_of(endless).max;
      break;
    }
    case Shape::Polygon:
      flat.begin = shape.low;
      flat.end = shape.high;
      flat.first_corner = static_cast<std::uint32_t>(corners.size());
      flat.corners = static_cast<std::uint32_t>(shape.corners.size());
      for (const auto& [x, y] : shape.corners) corners.push_back({x, y});
      if (turns_clockwise(shape)) std::reverse(corners.begin() + flat.first_corner, corners.end());
      break;
    case Shape::Mesh: break;
  }
  go_on_through_faces(flat, domain);
  return flat;
}

/// The grid of a mesh: around its surface, as far as the domain goes and walls reach beyond it.
std::shared_ptr<const DistanceGrid> grid_of(const MeshSurface& surface, const Domain& domain, Vec3 period,
                                            float spacing) {
  constexpr float kMargin = 6, kBand = 3;  // [spacings]
  constexpr float kPictureCells = 96;      // along the longest side
  const Vec3 extent = surface.high() - surface.low();
  if (!(spacing > 0)) spacing = std::max({extent.x, extent.y, extent.z}) / (kMeshCell * kPictureCells);
  const Vec3 margin = kMargin * spacing * Vec3{1, 1, 1};
  const auto larger = [](Vec3 a, Vec3 b) { return Vec3{std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; };
  Vec3 from = domain.min, to = domain.max;
  if (period.x > 0) from.x = surface.low().x, to.x = surface.high().x;  // all of it is in the domain, by its images
  if (period.y > 0) from.y = surface.low().y, to.y = surface.high().y;
  if (period.z > 0) from.z = surface.low().z, to.z = surface.high().z;
  const Vec3 low = larger(surface.low(), from) - margin;
  const Vec3 high = -larger(-surface.high(), -to) + margin;
  // A mesh that lies outside the domain has a grid of one block.
  return surface.grid({low, larger(high, low + margin), kMeshCell * spacing, kBand * spacing});
}

}  // namespace

Bounds bounds_of(std::span<const FlatShape> shapes, std::size_t first) {
  Bounds bounds{shapes[first].low, shapes[first].high};
  for (std::size_t k = first + 1; k < shapes.size() && shapes[k].joined; ++k)
    bounds = box_around(bounds, {shapes[k].low, shapes[k].high});
  return bounds;
}

FlatRegions flatten(std::span<const Region* const> regions, const Domain& domain, float spacing) {
  FlatRegions flat;
  for (std::size_t s = 0; s < regions.size(); ++s) {
    const auto solid = static_cast<std::uint32_t>(s);
    const std::size_t first = flat.shapes.size();
    flat.shapes.push_back(flat_of(*regions[s], solid, domain, flat.corners));
    for (const PlainShape& part : regions[s]->with) {
      flat.shapes.push_back(flat_of(part, solid, domain, flat.corners));
      flat.shapes.back().joined = true;
    }
    FlatShape& shape = flat.shapes[first];
    find_images(shape, bounds_of(flat.shapes, first), domain);
    if (const auto& surface = regions[s]->surface; regions[s]->shape == Shape::Mesh && surface) {
      flat.grids.push_back(grid_of(*surface, domain, shape.period, spacing));
      shape.grid = flat.grids.back()->view();
    }
    for (const PlainShape& cut : regions[s]->without) {
      flat.shapes.push_back(flat_of(cut, solid, domain, flat.corners));
      flat.shapes.back().cut = true;
    }
  }
  return flat;
}

}  // namespace riffle
