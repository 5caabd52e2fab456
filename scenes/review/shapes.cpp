#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenes/document/body_space.h"
#include "scenes/review/subjects.h"
#include "sim/shapes/half_box.h"

namespace riffle::scenes {

namespace {

/// @return what is wrong with it; "": nothing
std::string mistake_of(const SimulationSetup& setup, const PlainShape& shape) {
  const int dimension = setup.domain.dimension;
  switch (shape.shape) {
    case Shape::Box:
      for (int a = 0; a < dimension; ++a)
        if (!(component(shape.min, a) < component(shape.max, a)))
          return "every component of max must be above that of min";
      return "";
    case Shape::Sphere:
    case Shape::Capsule:  // a ball, if both ends are one place
    case Shape::Mesh: return "";
    case Shape::Cylinder: return shape.from == shape.to ? "found one place as both ends; allowed: two" : "";
    case Shape::Plane: {
      const auto normal = unit_normal(shape, dimension);
      return normal[0] == 0 && normal[1] == 0 && normal[2] == 0
                 ? fmt::format("found the normal [0, 0{}], which points nowhere; allowed: any length above 0",
                               dimension == 3 ? ", 0" : "")
                 : "";
    }
    case Shape::Polygon: break;
  }
  if (dimension == 2 && shape.axis != 2)
    return fmt::format("found the axis {} in a 2-D scene; allowed: z", kAxisNames[shape.axis]);
  if (dimension == 3 && !(shape.low < shape.high))
    return fmt::format("goes from {:g} to {} along {}; `to` must be above `from`", shape.low,
                       length_text(setup, shape.high), kAxisNames[shape.axis]);
  const auto [first, second] = crossing_edges(shape);
  if (first < 0) return "";
  const int count = static_cast<int>(shape.corners.size());
  return fmt::format(
      "the edges from corners[{}] to corners[{}] and from corners[{}] to corners[{}] meet; allowed: edges "
      "that share nothing but a corner with the next",
      first, (first + 1) % count, second, (second + 1) % count);
}

}  // namespace

bool review_shape(const SimulationSetup& setup, const PlainShape& shape, const std::string& key, Findings& out) {
  const std::string mistake = mistake_of(setup, shape);
  if (!mistake.empty()) out.refuse(key + "." + shape_info(shape.shape).word, mistake);
  return mistake.empty();
}

namespace {

/// Where a plane lies in the domain, which it must cross. @return false when it was refused
bool review_plane(const SimulationSetup& setup, const PlainShape& plane, const std::string& key, RegionOf owner,
                  Findings& out) {
  const Domain& domain = setup.domain;
  double slack = 0;
  bool closed = true;
  for (int a = 0; a < domain.dimension; ++a) {
    slack = std::max(slack, 1e-6 * component(domain.extent(), a));
    closed = closed && domain.axis[a] != Axis::Open;
    if (owner != RegionOf::Solid || !domain.periodic(a) || component(plane.normal, a) == 0) continue;
    out.refuse(key + ".plane.normal",
               fmt::format("found {:g} along the periodic axis {}, where the plane would have a step at the domain's "
                           "faces; allowed: 0",
                           component(plane.normal, a), kAxisNames[a]));
    return false;
  }
  const auto [least, most] = crossed_by(plane, {domain.min, domain.max}, domain.dimension);
  const bool misses = least >= -slack, fills = owner == RegionOf::Solid ? most <= slack : most < -slack;
  if (owner == RegionOf::Outlet ? !misses || !closed : !misses && !fills) return true;
  const auto normal = unit_normal(plane, domain.dimension);
  double at = 0;
  for (int a = 0; a < domain.dimension; ++a)
    at += normal[static_cast<std::size_t>(a)] * double{component(plane.point, a)};
  const auto rounded = [](double value) { return std::stod(fmt::format("{:.5g}", value)); };
  out.refuse(key + ".plane",
             fmt::format("{}: along its normal the plane is at {}, and the domain goes from {:g} to {}; allowed: a "
                         "`point` in between",
                         misses ? "has nothing of the domain behind it" : "has all of the domain behind it",
                         length_text(setup, rounded(at)), rounded(at + least), length_text(setup, rounded(at + most))));
  return false;
}

/// Whether a shape that is taken away lies beside the region.
bool beside(const Region& region, const PlainShape& cut, int dimension) {
  const Bounds bounds = bounds_of(region);
  if (cut.shape == Shape::Plane) return crossed_by(cut, bounds, dimension).least > 0;
  return apart(bounds, bounds_of(cut), dimension);
}

}  // namespace

bool review_region(const SimulationSetup& setup, const Region& region, const std::string& key, RegionOf owner,
                   Findings& out, bool has_shape) {
  const auto review_part = [&](const PlainShape& part, const std::string& part_key) {
    return review_shape(setup, part, part_key, out) &&
           (part.shape != Shape::Plane || review_plane(setup, part, part_key, owner, out));
  };
  bool sound = !has_shape || review_part(region, key);
  for (std::size_t k = 0; k < region.with.size(); ++k)
    sound = review_part(region.with[k], fmt::format("{}.with[{}]", key, k)) && sound;
  static constexpr const char* kOwners[] = {"body", "solid", "outlet"};
  for (std::size_t k = 0; k < region.without.size(); ++k) {
    const std::string cut_key = fmt::format("{}.without[{}]", key, k);
    if (!review_shape(setup, region.without[k], cut_key, out))
      sound = false;
    else if (beside(region, region.without[k], setup.domain.dimension))
      out.warn(WarningKind::CutBesideBody, cut_key,
               fmt::format("has no effect: it lies outside the {}", kOwners[static_cast<int>(owner)]));
  }
  return sound;
}

bool fill_to_level(SimulationSetup& setup, std::size_t body, float level, const std::string& key, Findings& out) {
  if (!out.intact({"gravity"})) return false;
  const Domain& domain = setup.domain;
  int axis = 1, directions = 0;
  for (int a = 0; a < domain.dimension; ++a)
    if (component(setup.gravity, a) != 0) axis = a, ++directions;
  if (directions > 1) {
    out.refuse(key, fmt::format("found gravity along {} axes; allowed: along one, to which the level is perpendicular",
                                directions));
    return false;
  }
  const float low = component(domain.min, axis), high = component(domain.max, axis);
  if (!(level > low && level <= high)) {
    out.refuse(key + ".level", fmt::format("found {}; allowed: above {:g} and at most {}, the domain's faces along {}",
                                           length_text(setup, level), low, length_text(setup, high), kAxisNames[axis]));
    return false;
  }
  const bool downwards = component(setup.gravity, axis) <= 0;  // gravity pulls to the lower face
  float min[3], max[3];
  for (int a = 0; a < 3; ++a) min[a] = component(domain.min, a), max[a] = component(domain.max, a);
  (downwards ? max : min)[axis] = level;
  setup.bodies[body].shape = Shape::Box;
  setup.bodies[body].min = {min[0], min[1], min[2]};
  setup.bodies[body].max = {max[0], max[1], max[2]};
  return true;
}

}  // namespace riffle::scenes
