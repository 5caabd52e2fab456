#pragma once
/// The search of a measurement on fixed particles.

#include "neighbors/search_settings.h"
#include "sim/setup.h"

namespace riffle {

/// A grid with the cells that the simulation's own has: they depend on the spacing.
inline SearchSettings measuring_search(const SimulationSetup& setup, bool deterministic = false) {
  SearchSettings settings{{.method = NeighborMethod::Hoetzlein}, deterministic};
  settings.spacing = setup.spacing;
  return settings;
}

}  // namespace riffle
