#pragma once
/// Single particles of a simulation as they are now.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/simulation.h"

namespace riffle {

struct Hit {
  std::uint32_t id = 0;
  int index = 0;        ///< of the particle, until the next step
  double distance = 0;  ///< [m] along the ray to the sphere; 0 if the ray starts inside
  Vec3 position{};      ///< [m] of the particle
};

/// The first particle whose sphere of that radius the ray meets; at equal distances the one with the smallest id.
/// direction: of any length except 0. A sphere that a periodic face cuts is met only on the particle's own side, as it
/// is drawn. Waits.
/// @throws InputError for a direction of length 0, or one that is not finite.
std::optional<Hit> pick(const Simulation& simulation, Vec3 origin, Vec3 direction, float radius);

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
