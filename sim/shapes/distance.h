#pragma once
/// The distance from a point to the surface of a region, on both devices.
///
/// The distance is exact for a plain shape.
/// - With `with` it is the smallest of those to the shapes: exact outside. Inside, where shapes overlap or touch, it may be too
///   small, down to 0 where they only touch.
/// - With `without` it is the larger of two: to the shape, and to what is taken away from inside. Near a concave edge, where a
///   cut meets the shape, it may be too small outside the solid.
/// To the shapes as they are placed it is never too large. Its sign is exact, and so is its zero but for shapes that only touch.
///
/// On periodic axes it is that to the region's image that is nearest by its middle: too large where another image is nearer.
/// A region with a shape that goes on through both faces has no image, so its other shapes are not found beyond those faces.
///
/// That to a mesh is read from a grid (sim/meshes/distance_grid.h) whose cells are half a particle spacing wide near the
/// surface: edges and corners are rounded by about a quarter of a spacing.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/math/math.h"
#include "core/math/periodic.h"
#include "core/math/vec.h"
#include "sim/meshes/distance_grid_view.h"
#include "sim/shapes/shape.h"

namespace riffle {

class DistanceGrid;

/// A plain shape for kernels. An end that is infinite has no surface.
struct FlatShape {
  Shape shape = Shape::Box;
  std::uint32_t solid = 0;   ///< index of the region
  bool joined = false;       ///< of the same region as the shape before it
  bool cut = false;          ///< taken away from the region before it
  std::int32_t axis = 2;     ///< polygon
  Vec3 low{}, high{};        ///< box: its corners. Others: bounds
  Vec3 center{};             ///< sphere; cylinder, capsule: the centre of the first end; plane: a point on it
  Vec3 along{};              ///< cylinder, capsule: unit vector from that end to the other; plane: its normal
  float radius = 0;          ///< sphere, cylinder, capsule
  float begin = 0, end = 0;  ///< cylinder, capsule, polygon: along the axis; the first two begin at 0
  std::uint32_t first_corner = 0, corners = 0;  ///< polygon; counterclockwise
  DistanceGridView grid{};                      ///< mesh
  Vec3 middle{};  ///< of the region's bounds, along axes with a period; of its first shape
  Vec3 period{};  ///< [m] 0 along axes on which the region has no images; likewise

