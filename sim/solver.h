#pragma once
/// What a solver is: one time step over particles that a neighbour search indexes.

#include "core/stage_timer.h"
#include "neighbors/neighbor_search.h"
#include "sim/particle_set.h"
#include "sim/step_control.h"

namespace riffle {

class Solver {
 public:
  virtual ~Solver() = default;

  /// Advances by one step. Asynchronous on CUDA; no read-back.
  virtual void step(ParticleSet& particles, NeighborSearch& search, StepControl& control, StageTimer& timer) = 0;
};

}  // namespace riffle
