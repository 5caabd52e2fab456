#include "sim/bodies/geometry/convex_piece.h"

#include <algorithm>
#include <numbers>

namespace riffle::bodies {

namespace {

constexpr double kAlong = 0.98;  // cosine below which a face does not face a direction
constexpr double kAcross = 0.2;  // sine, likewise of an edge and of a cylinder's side
constexpr double kSnap = 1e-4;   // [rad]
constexpr std::size_t kDirections = 64;
constexpr int kRim = 16;             // corners of a cylinder's end
constexpr double kDepthOfPlane = 2;  // [radii] to both sides of a 2-D core, so that no way apart is along z

}  // namespace

ConvexPiece ConvexPiece::round(std::vector<D3> points, double radius) {
  ConvexPiece piece(Kind::Round, ConvexCore(points));
  piece.core_faces_ = CoreFaces(points, {});
  piece.points_ = std::move(points);
  piece.round_ = radius;
  piece.find_reach();
  return piece;
}

ConvexPiece ConvexPiece::cylinder(D3 from, D3 to, double radius, double margin) {
  const double half = 0.5 * length(to - from);
  margin = std::min(margin, 0.2 * std::min(half, radius));
  ConvexPiece piece(Kind::Cylinder, ConvexCore(0.5 * (from + to), unit(to - from), half - margin, radius - margin));
  piece.points_ = {from, to};
  piece.round_ = radius;
  piece.find_reach();
  return piece;
}

ConvexPiece ConvexPiece::polyhedron(const std::vector<D3>& points, double margin) {
  Hull hull = hull_of(points);
  Bounds3 bounds;
  for (const D3& v : hull.vertices) bounds.add(v);
  const D3 size = bounds.high - bounds.low;
  Hull core = hull_of(points, std::min(margin, 0.1 * std::min({size.x, size.y, size.z})));
  if (core.vertices.size() < 4) core = hull;
  ConvexPiece piece(Kind::Flat, ConvexCore(core.vertices));
  piece.core_faces_ = CoreFaces(core.vertices, core.faces);
  piece.points_ = std::move(hull.vertices);
  piece.faces_ = std::move(hull.faces);
  for (const std::vector<int>& face : piece.faces_) {
    D3 normal;
    const auto at = [&](std::size_t k) { return piece.points_[static_cast<std::size_t>(face[k % face.size()])]; };
    for (std::size_t k = 1; k + 1 < face.size(); ++k) normal += cross(at(k) - at(0), at(k + 1) - at(0));
    piece.normals_.push_back(unit(normal));
  }
  piece.core_faces_.straighten(piece.normals_);
  piece.find_edges();
  piece.find_reach();
  return piece;
}

ConvexPiece ConvexPiece::polygon(std::vector<D3> corners, double margin) {
  const std::size_t n = corners.size();
  double reach = 0;
  for (const D3& corner : corners) reach = std::max(reach, length(corner));
  Bounds3 bounds;
  std::vector<D3> solid;
  for (const D3& corner : corners)
    for (const double z : {-kDepthOfPlane * reach, kDepthOfPlane * reach}) solid.push_back({corner.x, corner.y, z});
  for (const D3& corner : corners) bounds.add(corner);
  const D3 size = bounds.high - bounds.low;
  Hull core = hull_of(solid, std::min(margin, 0.1 * std::min(size.x, size.y)));
  if (core.vertices.size() < 6) core.vertices = solid;
  ConvexPiece piece(Kind::Flat, ConvexCore(core.vertices));
  for (std::size_t k = 0; k < n; ++k) {
    const D3 way = corners[(k + 1) % n] - corners[k];
    piece.faces_.push_back({static_cast<int>(k), static_cast<int>((k + 1) % n)});
    piece.normals_.push_back(unit(D3{way.y, -way.x, 0}));
  }
  piece.points_ = std::move(corners);
  piece.find_edges();
  piece.find_reach();
  return piece;
}

ConvexPiece ConvexPiece::facet(std::vector<D3> corners, D3 normal) {
  ConvexPiece piece(Kind::Flat, ConvexCore(corners));
  piece.points_ = std::move(corners);
  piece.faces_ = {piece.points_.size() == 2 ? std::vector<int>{0, 1} : std::vector<int>{0, 1, 2}};
  piece.normals_ = {normal};
  piece.find_edges();
  piece.find_reach();
  return piece;
}

void ConvexPiece::find_edges() {
  edges_.resize(points_.size());
  for (const std::vector<int>& face : faces_)
    for (std::size_t k = 0; k < face.size(); ++k)
      for (const auto& [a, b] :
           {std::pair(face[k], face[(k + 1) % face.size()]), std::pair(face[(k + 1) % face.size()], face[k])}) {
        std::vector<Edge>& list = edges_[static_cast<std::size_t>(a)];
        const int end = b;
        if (std::any_of(list.begin(), list.end(), [&](const Edge& edge) { return edge.end == end; })) continue;
        list.push_back({end, unit(points_[static_cast<std::size_t>(b)] - points_[static_cast<std::size_t>(a)])});
      }
}

void ConvexPiece::find_reach() {
  if (kind_ == Kind::Cylinder) directions_ = {unit(points_[1] - points_[0]), unit(points_[0] - points_[1])};
  const std::size_t step = normals_.size() / kDirections + 1;
  for (std::size_t k = 0; k < normals_.size(); k += step) directions_.push_back(normals_[k]);
  for (const D3& point : points_) reach_ = std::max(reach_, length(point) + round_);
}

int ConvexPiece::face_along(D3 direction, double cosine) const {
  int best = -1;
  for (std::size_t k = 0; k < normals_.size(); ++k)
    if (const double c = dot(normals_[k], direction); c >= cosine) {
      best = static_cast<int>(k);
      cosine = c;
    }
  return best;
}

D3 ConvexPiece::snapped(D3 direction) const {
  if (kind_ == Kind::Cylinder) {
    const D3 axis = unit(points_[1] - points_[0]);
    const double along = dot(axis, direction);
    if (std::fabs(along) > 1 - 0.5 * kSnap * kSnap) return along > 0 ? axis : -axis;
    if (std::fabs(along) < kSnap) return unit(direction - along * axis);
    return direction;
  }
  const int face = face_along(direction, 1 - 0.5 * kSnap * kSnap);
  return face < 0 ? direction : normals_[static_cast<std::size_t>(face)];
}

D3 ConvexPiece::support(D3 direction) const {
  std::size_t best = 0;
  for (std::size_t k = 1; k < points_.size(); ++k)
    if (dot(points_[k], direction) > dot(points_[best], direction)) best = k;
  if (kind_ == Kind::Round) return points_[best] + round_ * direction;
  if (kind_ == Kind::Flat) return points_[best];
  const D3 axis = unit(points_[1] - points_[0]);
  return points_[best] + round_ * unit(direction - dot(direction, axis) * axis);
}

Feature ConvexPiece::feature(D3 direction) const {
  if (kind_ == Kind::Round) {
    if (points_.size() == 1) return {points_[0] + round_ * direction};
    const D3 axis = unit(points_[1] - points_[0]);
    if (std::fabs(dot(axis, direction)) > kAcross) return {support(direction)};
    return {points_[0] + round_ * direction, points_[1] + round_ * direction};
  }
  if (kind_ == Kind::Cylinder) {
    const D3 axis = unit(points_[1] - points_[0]);
    const double along = dot(axis, direction);
    const D3 across = direction - along * axis;
    if (std::fabs(along) < kAcross) return {points_[0] + round_ * unit(across), points_[1] + round_ * unit(across)};
    if (std::fabs(along) < kAlong) return {support(direction)};
    // The end's rim; one corner is the foremost place. Counter-clockwise as seen from outside.
    const D3 end = along > 0 ? axis : -axis;
    const D3 first = length(across) > 1e-9 ? unit(across) : aside(axis), second = cross(end, first);
    Feature rim;
    for (int k = 0; k < kRim; ++k) {
      const double angle = 2 * std::numbers::pi * k / kRim;
      rim.push_back(points_[along > 0 ? 1 : 0] + round_ * (std::cos(angle) * first + std::sin(angle) * second));
    }
    return rim;
  }
  Feature feature;
  if (const int face = face_along(direction, kAlong); face >= 0) {
    for (const int v : faces_[static_cast<std::size_t>(face)]) feature.push_back(points_[static_cast<std::size_t>(v)]);
    return feature;
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < points_.size(); ++k)
    if (dot(points_[k], direction) > dot(points_[best], direction)) best = k;
  feature.push_back(points_[best]);
  double most = -kAcross;
  int other = -1;
  for (const Edge& edge : edges_[best])
    if (const double c = dot(edge.direction, direction); c > most) {
      most = c;
      other = edge.end;
    }
  if (other >= 0) feature.push_back(points_[static_cast<std::size_t>(other)]);
  return feature;
}

Bounds3 ConvexPiece::bounds(const Place& place) const {
  Bounds3 bounds;
  if (kind_ != Kind::Cylinder) {
    for (const D3& point : points_) {
      const D3 x = place.out(point);
      bounds.add(x - D3{round_, round_, round_});
      bounds.add(x + D3{round_, round_, round_});
    }
    return bounds;
  }
  for (int a = 0; a < 3; ++a) {
    D3 axis;
    axis[a] = 1;
    const D3 local = place.turned_back(axis);
    bounds.high[a] = place.out(support(local))[a];
    bounds.low[a] = place.out(support(-local))[a];
  }
  return bounds;
}

}  // namespace riffle::bodies
