#include "sim/bodies/geometry/contact_shape.h"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "core/math/domain.h"
#include "sim/meshes/surface.h"
#include "sim/shapes/half_box.h"
#include "sim/shapes/mesh.h"
#include "sim/shapes/shape.h"

namespace riffle::bodies {

namespace {

constexpr double kMargin = 0.05;     // [units] between a body's core and its surface
constexpr double kHullError = 0.05;  // [units]
constexpr double kBetween = 0.5;     // [units] places along the edges of a surface
constexpr int kFewestCells = 16, kMostCells = 128;
constexpr double kSlack = 1e-5;  // of the domain's extent

struct ShapeMaker {
  const Domain& domain;
  D3 origin;
  double unit;

  D3 local(D3 x) const {
    D3 y = (1 / unit) * (x - origin);
    if (domain.dimension == 2) y.z = 0;
    return y;
  }
  D3 local(Vec3 x) const { return local(d3(x)); }

  ConvexPiece box(D3 low, D3 high) const {
    if (domain.dimension == 2)
      return ConvexPiece::polygon({local(low), local(D3{high.x, low.y, 0}), local(high), local(D3{low.x, high.y, 0})},
                                  kMargin);
    std::vector<D3> corners;
    for (int k = 0; k < 8; ++k)
      corners.push_back(local(D3{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z}));
    return ConvexPiece::polyhedron(corners, kMargin);
  }

  ConvexPiece rod(const PlainShape& shape) const {
    const D3 from = local(shape.from), to = local(shape.to);
    const double radius = shape.radius / unit;
    const D3 way = to - from;
    if (shape.shape == Shape::Capsule || length(way) == 0)
      return ConvexPiece::round(length(way) == 0 ? std::vector<D3>{from} : std::vector<D3>{from, to}, radius);
    if (domain.dimension == 3) return ConvexPiece::cylinder(from, to, radius, kMargin);
    const D3 u = bodies::unit(way), side = radius * D3{-u.y, u.x, 0};
    return ConvexPiece::polygon({from - side, to - side, to + side, from + side}, kMargin);
  }

  /// What of the plane's box lies behind it.
  std::optional<ConvexPiece> half_box(const PlainShape& plane) const {
    std::vector<D3> points;
    for (const FlatFace& face : faces_of_half_box(plane, domain.dimension))
      for (const auto& [x, y, z] : face.corners) points.push_back(local(D3{x, y, z}));
    if (points.empty()) return std::nullopt;
    if (domain.dimension == 2) return ConvexPiece::polygon(std::move(points), kMargin);
    return ConvexPiece::polyhedron(points, kMargin);
  }

  bool convex_polygon(const PlainShape& polygon) const {
    if (crossing_edges(polygon)[0] >= 0) return false;
    const std::size_t n = polygon.corners.size();
    int left = 0, right = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const auto &a = polygon.corners[k], &b = polygon.corners[(k + 1) % n], &c = polygon.corners[(k + 2) % n];
      const double turn = (double{b[0]} - a[0]) * (double{c[1]} - b[1]) - (double{b[1]} - a[1]) * (double{c[0]} - b[0]);
      if (turn > 0) ++left;
      if (turn < 0) ++right;
    }
    return left == 0 || right == 0;
  }

  ConvexPiece polygon(const PlainShape& polygon) const {
    std::vector<D3> points;
    if (domain.dimension == 2) {
      for (const auto& [x, y] : polygon.corners) points.push_back(local(D3{x, y, 0}));
      double twice = 0;
      for (std::size_t k = 0; k < points.size(); ++k) twice += cross(points[k], points[(k + 1) % points.size()]).z;
      if (twice < 0) std::reverse(points.begin(), points.end());
      return ConvexPiece::polygon(std::move(points), kMargin);
    }
    const int first = polygon.axis == 0 ? 1 : 0, second = polygon.axis == 2 ? 1 : 2;
    for (const auto& corner : polygon.corners)
      for (const float end : {polygon.low, polygon.high}) {
        D3 x;
        x[polygon.axis] = end, x[first] = corner[0], x[second] = corner[1];
        points.push_back(local(x));
      }
    return ConvexPiece::polyhedron(points, kMargin);
  }

