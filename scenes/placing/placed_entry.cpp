#include "scenes/placing/placed_entry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scenes/document/yaml_writer.h"
#include "scenes/placing/place_keys.h"
#include "scenes/scene.h"
#include "sim/meshes/surface.h"
#include "sim/openings/nozzle.h"

namespace riffle::scenes {

namespace {

/// A rotation about an axis.
struct Rotation {
  int axis;
  double cosine, sine;

  Rotation(int about, double degrees)
      : axis(about),
        cosine(std::cos(degrees * std::numbers::pi / 180)),
        sine(std::sin(degrees * std::numbers::pi / 180)) {}
  Vec3 of(Vec3 v) const {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    const double from_b = component(v, b), from_c = component(v, c);
    coordinate_of(v, b) = static_cast<float>(cosine * from_b - sine * from_c);
    coordinate_of(v, c) = static_cast<float>(sine * from_b + cosine * from_c);
    return v;
  }
};

/// About x, then y, then z, as a mesh is placed.
struct Rotations {
  Vec3 angles;  ///< [degrees]
  explicit Rotations(Vec3 degrees) : angles(degrees) {}

  Vec3 of(Vec3 v) const { return Rotation(2, angles.z).of(Rotation(1, angles.y).of(Rotation(0, angles.x).of(v))); }
  Vec3 back(Vec3 v) const { return Rotation(0, -angles.x).of(Rotation(1, -angles.y).of(Rotation(2, -angles.z).of(v))); }
};

struct Mover : PlaceVisitor {
  Vec3 by;
  explicit Mover(Vec3 way) : by(way) {}

  void point(const std::string&, Vec3& p) override { p += by; }
  void carried(const std::string&, Vec3& p) override { p += by; }
  void coordinate(const std::string&, float& x, int axis) override { x += component(by, axis); }
  void corners(const std::string&, std::vector<std::array<float, 2>>& list, int axis) override {
    if (axis < 0) return;  // from the centre of a mouth
    const float first = component(by, axis == 0 ? 1 : 0), second = component(by, axis == 2 ? 1 : 2);
    for (auto& corner : list) corner = {corner[0] + first, corner[1] + second};
  }
  void mesh(const std::string&, MeshPlacement& placement) override { placement.at += by; }
};

/// [degrees] about x, y and z, in this order, of the rotation whose columns are the images of the axes.
Vec3 angles_of(const Vec3 (&image)[3]) {
  constexpr double degrees = 180 / std::numbers::pi;
  const double sine = std::clamp(-double{image[0].z}, -1.0, 1.0);
  if (std::fabs(sine) > 0.999999)  // x and z turn about the same line: x does all
    return {static_cast<float>(degrees * std::atan2(sine * image[1].x, image[1].y)),
            static_cast<float>(degrees * std::asin(sine)), 0};
  return {static_cast<float>(degrees * std::atan2(image[1].z, image[2].z)),
          static_cast<float>(degrees * std::asin(sine)),
          static_cast<float>(degrees * std::atan2(image[0].y, image[0].x))};
}

/// [degrees] to which the angles of a mesh are rounded. Half of it moves a place 70 spacings away by 0.06 spacings.
constexpr double kMeshAngle = 0.1;

double rounded(double value, double unit) { return unit > 0 ? unit * std::round(value / unit) : value; }

struct Turner : PlaceVisitor {
  Rotation by;
  Vec3 about;
  double unit;  ///< [m] to which places are rounded; 0: they are not
  Turner(int axis, double degrees, Vec3 middle, double of_places) : by(axis, degrees), about(middle), unit(of_places) {}

  /// Those coordinates that turning changes, rounded.
  Vec3 even(Vec3 p, Vec3 before) const {
    for (int a = 0; a < 3; ++a) {
      const double to = component(p, a), from = component(before, a);
      const bool stays = a == by.axis || std::fabs(to - from) < 0.5 * unit;
      coordinate_of(p, a) = static_cast<float>(stays ? from : rounded(to, unit));
    }
    return p;
  }
  Vec3 turned(Vec3 p) const { return even(about + by.of(p - about), p); }

