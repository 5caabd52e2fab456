#pragma once
/// The smallest distance of two particles.

#include "sim/simulation.h"

namespace riffle {

/// [m] Smallest distance of two fluid particles, through periodic faces too; infinity for fewer than two. Waits.
double closest_pair(const Simulation& simulation);

}  // namespace riffle
