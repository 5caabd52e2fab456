#pragma once
/// Looking at single particles of a simulation as they are now.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/simulation.h"

namespace riffle {

struct Hit {
  std::uint32_t id = 0;
  int index = 0;        ///< of the particle, until the next step
  double distance = 0;  ///< [m] along the ray to the sphere; 0 from within it
  Vec3 position{};      ///< [m] of the particle
};

/// The first particle whose sphere of that radius the ray meets; of several at one distance the one with the smallest id.
/// direction: of any length but 0. Where a sphere is cut by a periodic face it is met on the particle's own side only, as it
/// is drawn. Waits.
/// @throws InputError for a direction of length 0, or one that is not finite.
std::optional<Hit> pick(const Simulation& simulation, Vec3 origin, Vec3 direction, float radius);

struct ParticleReport {
  std::uint32_t id = 0;
  int index = 0;  ///< until the next step
  std::uint32_t fluid = 0;
  Vec3 position{};                ///< [m]
  Vec3 velocity{};                ///< [m/s]; of DPD's leap-frog half a step ahead
  std::optional<float> density;   ///< [kg/m^3] as of the last step; none with DPD and before the first step
  std::optional<float> pressure;  ///< [Pa] that follows from it; with WCSPH only
  int neighbors = 0;              ///< fluid particles within the support radius
};

/// Waits.
/// @throws InputError when there is no particle with that id.
ParticleReport inspect(const Simulation& simulation, std::uint32_t id);

/// Positions [m] of the fluid particles within the support radius of that one, itself left out, the nearest first; w their
/// distance [m]. Through a periodic face it is that to the nearest image, and the position is the particle's own. One pass
/// over all particles, and waits.
/// @throws InputError when there is no particle with that id.
std::vector<Vec4> neighbors_of(const Simulation& simulation, std::uint32_t id);

}  // namespace riffle