  void point(const std::string&, Vec3& p) override { p = turned(p); }
  void carried(const std::string&, Vec3& p) override { p = turned(p); }
  void side(const std::string&, Vec3& v) override { v = even(by.of(v), v); }
  void direction(const std::string&, Vec3& v) override { v = by.of(v); }
  void corners(const std::string&, std::vector<std::array<float, 2>>& list, int axis) override {
    if (axis < 0) return;
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    for (auto& corner : list) {
      Vec3 p = about;
      coordinate_of(p, first) = corner[0];
      coordinate_of(p, second) = corner[1];
      p = turned(p);
      corner = {component(p, first), component(p, second)};
    }
  }
  /// The place is that of the rounded angles, so that the middle stays where it is.
  void mesh(const std::string&, MeshPlacement& placement) override {
    const Rotations before(placement.rotation);
    const auto turned = [&](Vec3 v) { return by.of(before.of(v)); };
    const Vec3 image[3] = {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1})};
    Vec3 angles = angles_of(image);
    for (int a = 0; a < 3 && unit > 0; ++a)
      coordinate_of(angles, a) = static_cast<float>(rounded(component(angles, a), kMeshAngle)) + 0.0f;
    const Vec3 middle = before.back(about - placement.at);
    placement.rotation = angles;
    const Vec3 at = about - Rotations(angles).of(middle);
    for (int a = 0; a < 3; ++a) {
      const double to = component(at, a), from = component(placement.at, a);
      if (!(std::fabs(to - from) < 0.5 * unit)) coordinate_of(placement.at, a) = static_cast<float>(rounded(to, unit));
    }
  }
};

struct Scaler : PlaceVisitor {
  float by;
  Vec3 about;
  Scaler(double factor, Vec3 middle) : by(static_cast<float>(factor)), about(middle) {}

  void point(const std::string&, Vec3& p) override { p = about + by * (p - about); }
  void side(const std::string&, Vec3& v) override { v = by * v; }
  void length(const std::string&, float& length) override { length *= by; }
  void coordinate(const std::string&, float& x, int axis) override {
    x = component(about, axis) + by * (x - component(about, axis));
  }
  void corners(const std::string&, std::vector<std::array<float, 2>>& list, int axis) override {
    const float first = axis < 0 ? 0 : component(about, axis == 0 ? 1 : 0);
    const float second = axis < 0 ? 0 : component(about, axis == 2 ? 1 : 2);
    for (auto& corner : list) corner = {first + by * (corner[0] - first), second + by * (corner[1] - second)};
  }
  void mesh(const std::string&, MeshPlacement& placement) override {
    placement.scale = by * placement.scale;
    placement.at = about + by * (placement.at - about);
  }
};

Vec3 unit(Vec3 v) {
  const float length = std::sqrt(length2(v));
  return length > 0 ? (1 / length) * v : Vec3{};
}

Vec3 axis_vector(int axis) {
  Vec3 v;
  coordinate_of(v, axis) = 1;
  return v;
}

Vec3 vector_of(const double (&v)[3]) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// Of a mouth that is not a face of the domain: the rest of the domain does not matter.
NozzleFrame frame_of(const InletSetup& inlet, int dimension) {
  Domain domain;
  domain.dimension = dimension;
  return nozzle_frame(inlet, domain);
}

/// What the mouth of a nozzle was turned to, after its direction was.
void follow_mouth(InletSetup& inlet, Vec3 across) {
  const auto apart = [&](float angle) {
    inlet.turn = angle;
    return length2(vector_of(frame_of(inlet, 3).across) - across);
  };
  inlet.turn = 0;
  const NozzleFrame frame = frame_of(inlet, 3);
  const double angle = std::atan2(dot(vector_of(frame.upwards), across), dot(vector_of(frame.across), across));
  const auto degrees = static_cast<float>(angle * 180 / std::numbers::pi);
  inlet.turn = apart(degrees) <= apart(-degrees) ? degrees : -degrees;
}

bool turns_about(const PlainShape& shape, int axis) {
  return shape.shape != Shape::Box && (shape.shape != Shape::Polygon || shape.axis == axis);
}

