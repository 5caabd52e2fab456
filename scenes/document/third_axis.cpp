#include "scenes/document/third_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "scenes/document/key_path.h"
#include "scenes/document/parameters.h"
#include "scenes/document/reader.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/format/number_density.h"
#include "scenes/load.h"
#include "sim/solver.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr double kSpacings = 20;     // depth of a domain that had none
constexpr double kSupportRadii = 3;  // at least: a shorter periodic axis lets the fluid feel its own image
const Location kChosen{"", 0, 0};

bool is_list_of(const Node* node, std::size_t count) {
  return node && node->kind == Node::Kind::List && node->items.size() == count &&
         std::all_of(node->items.begin(), node->items.end(),
                     [](const Node& item) { return item.kind == Node::Kind::Scalar; });
}

double number_of(const Node& node) { return std::strtod(node.text.c_str(), nullptr); }

std::optional<double> third_of(const Node* list) {
  return is_list_of(list, 3) ? std::optional(number_of(list->items[2])) : std::nullopt;
}

bool has_spatial_form(const Key& key) {
  return std::any_of(key.forms.begin(), key.forms.end(), [](const Form& form) { return form.spatial; });
}

/// Whether the key at that path is a list along the axes.
bool is_spatial(const std::string& path) {
  const Record* record = &scene_format();
  const Key* key = nullptr;
  for (const PathStep& step : split_path(path)) {
    if (step.index) continue;
    key = record ? record->find(step.name) : nullptr;
    if (!key) return false;
    record = key->forms.back().record.get();
  }
  return key && has_spatial_form(*key);
}

/// Without digits that are only rounding errors.
std::string exact_text(double length) {
  return number_text(std::strtod(fmt::format("{:.9g}", length).c_str(), nullptr));
}

Node scalar(const std::string& text) {
  Node node;
  node.kind = Node::Kind::Scalar;
  node.location = kChosen;
  node.text = text;
  return node;
}

/// The settings that the depth depends on. Lists of two numbers are mistakes here, which do not matter.
SimulationSetup settings_of(const Node& root) {
  Problems ignored;
  KeyLocations locations;
  SceneDraft draft = read_document(root, ignored, locations);
  SimulationSetup setup = draft.scene.simulation;
  if (draft.number_density > 0) setup.spacing = spacing_of(draft.number_density, 3);
  return setup;
}

class Extruder {
 public:
  explicit Extruder(const Node& root) : root_(root), setup_(settings_of(root)) {}

  ThirdAxis result() {
    const std::optional<double> low = third_of(find(root_, "domain.min")), high = third_of(find(root_, "domain.max"));
    known_ = low && high && *low < *high;
    low_ = low.value_or(0);
    high_ = known_ ? *high : low_ + depth();
    const double had = high_;
    for_each_shape([&](const std::string& path, const Node& shape) { make_room_for(path, shape); });
    if (!known_ || high_ > had) set_third("domain.max", high_);
    if (!low) set_third("domain.min", low_);
    if (Node* axes = find(root_, "domain.axes"); is_list_of(axes, 2)) set_third("domain.axes", axes->items[0].text);
    // A copy: the walk changes the tree.
    const Node before = root_;
    for_each_shape(before, [&](const std::string& path, const Node& shape) { extrude(path, shape); });
    extrude_damping(before);
    extrude_mouths(before);
    extrude_probes(before);
    extrude_joints(before);
    if (!known_) multiply_by_depth(before);
    walk(scene_format(), before, "");
    say(high_ > had && known_);
    return std::move(result_);
  }

 private:
  /// Of a domain that has none. A spacing that is missing is refused elsewhere.
  double depth() const {
    const double spacing = readable_spacing();
    const double reach = kSupportRadii * (1 + setup_.neighbors.skin) * search_radius(setup_);
    return spacing * std::max(kSpacings, std::ceil(reach / spacing - 1e-3));
  }

  /// As it is written: the setup has it in single precision.
  double readable_spacing() const {
    const Node* written = find(root_, "particles.spacing");
    const double spacing = written ? number_of(*written) : 0;
    return spacing > 0 ? spacing : double{setup_.spacing};
  }

