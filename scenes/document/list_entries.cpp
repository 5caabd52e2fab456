#include "scenes/document/list_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "core/error.h"
#include "scenes/document/body_space.h"
#include "scenes/document/key_path.h"
#include "scenes/document/opening_entries.h"
#include "scenes/document/parameters.h"
#include "scenes/document/probe_entries.h"
#include "scenes/document/third_axis.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/format/format.h"
#include "sim/meshes/mesh_file.h"
#include "sim/meshes/surface.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

const Location kAdded{"", 0, 0};

const Form& list_form(const std::string& list) {
  const Key* key = scene_format().find(list);
  if (!key || key->forms.back().kind != Form::Kind::List)
    throw InputError(
        list +
        ": is not a list of the scene; allowed: bodies, fluids, solids, joints, inlets, outlets, damping, probes");
  return key->forms.back();
}

Node value_node(const std::string& yaml, const std::string& key) {
  Problems problems;
  Node node = parse_value(yaml, kAdded, key, problems);
  problems.throw_if_any();
  return node;
}

/// Rounded to a ten-thousandth of the spacing's decade, so that no rounding errors show as digits.
std::string length_text(float value, const SimulationSetup& setup) {
  const double unit = std::pow(10.0, std::floor(std::log10(double{setup.spacing})) - 4);
  return number_text(static_cast<float>(std::round(value / unit) * unit));
}

/// Its components as text_of(component) writes them.
template <class TextOf>
std::string vector_text(Vec3 vector, const SimulationSetup& setup, const TextOf& text_of) {
  std::string text;
  for (int a = 0; a < setup.domain.dimension; ++a) text += (a ? ", " : "[") + text_of(component(vector, a));
  return text + "]";
}

std::string place_text(Vec3 place, const SimulationSetup& setup) {
  return vector_text(place, setup, [&](float x) { return length_text(x, setup); });
}

std::string direction_text(Vec3 direction, const SimulationSetup& setup) {
  return vector_text(direction, setup, [](float x) { return number_text(x); });
}

/// A hinge of the first free solid with the domain, at its middle. @throws InputError when no solid is free
Node new_joint(const SimulationSetup& setup) {
  for (std::size_t s = 0; s < setup.solid_regions.size(); ++s) {
    const SolidRegion& solid = setup.solid_regions[s];
    if (!solid.free.given) continue;
    const Bounds bounds = bounds_of(solid);
    return value_node(fmt::format("{{type: hinge, solid: {}, at: {}}}", string_text(solid_name(setup, s)),
                                  place_text(0.5f * (bounds.min + bounds.max), setup)),
                      "joints");
  }
  throw InputError("joints: found no free solid; allowed: a joint of a solid with `motion: free`");
}

/// The last fifth of the domain along x.
Node new_damping_zone(const SimulationSetup& setup) {
  const Vec3 high = setup.domain.max;
  Vec3 low = setup.domain.min;
  low.x = high.x - 0.2f * setup.domain.extent().x;
  return value_node(
      fmt::format("{{box: {{min: {}, max: {}}}, strength: 10}}", place_text(low, setup), place_text(high, setup)),
      "damping");
}

/// Writes the sizes and places of the shape into the map `section` of the entry: "", or "with[0]." or "without[0].".
void place_shape(Node& entry, const std::string& section, const PlainShape& shape, const SimulationSetup& setup,
                 Problems& problems) {
  const std::string word = section + shape_info(shape.shape).word;
  const auto write = [&](const char* key, const std::string& value) {
    const std::string path = word + "." + key;
    put(entry, path, with_third_number("bodies[0]." + path, value, find(std::as_const(entry), path)), kAdded, problems);
  };
  switch (shape.shape) {
    case Shape::Box:
      write("min", place_text(shape.min, setup));
      write("max", place_text(shape.max, setup));
      break;
    case Shape::Sphere:
      write("center", place_text(shape.center, setup));
      write("radius", length_text(shape.radius, setup));
      break;
    case Shape::Cylinder:
    case Shape::Capsule:
      write("from", place_text(shape.from, setup));
      write("to", place_text(shape.to, setup));
      write("radius", length_text(shape.radius, setup));
      break;
    case Shape::Plane:
      write("point", place_text(shape.point, setup));
      // It is as it was wherever the plane is put.
      if (!find(entry, word + ".normal")) write("normal", direction_text(shape.normal, setup));
      break;
    case Shape::Mesh: write("at", place_text(shape.placement.at, setup)); break;
    case Shape::Polygon: {
      std::string corners;
      for (const auto& [first, second] : shape.corners)
        corners +=
            (corners.empty() ? "[[" : ", [") + length_text(first, setup) + ", " + length_text(second, setup) + "]";
      write("corners", corners + "]");
      // Ends at the domain's faces are not written, and stay there.
      if (find(entry, word + ".from")) write("from", length_text(shape.low, setup));
      if (find(entry, word + ".to")) write("to", length_text(shape.high, setup));
    }
  }
}