bool turns_about(const Region& region, int axis) {
  const auto can = [&](const PlainShape& part) { return turns_about(part, axis); };
  const bool round = region.plain() && region.shape == Shape::Sphere;  // it looks the same
  return !round && can(region) && std::ranges::all_of(region.with, can) && std::ranges::all_of(region.without, can);
}

SizeHandle face_handle(const PlainShape& box, int axis, bool upper, Vec3 middle) {
  SizeHandle handle{SizeHandle::Kind::Coordinate, std::string(upper ? "max " : "min ") + "xyz"[axis]};
  handle.at = middle;
  handle.value = component(upper ? box.max : box.min, axis);
  coordinate_of(handle.at, axis) = static_cast<float>(handle.value);
  handle.along = (upper ? 1.0f : -1.0f) * axis_vector(axis);
  handle.gain = upper ? 1 : -1;
  handle.axis = axis;
  return handle;
}

/// A setter for the region of the entry.
template <class Set>
std::function<void(PlacedEntry&, double)> in_region(Set set) {
  return [set](PlacedEntry& entry, double value) {
    std::visit(
        [&](auto& what) {
          if constexpr (std::is_base_of_v<Region, std::decay_t<decltype(what)>>)
            set(static_cast<Region&>(what), static_cast<float>(value));
        },
        entry.what);
  };
}

/// All lengths, from a place at the outside.
SizeHandle factor_handle(const PlacedEntry& entry, Vec3 at) {
  SizeHandle handle{SizeHandle::Kind::Factor, "size", at, unit(at - entry.middle), 1};
  handle.gain = 1 / std::max(1e-12, std::sqrt(double{length2(at - entry.middle)}));
  handle.set = [](PlacedEntry& scaled, double factor) {
    Scaler scaler(factor, scaled.middle);
    visit_places(scaler, scaled);
  };
  return handle;
}

void sizes_of_round(const PlacedEntry& entry, const PlainShape& shape, std::vector<SizeHandle>& all) {
  const Vec3 along = unit(shape.to - shape.from);
  const float beyond = shape.shape == Shape::Capsule ? shape.radius : 0;
  const double length = std::sqrt(double{length2(shape.to - shape.from)});
  for (const bool far : {true, false}) {
    SizeHandle end{SizeHandle::Kind::Length, far ? "length, end" : "length, beginning"};
    end.along = far ? along : -along;
    end.at = (far ? shape.to : shape.from) + beyond * end.along;
    end.value = length;
    end.set = in_region([along, far](Region& region, float value) {
      if (far)
        region.to = region.from + value * along;
      else
        region.from = region.to - value * along;
    });
    all.push_back(std::move(end));
  }
  Vec3 across{-along.y, along.x, 0};
  if (!entry.flat && std::fabs(along.z) > 0.7f) across = {along.z, 0, -along.x};
  across = unit(across);
  for (const float side : {1.0f, -1.0f}) {
    SizeHandle radius{SizeHandle::Kind::Length, "radius"};
    radius.along = side * across;
    radius.at = 0.5f * (shape.from + shape.to) + shape.radius * radius.along;
    radius.value = shape.radius;
    radius.set = in_region([](Region& region, float value) { region.radius = value; });
    all.push_back(std::move(radius));
  }
}

void sizes_of_polygon(const PlacedEntry& entry, const PlainShape& shape, std::vector<SizeHandle>& all) {
  const int first = shape.axis == 0 ? 1 : 0, second = shape.axis == 2 ? 1 : 2;
  Vec3 farthest = entry.middle;
  for (const auto& corner : shape.corners) {
    Vec3 at = entry.middle;
    coordinate_of(at, first) = corner[0];
    coordinate_of(at, second) = corner[1];
    if (length2(at - entry.middle) > length2(farthest - entry.middle)) farthest = at;
  }
  all.push_back(factor_handle(entry, farthest));
  const std::string word = fmt::format("{}[{}].polygon.", entry.path.list, entry.path.index);
  for (const bool upper : {false, true}) {
    if (entry.flat || is_word_in(entry, word + (upper ? "to" : "from"))) continue;
    SizeHandle end{SizeHandle::Kind::Coordinate, upper ? "to" : "from"};
    end.value = upper ? shape.high : shape.low;
    end.at = entry.middle;
    coordinate_of(end.at, shape.axis) = static_cast<float>(end.value);
    end.along = (upper ? 1.0f : -1.0f) * axis_vector(shape.axis);
    end.gain = upper ? 1 : -1;
    end.axis = shape.axis;
    end.set = in_region([upper](Region& region, float value) { (upper ? region.high : region.low) = value; });
    all.push_back(std::move(end));
  }
}