  template <class Action>
  void for_each_shape(const Node& root, const Action& action) const {
    const auto look = [&](const std::string& path, const Node& entry) {
      for (const ShapeInfo* info : shapes())
        if (const Node* shape = entry.find(info->word)) action(child_path(path, info->word), *shape);
    };
    for (const char* list : {"bodies", "solids", "outlets"}) {
      const Node* regions = find(root, list);
      if (!regions) continue;
      for (std::size_t i = 0; i < regions->items.size(); ++i) {
        const std::string path = fmt::format("{}[{}]", list, i);
        look(path, regions->items[i]);
        for (const char* others : {"with", "without"})
          if (const Node* shapes = regions->items[i].find(others))
            for (std::size_t k = 0; k < shapes->items.size(); ++k)
              look(fmt::format("{}.{}[{}]", path, others, k), shapes->items[k]);
      }
    }
  }
  template <class Action>
  void for_each_shape(const Action& action) const {
    for_each_shape(root_, action);
  }

  bool periodic() const {
    const Node* axes = find(root_, "domain.axes");
    if (!axes) return false;
    const std::size_t z = axes->items.size() == 3 ? 2 : 0;
    return (axes->kind == Node::Kind::List && !axes->items.empty() ? axes->items[z].text : axes->text) == "periodic";
  }

  /// A round shape is as deep as it is wide. One that is longer than a periodic axis would be refused.
  void make_room_for(const std::string& path, const Node& shape) {
    const Node* radius = shape.find("radius");
    if (!radius) return;
    const bool capsule = path.ends_with("capsule"), cylinder = capsule || path.ends_with("cylinder");
    const auto from = third_of(shape.find(cylinder ? "from" : "center")),
               to = third_of(shape.find(cylinder ? "to" : "center"));
    const bool placed = known_ && from && to;
    if (placed && !periodic()) return;
    double extent = 2 * number_of(*radius);
    if (placed && cylinder) {
      const double rise = *to - *from, length = length_of(*shape.find("from"), *shape.find("to"));
      if (capsule)
        extent += std::fabs(rise);
      else if (length > 0)
        extent = std::fabs(rise) + extent * std::sqrt(std::max(0.0, 1 - rise * rise / (length * length)));
    }
    const double spacing = readable_spacing();
    if (extent > (high_ - low_) * (1 + 1e-6)) high_ = low_ + spacing * std::ceil(extent / spacing - 1e-3);
  }

  static double length_of(const Node& from, const Node& to) {
    double squared = 0;
    for (std::size_t a = 0; a < 3; ++a) squared += std::pow(number_of(to.items[a]) - number_of(from.items[a]), 2);
    return std::sqrt(squared);
  }

  /// The depth is that of the 3-D scene, and the range of the shape lies in it, at least in part.
  bool stays(std::optional<double> low, std::optional<double> high, double beyond = 0) const {
    return known_ && low && high && *low <= *high && *low - beyond<high_&& * high + beyond> low_;
  }

  void extrude(const std::string& path, const Node& shape) {
    const auto third = [&](const char* key) { return third_of(shape.find(key)); };
    const double middle = 0.5 * (low_ + high_);
    const double radius = shape.find("radius") ? number_of(*shape.find("radius")) : 0;
    if (path.ends_with("box")) {
      if (stays(third("min"), third("max")) && third("min") < third("max")) return;
      set_third(path + ".min", low_);
      set_third(path + ".max", high_);
    } else if (path.ends_with("sphere")) {
      if (!stays(third("center"), third("center"), radius)) set_third(path + ".center", middle);
    } else if (path.ends_with("cylinder") || path.ends_with("capsule")) {
      const auto from = third("from"), to = third("to");
      if (from && to && stays(std::min(from, to), std::max(from, to), radius)) return;
      set_third(path + ".from", middle);
      set_third(path + ".to", middle);
    } else if (path.ends_with("plane")) {
      // Its normal lies in the plane z = 0, as walk() leaves it.
      if (!stays(third("point"), third("point"))) set_third(path + ".point", middle);
    } else {
      const Node *from = shape.find("from"), *to = shape.find("to");
      const double low = from && from->text != "domain" ? number_of(*from) : low_;
      const double high = to && to->text != "domain" ? number_of(*to) : high_;
      if (stays(low, high) && low < high) return;
      for (const char* end : {"from", "to"})
        if (shape.find(end)) take_out_of_scene(path + "." + end);
    }
  }

