#pragma once
/// Stirring: a ball (in 2-D a disc) in which particles are pulled, pushed or dragged along.

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

/// An acceleration of at most `strength` that fades out towards the rim. Drag has the weight (1 - r^2/R^2)^2. Pull and
/// Push, which must vanish at the centre too, have that weight times r/R, scaled so that its maximum is 1.
struct Stirring {
  StirringKind kind = StirringKind::Pull;
  Vec3 center{};       ///< [m]; in 2-D z does not matter
  float radius = 0;    ///< R [m]
  float strength = 0;  ///< [m/s^2]
  Vec3 velocity{};     ///< [m/s] of Drag; a lag below sqrt(strength R) is accelerated in proportion
};

/// @throws InputError for a radius that is not above 0, a strength below 0 or above strongest_stirring(), and for
/// anything that is not finite.
void check_stirring(const Stirring& stirring, const SimulationSetup& setup);

/// The step's bounds during stirring: dt <= sqrt(R / strength) / 2, so that one step carries no particle across the
/// ball or past the velocity it is dragged to; and the force condition includes the strength. A fixed step does not
/// change.
StepBounds with_stirring(StepBounds bounds, const Stirring& stirring);

/// [m/s^2] The largest strength for a fixed step: a quarter of R / dt^2. Infinity if the step is adaptive.
float strongest_stirring(const SimulationSetup& setup, float radius);

/// [m/s^2] The strength that accelerates a particle over a length R to expected_speed() of sim/solver.h: noticeable,
/// but harmless to the fluid.
float usual_stirring(const SimulationSetup& setup, float radius);

/// velocity += dt a(position, velocity), with the clock's dt. Particles beyond the radius are unchanged. Asynchronous.
void add_stirring(ParticleSet& particles, const Stirring& stirring, const Domain& domain, const ClockState* clock);

}  // namespace riffle
