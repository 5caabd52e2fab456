#include "scenes/document/opening_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/math/even_places.h"
#include "scenes/document/key_path.h"
#include "scenes/document/nozzle_room.h"
#include "scenes/document/yaml_writer.h"
#include "sim/openings/face_mouth.h"
#include "sim/openings/nozzle.h"
#include "sim/solver.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

const Location kOfOpening{"", 0, 0};

/// To a thousandth of the spacing: no rounding errors show as digits.
std::string rounded_text(double value, const SimulationSetup& setup) {
  const double unit = std::pow(10.0, std::floor(std::log10(double{setup.spacing})) - 3);
  return number_text(static_cast<float>(std::round(value / unit) * unit));
}

std::string vector_text(Vec3 v, const SimulationSetup& setup) {
  std::string text;
  for (int a = 0; a < setup.domain.dimension; ++a) text += (a ? ", " : "[") + rounded_text(component(v, a), setup);
  return text + "]";
}

Node opening_node(const std::string& yaml, const char* list) {
  Problems problems;
  Node node = parse_value(yaml, kOfOpening, list, problems);
  problems.throw_if_any();
  return node;
}

/// The name, with a number behind it where another one has it.
template <class Taken>
std::string untaken(const std::string& wanted, const Taken& taken) {
  std::string name = wanted;
  for (int k = 2; taken(name); ++k) name = fmt::format("{}_{}", wanted, k);
  return name;
}

float least_extent(const SimulationSetup& setup) {
  float least = INFINITY;
  for (int a = 0; a < setup.domain.dimension; ++a) least = std::min(least, component(setup.domain.extent(), a));
  return least;
}

/// The axis along which gravity acts most, and whether it acts towards the lower face.
struct Down {
  int axis = 1;
  bool to_lower = true;

  explicit Down(const SimulationSetup& setup) {
    float most = 0;
    for (int a = 0; a < setup.domain.dimension; ++a)
      if (const float g = component(setup.gravity, a); std::fabs(g) > most)
        most = std::fabs(g), axis = a, to_lower = g < 0;
  }
};

bool is_free(const SimulationSetup& setup, const InletSetup& inlet) {
  return !what_hinders(setup, inlet) &&
         std::none_of(setup.inlets.begin(), setup.inlets.end(),
                      [&](const InletSetup& other) { return nozzles_meet(setup, inlet, other); });
}

/// Two digits of half the speed that the scene's fluid is expected to have.
double usual_speed(const SimulationSetup& setup) {
  const double speed = 0.5 * expected_speed(setup);
  if (!(speed > 0)) return 1;
  const double unit = std::pow(10.0, std::floor(std::log10(speed)) - 1);
  return std::round(speed / unit) * unit;
}

}  // namespace

namespace {

/// The lower half of the first open face that has room, or all of it where it is level.
Node new_face_inlet(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  InletSetup inlet;
  inlet.mouth = Mouth::Face;
  inlet.speed = static_cast<float>(usual_speed(setup));
  for (inlet.face = 0; inlet.face < 2 * domain.dimension; ++inlet.face) {
    const bool level = inlet.face / 2 == 1;
    inlet.level = level ? INFINITY : 0.5f * (domain.min.y + domain.max.y);
    const bool taken = std::any_of(setup.inlets.begin(), setup.inlets.end(), [&](const InletSetup& other) {
      return other.mouth == Mouth::Face && other.face == inlet.face;
    });
    if (domain.axis[inlet.face / 2] != Axis::Open || taken || !is_free(setup, inlet)) continue;
    const std::string fluid =
        setup.fluids.size() > 1 ? fmt::format("fluid: {}, ", string_text(setup.fluids[0].name)) : "";
    const std::string up_to = level ? "" : fmt::format("level: {}, ", rounded_text(inlet.level, setup));
    return opening_node(
        fmt::format("{{{}face: {}, {}speed: {}}}", fluid, face_word(inlet.face), up_to, number_text(inlet.speed)),
        "inlets");
  }
  throw InputError(
      "inlets: found no open face of the domain that has room for one; allowed: an open axis in domain.axes");
}

}  // namespace

