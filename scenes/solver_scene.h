#pragma once
/// The scene's side of the solvers: their keys and the reviews of their settings.
///
/// To add a solver: a function and its place in kSolverScenes here, and a .cpp file that defines it.

#include <vector>

#include "scenes/format/format.h"
#include "scenes/review/findings.h"

namespace riffle::scenes {

struct SolverScene {
  SolverKind kind;
  /// Keys of the section `solver`. They are keys of this solver only, unless they say otherwise (only_where()).
  std::vector<Key> (*keys)();

  /// Reviews the settings, which may need fluids, domain and bodies; fills the setup's matrices from the draft. It asks
  /// itself which keys are intact. After review_bodies().
  void (*review)(SceneDraft& draft, Findings& out);

  /// Whether the step that the scene gives is too long. Only for scenes in which nothing was refused.
  void (*review_fixed_step)(const SimulationSetup& setup, Findings& out);
};

SolverScene wcsph_scene();
SolverScene pbf_scene();
SolverScene dfsph_scene();
SolverScene dpd_scene();

/// In the order of the format.
inline constexpr SolverScene (*kSolverScenes[])() = {wcsph_scene, pbf_scene, dfsph_scene, dpd_scene};

SolverScene solver_scene(SolverKind kind);

}  // namespace riffle::scenes
