#pragma once
/// A hand in the fluid: a ball, in 2-D a disc, in which particles are pulled, pushed or dragged along.

#include "core/math/domain.h"
#include "core/math/vec.h"
#include "sim/particle_set.h"
#include "sim/setup.h"
#include "sim/step_control.h"

namespace riffle {

enum class StirringKind {
  Pull,  ///< towards the centre
  Push,  ///< away from it
  Drag   ///< until they move with `velocity`
};

/// An acceleration of at most `strength` that fades out towards the rim: with the weight (1 - r^2/R^2)^2 when dragging;
/// along the radius, where it has to vanish at the centre too, with that weight times r/R, scaled to reach 1.
struct Stirring {
  StirringKind kind = StirringKind::Pull;
  Vec3 center{};       ///< [m]; in 2-D z does not matter
  float radius = 0;    ///< R [m]
  float strength = 0;  ///< [m/s^2]
  Vec3 velocity{};     ///< [m/s] of Drag. What lags behind by less than sqrt(strength R) is pulled in proportion.
};

/// @throws InputError for a radius that is not above 0, a strength below 0 and anything that is not finite; and for a
/// strength above strongest_stirring().
void check_stirring(const Stirring& stirring, const SimulationSetup& setup);

/// The step's bounds while it is there: dt <= sqrt(R / strength) / 2, so that no particle is carried across the ball or past
/// the velocity it is dragged to in one step; and the force condition counts the strength in. A fixed step stays what it is.
StepBounds with_stirring(StepBounds bounds, const Stirring& stirring);

/// [m/s^2] that a fixed step bears: a quarter of R / dt^2. Infinity where the step adapts itself.
float strongest_stirring(const SimulationSetup& setup, float radius);

/// [m/s^2] that accelerates a particle over a length R to what sim/solver.h expects of the fastest: one that is felt, and
/// leaves the fluid what it is.
float usual_stirring(const SimulationSetup& setup, float radius);

/// velocity += dt a(position, velocity), dt the clock's. Particles beyond the radius are not touched. Asynchronous.
void add_stirring(ParticleSet& particles, const Stirring& stirring, const Domain& domain, const ClockState* clock);

}  // namespace riffle
