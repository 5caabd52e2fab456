#include "sim/setup.h"

namespace riffle {

const char* to_string(SolverKind kind) {
  switch (kind) {
    case SolverKind::Wcsph: return "wcsph";
    case SolverKind::Pbf: return "pbf";
    case SolverKind::Dpd: return "dpd";
  }
  return "?";
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
  return settings;
}

SearchSettings search_settings(const SimulationSetup& setup, const NeighborSetup& neighbors) {
  SearchSettings settings = search_settings(neighbors, setup.deterministic);
  settings.list_always = setup.solver == SolverKind::Pbf;
  return settings;
}

}  // namespace riffle
