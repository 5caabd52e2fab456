#include "scenes/document/free_solid_keys.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "scenes/document/key_path.h"
#include "scenes/document/scene_number.h"
#include "scenes/document/yaml_writer.h"
#include "scenes/scene.h"
#include "sim/solver_info.h"
#include "sim/units.h"

namespace riffle::scenes {

namespace {

constexpr const char* kKeysOfFree[] = {"density", "mass", "velocity", "angular_velocity", "force"};

/// Of the densest fluid at rest, in the scene's unit of density.
double density_of_fluid(const SimulationSetup& setup) {
  const bool given = solver_info(setup).has_density;
  const double per_volume = std::pow(double{setup.spacing}, -setup.domain.dimension);
  double densest = 0;
  for (const FluidSetup& fluid : setup.fluids)
    densest = std::max(densest, given ? double{fluid.rest_density} : per_volume * double{fluid.mass});
  return densest;
}

/// Three digits are enough for a value that the user is to choose.
double rounded(double value) {
  const double step = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / step) * step;
}

void become_free(const std::string& solid, const SceneSource& base, const Scene& now, FreeSolidEdits& found) {
  if (find(base.root, child_path(solid, "density")) || find(base.root, child_path(solid, "mass"))) {
    for (const char* key : kKeysOfFree) found.as_in_base.push_back(child_path(solid, key));
    return;
  }
  const std::string value = number_text(rounded(density_of_fluid(now.simulation)));
  const std::string key = child_path(solid, "density");
  found.edits.push_back({key, value});
  found.note = key + " is " + value +
               " now, that of the fluid, because a free solid needs a density or a mass. Change it below.";
}

/// Whether a joint of that kind may have that axis.
bool axis_suits(JointKind kind, Vec3 axis, bool flat) {
  const bool in_plane = axis.x != 0 || axis.y != 0;
  switch (kind) {
    case JointKind::Hinge: return !flat || !in_plane;
    case JointKind::Slider: return !flat || (in_plane && axis.z == 0);
    case JointKind::Ball:
    case JointKind::Fixed:
    case JointKind::Spring: return axis == Vec3{0, 0, 1};
  }
  return true;
}

/// The numbers of a list; nothing for another node.
std::optional<Vec3> vector_of(const Node* node) {
  if (!node || node->kind != Node::Kind::List || node->items.size() != 3) return std::nullopt;
  float numbers[3] = {};
  for (std::size_t a = 0; a < 3; ++a) {
    std::string rest;
    const auto number = parse_number(node->items[a].text, rest);
    if (!number || !rest.empty()) return std::nullopt;
    numbers[a] = static_cast<float>(*number);
  }
  return Vec3{numbers[0], numbers[1], numbers[2]};
}

void become_joint(const std::string& joint, JointKind kind, const SceneSource& base, const Scene& now,
                  const JointSetup& before, FreeSolidEdits& found) {
  const bool flat = now.simulation.domain.dimension == 2;
  if (axis_suits(kind, before.axis, flat)) return;
  const std::string key = child_path(joint, "axis");
  const Node* const written = find(base.root, key);
  if (const std::optional<Vec3> axis = vector_of(written); axis && axis_suits(kind, *axis, flat)) {
    found.as_in_base.push_back(key);
    return;
  }
  const bool slides = kind == JointKind::Slider;
  found.edits.push_back({key, slides ? std::optional<std::string>("[1, 0, 0]") : std::nullopt});
  if (slides)
    found.note = key + " is [1, 0, 0] now, because a slider of a 2-D scene moves in the plane. Change it below.";
}

}  // namespace

FreeSolidEdits edits_beside(const Edit& edit, const SceneSource& base, const Scene& now) {
  FreeSolidEdits found;
  const std::vector<PathStep> steps = split_path(edit.path);
  const std::vector<JointSetup>& joints = now.simulation.joints;
  if (steps.size() == 3 && steps[0].name == "joints" && steps[1].index && *steps[1].index < joints.size() &&
      steps[2].name == "type" && edit.value)
    for (const Word<JointKind>& word : words_of(JointKind{}))
      if (word.word == *edit.value)
        become_joint(edit.path.substr(0, edit.path.rfind('.')), word.value, base, now, joints[*steps[1].index], found);
  const auto& solids = now.simulation.solid_regions;
  if (steps.size() != 3 || steps[0].name != "solids" || !steps[1].index || *steps[1].index >= solids.size())
    return found;
  const std::string solid = edit.path.substr(0, edit.path.rfind('.')), &key = steps[2].name;
  const FreeBodySetup& free = solids[*steps[1].index].free;
  const bool has_mass = free.density > 0 || free.mass > 0;
  if (key == "motion" && edit.value == "free") {
    if (!has_mass) become_free(solid, base, now, found);
  } else if (key == "motion") {
    for (const char* of_free : kKeysOfFree) found.edits.push_back({child_path(solid, of_free), std::nullopt});
  } else if ((key == "density" || key == "mass") && edit.value && has_mass) {
    found.edits.push_back({child_path(solid, key == "mass" ? "density" : "mass"), std::nullopt});
  }
  return found;
}

}  // namespace riffle::scenes
