#include "scenes/document/body_space.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/document/nozzle_room.h"
#include "sim/shapes/distance.h"
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

/// Whether its bounds may have much room that the region does not fill: a tank is a union of walls.
bool may_be_hollow(const Region& region) {
  return region.shape != Shape::Mesh && (!region.plain() || region.shape == Shape::Plane);
}

/// Solids whose surfaces tell where there is room, and not their bounds.
class HollowSolids {
 public:
  explicit HollowSolids(const SimulationSetup& setup) : setup_(setup) {
    std::vector<const Region*> hollow;
    for (const SolidRegion& solid : setup.solid_regions)
      if (may_be_hollow(solid)) hollow.push_back(&solid);
    flat_ = flatten(hollow, setup.domain, setup.spacing);
  }

  /// Whether the body comes nearer to one than the gap. Of a sphere its centre tells, of others places at most a spacing apart,
  /// those on its bounds among them. @param gap [m] @param visits  each place takes one for each shape of the solids
  bool are_near(const BodySetup& body, float gap, std::int64_t& visits) const {
    if (flat_.shapes.empty()) return false;
    const float slack = 1e-3f * setup_.spacing;
    if (body.shape == Shape::Sphere && body.plain()) return distance(body.center, visits) < body.radius + gap - slack;
    const auto [min, max] = bounds_of(body);
    const Vec3 extent = max - min;
    int steps[3] = {0, 0, 0};
    for (int a = 0; a < setup_.domain.dimension; ++a)
      steps[a] = std::max(1, static_cast<int>(std::ceil(component(extent, a) / setup_.spacing - 1e-3f)));
    for (int k = 0; k <= steps[2]; ++k)
      for (int j = 0; j <= steps[1]; ++j)
        for (int i = 0; i <= steps[0]; ++i) {
          const auto along = [&](int n, int a) { return steps[a] == 0 ? 0 : float(n) / float(steps[a]); };
          const Vec3 x = min + Vec3{along(i, 0) * extent.x, along(j, 1) * extent.y, along(k, 2) * extent.z};
          if (distance(x, visits) < gap - slack && contains(body, x, setup_.domain.dimension)) return true;
          if (visits <= 0) return true;
        }
    return false;
  }

 private:
  float distance(Vec3 x, std::int64_t& visits) const {
    visits -= static_cast<std::int64_t>(flat_.shapes.size());
    return nearest_surface(flat_, x, setup_.domain.dimension).distance;
  }

  const SimulationSetup& setup_;
  FlatRegions flat_;
};

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
/// @param may_move_by  asked at places that are free
std::optional<BodySetup> moved_apart(const BodySetup& body, const SimulationSetup& setup, float gap,
                                     const std::function<bool(Vec3 by)>& may_move_by) {
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
  for (const SolidRegion& solid : setup.solid_regions)
    if (!may_be_hollow(solid)) others.push_back(widened(room_of(solid), gap));
  const HollowSolids hollow(setup);
  std::int64_t visits = 20'000'000;
  for (const Vec3 by : moves) {
    const BodySetup there = moved(body, by);
    const bool taken =
        hollow.are_near(there, gap, visits) || std::any_of(others.begin(), others.end(), [&](const BodySetup& other) {
          if (overlap_is_exact(there, other))
            return overlap_depth(there, other, domain.dimension) > 1e-3f * setup.spacing;
          return common_place(there, other, domain.dimension, setup.spacing, visits).has_value();
        });
    if (visits <= 0) return std::nullopt;
    if (!taken && may_move_by(by)) return there;
  }
  return std::nullopt;
}

/// Likewise of a solid: it hinders no inlet there.
std::optional<Region> solid_with_gap(const Region& solid, const SimulationSetup& setup, float gap,
                                     const MayLie& may_lie) {
  const BodySetup room = room_of(solid);
  SimulationSetup alone;  // the walls of the domain hinder none: the scene is sound
  if (!setup.inlets.empty()) alone = setup;
  alone.solid_regions.resize(1);
  std::optional<Region> found;
  moved_apart(room, setup, gap, [&](Vec3 by) {
    found = riffle::moved(solid, by);
    static_cast<Region&>(alone.solid_regions[0]) = *found;
    const bool hinders = std::any_of(setup.inlets.begin(), setup.inlets.end(),
                                     [&](const InletSetup& inlet) { return what_hinders(alone, inlet).has_value(); });
    if (hinders || (may_lie && !may_lie(*found))) found.reset();
    return found.has_value();
  });
  return found;
}

}  // namespace

std::optional<BodySetup> moved_to_free_place(const BodySetup& body, const SimulationSetup& setup,
                                             const MayLie& may_lie) {
  return moved_apart(body, setup, 0, [&](Vec3 by) { return !may_lie || may_lie(moved(body, by)); });
}

std::optional<Region> solid_moved_to_free_place(const Region& solid, const SimulationSetup& setup,
                                                const MayLie& may_lie) {
  return solid_with_gap(solid, setup, 0, may_lie);
}

std::optional<Region> solid_moved_apart(const Region& solid, const SimulationSetup& setup, const MayLie& may_lie) {
  const auto apart = solid_with_gap(solid, setup, setup.spacing, may_lie);
  return apart ? apart : solid_moved_to_free_place(solid, setup, may_lie);
}

}  // namespace riffle::scenes
