#pragma once
/// The keys that say where an entry is, and the members that hold their values. Every key of a place stands here once.

#include <fmt/format.h>

#include <algorithm>

#include "scenes/placing/placed_entry.h"

namespace riffle::scenes {

/// What is done to each of them. The key is the whole path.
struct PlaceVisitor {
  virtual ~PlaceVisitor() = default;
  virtual void point(const std::string&, Vec3&) {}
  virtual void carried(const std::string&, Vec3&) {}    ///< a point that goes with the entry, whatever its size
  virtual void side(const std::string&, Vec3&) {}       ///< from one point to another
  virtual void direction(const std::string&, Vec3&) {}  ///< of any length
  virtual void length(const std::string&, float&) {}
  virtual void coordinate(const std::string&, float&, int /*axis*/) {}
  /// Of a polygon along `axis`; of a mouth, from its centre: axis -1.
  virtual void corners(const std::string&, std::vector<std::array<float, 2>>&, int /*axis*/) {}
  virtual void angle(const std::string&, float&) {}  ///< [degrees] of a mouth about its direction
  virtual void mesh(const std::string&, MeshPlacement&) {}
};

inline bool is_word_in(const PlacedEntry& entry, const std::string& key) {
  return std::ranges::find(entry.words, key) != entry.words.end();
}

inline void visit_shape(PlaceVisitor& visit, const PlacedEntry& entry, PlainShape& shape, const std::string& section) {
  const std::string word = section + shape_info(shape.shape).word;
  const auto key = [&](const char* name) { return word + "." + name; };
  switch (shape.shape) {
    case Shape::Box:
      visit.point(key("min"), shape.min);
      visit.point(key("max"), shape.max);
      return;
    case Shape::Sphere:
      visit.point(key("center"), shape.center);
      visit.length(key("radius"), shape.radius);
      return;
    case Shape::Cylinder:
    case Shape::Capsule:
      visit.point(key("from"), shape.from);
      visit.point(key("to"), shape.to);
      visit.length(key("radius"), shape.radius);
      return;
    case Shape::Plane:
      visit.point(key("point"), shape.point);
      visit.direction(key("normal"), shape.normal);
      return;
    case Shape::Polygon:
      visit.corners(key("corners"), shape.corners, shape.axis);
      if (!is_word_in(entry, key("from"))) visit.coordinate(key("from"), shape.low, shape.axis);
      if (!is_word_in(entry, key("to"))) visit.coordinate(key("to"), shape.high, shape.axis);
      return;
    case Shape::Mesh: visit.mesh(word, shape.placement);
  }
}

inline void visit_region(PlaceVisitor& visit, const PlacedEntry& entry, Region& region, const std::string& path) {
  visit_shape(visit, entry, region, path + ".");
  for (std::size_t k = 0; k < region.with.size(); ++k)
    visit_shape(visit, entry, region.with[k], fmt::format("{}.with[{}].", path, k));
  for (std::size_t k = 0; k < region.without.size(); ++k)
    visit_shape(visit, entry, region.without[k], fmt::format("{}.without[{}].", path, k));
}

inline float& coordinate_of(Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

struct PlacesOf {
  PlaceVisitor& visit;
  const PlacedEntry& entry;
  const std::string path;

  void operator()(BodySetup& body) const {
    if (entry.fixed) return;
    if (entry.level_axis < 0) return visit_region(visit, entry, body, path);
    Vec3& end = entry.level_low ? body.min : body.max;
    visit.coordinate(path + ".fill.level", coordinate_of(end, entry.level_axis), entry.level_axis);
  }
  void operator()(SolidRegion& solid) const {
    visit_region(visit, entry, solid, path);
    if (solid.drive.rotates && !solid.drive.wave.given) {
      visit.carried(path + ".motion.rotation.about", solid.drive.about);
      visit.direction(path + ".motion.rotation.axis", solid.drive.axis);
    }
    if (solid.drive.wave.hinged) visit.carried(path + ".motion.wave.hinge", solid.drive.wave.hinge);
  }
  void operator()(OutletSetup& outlet) const { visit_region(visit, entry, outlet, path); }
  void operator()(InletSetup& inlet) const {
    switch (inlet.mouth) {
      case Mouth::Disc:
        visit.point(path + ".disc.center", inlet.center);
        visit.length(path + ".disc.radius", inlet.radius);
        break;
      case Mouth::Rectangle:
        visit.point(path + ".rectangle.center", inlet.center);
        visit.length(path + ".rectangle.width", inlet.width);
        visit.length(path + ".rectangle.height", inlet.height);
        break;
      case Mouth::Polygon:
        visit.point(path + ".polygon.center", inlet.center);
        visit.corners(path + ".polygon.corners", inlet.corners, -1);
        break;
      case Mouth::Face:
      case Mouth::Mesh: return;
    }
    visit.direction(path + ".direction", inlet.direction);
    visit.angle(path + ".turn", inlet.turn);
  }
  void operator()(ProbeSetup& probe) const {
    switch (probe.kind) {
      case ProbeKind::Point: visit.point(path + ".point", probe.at); return;
      case ProbeKind::Line:
      case ProbeKind::Level: {
        const std::string word = path + (probe.kind == ProbeKind::Line ? ".line" : ".level");
        visit.point(word + ".from", probe.at);
        visit.point(word + ".to", probe.to);
        return;
      }
      case ProbeKind::Plane:
      case ProbeKind::Flow: {
        const std::string word = path + (probe.kind == ProbeKind::Plane ? ".plane" : ".flow");
        visit.point(word + ".corner", probe.at);
        visit.side(word + ".side", probe.side);
        if (!entry.flat) visit.side(word + ".other_side", probe.other_side);
      }
    }
  }
};

inline void visit_places(PlaceVisitor& visit, PlacedEntry& entry) {
  std::visit(PlacesOf{visit, entry, fmt::format("{}[{}]", entry.path.list, entry.path.index)}, entry.what);
}

}  // namespace riffle::scenes
