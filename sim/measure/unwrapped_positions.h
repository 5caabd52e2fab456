#pragma once
/// Places of particles without the jumps at periodic faces, for displacements over many box lengths.

#include <cstdint>
#include <vector>

#include "core/device/buffer.h"
#include "core/math/vec.h"
#include "sim/simulation.h"

namespace riffle {

/// Follows a run by looking at the places before any particle can have gone half the box: the way since the last look is
/// then the shortest one. It looks on the simulation's device. A particle that an inlet
/// makes is followed from the look after that on.
class UnwrappedPositions {
 public:
  /// From the present moment on: the places are then as they are in the box. Waits. @throws Unavailable if memory is short
  explicit UnwrappedPositions(const Simulation& simulation);

  /// From a saved state on, which the simulation is in.
  UnwrappedPositions(const Simulation& simulation, const SimulationState& state);

  /// Whether places in the setup's domain jump at all.
  static bool are_needed(const SimulationSetup& setup) { return setup.domain.any_periodic(); }

  /// After each step. Does not wait.
  void follow(const Simulation& simulation);

  /// (count x 3), in the order of ids, at the present moment. Waits.
  std::vector<float> now(const Simulation& simulation);

  /// Fills the state's `turns`. It is one of the present moment. Waits.
  void add_to(SimulationState& state, const Simulation& simulation);

 private:
  void make_room(std::uint32_t ids);
  void look(const Simulation& simulation);

  Vec3 period_{};           ///< [m] of the periodic axes; 0 along the others
  Buffer<Vec4> wrapped_;    ///< at the last look, by id; NaN: the particle was not there
  Buffer<BoxTurns> turns_;  ///< by id
  double time_ = 0;         ///< up to which `way_` counts
  double way_ = 0;          ///< that the fastest particle can have gone since the last look
  double shortest_ = 0;     ///< extent of the periodic axes
};

}  // namespace riffle