  RIFFLE_HD bool begins() const { return !joined && !cut; }  ///< a region, which goes on until the next that does
};

struct Corner2 {
  float x, y;
};

/// The nearest point of a surface.
struct SurfaceDistance {
  float distance;  ///< [m] negative inside
  Vec3 normal;     ///< outwards, of length 1; in 2-D z is 0
};

/// Regions for kernels, flat.
struct FlatRegions {
  std::vector<FlatShape> shapes;  ///< each region's shape, then those of `with`, then its cuts
  std::vector<Corner2> corners;
  std::vector<std::shared_ptr<const DistanceGrid>> grids;  ///< of the meshes, in the order of the shapes
};

/// The regions one after the other. A shape that reaches both faces of a periodic axis goes on through them: it has no end
/// there, and neither has what is infinite. A region in which no shape does that has images on the other sides of periodic
/// faces, unless it is longer than the period. A plane has no end anywhere: its surface is a half-space's.
/// @param spacing  of the particles [m], which the cells of a mesh's grid follow; 0: cells for a picture
FlatRegions flatten(std::span<const Region* const> regions, const Domain& domain, float spacing = 0);

/// Of the region that begins at that shape: around its shapes, whatever cuts take away. Infinite where a shape is.
Bounds bounds_of(std::span<const FlatShape> shapes, std::size_t first);

/// How wide the cells of a mesh's grid are to be [m].
inline constexpr float kMeshCell = 0.5f;  ///< [spacings]

inline constexpr float kNowhere = 3.4e38f;  ///< [m] the distance from what does not exist

namespace shape_distance {

RIFFLE_INLINE float larger(float a, float b) { return a > b ? a : b; }

/// Of two that both must hold, inside a profile and between two ends: exact if both are.
RIFFLE_INLINE SurfaceDistance both(SurfaceDistance profile, SurfaceDistance ends) {
  if (!(profile.distance > 0 && ends.distance > 0)) return profile.distance >= ends.distance ? profile : ends;
  const float d = quick_sqrt(profile.distance * profile.distance + ends.distance * ends.distance);
  return {d, quick_divide(1.0f, d) * (profile.distance * profile.normal + ends.distance * ends.normal)};
}

RIFFLE_INLINE SurfaceDistance of_slab(float x, float low, float high, Vec3 axis) {
  const float below = low - x, above = x - high;
  return below > above ? SurfaceDistance{below, -axis} : SurfaceDistance{above, axis};
}

RIFFLE_INLINE SurfaceDistance of_box(const FlatShape& box, Vec3 x, int dimension) {
  SurfaceDistance d =
      both(of_slab(x.x, box.low.x, box.high.x, {1, 0, 0}), of_slab(x.y, box.low.y, box.high.y, {0, 1, 0}));
  return dimension == 3 ? both(d, of_slab(x.z, box.low.z, box.high.z, {0, 0, 1})) : d;
}

/// r: from the centre, or from the axis
/// fallback: a normal for its middle
RIFFLE_INLINE SurfaceDistance of_round(Vec3 r, float radius, Vec3 fallback) {
  const float r2 = length2(r), length = quick_sqrt(r2);
  return {length - radius, length > 0 ? quick_divide(1.0f, length) * r : fallback};
}

/// A unit vector at right angles to u; in 2-D the one in the plane.
RIFFLE_INLINE Vec3 aside_of(Vec3 u, int dimension) {
  const Vec3 aside = dimension == 2 || u.x * u.x + u.y * u.y > 0.25f ? Vec3{-u.y, u.x, 0} : Vec3{0, -u.z, u.y};
  return quick_divide(1.0f, quick_sqrt(length2(aside))) * aside;
}

RIFFLE_INLINE SurfaceDistance of_cylinder(const FlatShape& cylinder, Vec3 x, int dimension) {
  Vec3 r = x - cylinder.center;
  if (dimension == 2) r.z = 0;
  const Vec3 u = cylinder.along;
  const float t = dot(r, u);
  return both(of_round(r - t * u, cylinder.radius, aside_of(u, dimension)),
              of_slab(t, cylinder.begin, cylinder.end, u));
}

RIFFLE_INLINE SurfaceDistance of_capsule(const FlatShape& capsule, Vec3 x, int dimension) {
  Vec3 r = x - capsule.center;
  if (dimension == 2) r.z = 0;
  const Vec3 u = capsule.along;
  const float along = dot(r, u);
  const float t = along < capsule.begin ? capsule.begin : along > capsule.end ? capsule.end : along;
  return of_round(r - t * u, capsule.radius, aside_of(u, dimension));
}

RIFFLE_INLINE SurfaceDistance of_plane(const FlatShape& plane, Vec3 x, int dimension) {
  Vec3 r = x - plane.center;
  if (dimension == 2) r.z = 0;
  return {dot(r, plane.along), plane.along};
}

RIFFLE_INLINE SurfaceDistance of_polygon(const FlatShape& polygon, const Corner2* corners, Vec3 x, int dimension) {
  const int first = polygon.axis == 0 ? 1 : 0, second = polygon.axis == 2 ? 1 : 2;
  const float px = component(x, first), py = component(x, second);
  float nearest2 = kNowhere, distance = 0, rounding = 0, nx = 1, ny = 0;
  bool inside = false, at_corner = false;
  Corner2 a = corners[polygon.first_corner + polygon.corners - 1];
  for (std::uint32_t k = 0; k < polygon.corners; ++k) {
    const Corner2 b = corners[polygon.first_corner + k];
    const float ux = b.x - a.x, uy = b.y - a.y, dx = px - a.x, dy = py - a.y;
    const float along = dx * ux + dy * uy, u2 = ux * ux + uy * uy;
    const bool beside = along > 0 && along < u2;
    // Beside an edge its own normal is the direction: on it, that of the way to the nearest point is rounding alone.
    const float off = beside ? quick_divide(dx * uy - dy * ux, quick_sqrt(u2)) : 0;
    const float ex = along > 0 ? px - b.x : dx, ey = along > 0 ? py - b.y : dy;  // from the nearer corner
    const float d2 = beside ? off * off : ex * ex + ey * ey;
    if (d2 < nearest2) {
      nearest2 = d2;
      at_corner = !beside;
      nx = beside ? uy : ex;
      ny = beside ? -ux : ey;
      distance = off;
      rounding = fabsf(px) + fabsf(py) + fabsf(ux) + fabsf(uy);
    }
    if ((a.y > py) != (b.y > py) && px < a.x + (py - a.y) * (ux / uy)) inside = !inside;
    a = b;
  }
  const float length = quick_sqrt(nx * nx + ny * ny);
  if (at_corner) distance = length;
  // Which side is inside follows from the corners' order where x is on an edge but for rounding. Elsewhere the number of
  // edges beside x tells, where edges cross too.
  const float magnitude = distance < 0 ? -distance : distance;
  const bool on_edge = !at_corner && magnitude <= 1e-6f * rounding;
  const bool outwards = at_corner || distance > 0;  // n points from the surface to x
  const float sign = on_edge || outwards != inside ? 1.0f : -1.0f;
  if (!on_edge) distance = inside ? -magnitude : magnitude;
  const float scale = length > 0 ? quick_divide(sign, length) : 0;
  Vec3 normal{0, 0, 0};
  (first == 0 ? normal.x : normal.y) = scale * nx;
  (second == 1 ? normal.y : normal.z) = scale * ny;
  const SurfaceDistance profile{distance, normal};
  if (dimension == 2) return profile;
  const Vec3 axis{polygon.axis == 0 ? 1.0f : 0.0f, polygon.axis == 1 ? 1.0f : 0.0f, polygon.axis == 2 ? 1.0f : 0.0f};
  return both(profile, of_slab(component(x, polygon.axis), polygon.begin, polygon.end, axis));
}

}  // namespace shape_distance

RIFFLE_INLINE SurfaceDistance surface_distance(const FlatShape& shape, const Corner2* corners, Vec3 x, int dimension) {
  switch (shape.shape) {
    case Shape::Box: return shape_distance::of_box(shape, x, dimension);
    case Shape::Sphere: {
      Vec3 r = x - shape.center;
      if (dimension == 2) r.z = 0;
      return shape_distance::of_round(r, shape.radius, {0, 1, 0});
    }
    case Shape::Cylinder: return shape_distance::of_cylinder(shape, x, dimension);
    case Shape::Capsule: return shape_distance::of_capsule(shape, x, dimension);
    case Shape::Plane: return shape_distance::of_plane(shape, x, dimension);
    case Shape::Mesh: {
      SurfaceDistance d;
      d.distance = distance_in_grid(shape.grid, x, d.normal);
      return d;
    }
    case Shape::Polygon: break;
  }
  return shape_distance::of_polygon(shape, corners, x, dimension);
}

/// Whether x is further than `reach` outside the box of the shape's bounds.
RIFFLE_INLINE bool far_from(const FlatShape& shape, Vec3 x, float reach, int dimension) {
  return x.x < shape.low.x - reach || x.x > shape.high.x + reach || x.y < shape.low.y - reach ||
         x.y > shape.high.y + reach || (dimension == 3 && (x.z < shape.low.z - reach || x.z > shape.high.z + reach));
}

/// Regions that are where their shapes say. Others have frames of their own, in which their shapes are.
struct RegionsAtRest {
  /// The place in the region's frame, and of its images the nearest.
  RIFFLE_HD Vec3 into(const FlatShape& shape, Vec3 x) const { return image_near(x, shape.middle, shape.period); }
  RIFFLE_HD SurfaceDistance out(std::uint32_t, SurfaceDistance d) const { return d; }
  RIFFLE_HD float reach(std::uint32_t, float reach) const { return reach; }
};

/// Calls visit(solid, distance) for the region that begins at shape k, if it may be nearer than `reach`.
/// @return the first shape of the next region
template <class Visit, class Frames = RegionsAtRest>
RIFFLE_INLINE int visit_region(const FlatShape* shapes, int count, int k, const Corner2* corners, const Vec3& from,
                               float reach, int dimension, const Visit& visit, const Frames& frames = {}) {
  const FlatShape& shape = shapes[k];
  const Vec3 x = frames.into(shape, from);
  const float far = frames.reach(shape.solid, reach);
  bool near = !far_from(shape, x, far, dimension);
  SurfaceDistance d = near ? surface_distance(shape, corners, x, dimension) : SurfaceDistance{kNowhere, {0, 1, 0}};
  for (++k; k < count && shapes[k].joined; ++k) {
    if (far_from(shapes[k], x, far, dimension)) continue;
    near = true;
    const SurfaceDistance other = surface_distance(shapes[k], corners, x, dimension);
    if (other.distance < d.distance) d = other;
  }
  for (; k < count && shapes[k].cut; ++k) {
    if (!near) continue;
    const SurfaceDistance cut = surface_distance(shapes[k], corners, x, dimension);
    if (-cut.distance > d.distance) d = {-cut.distance, -cut.normal};
  }
  if (!near) return k;
  visit(shape.solid, frames.out(shape.solid, d));
  return k;
}

/// The same for each region, in their order. Where `visit` changes what `from` refers to, the regions after it are asked for
/// the new place.
template <class Visit, class Frames = RegionsAtRest>
RIFFLE_INLINE void for_each_region(const FlatShape* shapes, int count, const Corner2* corners, const Vec3& from,
                                   float reach, int dimension, const Visit& visit, const Frames& frames = {}) {
  for (int k = 0; k < count;) k = visit_region(shapes, count, k, corners, from, reach, dimension, visit, frames);
}

/// To the nearest of the regions; infinite if there is none.
RIFFLE_INLINE SurfaceDistance nearest_surface(const FlatShape* shapes, int count, const Corner2* corners, Vec3 x,
                                              int dimension) {
  SurfaceDistance nearest{kNowhere, {0, 1, 0}};
  for_each_region(shapes, count, corners, x, kNowhere, dimension, [&](std::uint32_t, SurfaceDistance d) {
    if (d.distance < nearest.distance) nearest = d;
  });
  return nearest;
}

inline SurfaceDistance nearest_surface(const FlatRegions& regions, Vec3 x, int dimension) {
  return nearest_surface(regions.shapes.data(), static_cast<int>(regions.shapes.size()), regions.corners.data(), x,
                         dimension);
}

}  // namespace riffle