void place_region(Node& entry, const Region& region, const SimulationSetup& setup) {
  Problems problems;
  place_shape(entry, "", region, setup, problems);
  for (std::size_t k = 0; k < region.with.size(); ++k)
    place_shape(entry, fmt::format("with[{}].", k), region.with[k], setup, problems);
  for (std::size_t k = 0; k < region.without.size(); ++k)
    place_shape(entry, fmt::format("without[{}].", k), region.without[k], setup, problems);
  problems.throw_if_any();
}

/// A body that is `spacings` particle spacings wide, in the middle of the domain.
BodySetup body_in_the_middle(Shape shape, int spacings, const SimulationSetup& setup) {
  const Domain& domain = setup.domain;
  const float half = 0.5f * static_cast<float>(spacings) * setup.spacing;
  const float depth = domain.dimension == 3 ? half : 0;
  BodySetup body;
  body.shape = shape;
  body.radius = half;
  body.center = 0.5f * (domain.min + domain.max);
  const Vec3 corner{half, half, depth}, up{0, half, 0}, c = body.center;
  body.min = c - corner;
  body.max = c + corner;
  body.from = c - up;
  body.to = c + up;
  if (shape == Shape::Capsule) body.from = c - 0.5f * up, body.to = c + 0.5f * up;
  body.corners = {{c.x - half, c.y - half}, {c.x + half, c.y - half}, {c.x, c.y + half}};
  body.low = domain.dimension == 3 ? domain.min.z : 0;
  body.high = domain.dimension == 3 ? domain.max.z : 0;
  return body;
}

int widest_body(const SimulationSetup& setup) {
  float least = INFINITY;
  for (int a = 0; a < setup.domain.dimension; ++a) least = std::min(least, component(setup.domain.extent(), a));
  return std::max(2, static_cast<int>(0.25f * least / setup.spacing));
}

/// A fluid without bodies if there is one, otherwise the fluid of the last body.
std::string fluid_for_a_body(const SimulationSetup& setup) {
  for (std::size_t f = 0; f < setup.fluids.size(); ++f)
    if (std::none_of(setup.bodies.begin(), setup.bodies.end(),
                     [&](const BodySetup& body) { return body.fluid == static_cast<int>(f); }))
      return setup.fluids[f].name;
  return setup.fluids[setup.bodies.empty() ? 0 : static_cast<std::size_t>(setup.bodies.back().fluid)].name;
}

/// A map without keys.
Node empty_entry() {
  Node entry;
  entry.kind = Node::Kind::Map;
  entry.location = kAdded;
  return entry;
}

Node body_entry(const SimulationSetup& setup) {
  Node entry = empty_entry();
  Problems none;
  if (setup.fluids.size() > 1) put(entry, "fluid", string_text(fluid_for_a_body(setup)), kAdded, none);
  return entry;
}

/// The axis that gravity acts along, or y, and whether it pulls to the lower face.
struct Upright {
  int axis = 1;
  bool downwards = true;

  explicit Upright(const SimulationSetup& setup) {
    for (int a = 0; a < setup.domain.dimension; ++a)
      if (component(setup.gravity, a) != 0) axis = a;
    downwards = component(setup.gravity, axis) <= 0;
  }
  float floor(const Domain& domain) const { return component(downwards ? domain.min : domain.max, axis); }
  /// [m] along the axis, so far above the floor
  float level(const Domain& domain, float height) const { return floor(domain) + (downwards ? height : -height); }
};

