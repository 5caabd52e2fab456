#include <fmt/format.h>

#include <cmath>

#include "scenes/document/body_space.h"
#include "scenes/review/subjects.h"

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

bool review_cuts(const SimulationSetup& setup, const Region& region, const std::string& key, const char* owner,
                 Findings& out) {
  bool sound = true;
  for (std::size_t k = 0; k < region.without.size(); ++k) {
    const std::string cut_key = fmt::format("{}.without[{}]", key, k);
    if (!review_shape(setup, region.without[k], cut_key, out))
      sound = false;
    else if (apart(bounds_of(region), bounds_of(region.without[k]), setup.domain.dimension))
      out.warn(WarningKind::CutBesideBody, cut_key, fmt::format("has no effect: it lies outside the {}", owner));
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
