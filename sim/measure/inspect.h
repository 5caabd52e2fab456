#pragma once
/// Single particles of a simulation as they are now.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/simulation.h"

namespace riffle {

/// Waits.
bool has_particle(const Simulation& simulation, std::uint32_t id);

struct ParticleReport {
  std::uint32_t id = 0;
  int index = 0;  ///< until the next step
  std::uint32_t fluid = 0;
  Vec3 position{};  ///< [m]
  Vec3 velocity{};  ///< [m/s]; with DPD's leap-frog half a step ahead
  /// [kg/m^3] of the last step; none if the solver has no density, and before the first step
  std::optional<float> density;
  std::optional<float> pressure;  ///< [Pa] that follows from it; none if the solver has no equation of state
  int neighbors = 0;              ///< fluid particles within the support radius
};

/// Waits.
/// @throws InputError if there is no particle with that id.
ParticleReport inspect(const Simulation& simulation, std::uint32_t id);

/// Positions [m] of the fluid particles within the support radius of that one, without itself, the nearest first; w is
/// the distance [m]. Through a periodic face it is the distance to the nearest image, while the position is the
/// particle's own. One pass over all particles; waits.
/// @throws InputError if there is no particle with that id.
std::vector<Vec4> neighbors_of(const Simulation& simulation, std::uint32_t id);

}  // namespace riffle