  /// Whether the hull is the mesh, but for kHullError.
  bool convex_mesh(const std::vector<D3>& vertices, const std::vector<ContactSurface::Facet>& facets) const {
    const Hull hull = hull_of(vertices);
    std::vector<std::pair<D3, double>> planes;
    for (const std::vector<int>& face : hull.faces) {
      const auto at = [&](std::size_t k) { return hull.vertices[static_cast<std::size_t>(face[k])]; };
      D3 sum;
      for (std::size_t k = 1; k + 1 < face.size(); ++k) sum += cross(at(k) - at(0), at(k + 1) - at(0));
      planes.emplace_back(bodies::unit(sum), dot(bodies::unit(sum), at(0)));
    }
    const auto deep = [&](D3 x) {
      return std::all_of(planes.begin(), planes.end(),
                         [&](const auto& plane) { return plane.second - dot(plane.first, x) > kHullError; });
    };
    for (const ContactSurface::Facet& facet : facets) {
      D3 middle;
      for (const int v : facet.corners) middle += (1.0 / 3) * vertices[static_cast<std::size_t>(v)];
      if (deep(middle)) return false;
    }
    return std::none_of(vertices.begin(), vertices.end(), deep);
  }

  void surface_of(const Region& region, ContactShape& shape) const {
    std::vector<D3> vertices;
    std::vector<ContactSurface::Facet> facets;
    if (region.shape == Shape::Mesh && region.plain()) {
      const IndexedMesh& mesh = region.surface->mesh();
      for (const Vec3& v : mesh.vertices) vertices.push_back(local(v));
      for (const Triangle& t : mesh.triangles)
        facets.push_back({{static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])}});
    } else {
      drawn_surface(region, vertices, facets);
    }
    std::vector<D3> used;
    for (const ContactSurface::Facet& facet : facets)
      for (const int v : facet.corners) used.push_back(vertices[static_cast<std::size_t>(v)]);
    if (used.empty()) return;  // nothing is left of it
    if (domain.dimension == 2) {
      shape.convex = ConvexPiece::polygon(outline_hull(used), kMargin);
    } else {
      shape.convex = ConvexPiece::polyhedron(used, kMargin);
      if (convex_mesh(vertices, facets)) return;
    }
    shape.surface = std::make_unique<ContactSurface>(std::move(vertices), facets, domain.dimension, kBetween);
  }

  /// The triangles, or the outline, that pictures have. Their grid is that of contact.
  void drawn_surface(const Region& region, std::vector<D3>& vertices,
                     std::vector<ContactSurface::Facet>& facets) const {
    Domain around;  // open
    around.dimension = domain.dimension;
    const Bounds bounds = bounds_of(region);
    const Vec3 extent = bounds.max - bounds.min;
    const float longest = std::max({extent.x, extent.y, domain.dimension == 3 ? extent.z : 0.0f});
    const Vec3 room = 0.05f * longest * Vec3{1, 1, 1};
    around.min = bounds.min - room;
    around.max = bounds.max + room;
    const int cells = static_cast<int>(std::clamp(1.1 * longest / unit, double{kFewestCells}, double{kMostCells}));
    const TriangleMesh drawn = region.plain() ? mesh_of(region, around) : contour_mesh(region, around, cells);
    std::map<std::array<float, 3>, int> known;
    const auto vertex = [&](Vec3 at) {
      const auto [place, added] = known.try_emplace({at.x, at.y, at.z}, static_cast<int>(vertices.size()));
      if (added) vertices.push_back(local(at));
      return place->second;
    };
    if (domain.dimension == 3) {
      for (std::size_t t = 0; t < drawn.triangles(); ++t) {
        const int a = vertex(drawn.corners[3 * t].at), b = vertex(drawn.corners[3 * t + 1].at),
                  c = vertex(drawn.corners[3 * t + 2].at);
        if (a != b && b != c && c != a) facets.push_back({{a, b, c}});
      }
      return;
    }
    for (std::size_t k = 0; k + 1 < drawn.outline.size(); k += 2) {
      const Vec3 p = drawn.outline[k], q = drawn.outline[k + 1];
      int a = vertex(p), b = vertex(q);
      if (a == b) continue;
      const D3 way = bodies::unit(d3(q) - d3(p)), middle = 0.5 * (d3(p) + d3(q));
      const D3 left = middle + 0.1 * unit * D3{-way.y, way.x, 0};
      if (!contains(region, {static_cast<float>(left.x), static_cast<float>(left.y), 0}, 2)) std::swap(a, b);
      facets.push_back({{a, b}});
    }
  }

  /// Counter-clockwise, by Andrew's monotone chain.
  static std::vector<D3> outline_hull(std::vector<D3> points) {
    std::sort(points.begin(), points.end(), [](D3 a, D3 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<D3> hull;
    for (int pass = 0; pass < 2; ++pass) {
      const std::size_t start = hull.size();
      for (const D3& p : points) {
        while (hull.size() >= start + 2 && cross(hull.back() - hull[hull.size() - 2], p - hull.back()).z <= 0)
          hull.pop_back();
        hull.push_back(p);
      }
      hull.pop_back();
      std::reverse(points.begin(), points.end());
    }
    return hull;
  }
};

float& part(Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// What reaches both faces of a periodic axis goes on through them, as in distance.h: here for a period more on either side.
void go_on(PlainShape& shape, const Domain& domain, bool (&endless)[3]) {
  const Bounds bounds = bounds_of(shape);
  for (int a = 0; a < domain.dimension; ++a) {
    if (!domain.periodic(a)) continue;
    const float from = component(domain.min, a), to = component(domain.max, a), period = to - from;
    const double slack = kSlack * period;
    if (component(bounds.min, a) > from + slack || component(bounds.max, a) < to - slack) continue;
    const Vec3 way = shape.to - shape.from;
    const double along = component(way, a) / std::sqrt(std::max(double{length2(way)}, 1e-300));
    switch (shape.shape) {
      case Shape::Box:
        part(shape.min, a) = from - period;
        part(shape.max, a) = to + period;
        break;
      case Shape::Polygon:
        if (shape.axis != a) continue;
        shape.low = from - period;
        shape.high = to + period;
        break;
      case Shape::Cylinder:
      case Shape::Capsule:
        if (std::fabs(along) < 1 - 1e-6) continue;
        part(along > 0 ? shape.from : shape.to, a) = from - period;
        part(along > 0 ? shape.to : shape.from, a) = to + period;
        break;
      case Shape::Plane: break;  // its box reaches that far anyway
      default: continue;
    }
    endless[a] = true;
  }
}

}  // namespace

ContactShape contact_shape(const Region& given, const Domain& domain, D3 origin, double unit) {
  ContactShape shape;
  Region region = given;
  // A union is endless along an axis as soon as one of its shapes is.
  go_on(region, domain, shape.endless);
  for (PlainShape& part : region.with) go_on(part, domain, shape.endless);
  if (domain.dimension == 2) {
    region.low = region.high = 0;
    for (PlainShape& part : region.with) part.low = part.high = 0;
  }
  // What goes on beyond the domain's faces is cut a domain's length away from them, where no body comes. A union with a plane is
  // cut at a tenth of that beyond faces that are not periodic: a grid has few cells for it, and bodies are in the domain.
  Vec3 beyond = domain.extent();
  if (has_plane(region) && !region.plain())
    for (int a = 0; a < domain.dimension; ++a)
      if (!domain.periodic(a)) part(beyond, a) *= 0.1f;
  within_domain(region, domain.min - beyond, domain.max + beyond);
  for (PlainShape& cut : region.without) {
    bool ignored[3];
    go_on(cut, domain, ignored);
    if (domain.dimension == 2) cut.low = cut.high = 0;
  }
  const ShapeMaker maker{domain, origin, unit};
  if (!region.plain() || region.shape == Shape::Mesh) {
    if (region.shape != Shape::Mesh || region.surface) maker.surface_of(region, shape);
    return shape;
  }
  switch (region.shape) {
    case Shape::Box: shape.convex = maker.box(d3(region.min), d3(region.max)); break;
    case Shape::Sphere: shape.convex = ConvexPiece::round({maker.local(region.center)}, region.radius / unit); break;
    case Shape::Cylinder:
    case Shape::Capsule: shape.convex = maker.rod(region); break;
    case Shape::Plane: shape.convex = maker.half_box(region); break;
    default:
      if (maker.convex_polygon(region))
        shape.convex = maker.polygon(region);
      else
        maker.surface_of(region, shape);
  }
  return shape;
}

}  // namespace riffle::bodies