std::vector<SizeHandle> sizes_of_region(const PlacedEntry& entry, const Region& region) {
  std::vector<SizeHandle> all;
  if (entry.fixed || entry.level_axis >= 0) return all;
  const int dimension = entry.flat ? 2 : 3;
  const Bounds bounds = bounds_of(region);
  if (!region.plain() || region.shape == Shape::Mesh) {
    if (has_plane(region)) return all;
    Vec3 corner = bounds.max;
    if (entry.flat) corner.z = entry.middle.z;
    for (int a = 0; a < dimension; ++a)
      coordinate_of(corner, a) = std::min(component(corner, a), component(entry.high, a));
    all.push_back(factor_handle(entry, corner));
    return all;
  }
  switch (region.shape) {
    case Shape::Box:
      for (int axis = 0; axis < dimension; ++axis)
        for (const bool upper : {false, true}) {
          all.push_back(face_handle(region, axis, upper, entry.middle));
          all.back().set = in_region(
              [axis, upper](Region& box, float value) { coordinate_of(upper ? box.max : box.min, axis) = value; });
        }
      break;
    case Shape::Sphere:
      for (int axis = 0; axis < dimension; ++axis)
        for (const float side : {1.0f, -1.0f}) {
          SizeHandle radius{SizeHandle::Kind::Length, "radius"};
          radius.along = side * axis_vector(axis);
          radius.at = region.center + region.radius * radius.along;
          radius.value = region.radius;
          radius.set = in_region([](Region& sphere, float value) { sphere.radius = value; });
          all.push_back(std::move(radius));
        }
      break;
    case Shape::Cylinder:
    case Shape::Capsule: sizes_of_round(entry, region, all); break;
    case Shape::Polygon: sizes_of_polygon(entry, region, all); break;
    case Shape::Plane:
    case Shape::Mesh: break;
  }
  return all;
}

SizeHandle inlet_handle(const char* label, Vec3 center, Vec3 along, double value, double gain,
                        float InletSetup::*member) {
  SizeHandle handle{SizeHandle::Kind::Length, label};
  handle.at = center + static_cast<float>(value / gain) * along;
  handle.along = along;
  handle.value = value;
  handle.gain = gain;
  handle.set = [member](PlacedEntry& entry, double length) {
    std::get<InletSetup>(entry.what).*member = static_cast<float>(length);
  };
  return handle;
}

std::vector<SizeHandle> sizes_of_inlet(const PlacedEntry& entry, const InletSetup& inlet) {
  const NozzleFrame frame = frame_of(inlet, entry.flat ? 2 : 3);
  const Vec3 across = vector_of(frame.across), upwards = vector_of(frame.upwards);
  std::vector<SizeHandle> all;
  for (const float side : {1.0f, -1.0f}) {
    if (inlet.mouth == Mouth::Disc)
      all.push_back(inlet_handle("radius", inlet.center, side * across, inlet.radius, 1, &InletSetup::radius));
    if (inlet.mouth != Mouth::Rectangle) continue;
    all.push_back(inlet_handle("width", inlet.center, side * across, inlet.width, 2, &InletSetup::width));
    if (!entry.flat)
      all.push_back(inlet_handle("height", inlet.center, side * upwards, height_of(inlet), 2, &InletSetup::height));
  }
  if (inlet.mouth == Mouth::Polygon && !inlet.corners.empty()) {
    const auto far = *std::ranges::max_element(inlet.corners, {}, [](const auto& c) { return std::hypot(c[0], c[1]); });
    all.push_back(factor_handle(entry, inlet.center + far[0] * across + far[1] * upwards));
  }
  return all;
}

