#pragma once
/// What apparent gravity can reach in a scene: for speeds of sound, steps and starts. Where it changes, it is looked at
/// at many times of its ramps and of two periods and at the rows of its tables, and at the corners of the domain.

#include "core/math/vec.h"

namespace riffle {

struct SimulationSetup;

/// [m/s^2] The largest magnitude in the domain; without changes that of gravity.
double most_gravity(const SimulationSetup& setup);

/// [m/s^2] The largest difference from the constant gravity in the domain; 0 without changes.
double most_gravity_change(const SimulationSetup& setup);

/// [m/s^2] The least and the largest along each axis in the domain, with 0 among them.
struct GravityRange {
  double least[3] = {0, 0, 0}, most[3] = {0, 0, 0};
};
GravityRange gravity_range(const SimulationSetup& setup);

/// [m/s^2] In the middle of the domain at time 0. Components below a thousandth of the largest are 0.
Vec3 gravity_at_start(const SimulationSetup& setup);

}  // namespace riffle
