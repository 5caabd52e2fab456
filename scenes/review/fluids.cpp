#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text/suggestion.h"
#include "scenes/review/subjects.h"
#include "sim/units.h"

namespace riffle::scenes {

void review_fluids(SceneDraft& draft, Findings& out) {
  if (!out.intact({"fluids"})) return;
  auto& fluids = draft.scene.simulation.fluids;
  if (fluids.empty()) fluids.emplace_back();
  for (std::size_t i = 0; i < fluids.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (fluids[i].name == fluids[j].name) {
        out.refuse(fmt::format("fluids[{}].name", i),
                   fmt::format("found '{}', which is already the name of fluids[{}]; allowed: a name of its own",
                               fluids[i].name, j));
        return;
      }
}

void warn_of_thin_liquid(const SimulationSetup& setup, Findings& out) {
  constexpr float kLeast = 0.5f, kMost = 20;  // liquids in g/cm^3; 1 and 3 are numbers of scenes without units
  if (!units_of(setup).si || setup.fluids.empty() || !out.intact({"fluids", "solver"})) return;
  const auto densest = std::ranges::max_element(setup.fluids, {}, &FluidSetup::rest_density);
  const float density = densest->rest_density;
  if (density < kLeast || density > kMost || density == std::round(density)) return;
  const auto i = static_cast<std::size_t>(densest - setup.fluids.begin());
  out.warn(WarningKind::ThinLiquid, fmt::format("fluids[{}].rest_density", i),
           fmt::format("{0:g} kg/m^3 is the density of a gas. If {0:g} g/cm^3 is meant, write {1:g}", density,
                       1000 * density));
}

std::string fluid_names(const SimulationSetup& setup) {
  std::string all;
  for (const auto& fluid : setup.fluids) all += (all.empty() ? "" : ", ") + fluid.name;
  return all;
}

std::optional<int> find_fluid(const SimulationSetup& setup, const std::string& name, const std::string& key,
                              Findings& out) {
  std::vector<std::string> names;
  for (const auto& fluid : setup.fluids) names.push_back(fluid.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  out.refuse(key, "found '" + name + "'" + suggestion(name, names, " (", ")") + ", allowed: " + fluid_names(setup));
  return std::nullopt;
}

}  // namespace riffle::scenes