/// A level plane, so far above the floor: what is below it is behind it.
void put_plane(Node& entry, float height, const SimulationSetup& setup) {
  const Upright up(setup);
  const Domain& domain = setup.domain;
  float at[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
  for (int a = 0; a < domain.dimension; ++a) at[a] = 0.5f * (component(domain.min, a) + component(domain.max, a));
  at[up.axis] = up.level(domain, height);
  normal[up.axis] = up.downwards ? 1.0f : -1.0f;
  Problems none;
  put(entry, "plane.point", place_text({at[0], at[1], at[2]}, setup), kAdded, none);
  put(entry, "plane.normal", direction_text({normal[0], normal[1], normal[2]}, setup), kAdded, none);
}

/// Fluid that fills the domain up to half the way to the lowest body. @param shape  "fill" or "plane"
Node new_fill(const std::string& shape, const SimulationSetup& setup) {
  const Upright up(setup);
  const float floor = up.floor(setup.domain);
  float room = component(setup.domain.extent(), up.axis);
  for (const BodySetup& body : setup.bodies) {
    const auto [min, max] = bounds_of(body);
    room = std::min(room, up.downwards ? component(min, up.axis) - floor : floor - component(max, up.axis));
  }
  const auto layers = static_cast<int>(0.5f * room / setup.spacing);
  if (layers < 1)
    throw InputError(
        fmt::format("bodies: found no room to fill the domain up to a level below the other bodies: they leave {:g} {} "
                    "above the floor; allowed: at least two particle spacings ({:g} {})",
                    std::max(0.0f, room), units_of(setup).length, 2 * setup.spacing, units_of(setup).length));
  const float height = static_cast<float>(layers) * setup.spacing;
  Node entry = body_entry(setup);
  Problems none;
  if (shape == "plane")
    put_plane(entry, height, setup);
  else
    put(entry, "fill.level", length_text(up.level(setup.domain, height), setup), kAdded, none);
  return entry;
}

Shape shape_of_word(const std::string& word) {
  for (const ShapeInfo* info : shapes())
    if (word == info->word) return info->shape;
  return Shape::Box;
}

/// The widest body of a shape for which there is room. @param move  to a free place
template <class Move>
auto placed(Shape shape, int widest, const SimulationSetup& setup, const Move& move) {
  for (int spacings = widest;; spacings = std::max(2, spacings / 2)) {
    const auto there = move(body_in_the_middle(shape, spacings, setup), setup);
    if (there || spacings == 2) return there;
  }
}

Node new_body(const std::string& shape, const SimulationSetup& setup) {
  if (shape == "fill" || shape == "plane") return new_fill(shape, setup);
  const auto to_place = [](const BodySetup& body, const SimulationSetup& all) {
    return moved_to_free_place(body, all);
  };
  const auto body = placed(shape_of_word(shape), widest_body(setup), setup, to_place);
  if (!body)
    throw InputError(
        fmt::format("bodies: found no room for another one inside the domain: every place that is two "
                    "particle spacings wide ({:g} {}) is taken; allowed: a body that overlaps no other",
                    2 * setup.spacing, units_of(setup).length));
  Node entry = body_entry(setup);
  place_region(entry, *body, setup);
  return entry;
}

/// The setup in which only solids take places: fluid is left out where a solid is.
SimulationSetup without_fluid(SimulationSetup setup) {
  setup.bodies.clear();
  return setup;
}

/// "water", "water 2", "water 3": the first that is none of the names.
std::string free_name(const std::string& wanted, const std::vector<std::string>& names) {
  std::string name = wanted;
  for (int k = 2; std::find(names.begin(), names.end(), name) != names.end(); ++k)
    name = wanted + " " + std::to_string(k);
  return name;
}

std::vector<std::string> names_of_solids(const SimulationSetup& setup) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < setup.solid_regions.size(); ++i) names.push_back(solid_name(setup, i));
  return names;
}

