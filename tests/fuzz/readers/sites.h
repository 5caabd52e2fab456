#pragma once
/// How large a scene is, before the loader looks at it as a whole.

#include <cmath>

#include "scenes/format/format.h"

namespace riffle::fuzz {

/// Scenes with more places for particles are read and not reviewed.
inline constexpr double kMostSites = 30000;

/// Places of particles that the domain has room for; infinite or not a number where the scene does not say.
inline double sites_of(const scenes::SceneDraft& draft) {
  const SimulationSetup& setup = draft.scene.simulation;
  const Vec3 extent = setup.domain.extent();
  const bool flat = setup.domain.dimension == 2;
  const double volume = double{extent.x} * extent.y * (flat ? 1.0 : double{extent.z});
  if (draft.number_density > 0) return volume * draft.number_density;
  return volume / std::pow(double{setup.spacing}, flat ? 2 : 3);
}

}  // namespace riffle::fuzz