  void extrude_damping(const Node& root) {
    const Node* zones = find(root, "damping");
    if (!zones) return;
    for (std::size_t i = 0; i < zones->items.size(); ++i)
      if (const Node* box = zones->items[i].find("box")) extrude(fmt::format("damping[{}].box", i), *box);
  }

  /// A slit becomes a rectangle through all of the depth. Its width was upright where the flow is level, and is level in 3-D.
  void extrude_mouths(const Node& root) {
    const Node* inlets = find(root, "inlets");
    if (!inlets) return;
    for (std::size_t i = 0; i < inlets->items.size(); ++i) {
      const std::string path = fmt::format("inlets[{}]", i);
      for (const char* mouth : {"disc", "rectangle", "polygon"}) {
        const std::string center = fmt::format("{}.{}.center", path, mouth);
        const std::optional<double> third = third_of(find(root, center));
        if (!stays(third, third)) set_third(center, 0.5 * (low_ + high_));
      }
      const Node* rectangle = inlets->items[i].find("rectangle");
      const Node* width = rectangle ? rectangle->find("width") : nullptr;
      if (!width || rectangle->find("height")) continue;
      const Node* direction = inlets->items[i].find("direction");
      const bool given = is_list_of(direction, 2) || is_list_of(direction, 3);
      const bool level = given && std::fabs(number_of(direction->items[0])) > std::fabs(number_of(direction->items[1]));
      const double across = number_of(*width), depth = high_ - low_;
      const auto write = [&](const char* key, double length) {
        result_.changes.push_back(
            {path + ".rectangle." + key, scalar(exact_text(length)), key != std::string_view("width")});
      };
      write("width", level ? depth : across);
      write("height", level ? across : depth);
    }
  }

  /// Points and lines lie in the middle; planes and flows reach through all of it.
  void extrude_probes(const Node& root) {
    const Node* probes = find(root, "probes");
    if (!probes) return;
    const double middle = 0.5 * (low_ + high_);
    for (std::size_t i = 0; i < probes->items.size(); ++i) {
      const Node& probe = probes->items[i];
      const std::string path = fmt::format("probes[{}]", i);
      const auto to_middle = [&](const std::string& key) {
        const std::optional<double> third = third_of(find(root, key));
        if (!stays(third, third)) set_third(key, middle);
      };
      to_middle(path + ".point");
      for (const char* line : {"line", "level"})
        for (const char* end : {"from", "to"}) to_middle(fmt::format("{}.{}.{}", path, line, end));
      for (const char* face : {"plane", "flow"}) {
        const Node* sides = probe.find(face);
        if (!sides || is_list_of(sides->find("other_side"), 3)) continue;
        set_third(fmt::format("{}.{}.corner", path, face), low_);
        Node other;
        other.kind = Node::Kind::List;
        other.location = kChosen;
        for (const double along : {0.0, 0.0, high_ - low_}) other.items.push_back(scalar(exact_text(along)));
        result_.changes.push_back({fmt::format("{}.{}.other_side", path, face), other, true});
      }
    }
  }

  /// They lie in the middle of the depth, and hinges turn about z as before.
  void extrude_joints(const Node& root) {
    const Node* joints = find(root, "joints");
    if (!joints) return;
    for (std::size_t i = 0; i < joints->items.size(); ++i)
      for (const char* end : {"at", "to"}) {
        const std::string key = fmt::format("joints[{}].{}", i, end);
        const std::optional<double> third = third_of(find(root, key));
        if (!stays(third, third)) set_third(key, 0.5 * (low_ + high_));
      }
  }

