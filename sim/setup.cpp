#include "sim/setup.h"

#include "sim/solver_info.h"

namespace riffle {

float SimulationSetup::support_radius() const {
  const SolverInfo& info = solver_info(solver);
  return info.support_radius ? info.support_radius(*this) : support_ratio * spacing;
}

SearchSettings search_settings(const NeighborSetup& setup, bool deterministic) {
  SearchSettings settings;
  settings.method = setup.method;
  settings.deterministic = deterministic;
  settings.skin = setup.skin;
  settings.cell_ratio = setup.cell_ratio;
  settings.cell_count = setup.cell_count;
  settings.table = setup.table;
  settings.insertion = setup.insertion;
  settings.tree_structure = setup.structure;
  return settings;
}

SearchSettings search_settings(const SimulationSetup& setup, const NeighborSetup& neighbors) {
  SearchSettings settings = search_settings(neighbors, setup.deterministic);
  settings.list_always = solver_info(setup).lists_neighbors;
  return settings;
}

}  // namespace riffle
