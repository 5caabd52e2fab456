#include "app/report/case_settings.h"

#include <fmt/format.h>

#include "scenes/document/written_scene.h"
#include "scenes/document/yaml_writer.h"

namespace riffle {

namespace {

std::string setting(const std::string& key, const std::string& value) { return fmt::format("`{}` {}", key, value); }

}  // namespace

std::string settings_text(const SimulationSetup& setup) {
  scenes::Scene scene;
  scene.simulation = setup;
  scene.simulation.bodies.clear();
  scene.simulation.solids.clear();
  const scenes::Node document = scenes::document_of(scene);
  std::string text{to_string(setup.solver)};
  if (setup.solver == SolverKind::Wcsph || setup.solver == SolverKind::Dfsph)
    text += ", " + setting("kernel", std::string(word_of(setup.wcsph.kernel)));
  if (setup.solver == SolverKind::Pbf) text += ", " + setting("kernel", std::string(word_of(setup.pbf.kernel)));
  if (setup.solver != SolverKind::Dpd)
    text += ", " + setting("support_ratio", scenes::number_text(setup.chosen_support_ratio()));
  std::string others;
  for (const char* section : {"solver", "neighbors", "time"}) {
    const scenes::Node* map = document.find(section);
    if (!map) continue;
    for (const auto& [key, place, value] : map->members)
      if (key != "type" && key != "kernel" && key != "end")
        others += (others.empty() ? "; not the defaults: " : ", ") + setting(key, scenes::flow_text(value));
  }
  return text + (others.empty() ? "; otherwise the defaults" : others);
}

}  // namespace riffle
