#include "sim/shapes/mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/math/cross_product.h"
#include "sim/meshes/creases.h"
#include "sim/meshes/surface.h"
#include "sim/shapes/ear_clipping.h"
#include "sim/shapes/half_box.h"

namespace riffle {

namespace {

constexpr int kAround = 96;              // segments of a circle
constexpr int kCells3d = 96;             // of a grid along its longest side
constexpr int kCellsFlat = 160;          // the same in 2-D
constexpr float kOnFace = 1e-5f;         // of the domain's extent: nearer than this is on a face
constexpr Vec3 kTowardsViewer{0, 0, 1};  // normal of every area

float& component_of(Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

void append(TriangleMesh& mesh, MeshCorner a, MeshCorner b, MeshCorner c) {
  mesh.corners.push_back(a);
  mesh.corners.push_back(b);
  mesh.corners.push_back(c);
}

/// A flat face with four corners, counter-clockwise as seen from outside.
void append_face(TriangleMesh& mesh, const Vec3 (&at)[4], Vec3 normal) {
  append(mesh, {at[0], normal}, {at[1], normal}, {at[2], normal});
  append(mesh, {at[0], normal}, {at[2], normal}, {at[3], normal});
}

TriangleMesh box_mesh(const PlainShape& box) {
  TriangleMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      // Right-handed with the axis: second cross third is the axis.
      const int second = (axis + 1) % 3, third = (axis + 2) % 3;
      const auto corner = [&](bool far_second, bool far_third) {
        Vec3 at{};
        component_of(at, axis) = component(upper ? box.max : box.min, axis);
        component_of(at, second) = component(far_second ? box.max : box.min, second);
        component_of(at, third) = component(far_third ? box.max : box.min, third);
        return at;
      };
      Vec3 normal{};
      component_of(normal, axis) = upper ? 1.0f : -1.0f;
      const Vec3 at[4] = {corner(false, false), corner(upper, !upper), corner(true, true), corner(!upper, upper)};
      append_face(mesh, at, normal);
    }
  return mesh;
}

/// A point of the profile of a surface of revolution, with its normal.
struct ProfilePoint {
  float along, radius;
  float normal_along, normal_radius;
};

/// A part of the profile that is turned around the axis. It begins where the one before it ends; the profile goes from
/// the axis' beginning to its end.
struct Band {
  ProfilePoint from, to;
};

/// @param along  unit vector of the axis
TriangleMesh turned(Vec3 base, Vec3 along, const std::vector<Band>& bands) {
  const Vec3 other = std::fabs(along.x) < 0.7f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  Vec3 b = cross_product(along, other);
  b = (1 / std::sqrt(length2(b))) * b;
  const Vec3 a = cross_product(b, along);  // a cross b is the axis
  Vec3 out[kAround];
  for (int j = 0; j < kAround; ++j) {
    const double angle = 2 * std::numbers::pi * j / kAround;
    out[j] = static_cast<float>(std::cos(angle)) * a + static_cast<float>(std::sin(angle)) * b;
  }
  const auto ring_of = [&](const ProfilePoint& p) {
    std::vector<Vec3> ring;
    for (const Vec3& side : out) ring.push_back(base + p.along * along + p.radius * side);
    return ring;
  };
  TriangleMesh mesh;
  std::vector<Vec3> ring = ring_of(bands.front().from);
  for (const Band& band : bands) {
    std::vector<Vec3> next = ring_of(band.to);
    for (int j = 0; j < kAround; ++j) {
      const auto corner = [&](const std::vector<Vec3>& at, const ProfilePoint& p, int k) {
        const auto i = static_cast<std::size_t>(k % kAround);
        return MeshCorner{at[i], p.normal_along * along + p.normal_radius * out[i]};
      };
      const MeshCorner near[2] = {corner(ring, band.from, j), corner(ring, band.from, j + 1)};
      const MeshCorner far[2] = {corner(next, band.to, j), corner(next, band.to, j + 1)};
      if (band.from.radius > 0) append(mesh, near[0], near[1], far[1]);
      if (band.to.radius > 0) append(mesh, near[0], far[1], far[0]);
    }
    ring = std::move(next);
  }
  return mesh;
}

TriangleMesh sphere_mesh(const PlainShape& sphere) {
  constexpr int parts = kAround / 2;
  const auto point = [&](int i) {
    const double angle = std::numbers::pi * i / parts;
    const float c = static_cast<float>(-std::cos(angle)),
                s = i == 0 || i == parts ? 0.0f : static_cast<float>(std::sin(angle));
    return ProfilePoint{sphere.radius * c, sphere.radius * s, c, s};
  };
  std::vector<Band> bands;
  for (int i = 0; i < parts; ++i) bands.push_back({point(i), point(i + 1)});
  return turned(sphere.center, {0, 1, 0}, bands);
}

TriangleMesh cylinder_mesh(const PlainShape& cylinder) {
  const Vec3 way = cylinder.to - cylinder.from;
  const float length = std::sqrt(length2(way)), r = cylinder.radius;
  if (!(length > 0)) return {};
  return turned(
      cylinder.from, (1 / length) * way,
      {{{0, 0, -1, 0}, {0, r, -1, 0}}, {{0, r, 0, 1}, {length, r, 0, 1}}, {{length, r, 1, 0}, {length, 0, 1, 0}}});
}

/// Two half balls and the cylinder between their middles.
TriangleMesh capsule_mesh(const PlainShape& capsule) {
  constexpr int parts = kAround / 4;
  const Vec3 way = capsule.to - capsule.from;
  const float length = std::sqrt(length2(way)), r = capsule.radius;
  const auto point = [&](int i, float middle) {  // 0 is the beginning, `parts` beside the middle
    const double angle = 0.5 * std::numbers::pi * i / parts;
    const float c = static_cast<float>(-std::cos(angle)),
                s = i == 0 || i == 2 * parts ? 0.0f : static_cast<float>(std::sin(angle));
    return ProfilePoint{middle + r * c, r * s, c, s};
  };
  std::vector<Band> bands;
  for (int i = 0; i < parts; ++i) bands.push_back({point(i, 0), point(i + 1, 0)});
  if (length > 0) bands.push_back({{0, r, 0, 1}, {length, r, 0, 1}});
  for (int i = parts; i < 2 * parts; ++i) bands.push_back({point(i, length), point(i + 1, length)});
  return turned(capsule.from, length > 0 ? (1 / length) * way : Vec3{0, 1, 0}, bands);
}

Vec3 rounded_place(const std::array<double, 3>& x) {
  return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
}

TriangleMesh half_box_mesh(const PlainShape& plane) {
  TriangleMesh mesh;
  for (const FlatFace& face : faces_of_half_box(plane, 3)) {
    const auto corner = [&](std::size_t k) {
      return MeshCorner{rounded_place(face.corners[k]), rounded_place(face.normal)};
    };
    for (std::size_t k = 1; k + 1 < face.corners.size(); ++k) append(mesh, corner(0), corner(k), corner(k + 1));
  }
  return mesh;
}

using FlatCorners = std::vector<std::array<float, 2>>;

FlatCorners counter_clockwise(FlatCorners corners) {
  if (signed_area(corners) < 0) std::reverse(corners.begin(), corners.end());
  return corners;
}

std::optional<TriangleMesh> extruded_mesh(const PlainShape& polygon) {
  if (crossing_edges(polygon)[0] >= 0) return std::nullopt;
  const FlatCorners corners = counter_clockwise(polygon.corners);
  const auto ears = clip_ears(corners);
  if (!ears) return std::nullopt;
  const int first = polygon.axis == 0 ? 1 : 0, second = polygon.axis == 2 ? 1 : 2;
  const bool mirrored = polygon.axis == 1;  // x cross z is not y
  const auto place = [&](float u, float v, float w) {
    Vec3 at{};
    component_of(at, first) = u;
    component_of(at, second) = v;
    component_of(at, polygon.axis) = w;
    return at;
  };
  TriangleMesh mesh;
  const auto add = [&](MeshCorner a, MeshCorner b, MeshCorner c) {
    mirrored ? append(mesh, a, c, b) : append(mesh, a, b, c);
  };
  for (const auto& [a, b, c] : *ears) {
    const auto corner = [&](int i, float w) {
      const auto& [u, v] = corners[static_cast<std::size_t>(i)];
      return MeshCorner{place(u, v, w), place(0, 0, w == polygon.high ? 1.0f : -1.0f)};
    };
    add(corner(a, polygon.high), corner(b, polygon.high), corner(c, polygon.high));
    add(corner(a, polygon.low), corner(c, polygon.low), corner(b, polygon.low));
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto [au, av] = corners[i];
    const auto [bu, bv] = corners[i + 1 == corners.size() ? 0 : i + 1];
    const float length = std::hypot(bu - au, bv - av);
    const Vec3 normal = length > 0 ? place((bv - av) / length, (au - bu) / length, 0) : place(1, 0, 0);
    const MeshCorner at[4] = {{place(au, av, polygon.low), normal},
                              {place(bu, bv, polygon.low), normal},
                              {place(bu, bv, polygon.high), normal},
                              {place(au, av, polygon.high), normal}};
    add(at[0], at[1], at[2]);
    add(at[0], at[2], at[3]);
  }
  return mesh;
}

std::optional<TriangleMesh> plain_mesh(const PlainShape& shape) {
  switch (shape.shape) {
    case Shape::Box: return box_mesh(shape);
    case Shape::Sphere: return sphere_mesh(shape);
    case Shape::Cylinder: return cylinder_mesh(shape);
    case Shape::Capsule: return capsule_mesh(shape);
    case Shape::Plane: return half_box_mesh(shape);
    case Shape::Polygon: return extruded_mesh(shape);
    case Shape::Mesh: return shape.surface ? with_creases(shape.surface->mesh()) : TriangleMesh{};
  }
  return std::nullopt;
}

/// The section with the plane z = 0.
FlatCorners section_of(const PlainShape& shape) {
  switch (shape.shape) {
    case Shape::Box:
      return {{shape.min.x, shape.min.y},
              {shape.max.x, shape.min.y},
              {shape.max.x, shape.max.y},
              {shape.min.x, shape.max.y}};
    case Shape::Sphere: {
      FlatCorners corners;
      for (int j = 0; j < kAround; ++j) {
        const double angle = 2 * std::numbers::pi * j / kAround;
        corners.push_back({shape.center.x + shape.radius * static_cast<float>(std::cos(angle)),
                           shape.center.y + shape.radius * static_cast<float>(std::sin(angle))});
      }
      return corners;
    }
    case Shape::Cylinder: {
      const float x = shape.to.x - shape.from.x, y = shape.to.y - shape.from.y, length = std::hypot(x, y);
      if (!(length > 0)) return {};
      const float u = -shape.radius * y / length, v = shape.radius * x / length;
      return {{shape.from.x - u, shape.from.y - v},
              {shape.to.x - u, shape.to.y - v},
              {shape.to.x + u, shape.to.y + v},
              {shape.from.x + u, shape.from.y + v}};
    }
    case Shape::Capsule: {
      const double x = double{shape.to.x} - shape.from.x, y = double{shape.to.y} - shape.from.y;
      const double ahead = std::atan2(y, x);
      FlatCorners corners;
      for (int j = 0; j <= kAround; ++j) {  // half a turn around each end
        const bool first = 2 * j < kAround;
        const double angle = ahead + std::numbers::pi / 2 + 2 * std::numbers::pi * j / kAround;
        const Vec3& middle = first || x * x + y * y == 0 ? shape.from : shape.to;
        if (j == kAround && x * x + y * y == 0) break;
        if (2 * j == kAround && x * x + y * y > 0)
          corners.push_back({shape.from.x + shape.radius * static_cast<float>(std::cos(angle)),
                             shape.from.y + shape.radius * static_cast<float>(std::sin(angle))});
        corners.push_back({middle.x + shape.radius * static_cast<float>(std::cos(angle)),
                           middle.y + shape.radius * static_cast<float>(std::sin(angle))});
      }
      return corners;
    }
    case Shape::Plane: {
      FlatCorners corners;
      for (const FlatFace& area : faces_of_half_box(shape, 2))
        for (const auto& corner : area.corners)
          corners.push_back({static_cast<float>(corner[0]), static_cast<float>(corner[1])});
      return corners;
    }
    case Shape::Polygon: return shape.corners;
    case Shape::Mesh: break;  // a 2-D scene has none
  }
  return {};
}

std::optional<TriangleMesh> plain_area(const PlainShape& shape) {
  if (shape.shape == Shape::Polygon && crossing_edges(shape)[0] >= 0) return std::nullopt;
  const FlatCorners corners = counter_clockwise(section_of(shape));
  const auto ears = clip_ears(corners);
  if (!ears) return std::nullopt;
  const auto at = [&](std::size_t i) { return Vec3{corners[i][0], corners[i][1], 0}; };
  TriangleMesh mesh;
  for (const auto& ear : *ears)
    for (const int i : ear) mesh.corners.push_back({at(static_cast<std::size_t>(i)), kTowardsViewer});
  for (std::size_t i = 0; i < corners.size(); ++i) {
    mesh.outline.push_back(at(i));
    mesh.outline.push_back(at(i + 1 == corners.size() ? 0 : i + 1));
  }
  return mesh;
}

/// What can be cut at the domain's faces without another kind of shape.
void cut_at_faces(PlainShape& shape, const Domain& domain) {
  if (shape.shape == Shape::Box)
    for (int a = 0; a < domain.dimension; ++a) {
      component_of(shape.min, a) = std::max(component(shape.min, a), component(domain.min, a));
      component_of(shape.max, a) = std::min(component(shape.max, a), component(domain.max, a));
    }
  if (shape.shape == Shape::Polygon && domain.dimension == 3) {
    shape.low = std::max(shape.low, component(domain.min, shape.axis));
    shape.high = std::min(shape.high, component(domain.max, shape.axis));
  }
}

enum class Place { Within, Across, Outside };

Place place_in(const Bounds& bounds, const Bounds& box, int dimension, Vec3 slack) {
  Place place = Place::Within;
  for (int a = 0; a < dimension; ++a) {
    const float low = component(bounds.min, a), high = component(bounds.max, a), by = component(slack, a);
    if (!(high > component(box.min, a) && low < component(box.max, a) && high > low)) return Place::Outside;
    if (low < component(box.min, a) - by || high > component(box.max, a) + by) place = Place::Across;
  }
  return place;
}

/// The meshes of all shapes that have a part within the domain, one within the other; nothing where one reaches beyond it or has
/// no mesh of its own. What lies within another is hidden.
std::optional<TriangleMesh> meshes_of_parts(const Region& region, const Domain& domain, Vec3 slack) {
  TriangleMesh all;
  bool whole = true;
  for_each_part(region, [&](const PlainShape& part) {
    if (!whole) return;
    const Place place = place_in(bounds_of(part), {domain.min, domain.max}, 3, slack);
    if (place == Place::Outside) return;
    const auto mesh = place == Place::Within ? plain_mesh(part) : std::nullopt;
    whole = mesh.has_value();
    if (whole) all.corners.insert(all.corners.end(), mesh->corners.begin(), mesh->corners.end());
  });
  if (!whole) return std::nullopt;
  return all;
}

}  // namespace

TriangleMesh mesh_of(const Region& region, const Domain& domain) {
  Region wanted = region;
  within_domain(wanted, domain.min, domain.max);
  cut_at_faces(wanted, domain);
  for (PlainShape& part : wanted.with) cut_at_faces(part, domain);
  const Vec3 slack = kOnFace * domain.extent();
  const Bounds bounds = bounds_of(wanted);
  const Place place = place_in(bounds, {domain.min, domain.max}, domain.dimension, slack);
  if (place == Place::Outside) return {};
  const bool whole = std::none_of(wanted.without.begin(), wanted.without.end(), [&](const PlainShape& cut) {
    return place_in(bounds_of(cut), bounds, domain.dimension, {}) != Place::Outside;
  });
  if (whole && wanted.with.empty() && place == Place::Within)
    if (auto mesh = domain.dimension == 2 ? plain_area(wanted) : plain_mesh(wanted)) return *std::move(mesh);
  if (whole && !wanted.with.empty() && domain.dimension == 3)
    if (auto mesh = meshes_of_parts(wanted, domain, slack)) return *std::move(mesh);
  return contour_mesh(region, domain, domain.dimension == 2 ? kCellsFlat : kCells3d);
}

}  // namespace riffle