/// Where there is no fluid if there is such a place, otherwise where there is no solid.
Node new_solid(const std::string& word, const SimulationSetup& setup) {
  const Shape shape = shape_of_word(word);
  Node entry = empty_entry();
  Problems none;
  const std::vector<std::string> names = names_of_solids(setup);
  const std::string usual = fmt::format("solid {}", names.size() + 1), name = free_name(usual, names);
  if (name != usual) put(entry, "name", string_text(name), kAdded, none);
  if (shape == Shape::Plane) {  // a floor
    put_plane(entry, 4 * setup.spacing, setup);
    return entry;
  }
  // A triangle that is four spacings wide is two and a half thick.
  const int widest = std::max(widest_body(setup), shape == Shape::Polygon ? 4 : 2);
  const auto to_place = [](const Region& solid, const SimulationSetup& all) {
    return solid_moved_to_free_place(solid, all);
  };
  auto solid = placed(shape, widest, setup, to_place);
  if (!solid) solid = placed(shape, widest, without_fluid(setup), to_place);
  if (!solid)
    throw InputError(
        fmt::format("solids: found no room for another one inside the domain: every place that is two particle "
                    "spacings wide ({:g} {}) has one; allowed: a solid that overlaps no other",
                    2 * setup.spacing, units_of(setup).length));
  place_region(entry, *solid, setup);
  return entry;
}

/// In the lower corner at the upper end of x: a box of its bounds, or a round shape within it.
Node new_outlet(const std::string& shape, const SimulationSetup& setup) {
  Node entry = empty_entry();
  if (shape == "face") return new_face_outlet(setup);
  if (shape == "plane") {
    put_plane(entry, 2 * setup.spacing, setup);
    return entry;
  }
  const Bounds bounds = outlet_bounds(setup);
  const Vec3 size = bounds.max - bounds.min;
  float least = INFINITY;
  for (int a = 0; a < setup.domain.dimension; ++a) least = std::min(least, component(size, a));
  const int spacings = std::max(2, static_cast<int>(least / setup.spacing));
  Region region = body_in_the_middle(shape_of_word(shape), spacings, setup);
  if (region.shape == Shape::Box) {
    region.min = bounds.min;
    region.max = bounds.max;
  } else {
    const Bounds now = bounds_of(region);
    region = moved(region, 0.5f * (bounds.min + bounds.max) - 0.5f * (now.min + now.max));
  }
  place_region(entry, region, setup);
  return entry;
}

/// What a mesh may have [m]: the domain, and a little less along a periodic axis, through which it cannot go on.
Vec3 room_for_mesh(const SimulationSetup& setup) {
  constexpr float kBetweenFaces = 0.999f;
  const auto part = [&](int a) { return setup.domain.periodic(a) ? kBetweenFaces : 1.0f; };
  const Vec3 extent = setup.domain.extent();
  return {part(0) * extent.x, part(1) * extent.y, part(2) * extent.z};
}

bool fits(Vec3 extent, const SimulationSetup& setup) {
  constexpr float kRounding = 1e-5f;  // of the domain, from a file's decimals
  const Vec3 room = (1 + kRounding) * room_for_mesh(setup);
  return extent.x <= room.x && extent.y <= room.y && extent.z <= room.z;
}

/// The largest scale of at most two digits at which a mesh of that extent fits.
float largest_fitting_scale(Vec3 extent, const SimulationSetup& setup) {
  const Vec3 room = room_for_mesh(setup);
  double largest = INFINITY;
  for (int a = 0; a < 3; ++a)
    if (component(extent, a) > 0) largest = std::min(largest, double{component(room, a)} / component(extent, a));
  const double digit = std::pow(10.0, std::floor(std::log10(largest)) - 1);
  return static_cast<float>(std::floor(largest / digit * (1 + 1e-6)) * digit);
}

/// "0.6 x 0.3 x 0.6 m"
std::string extent_text(Vec3 extent, const SimulationSetup& setup) {
  return fmt::format("{:.3g} x {:.3g} x {:.3g} {}", extent.x, extent.y, extent.z, units_of(setup).length);
}

