#include "scenes/document/body_space.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/start/sampling.h"

namespace riffle::scenes {

namespace {

/// Lower ends, at multiples of the spacing, for which a length `size` fits between low and high.
std::vector<float> places_along(float low, float high, float size, float spacing) {
  constexpr int kMostSteps = 24;
  const double room = (double{high} - low - size) / spacing;
  if (room < -1e-3) return {};
  const int last = static_cast<int>(room + 1e-3);
  const int stride = last / kMostSteps + 1;
  std::vector<float> places;
  for (int k = 0; k <= last; k += stride) places.push_back(static_cast<float>(low + k * double{spacing}));
  return places;
}

/// Room for the region, whose overlaps are exact.
BodySetup room_of(const Region& region) {
  BodySetup room;
  static_cast<PlainShape&>(room) = region;
  if (region.shape == Shape::Sphere && region.with.empty()) return room;
  const auto [min, max] = bounds_of(region);
  room.shape = Shape::Box;
  room.min = min;
  room.max = max;
  return room;
}

/// A room with a border.
BodySetup widened(BodySetup room, float border) {
  if (room.shape == Shape::Sphere) room.radius += border;
  if (room.shape != Shape::Box) return room;
  room.min = room.min - Vec3{border, border, border};
  room.max = room.max + Vec3{border, border, border};
  return room;
}

}  // namespace

bool apart(const Bounds& a, const Bounds& b, int dimension) {
  for (int k = 0; k < dimension; ++k)
    if (component(a.min, k) > component(b.max, k) || component(a.max, k) < component(b.min, k)) return true;
  return false;
}

bool overlap_is_exact(const BodySetup& a, const BodySetup& b) {
  const auto simple = [](const BodySetup& body) {
    return body.plain() && !body.particles && (body.shape == Shape::Box || body.shape == Shape::Sphere);
  };
  return simple(a) && simple(b);
}

std::optional<Vec3> common_place(const BodySetup& a, const BodySetup& b, int dimension, float spacing,
                                 std::int64_t& visits) {
  // The region of a file's particles is only their bounds.
  std::optional<Vec3> place;
  if (!b.particles) place = site_within(a, b, dimension, spacing, visits);
  if (!place && !a.particles) place = site_within(b, a, dimension, spacing, visits);
  return place;
}

float overlap_depth(const BodySetup& a, const BodySetup& b, int dimension) {
  if (a.shape == Shape::Sphere && b.shape == Shape::Sphere)
    return a.radius + b.radius - std::sqrt(length2(a.center - b.center));
  if (a.shape == Shape::Sphere || b.shape == Shape::Sphere) {
    const BodySetup& sphere = a.shape == Shape::Sphere ? a : b;
    const BodySetup& box = a.shape == Shape::Sphere ? b : a;
    const Vec3 nearest{std::clamp(sphere.center.x, box.min.x, box.max.x),
                       std::clamp(sphere.center.y, box.min.y, box.max.y),
                       std::clamp(sphere.center.z, box.min.z, box.max.z)};
    return sphere.radius - std::sqrt(length2(sphere.center - nearest));
  }
  float depth = INFINITY;
  for (int axis = 0; axis < dimension; ++axis)
    depth = std::min(depth, std::min(component(a.max, axis), component(b.max, axis)) -
                                std::max(component(a.min, axis), component(b.min, axis)));
  return depth;
}

BodySetup moved(BodySetup body, Vec3 by) {
  static_cast<Region&>(body) = riffle::moved(static_cast<const Region&>(body), by);
  return body;
}

namespace {

/// @param gap  [m] at least, to solids
std::optional<BodySetup> moved_apart(const BodySetup& body, const SimulationSetup& setup, float gap) {
  const Domain& domain = setup.domain;
  const auto [min, max] = bounds_of(body);
  std::vector<float> places[3] = {{min.x}, {min.y}, {min.z}};
  for (int a = 0; a < domain.dimension; ++a)
    places[a] = places_along(component(domain.min, a), component(domain.max, a), component(max, a) - component(min, a),
                             setup.spacing);
  std::vector<Vec3> moves;
  for (const float z : places[2])
    for (const float y : places[1])
      for (const float x : places[0]) moves.push_back(Vec3{x, y, z} - min);
  std::stable_sort(moves.begin(), moves.end(), [](Vec3 a, Vec3 b) { return length2(a) < length2(b); });
  std::vector<BodySetup> others = setup.bodies;
  for (const SolidRegion& solid : setup.solid_regions) others.push_back(widened(room_of(solid), gap));
  std::int64_t visits = 20'000'000;
  for (const Vec3 by : moves) {
    const BodySetup there = moved(body, by);
    const bool taken = std::any_of(others.begin(), others.end(), [&](const BodySetup& other) {
      if (overlap_is_exact(there, other)) return overlap_depth(there, other, domain.dimension) > 1e-3f * setup.spacing;
      return common_place(there, other, domain.dimension, setup.spacing, visits).has_value();
    });
    if (visits <= 0) return std::nullopt;
    if (!taken) return there;
  }
  return std::nullopt;
}

}  // namespace

std::optional<BodySetup> moved_to_free_place(const BodySetup& body, const SimulationSetup& setup) {
  return moved_apart(body, setup, 0);
}

std::optional<Region> solid_moved_to_free_place(const Region& solid, const SimulationSetup& setup) {
  const BodySetup room = room_of(solid);
  const auto place = moved_to_free_place(room, setup);
  if (!place) return std::nullopt;
  return riffle::moved(solid, bounds_of(*place).min - bounds_of(room).min);
}

std::optional<Region> solid_moved_apart(const Region& solid, const SimulationSetup& setup) {
  const BodySetup room = room_of(solid);
  const auto place = moved_apart(room, setup, setup.spacing);
  if (!place) return solid_moved_to_free_place(solid, setup);
  return riffle::moved(solid, bounds_of(*place).min - bounds_of(room).min);
}

}  // namespace riffle::scenes