SizeHandle probe_handle(const char* label, Vec3 from, Vec3 to, std::function<void(ProbeSetup&, Vec3 side)> set) {
  SizeHandle handle{SizeHandle::Kind::Length, label, to, unit(to - from)};
  handle.value = std::sqrt(double{length2(to - from)});
  handle.set = [set = std::move(set), along = handle.along](PlacedEntry& entry, double length) {
    set(std::get<ProbeSetup>(entry.what), static_cast<float>(length) * along);
  };
  return handle;
}

std::vector<SizeHandle> sizes_of_probe(const PlacedEntry& entry, const ProbeSetup& probe) {
  std::vector<SizeHandle> all;
  switch (probe.kind) {
    case ProbeKind::Point: break;
    case ProbeKind::Line:
    case ProbeKind::Level:
      all.push_back(
          probe_handle("to", probe.at, probe.to, [](ProbeSetup& line, Vec3 side) { line.to = line.at + side; }));
      all.push_back(
          probe_handle("from", probe.to, probe.at, [](ProbeSetup& line, Vec3 side) { line.at = line.to + side; }));
      break;
    case ProbeKind::Plane:
    case ProbeKind::Flow:
      all.push_back(probe_handle("side", probe.at, probe.at + probe.side,
                                 [](ProbeSetup& plane, Vec3 side) { plane.side = side; }));
      if (!entry.flat)
        all.push_back(probe_handle("other side", probe.at, probe.at + probe.other_side,
                                   [](ProbeSetup& plane, Vec3 side) { plane.other_side = side; }));
  }
  return all;
}

Vec3 middle_within(Bounds bounds, Vec3 low, Vec3 high) {
  const auto middle = [](float from, float to, float least, float most) {
    from = std::max(std::isfinite(from) ? from : least, std::min(least, to));
    to = std::min(std::isfinite(to) ? to : most, std::max(most, from));
    return 0.5f * (from + to);
  };
  return {middle(bounds.min.x, bounds.max.x, low.x, high.x), middle(bounds.min.y, bounds.max.y, low.y, high.y),
          middle(bounds.min.z, bounds.max.z, low.z, high.z)};
}

/// The centroid of a polygon's area, in the two coordinates beside its axis; the mean of its corners where it has no area.
std::array<double, 2> centroid_of(const std::vector<std::array<float, 2>>& corners) {
  double twice = 0, moment[2] = {}, sum[2] = {};
  const auto [u, v] = std::pair<double, double>(corners[0][0], corners[0][1]);
  double size2 = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const auto &a = corners[k], &b = corners[(k + 1) % corners.size()];
    const double ax = a[0] - u, ay = a[1] - v, bx = b[0] - u, by = b[1] - v, cross = ax * by - ay * bx;
    twice += cross;
    moment[0] += cross * (ax + bx), moment[1] += cross * (ay + by);
    sum[0] += ax, sum[1] += ay;
    size2 = std::max(size2, ax * ax + ay * ay);
  }
  if (std::fabs(twice) > 1e-3 * size2) return {u + moment[0] / (3 * twice), v + moment[1] / (3 * twice)};
  const auto count = static_cast<double>(corners.size());
  return {u + sum[0] / count, v + sum[1] / count};
}

/// A point that goes with the shape when it is turned. The middle of its bounds does not: those of a turned pyramid are others.
Vec3 own_middle(const PlainShape& shape, Vec3 within_bounds) {
  switch (shape.shape) {
    case Shape::Box: return 0.5f * (shape.min + shape.max);
    case Shape::Sphere: return shape.center;
    case Shape::Cylinder:
    case Shape::Capsule: return 0.5f * (shape.from + shape.to);
    case Shape::Plane: return shape.point;
    case Shape::Mesh: return shape.surface ? shape.surface->centroid() : within_bounds;
    case Shape::Polygon: break;
  }
  if (shape.corners.empty()) return within_bounds;
  const std::array<double, 2> centroid = centroid_of(shape.corners);
  coordinate_of(within_bounds, shape.axis == 0 ? 1 : 0) = static_cast<float>(centroid[0]);
  coordinate_of(within_bounds, shape.axis == 2 ? 1 : 2) = static_cast<float>(centroid[1]);
  return within_bounds;
}

