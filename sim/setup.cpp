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

bool same_domain(const Domain& a, const Domain& b) {
  if (a.dimension != b.dimension) return false;
  for (int k = 0; k < a.dimension; ++k)
    if (a.axis[k] != b.axis[k] || component(a.min, k) != component(b.min, k) ||
        component(a.max, k) != component(b.max, k))
      return false;
  return true;
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
  settings.list_always = setup.solver == SolverKind::Pbf;
  return settings;
}

}  // namespace riffle
