#pragma once
/// What damping zones do in a step.

#include <vector>

#include "core/math/domain.h"
#include "sim/damping/damping_zone.h"
#include "sim/particle_set.h"
#include "sim/step_control.h"

namespace riffle {

/// velocity /= 1 + dt sum of strength s^2 of the zones that the particle is in, with the clock's dt: stable at any step.
/// Foreign particles are unchanged. Asynchronous. @param zones  up to kMostDampingZones
void damp_velocities(ParticleSet& particles, const std::vector<DampingZone>& zones, const Domain& domain,
                     const ClockState* clock);

}  // namespace riffle
