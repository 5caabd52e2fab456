#include "sim/setup.h"

#include <fmt/format.h>

#include "sim/solver_info.h"

namespace riffle {

float SimulationSetup::support_radius() const {
  const SolverInfo& info = solver_info(solver);
  return info.support_radius ? info.support_radius(*this) : chosen_support_ratio() * spacing;
}

float SimulationSetup::chosen_support_ratio() const {
  return support_ratio > 0 ? support_ratio : solver_info(solver).support_ratio;
}

SearchSettings search_settings(const SimulationSetup& setup, const NeighborSetup& neighbors) {
  SearchSettings settings{neighbors};
  settings.deterministic = setup.deterministic;
  settings.bucket_rebuild = neighbors.bucket_rebuild;
  settings.spacing = setup.spacing;
  settings.list_always = solver_info(setup).lists_neighbors;
  return settings;
}

std::string solid_name(const SimulationSetup& setup, std::size_t solid) {
  const std::string& name = setup.solid_regions[solid].name;
  return name.empty() ? fmt::format("solid_{}", solid + 1) : name;
}

std::string face_name(int face) { return fmt::format("face_{}", word_of(static_cast<BoxFace>(face))); }

}  // namespace riffle
