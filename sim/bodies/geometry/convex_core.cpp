#include "sim/bodies/geometry/convex_core.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <LinearMath/btConvexHullComputer.h>

#include <algorithm>

namespace riffle::bodies {

static_assert(sizeof(btScalar) == sizeof(double), "contact needs Bullet in double precision");

namespace {

btVector3 bullet(D3 a) { return {a.x, a.y, a.z}; }
D3 from_bullet(const btVector3& a) { return {a.x(), a.y(), a.z()}; }

btTransform bullet(const Place& place) {
  const double* t = place.turn;
  return btTransform(btMatrix3x3(t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8]), bullet(place.shift));
}

}  // namespace

struct ConvexCore::Shape {
  std::unique_ptr<btConvexShape> shape;
  btTransform place = btTransform::getIdentity();
};

ConvexCore::ConvexCore(std::span<const D3> points) : shape_(std::make_unique<Shape>()) {
  auto hull = std::make_unique<btConvexHullShape>();
  for (const D3& point : points) hull->addPoint(bullet(point), false);
  hull->recalcLocalAabb();
  shape_->shape = std::move(hull);
}

ConvexCore::ConvexCore(D3 center, D3 axis, double half_length, double radius) : shape_(std::make_unique<Shape>()) {
  shape_->shape = std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, half_length));
  shape_->shape->setMargin(0);  // Bullet takes its margin from the sizes
  const D3 first = aside(axis), second = cross(axis, first);
  shape_->place = btTransform(
      btMatrix3x3(first.x, second.x, axis.x, first.y, second.y, axis.y, first.z, second.z, axis.z), bullet(center));
}

ConvexCore::ConvexCore(ConvexCore&&) noexcept = default;
ConvexCore& ConvexCore::operator=(ConvexCore&&) noexcept = default;
ConvexCore::~ConvexCore() = default;

CoreGap gap_between(const ConvexCore& a, const Place& at_a, const ConvexCore& b, const Place& at_b) {
  const btConvexShape &shape_a = *a.shape_->shape, &shape_b = *b.shape_->shape;
  // About the middle of b, since places far from 0 would cost digits.
  Place near = at_a;
  near.shift = at_a.shift - at_b.shift;
  Place origin = at_b;
  origin.shift = {};
  const btTransform place_a = bullet(near) * a.shape_->place, place_b = bullet(origin) * b.shape_->place;
  btVector3 guess = place_a.getOrigin() - place_b.getOrigin();
  if (guess.length2() == 0) guess = btVector3(0, 1, 0);
  btGjkEpaSolver2::sResults results;
  CoreGap gap;
  gap.apart =
      btGjkEpaSolver2::Distance(&shape_a, place_a, &shape_b, place_b, guess, results) && results.distance > 1e-9;
  gap.known = gap.apart;
  if (!gap.apart)
    gap.known = btGjkEpaSolver2::Penetration(&shape_a, place_a, &shape_b, place_b, guess, results, false) &&
                results.normal.length2() > 0.5;
  if (!gap.known) return gap;
  gap.normal = unit(from_bullet(place_a.getBasis() * results.normal));  // Bullet has it in the frame of a
  gap.middle = at_b.shift + 0.5 * (from_bullet(results.witnesses[0]) + from_bullet(results.witnesses[1]));
  return gap;
}

Hull hull_of(std::span<const D3> points, double shrink) {
  btConvexHullComputer computer;
  computer.compute(&points.data()->x, sizeof(D3), static_cast<int>(points.size()), shrink, 0);
  Hull hull;
  for (int k = 0; k < computer.vertices.size(); ++k) hull.vertices.push_back(from_bullet(computer.vertices[k]));
  for (int k = 0; k < computer.faces.size(); ++k) {
    std::vector<int>& face = hull.faces.emplace_back();
    const btConvexHullComputer::Edge *first = &computer.edges[computer.faces[k]], *edge = first;
    do {
      face.push_back(edge->getSourceVertex());
      edge = edge->getNextEdgeOfFace();
    } while (edge != first);
  }
  return hull;
}

}  // namespace riffle::bodies
