#include "app/inspect/case_scene.h"

#include <algorithm>
#include <optional>

#include "core/error.h"

namespace riffle {

namespace {

/// Thrown out of a case once its set-up is known. Not a std::exception, which would count as a failed case.
struct SetupTaken {};

/// A scene refers to fluids by name.
void name_apart(std::vector<FluidSetup>& fluids) {
  for (std::size_t i = 0; i < fluids.size(); ++i) {
    const std::string wanted = fluids[i].name;
    const auto taken = [&] {
      return std::any_of(fluids.begin(), fluids.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const FluidSetup& other) { return other.name == fluids[i].name; });
    };
    for (int k = 2; taken(); ++k) fluids[i].name = wanted + " " + std::to_string(k);
  }
}

}  // namespace

scenes::Scene case_scene(const ValidationCase& which, const CaseContext& context) {
  std::optional<SimulationSetup> setup;
  CaseContext asked = context;
  asked.on_setup = [&](const SimulationSetup& first) {
    setup = first;
    throw SetupTaken{};
  };
  try {
    run_case(which, asked);
  } catch (const SetupTaken&) {
  }
  if (!setup) throw InputError("'" + which.name + "' simulates nothing, so there is no scene of it");
  scenes::Scene scene;
  scene.name = which.name;
  scene.description = which.title;
  scene.simulation = std::move(*setup);
  name_apart(scene.simulation.fluids);
  return scene;
}

}  // namespace riffle