MeshFit fit_of(Vec3 extent, const SimulationSetup& setup) {
  MeshFit fit{extent, 1, ""};
  const float longest = std::max({extent.x, extent.y, extent.z});
  if (!fits(extent, setup)) {
    constexpr float kOtherUnit = 0.1f;  // a scale below it is that of another unit rather than of a smaller thing
    constexpr float kSpacings = 4;      // along the longest side
    fit.scale = largest_fitting_scale(extent, setup);
    fit.why = extent_text(extent, setup) + " does not fit the domain of " + extent_text(setup.domain.extent(), setup);
    if (fit.scale >= kOtherUnit) return fit;
    for (const auto& [unit, name] : {std::pair(0.01f, "centimetres"), std::pair(0.001f, "millimetres")})
      if (fits(unit * extent, setup) && unit * longest >= kSpacings * setup.spacing) {
        fit.scale = unit;
        fit.why += std::string(", so the file is taken to be in ") + name;
        break;
      }
  } else if (longest > 0 && longest < setup.spacing) {
    while (fit.scale < 1e9f && fit.scale * longest < setup.spacing && fits(10 * fit.scale * extent, setup))
      fit.scale *= 10;
    if (fit.scale != 1)
      fit.why = extent_text(extent, setup) + " is smaller than the particle spacing of " +
                length_text(setup.spacing, setup) + " " + units_of(setup).length;
  }
  return fit;
}

/// @throws InputError with the file's name, and in a 2-D scene
std::shared_ptr<const IndexedMesh> mesh_for_solid(const std::filesystem::path& file, const SimulationSetup& setup) {
  if (setup.domain.dimension == 2)
    throw InputError(file.string() + ": is a mesh, which encloses a volume; allowed in a 2-D scene: a polygon");
  try {
    return read_mesh_file(file);
  } catch (const RuntimeFailure& error) {
    throw InputError(error.what());
  }
}

/// As it is in the file, or placed. @throws InputError with the file's name
std::shared_ptr<const MeshSurface> surface_of(const std::filesystem::path& file, const IndexedMesh& mesh,
                                              const MeshPlacement& placement) {
  try {
    return mesh_surface(mesh, placement);
  } catch (const InputError& error) {
    throw InputError(file.string() + ": " + error.what());
  }
}

/// The colour of a short list that is farthest from those in use. In quotes: YAML reads a bare # as a comment.
std::string free_color(const std::vector<FluidSetup>& fluids) {
  static const std::array<const char*, 8> kColors = {"'#2973d9'", "'#e8a33d'", "'#2fa866'", "'#c95a9c'",
                                                     "'#d95f3b'", "'#5bc0de'", "'#8a63d2'", "'#d8d04a'"};
  const auto distance = [&](const char* text) {
    const std::vector<double> rgb = numbers_in(text);
    double least = INFINITY;
    for (const FluidSetup& fluid : fluids)
      least = std::min(least, std::hypot(rgb[0] - fluid.color.x, rgb[1] - fluid.color.y, rgb[2] - fluid.color.z));
    return least;
  };
  return *std::max_element(kColors.begin(), kColors.end(),
                           [&](const char* a, const char* b) { return distance(a) < distance(b); });
}

void name_fluid(Node& entry, const std::string& wanted, const std::vector<FluidSetup>& fluids) {
  Problems none;
  std::vector<std::string> names;
  for (const FluidSetup& fluid : fluids) names.push_back(fluid.name);
  put(entry, "name", string_text(free_name(wanted, names)), kAdded, none);
  put(entry, "color", free_color(fluids), kAdded, none);
}

/// Copies at free places, until the scene takes one.
class CopyTrials {
 public:
  CopyTrials(Node entry, const SimulationSetup& setup, const RefusalOfCopy& refusal)
      : entry_(std::move(entry)), setup_(setup), refusal_(refusal) {}

  Node at(const Region& place) const {
    Node copy = entry_;
    place_region(copy, place, setup_);
    return copy;
  }

  /// Whether the scene takes the copy there.
  bool takes(const Region& place) {
    if (left_ == 0) return false;
    --left_;
    const std::string why = refusal_(at(place));
    if (first_.empty()) first_ = why;
    return why.empty();
  }

  InputError none_found(const EntryPath& path, const char* kind) const {
    const std::string copy = fmt::format("{}[{}]: found no room for a copy inside the domain", path.list, path.index);
    if (first_.empty())
      return InputError(copy + fmt::format("; allowed: one that overlaps no other {}{}", kind,
                                           setup_.inlets.empty() || path.list != "solids"
                                               ? ""
                                               : " and leaves the nozzles of inlets their room"));
    return InputError(copy + ". With a copy at the nearest free place: " + first_);
  }