Node new_inlet(const std::string& mouth, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  if (mouth == "face") return new_face_inlet(setup);
  const Domain& domain = setup.domain;
  const Down down(setup);
  const auto radius =
      static_cast<float>(setup.spacing * std::max(2.0, std::round(0.06 * least_extent(setup) / setup.spacing)));
  InletSetup inlet;
  inlet.radius = radius;
  inlet.width = inlet.height = 2 * radius;
  inlet.corners = {{-radius, -radius}, {radius, -radius}, {0, radius}};
  inlet.mouth = mouth == "disc" ? Mouth::Disc : mouth == "rectangle" ? Mouth::Rectangle : Mouth::Polygon;
  if (inlet.mouth == Mouth::Polygon && domain.dimension == 2)
    throw InputError("inlets: found a polygon in a 2-D scene, where mouths are slits; allowed: disc, rectangle");
  inlet.speed = static_cast<float>(usual_speed(setup));
  float direction[3] = {0, 0, 0};
  direction[down.axis] = down.to_lower ? -1.0f : 1.0f;
  inlet.direction = {direction[0], direction[1], direction[2]};
  bool found = false;
  constexpr int kTries = 64;
  for (int k = 0; k < kTries && !found; ++k) {
    const Vec3 share = k == 0 ? Vec3{0.5f, 0.5f, 0.5f} : even_place(k - 1, domain.dimension);
    float at[3] = {0, 0, 0};
    for (int a = 0; a < domain.dimension; ++a)
      at[a] = component(domain.min, a) + component(share, a) * component(domain.extent(), a);
    at[down.axis] = component(down.to_lower ? domain.max : domain.min, down.axis);
    inlet.center = {at[0], at[1], at[2]};
    found = is_free(setup, inlet);
  }
  if (!found)
    throw InputError(
        fmt::format("inlets: found no room for a nozzle of {:g} {} radius at the upper face; allowed: one before "
                    "which there is room",
                    radius, units_of(setup).length));
  const std::string center = vector_text(inlet.center, setup), r = rounded_text(radius, setup),
                    w = rounded_text(2 * radius, setup);
  std::string shape;
  switch (inlet.mouth) {
    case Mouth::Disc: shape = fmt::format("disc: {{center: {}, radius: {}}}", center, r); break;
    case Mouth::Rectangle:
      shape = domain.dimension == 2 ? fmt::format("rectangle: {{center: {}, width: {}}}", center, w)
                                    : fmt::format("rectangle: {{center: {}, width: {}, height: {}}}", center, w, w);
      break;
    case Mouth::Polygon:
      shape = fmt::format("polygon: {{center: {}, corners: [[-{}, -{}], [{}, -{}], [0, {}]]}}", center, r, r, r, r, r);
      break;
    case Mouth::Face:         // see new_face_inlet()
    case Mouth::Mesh: break;  // a new one has no file
  }
  const std::string fluid =
      setup.fluids.size() > 1 ? fmt::format("fluid: {}, ", string_text(setup.fluids[0].name)) : "";
  return opening_node(fmt::format("{{{}{}, direction: {}, speed: {}}}", fluid, shape,
                                  vector_text(inlet.direction, setup), number_text(inlet.speed)),
                      "inlets");
}

Node copied_inlet(const Node& entry, std::size_t inlet, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  InletSetup copy = setup.inlets[inlet];
  if (copy.mouth == Mouth::Mesh)
    throw InputError(
        fmt::format("inlets[{}]: found one at a mesh, which has one mouth there; allowed: another kind", inlet));
  if (copy.mouth == Mouth::Face)
    throw InputError(fmt::format("inlets[{}]: found one at a face, which has one inlet; allowed: another kind", inlet));
  const Vec3 from = copy.center;
  const Bounds bounds = mouth_bounds(setup, copy);
  const Vec3 size = bounds.max - bounds.min;
  const Node* mouth = nullptr;
  std::string word;
  for (const char* name : {"disc", "rectangle", "polygon"})
    if (const Node* found = entry.find(name)) mouth = found, word = name;
  for (int far = 1; far <= 8 && mouth; ++far)
    for (int a = 0; a < setup.domain.dimension; ++a)
      for (const float side : {1.0f, -1.0f}) {
        float at[3] = {from.x, from.y, from.z};
        at[a] += side * static_cast<float>(far) * (component(size, a) + setup.spacing);
        copy.center = {at[0], at[1], at[2]};
        if (!is_free(setup, copy)) continue;
        Node result = entry;
        Problems none;
        put(result, word + ".center", vector_text(copy.center, setup), kOfOpening, none);
        if (!copy.name.empty())
          put(result, "name",
              string_text(untaken(copy.name,
                                  [&](const std::string& name) {
                                    for (std::size_t k = 0; k < setup.inlets.size(); ++k)
                                      if (inlet_name(setup, k) == name) return true;
                                    return false;
                                  })),
              kOfOpening, none);
        return result;
      }
  throw InputError(
      fmt::format("inlets[{}]: found no room for a copy beside it; allowed: one that meets no wall, no solid and "
                  "no other nozzle",
                  inlet));
}

Node new_face_outlet(const SimulationSetup& setup) {
  for (int face = 2 * setup.domain.dimension - 1; face >= 0; --face) {
    const bool taken = std::any_of(setup.outlets.begin(), setup.outlets.end(),
                                   [&](const OutletSetup& other) { return other.face == face; });
    if (setup.domain.axis[face / 2] == Axis::Open && !taken)
      return opening_node(fmt::format("{{face: {}}}", face_word(face)), "outlets");
  }
  throw InputError("outlets: found no open face of the domain without one; allowed: an open axis in domain.axes");
}

Node copied_outlet(const Node& entry, std::size_t outlet, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  if (setup.outlets[outlet].face >= 0)
    throw InputError(fmt::format("outlets[{}]: found one at a face, which has one outlet; allowed: a region", outlet));
  Node copy = entry;
  if (setup.outlets[outlet].name.empty()) return copy;
  Problems none;
  put(copy, "name",
      string_text(untaken(setup.outlets[outlet].name,
                          [&](const std::string& name) {
                            for (std::size_t k = 0; k < setup.outlets.size(); ++k)
                              if (outlet_name(setup, k) == name) return true;
                            return false;
                          })),
      kOfOpening, none);
  return copy;
}

Bounds outlet_bounds(const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  const Down down(setup);
  const float size = std::max(3 * setup.spacing, 0.12f * least_extent(setup));
  float low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    low[a] = component(domain.min, a), high[a] = component(domain.max, a);
    if (a == down.axis)
      (down.to_lower ? high : low)[a] = down.to_lower ? low[a] + size : high[a] - size;
    else if (a == (down.axis == 0 ? 1 : 0))
      low[a] = high[a] - size;
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

}  // namespace riffle::scenes
