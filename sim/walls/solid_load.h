#pragma once
/// What the fluid does to a solid.

#include <cstdint>

namespace riffle {

/// The sums of one measurement go on from step to step. It begins again when a simulation is made or put into another state.
/// In 2-D per metre of depth. All 0 for what is not measured.
struct SolidLoad {
  double impulse[3] = {0, 0, 0};  ///< [N s] since the measurement began
  double angular_impulse[3] =
      {0, 0, 0};    ///< [N m s] likewise, about the centre of the solid's bounds, which moves with it; of a free
                    ///< body about its centre of mass
  double time = 0;  ///< [s] since then
  std::uint64_t measurement = 0;  ///< its number: no other one in this process has it
  double force[3] = {0, 0, 0};    ///< [N] in the last step
  double torque[3] = {0, 0, 0};   ///< [N m] likewise
};

}  // namespace riffle