 private:
  static constexpr int kMostReviews = 48;  // of the whole scene
  Node entry_;
  const SimulationSetup& setup_;
  const RefusalOfCopy& refusal_;
  int left_ = kMostReviews;
  std::string first_;  ///< what the scene says against the nearest
};

bool is_matrix(const Node& node) {
  return node.kind == Node::Kind::List && !node.items.empty() && node.items[0].kind == Node::Kind::List;
}

void collect_matrices(const Record& record, const std::string& path, std::vector<std::string>& found) {
  for (const Key& key : record.keys)
    for (const Form& form : key.forms) {
      const std::string inner = child_path(path, key.name);
      if (form.kind == Form::Kind::Tuple && form.element[0].kind == Form::Kind::Tuple) found.push_back(inner);
      if (form.kind == Form::Kind::Map) collect_matrices(*form.record, inner, found);
    }
}

}  // namespace

EntryPath split_entry(const std::string& path) {
  const auto steps = split_path(path);
  if (steps.size() != 2 || !steps[1].index)
    throw InputError(path + ": is not an entry of a list, such as bodies[0] or fluids[1]");
  list_form(steps[0].name);
  return {steps[0].name, *steps[1].index};
}

std::vector<std::string> shapes_of_entries(const std::string& list) {
  std::vector<std::string> shapes = list_form(list).record->exactly_one_of;
  for (const char* from_file : {"particles", "mesh"}) std::erase(shapes, from_file);  // a new one has no file
  return shapes;
}

