#pragma once
/// Triangles of a scene's solids, for its pictures.

#include <vector>

#include "core/math/domain.h"
#include "render/view.h"
#include "sim/setup.h"

namespace riffle {

class SolidMeshes {
 public:
  /// Makes again what has changed since the last call. nullptr without solids. @param time  [s] driven solids are where
  /// they are then; on a periodic axis their middles are within the domain
  const render::Solids* of(const SimulationSetup& setup, double time = 0);

  /// The last result of of().
  const render::Solids* present() const { return solids_.meshes.empty() ? nullptr : &solids_; }

 private:
  Domain domain_;
  std::vector<SolidRegion> regions_;
  render::Solids solids_;
};

}  // namespace riffle
