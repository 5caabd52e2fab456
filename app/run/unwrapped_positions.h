#pragma once
/// Places of particles without the jumps at periodic faces, for displacements over many box lengths.

#include <vector>

#include "core/math/domain.h"
#include "sim/simulation.h"

namespace riffle {

/// Follows a run by looking at the places before any particle can have gone half the box: the way since the last look is
/// then the shortest one. The number of particles stays the same.
class UnwrappedPositions {
 public:
  /// The places of the present moment, as they are in the box. Waits.
  explicit UnwrappedPositions(const Simulation& simulation);

  /// After each step. Waits when it has to look.
  void follow(const Simulation& simulation);

  /// (count x 3), in the order of ids, at the present moment. Waits.
  std::vector<float> now(const Simulation& simulation);

 private:
  void look(const Simulation& simulation);

  Domain domain_;
  std::vector<Vec4> wrapped_;  ///< at the last look, in the order of ids
  std::vector<int> turns_;     ///< (count x 3) how many times a particle has gone round the box along each axis
  double time_ = 0;            ///< up to which `way_` counts
  double way_ = 0;             ///< that the fastest particle can have gone since the last look
  double shortest_ = 0;        ///< extent of the periodic axes
};

}  // namespace riffle
