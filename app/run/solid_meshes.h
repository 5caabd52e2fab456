#pragma once
/// Triangles of a scene's solids, for its pictures.

#include <span>
#include <vector>

#include "core/math/domain.h"
#include "render/view.h"
#include "sim/motion/drive_place.h"
#include "sim/setup.h"

namespace riffle {

class SolidMeshes {
 public:
  /// Makes again what has changed since the last call. nullptr without solids. @param time  [s] driven solids are where
  /// they are then; on a periodic axis their middles are within the domain
  /// free: Simulation::body_places()
  const render::Solids* of(const SimulationSetup& setup, double time = 0, std::span<const DrivenPlace> free = {});

  /// The last result of of().
  const render::Solids* present() const { return solids_.meshes.empty() ? nullptr : &solids_; }

 private:
  Domain domain_;
  std::vector<SolidRegion> regions_;
  render::Solids solids_;
};

}  // namespace riffle