  /// What a 2-D scene gives per metre of depth. A scene that was 3-D before has the numbers of the whole depth.
  void multiply_by_depth(const Node& root) {
    const auto multiply = [&](const std::string& path, const Node* value) {
      if (!value || value->kind != Node::Kind::Scalar) return;
      result_.changes.push_back({path, scalar(exact_text((high_ - low_) * number_of(*value))), true});
    };
    const auto entries = [&](const char* list) {
      const Node* found = find(root, list);
      return found ? found->items.size() : 0;
    };
    for (std::size_t i = 0; i < entries("joints"); ++i)
      for (const char* key : {"motor_force", "stiffness", "damping"}) {
        const std::string path = fmt::format("joints[{}].{}", i, key);
        multiply(path, find(root, path));
      }
    for (std::size_t i = 0; i < entries("solids"); ++i) {
      const std::string path = fmt::format("solids[{}].mass", i);
      multiply(path, find(root, path));
    }
  }

  /// All other lists of two numbers.
  void walk(const Record& record, const Node& node, const std::string& path) {
    for (const Node::Member& member : node.members) {
      const Key* key = record.find(member.key);
      if (!key) continue;
      const std::string inner = child_path(path, member.key);
      const Form& last = key->forms.back();
      if (has_spatial_form(*key) && is_list_of(find(root_, inner), 2))
        set_third(inner, inner == "neighbors.cell" ? cells() : 0.0);
      else if (last.kind == Form::Kind::Map)
        walk(*last.record, member.value, inner);
      else if (last.kind == Form::Kind::List)
        for (std::size_t i = 0; i < member.value.items.size(); ++i)
          walk(*last.record, member.value.items[i], fmt::format("{}[{}]", inner, i));
    }
  }

  /// As long as those along x.
  double cells() const {
    const Node *along_x = find(root_, "neighbors.cell"), *min = find(root_, "domain.min"),
               *max = find(root_, "domain.max");
    const double width = number_of(max->items[0]) - number_of(min->items[0]);
    return std::max(1.0, std::floor(number_of(along_x->items[0]) * (high_ - low_) / width));
  }

  void set_third(const std::string& path, double number) { set_third(path, exact_text(number)); }
  void set_third(const std::string& path, const std::string& text) {
    Node* list = find(root_, path);
    if (!is_list_of(list, 2) && !is_list_of(list, 3)) return;  // a mistake, which the loader reports
    list->items.resize(2);
    list->items.push_back(scalar(text));
    result_.changes.push_back({path, *list, false});
  }

  void take_out_of_scene(const std::string& path) {
    take_out(root_, path);
    result_.changes.push_back({path, std::nullopt, false});
  }

  void say(bool deepened) {
    if (result_.changes.empty()) return;
    const std::string range =
        fmt::format("z goes from {} to {} {}", exact_text(low_), exact_text(high_), units_of(setup_).length);
    if (!known_) {
      result_.note = fmt::format(
          "The scene was 2-D: {}, {:.3g} particle spacings, and its faces are as those across x. Boxes, "
          "polygons and fills reach through all of it; round bodies lie in its middle.",
          range, (high_ - low_) / readable_spacing());
      return;
    }
    std::string entries;
    for (const ThirdAxis::Change& change : result_.changes) {
      const std::string section = change.path.substr(0, change.path.find_last_of('.'));
      if (section != "domain" && entries.find(section) == entries.npos)
        entries += (entries.empty() ? "" : ", ") + section;
    }
    result_.note = fmt::format("{} {}.{}", range, deepened ? "now, because a round body needs that depth" : "as before",
                               entries.empty() ? ""
                                               : " New in it: " + entries +
                                                     ". Boxes and polygons reach through all of it; round "
                                                     "bodies lie in its middle.");
  }

  Node root_;
  SimulationSetup setup_;
  bool known_ = false;  ///< the document has the domain's depth
  double low_ = 0, high_ = 0;
  ThirdAxis result_;
};

}  // namespace

std::string with_third_number(const std::string& path, const std::string& value, const Node* before) {
  if (!is_spatial(path) || !is_list_of(before, 3)) return value;
  Problems problems;
  Node list = parse_value(value, kChosen, "", problems);
  if (!is_list_of(&list, 2)) return value;
  list.items.push_back(before->items[2]);
  return flow_text(list);
}

ThirdAxis third_axis_of(const SceneSource& source) { return Extruder(source.root).result(); }

}  // namespace riffle::scenes
