#include "scenes/document/free_solid_keys.h"

#include <algorithm>
#include <cmath>

#include "scenes/document/key_path.h"
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

}  // namespace

FreeSolidEdits edits_beside(const Edit& edit, const SceneSource& base, const Scene& now) {
  FreeSolidEdits found;
  const std::vector<PathStep> steps = split_path(edit.path);
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