Node new_entry(const std::string& list, const std::string& given, const Scene& scene) {
  const auto shapes = shapes_of_entries(list);
  const std::string shape = given.empty() && !shapes.empty() ? shapes[0] : given;
  if (!shape.empty() && std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
    throw InputError(list + ": found '" + shape + "' as the shape of a new entry");
  if (list == "bodies") return new_body(shape, scene.simulation);
  if (list == "solids") return new_solid(shape, scene.simulation);
  if (list == "probes") return new_probe(shape, scene);
  if (list == "joints") return new_joint(scene.simulation);
  if (list == "damping") return new_damping_zone(scene.simulation);
  if (list == "inlets") return new_inlet(shape, scene);
  if (list == "outlets") return new_outlet(shape, scene.simulation);
  Node entry = value_node("{}", list);
  name_fluid(entry, "fluid", scene.simulation.fluids);
  return entry;
}

MeshFit mesh_fit(const std::filesystem::path& file, const Scene& scene) {
  const SimulationSetup& setup = scene.simulation;
  const auto surface = surface_of(file, *mesh_for_solid(file, setup), {});
  return fit_of(surface->high() - surface->low(), setup);
}

Node mesh_entry(const std::filesystem::path& file, const Scene& scene, std::optional<float> wanted) {
  const SimulationSetup& setup = scene.simulation;
  const auto mesh = mesh_for_solid(file, setup);
  const auto as_it_is = surface_of(file, *mesh, {});
  const Vec3 extent = as_it_is->high() - as_it_is->low();
  const float scale = wanted ? *wanted : fit_of(extent, setup).scale;
  if (!(scale > 0 && scale < INFINITY))
    throw InputError(fmt::format("{}: found the scale {:g}; allowed: a number above 0", file.string(), scale));
  if (!fits(scale * extent, setup))
    throw InputError(
        fmt::format("{}: is {} with the scale {:g}, which does not fit the domain of {}; allowed: a scale "
                    "up to {:g}",
                    file.string(), extent_text(scale * extent, setup), scale, extent_text(setup.domain.extent(), setup),
                    largest_fitting_scale(extent, setup)));
  Region solid;
  solid.shape = Shape::Mesh;
  solid.placement.scale = {scale, scale, scale};
  solid.placement.at = 0.5f * (setup.domain.min + setup.domain.max - scale * (as_it_is->low() + as_it_is->high()));
  solid.surface = surface_of(file, *mesh, solid.placement);
  auto place = solid_moved_to_free_place(solid, setup);
  if (!place) place = solid_moved_to_free_place(solid, without_fluid(setup));
  if (!place)
    throw InputError(
        fmt::format("{}: found no room for it inside the domain, {} with the scale {:g}; allowed: a solid "
                    "that overlaps no other, so a smaller scale may help",
                    file.string(), extent_text(scale * extent, setup), scale));
  const std::vector<std::string> names = names_of_solids(setup);
  Node entry = empty_entry();
  Problems none;
  put(entry, "name", string_text(free_name(file.stem().string(), names)), kAdded, none);
  put(entry, "mesh.file", string_text(std::filesystem::absolute(file).string()), kAdded, none);
  if (solid.placement.scale.x != 1) put(entry, "mesh.scale", number_text(solid.placement.scale.x), kAdded, none);
  place_region(entry, *place, setup);
  return entry;
}

namespace {

/// A plane goes as far as the domain: a copy elsewhere would hold all of it, or lie in it.
void refuse_copy_of_plane(const EntryPath& path, const SimulationSetup& setup) {
  const Region* region = nullptr;
  if (path.list == "bodies") region = &setup.bodies[path.index];
  if (path.list == "solids") region = &setup.solid_regions[path.index];
  if (region && has_plane(*region))
    throw InputError(
        fmt::format("{}[{}]: found a plane, whose copy would have a part in common with it wherever it "
                    "lies; allowed: an entry of another shape",
                    path.list, path.index));
}

}  // namespace

Node copied_entry(const Node& original, const EntryPath& path, const Scene& scene, const RefusalOfCopy& refusal) {
  Node entry = original;
  refuse_copy_of_plane(path, scene.simulation);
  if (path.list == "fluids") {
    name_fluid(entry, scene.simulation.fluids[path.index].name, scene.simulation.fluids);
    return entry;
  }
  if (path.list == "probes") return copied_probe(original, path.index, scene);
  if (path.list == "damping" || path.list == "joints") return entry;
  if (path.list == "inlets") return copied_inlet(original, path.index, scene);
  if (path.list == "outlets") return copied_outlet(original, path.index, scene);
  const SimulationSetup& setup = scene.simulation;
  if (path.list == "solids") {
    const SolidRegion& solid = setup.solid_regions[path.index];
    Problems none;
    if (!solid.name.empty())
      put(entry, "name", string_text(free_name(solid.name, names_of_solids(setup))), kAdded, none);
    CopyTrials trials(std::move(entry), setup, refusal);
    const MayLie may_lie = [&](const Region& place) { return trials.takes(place); };
    auto place = solid_moved_apart(solid, setup, may_lie);
    if (!place) place = solid_moved_apart(solid, without_fluid(setup), may_lie);
    if (!place) throw trials.none_found(path, "solid");
    return trials.at(*place);
  }
  for (const char* fixed : {"fill", "particles"})
    if (entry.find(fixed))
      throw InputError(
          fmt::format("bodies[{}]: found a body by `{}`, whose copy would lie in the same place; allowed: a body of "
                      "another shape",
                      path.index, fixed));
  CopyTrials trials(std::move(entry), setup, refusal);
  const auto place =
      moved_to_free_place(setup.bodies[path.index], setup, [&](const Region& there) { return trials.takes(there); });
  if (!place) throw trials.none_found(path, "body");
  return trials.at(*place);
}

std::vector<std::string> fluid_matrices() {
  std::vector<std::string> found;
  collect_matrices(scene_format(), "", found);
  return found;
}

void insert_fluid(Node& matrix, std::size_t at, std::size_t like) {
  if (!is_matrix(matrix)) return;
  const auto insert = [&](std::vector<Node>& items) {
    if (like < items.size() && at <= items.size()) {
      const Node copy = items[like];
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), copy);
    }
  };
  for (Node& row : matrix.items) insert(row.items);
  insert(matrix.items);
}

void remove_fluid(Node& matrix, std::size_t at) {
  if (!is_matrix(matrix)) return;
  const auto remove = [&](std::vector<Node>& items) {
    if (at < items.size()) items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
  };
  for (Node& row : matrix.items) remove(row.items);
  remove(matrix.items);
}

}  // namespace riffle::scenes
