/// The keys of shapes, which bodies have, and of the velocity field that a body starts with.

#include <cmath>

#include "scenes/format/format_keys.h"

namespace riffle::scenes {

using namespace format_keys;

namespace {

constexpr int kMostCorners = 256;

Record box_record(Section<PlainShape> shape, const std::string& note) {
  return {{
      required("min", spatial(number("m")), shape, &PlainShape::min, "Lower corner." + note),
      required("max", spatial(number("m")), shape, &PlainShape::max, "Upper corner."),
  }};
}

Record sphere_record(Section<PlainShape> shape) {
  return {{
      required("center", spatial(number("m")), shape, &PlainShape::center, "Centre; a disc in 2-D."),
      required("radius", number_above(0, "m"), shape, &PlainShape::radius, "Radius."),
  }};
}

Record cylinder_record(Section<PlainShape> shape) {
  return {{
      required("from", spatial(number("m")), shape, &PlainShape::from, "Centre of one end."),
      required("to", spatial(number("m")), shape, &PlainShape::to, "Centre of the other end."),
      required("radius", number_above(0, "m"), shape, &PlainShape::radius,
               "Radius; in 2-D half the width of the rectangle."),
  }};
}

Record capsule_record(Section<PlainShape> shape) {
  return {{
      required("from", spatial(number("m")), shape, &PlainShape::from, "Centre of the ball at one end."),
      required("to", spatial(number("m")), shape, &PlainShape::to, "Centre of the ball at the other end."),
      required("radius", number_above(0, "m"), shape, &PlainShape::radius,
               "Radius; in 2-D half the width of the strip."),
  }};
}

Record plane_record(Section<PlainShape> shape) {
  return {{
      required("point", spatial(number("m")), shape, &PlainShape::point, "A point on the plane."),
      required("normal", spatial(bounded("")), shape, &PlainShape::normal,
               "Points away from what lies behind the plane, at right angles to it, of any length."),
  }};
}

/// One end of an extruded polygon.
Key end_key(const char* name, Section<PlainShape> shape, float PlainShape::*end, float domain, std::string doc) {
  Key key = optional(
      name, {words({"domain"}), number("m")}, "domain", std::move(doc),
      [shape, end, domain](SceneDraft& d, const Value& v) { shape(d).*end = v.is_text() ? domain : v.number(); },
      [shape, end](SceneDraft& d) -> Value { return shape(d).*end; });
  key.needs_third_axis = true;
  return key;
}

Record polygon_record(Section<PlainShape> shape) {
  Key corners{
      "corners",
      "Its corners in order, either way round, each by its coordinates along the two axes beside `axis`: [x, y], "
      "[x, z] or [y, z]. Edges must not meet elsewhere.",
      {tuple(tuple(number("m"), 2, 2), 3, kMostCorners)}};
  corners.required = true;
  corners.store = [shape](SceneDraft& d, const Value& v) {
    shape(d).corners.clear();
    for (const Value& corner : v.items())
      shape(d).corners.push_back({corner.items()[0].number(), corner.items()[1].number()});
  };
  corners.fetch = [shape](SceneDraft& d) -> Value {
    std::vector<Value> list;
    for (const auto& [first, second] : shape(d).corners) list.emplace_back(std::vector<Value>{first, second});
    return list;
  };
  Key axis = axis_key("axis", "z", "Along which it is extruded; in 2-D always z.",
                      [shape](SceneDraft& d) -> int& { return shape(d).axis; });
  axis.needs_third_axis = true;
  return {
      {corners, axis,
       end_key("from", shape, &PlainShape::low, -INFINITY,
               "Where it begins along `axis`; `domain`: at its lower face."),
       end_key("to", shape, &PlainShape::high, INFINITY, "Where it ends along `axis`; `domain`: at its upper face.")}};
}

Key center_key(std::string doc) {
  return field("center", spatial(number("m")), flow, &FlowSetup::center, std::move(doc));
}

/// @param doc  of `along`, whose axis x it names
std::vector<Key> plane_keys(std::string along, std::string across) {
  return {axis_key("along", "x", std::move(along), [](SceneDraft& d) -> int& { return flow(d).along; }),
          axis_key("across", "y", std::move(across), [](SceneDraft& d) -> int& { return flow(d).across; })};
}

Key rate_key(std::string doc) { return required("rate", bounded("1/s"), flow, &FlowSetup::rate, std::move(doc)); }

Key speed_key(std::string doc) { return required("speed", bounded("m/s"), flow, &FlowSetup::speed, std::move(doc)); }

Key wavelength_key(std::string doc) {
  return required("wavelength", number_above(0, "m"), flow, &FlowSetup::wavelength, std::move(doc));
}

Key flow_section(const char* name, std::string doc, Flow kind, std::vector<Key> keys, std::vector<Key> plane) {
  for (Key& key : plane) keys.push_back(std::move(key));
  Key key = section(name, std::move(doc), {std::move(keys)}, [kind](SceneDraft& d) { flow(d).flow = kind; });
  key.present = [kind](SceneDraft& d) { return flow(d).flow == kind; };
  return key;
}

Record flow_record() {
  return {
      {
          flow_section("shear", "Velocity along one axis, in proportion to the place along another.", Flow::Shear,
                       {rate_key("Velocity along `along` per length along `across`."),
                        center_key("A point whose velocity is 0.")},
                       plane_keys("Axis of the velocity.", "Axis along which it grows.")),
          flow_section("rotation", "Solid rotation in the plane of two axes.", Flow::Rotation,
                       {rate_key("Angular velocity, from `along` towards `across`."),
                        center_key("A point on the axis of rotation.")},
                       plane_keys("First axis of the plane.", "Second axis of the plane.")),
          flow_section("strain", "Stretching along one axis and as much shortening along another.", Flow::Strain,
                       {rate_key("Velocity per length: outwards along `along`, inwards along `across`."),
                        center_key("A point whose velocity is 0.")},
                       plane_keys("Axis of stretching.", "Axis of shortening.")),
          flow_section(
              "taylor_green",
              "Vortices of Taylor and Green: -speed cos(k x) sin(k y) along x, speed sin(k x) cos(k y) along y, "
              "k = 2 pi / wavelength, x and y from `center`.",
              Flow::TaylorGreen,
              {speed_key("Largest speed."),
               wavelength_key("Length of a pair of vortices that turn in opposite directions."),
               center_key("The centre of a vortex, which turns from x towards y if the speed is positive.")},
              plane_keys("The axis called x.", "The axis called y.")),
          flow_section(
              "standing_wave",
              "Water of even depth whose flat surface begins to move: a standing wave of small amplitude (potential "
              "flow) that passes through rest.",
              Flow::StandingWave,
              {speed_key("Largest vertical velocity of the surface."), wavelength_key("Length of the wave."),
               required("depth", number_above(0, "m"), flow, &FlowSetup::depth, "Depth of the water at rest."),
               center_key("A point of the surface at rest, where it rises fastest.")},
              plane_keys("Axis along which the wave varies.", "Axis that is up.")),
      },
      {"shear", "rotation", "strain", "taylor_green", "standing_wave"}};
}

}  // namespace

std::vector<Key> mesh_keys(std::function<std::string&(SceneDraft&)> file,
                           std::function<MeshPlacement&(SceneDraft&)> place, const std::string& of_file) {
  Key path{"file", "A .stl, .obj, .ply, .gltf or .glb file; its path from the scene's folder. " + of_file, {text()}};
  path.required = true;
  path.store = [file](SceneDraft& d, const Value& v) { file(d) = v.text(); };
  path.fetch = [file](SceneDraft& d) -> Value { return file(d); };
  Key scale = optional(
      "scale", {number_above(0, "m"), tuple(number_above(0, "m"), 3, 3)}, 1.0f,
      "Length of the file's unit, or one along each axis of the file: 0.001 for a file in millimetres.",
      [place](SceneDraft& d, const Value& v) {
        const float all = v.is_number() ? v.number() : 1;
        place(d).scale = v.is_number() ? Vec3{all, all, all} : v.vector();
      },
      [place](SceneDraft& d) -> Value {
        const Vec3 s = place(d).scale;
        return s.x == s.y && s.y == s.z ? Value(s.x) : Value(s);
      });
  Key rotation = optional(
      "rotation", {tuple(number_from(-360, 360, "degrees"), 3, 3)}, Vec3{},
      "Angles about the axes x, y and z, which stand still, in this order, after scaling; counter-clockwise as seen "
      "from the axis' positive end. [-90, 0, 0] puts a file whose z points up upright.",
      [place](SceneDraft& d, const Value& v) { place(d).rotation = v.vector(); },
      [place](SceneDraft& d) -> Value { return place(d).rotation; });
  Key at = optional(
      "at", {spatial(number("m"))}, Vec3{}, "Where the file's origin comes to lie.",
      [place](SceneDraft& d, const Value& v) { place(d).at = v.vector(); },
      [place](SceneDraft& d) -> Value { return place(d).at; });
  return {path, scale, rotation, at};
}

std::vector<std::string> shape_words(bool files) {
  std::vector<std::string> names;
  for (const ShapeInfo* info : shapes())
    if (files || !info->from_file) names.emplace_back(info->word);
  return names;
}

std::vector<Key> shape_keys(Section<PlainShape> shape, const std::string& role, const std::string& box_note,
                            bool files) {
  const auto record = [&](Shape which) {
    switch (which) {
      case Shape::Box: return box_record(shape, box_note);
      case Shape::Sphere: return sphere_record(shape);
      case Shape::Cylinder: return cylinder_record(shape);
      case Shape::Capsule: return capsule_record(shape);
      case Shape::Plane: return plane_record(shape);
      case Shape::Mesh:
        return Record{
            mesh_keys([shape](SceneDraft& d) -> std::string& { return shape(d).file; },
                      [shape](SceneDraft& d) -> MeshPlacement& { return shape(d).placement; },
                      "What its surface encloses is solid. A face with more than three corners is cut into triangles "
                      "within its outline, which may have notches; which triangles a face gets whose edges cross, or "
                      "that is not flat, is left open. Holes in the surface are closed, and triangles that are the "
                      "wrong way round are turned.")};
      case Shape::Polygon: break;
    }
    return polygon_record(shape);
  };
  std::vector<Key> keys;
  for (const ShapeInfo* info : shapes()) {
    if (info->from_file && !files) continue;
    keys.push_back(section(info->word, info->name + role + ".", record(info->shape),
                           [shape, which = info->shape](SceneDraft& d) { shape(d).shape = which; }));
    keys.back().present = [shape, which = info->shape](SceneDraft& d) { return shape(d).shape == which; };
  }
  return keys;
}

Key flow_key() {
  Key key{"flow", "Velocity field at the start, added to `velocity`.", {words({"none"}), map_of(flow_record())}};
  key.default_value = "none";
  key.store = [](SceneDraft&, const Value&) {};
  key.present = [](SceneDraft& d) { return flow(d).flow != Flow::None; };
  return key;
}

}  // namespace riffle::scenes