/// About which a region is turned. One whose middle lies outside the domain is taken hold of at the middle of what is inside.
Vec3 middle_of_turned(const PlacedEntry& entry, const Region& region, Vec3 within_bounds) {
  Vec3 sum = own_middle(region, within_bounds);
  for (const PlainShape& part : region.with) sum += own_middle(part, within_bounds);
  const Vec3 middle = (1.0f / static_cast<float>(1 + region.with.size())) * sum;
  for (int a = 0; a < (entry.flat ? 2 : 3); ++a)
    if (component(middle, a) < component(entry.low, a) || component(middle, a) > component(entry.high, a))
      return within_bounds;
  return middle;
}

Vec3 middle_of(const PlacedEntry& entry) {
  if (const Region* region = region_of(entry)) {
    if (region->plain() && region->shape == Shape::Plane) return region->point;
    Vec3 middle = middle_within(bounds_of(*region), entry.low, entry.high);
    if (entry.level_axis >= 0)  // the handle lies on the level
      coordinate_of(middle, entry.level_axis) =
          component(entry.level_low ? region->min : region->max, entry.level_axis);
    else if (turns_about(*region, 0) || turns_about(*region, 1) || turns_about(*region, 2))
      middle = middle_of_turned(entry, *region, middle);
    if (entry.flat) middle.z = 0;
    return middle;
  }
  if (const auto* inlet = std::get_if<InletSetup>(&entry.what)) return inlet->center;
  const auto& probe = std::get<ProbeSetup>(entry.what);
  switch (probe.kind) {
    case ProbeKind::Point: break;
    case ProbeKind::Line:
    case ProbeKind::Level: return 0.5f * (probe.at + probe.to);
    case ProbeKind::Plane:
    case ProbeKind::Flow: return probe.at + 0.5f * (probe.side + (entry.flat ? Vec3{} : probe.other_side));
  }
  return probe.at;
}

/// Finds which end of a body by `fill` is its level: the one whose number the key has.
void find_level(PlacedEntry& entry, const Region& box, double level) {
  double nearest = INFINITY;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool low : {false, true}) {
      const double value = component(low ? box.min : box.max, axis);
      const double face = component(low ? entry.low : entry.high, axis);
      const double apart = std::fabs(value - level) + (value == face ? 1e-6 * std::fabs(value) + 1e-30 : 0);
      if (apart >= nearest) continue;
      nearest = apart;
      entry.level_axis = axis;
      entry.level_low = low;
    }
}

}  // namespace

const Region* region_of(const PlacedEntry& entry) {
  return std::visit(
      [](const auto& what) -> const Region* {
        if constexpr (std::is_base_of_v<Region, std::decay_t<decltype(what)>>)
          return &what;
        else
          return nullptr;
      },
      entry.what);
}

std::optional<PlacedEntry> placed_entry(const Scene& scene, const std::string& path,
                                        std::span<const Parameter> parameters) {
  PlacedEntry entry;
  try {
    entry.path = split_entry(path);
  } catch (const InputError&) {
    return std::nullopt;
  }
  const SimulationSetup& setup = scene.simulation;
  const std::size_t k = entry.path.index;
  const auto take = [&](const char* list, const auto& all, std::string name) {
    if (entry.path.list != list || k >= all.size()) return false;
    entry.what = all[k];
    entry.name = std::move(name);
    return true;
  };
  const bool found = take("bodies", setup.bodies, path) ||
                     take("solids", setup.solid_regions, k < setup.solid_regions.size() ? solid_name(setup, k) : "") ||
                     take("inlets", setup.inlets, k < setup.inlets.size() ? inlet_name(setup, k) : "") ||
                     take("outlets", setup.outlets, k < setup.outlets.size() ? outlet_name(setup, k) : "") ||
                     take("probes", scene.probes, k < scene.probes.size() ? probe_name(scene.probes, k) : "");
  if (!found) return std::nullopt;
  entry.flat = setup.domain.dimension == 2;
  entry.low = setup.domain.min;
  entry.high = setup.domain.max;
  const auto parameter = [&](const std::string& key) -> const Parameter* {
    const auto at = std::ranges::find(parameters, key, &Parameter::path);
    return at == parameters.end() ? nullptr : &*at;
  };
  if (const Region* region = region_of(entry)) {
    const auto note_ends = [&](const std::string& section) {
      for (const char* end : {"from", "to"}) {
        const std::string key = section + "polygon." + end;
        const Parameter* p = parameter(key);
        if (!p || p->numbers().empty()) entry.words.push_back(key);
      }
    };
    note_ends(path + ".");
    for (std::size_t i = 0; i < region->with.size(); ++i) note_ends(fmt::format("{}.with[{}].", path, i));
    for (std::size_t i = 0; i < region->without.size(); ++i) note_ends(fmt::format("{}.without[{}].", path, i));
    if (const Parameter* level = parameter(path + ".fill.level"); level && !level->numbers().empty())
      find_level(entry, *region, level->numbers()[0]);
    entry.fixed = parameter(path + ".particles.file") != nullptr;
  }
  if (const auto* inlet = std::get_if<InletSetup>(&entry.what))
    entry.fixed = inlet->mouth == Mouth::Face || inlet->mouth == Mouth::Mesh;
  entry.middle = middle_of(entry);
  return entry;
}

Vec3 anchor_of(const PlacedEntry& entry) {
  const Region* const region = region_of(entry);
  if (!region) {
    const auto* probe = std::get_if<ProbeSetup>(&entry.what);
    return probe ? probe->at : std::get<InletSetup>(entry.what).center;
  }
  if (entry.level_axis >= 0) return entry.level_low ? region->min : region->max;
  switch (region->shape) {
    case Shape::Box: return region->min;
    case Shape::Sphere: return region->center;
    case Shape::Cylinder:
    case Shape::Capsule: return region->from;
    case Shape::Plane: return region->point;
    case Shape::Mesh: return region->placement.at;
    case Shape::Polygon: break;
  }
  Vec3 anchor;
  if (!region->corners.empty()) {
    coordinate_of(anchor, region->axis == 0 ? 1 : 0) = region->corners[0][0];
    coordinate_of(anchor, region->axis == 2 ? 1 : 2) = region->corners[0][1];
  }
  if (std::isfinite(region->low)) coordinate_of(anchor, region->axis) = region->low;
  return anchor;
}

bool moves_along(const PlacedEntry& entry, int axis) {
  if (entry.fixed || (entry.flat && axis == 2)) return false;
  if (entry.level_axis >= 0) return axis == entry.level_axis;
  const Region* const region = region_of(entry);
  if (!region || region->shape != Shape::Polygon || !region->plain() || axis != region->axis) return true;
  const std::string word = fmt::format("{}[{}].polygon.", entry.path.list, entry.path.index);
  return !is_word_in(entry, word + "from") ||
         !is_word_in(entry, word + "to");  // else it goes through all of the domain
}

void move(PlacedEntry& entry, Vec3 by) {
  Mover mover(by);
  visit_places(mover, entry);
  entry.middle += by;
}

bool turns_about(const PlacedEntry& entry, int axis) {
  if (entry.fixed || entry.level_axis >= 0 || (entry.flat && axis != 2)) return false;
  if (const Region* region = region_of(entry)) return turns_about(*region, axis);
  const auto* probe = std::get_if<ProbeSetup>(&entry.what);
  return !probe || probe->kind != ProbeKind::Point;
}

void turn(PlacedEntry& entry, int axis, double degrees, double unit) {
  auto* const inlet = std::get_if<InletSetup>(&entry.what);
  const bool has_turn = inlet && !entry.flat && inlet->mouth != Mouth::Disc;
  const Vec3 across = has_turn ? Rotation(axis, degrees).of(vector_of(frame_of(*inlet, 3).across)) : Vec3{};
  Turner turner(axis, degrees, entry.middle, unit);
  visit_places(turner, entry);
  if (has_turn) follow_mouth(*inlet, across);
}

std::vector<SizeHandle> sizes_of(const PlacedEntry& entry) {
  if (const Region* region = region_of(entry)) return sizes_of_region(entry, *region);
  if (const auto* inlet = std::get_if<InletSetup>(&entry.what)) return sizes_of_inlet(entry, *inlet);
  return sizes_of_probe(entry, std::get<ProbeSetup>(entry.what));
}

}  // namespace riffle::scenes
