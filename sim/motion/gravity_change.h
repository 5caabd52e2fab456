#pragma once
/// Gravity over time: a part that is added to the scene's constant gravity.

#include <limits>

#include "core/math/vec.h"
#include "core/platform.h"
#include "sim/motion/drive.h"
#include "sim/motion/drive_place.h"

namespace riffle {

/// amplitude times sin(2 pi t / period + phase), t from `from` on. It grows smoothly over `ramp`, and is 0 before `from`
/// and from `until` on.
struct GravityChange {
  Vec3 amplitude{};                                      ///< [m/s^2]
  Oscillation oscillation;                               ///< a period of 0: there is no change
  float from = 0;                                        ///< [s]
  float until = std::numeric_limits<float>::infinity();  ///< [s]
  float ramp = 0;                                        ///< [s]

  RIFFLE_HD bool given() const { return oscillation.period > 0; }
  friend bool operator==(const GravityChange&, const GravityChange&) = default;
};

/// What is added [m/s^2] at `time` [s]: along x, y and z.
struct AddedGravity {
  double value[3] = {0, 0, 0};
};

RIFFLE_INLINE AddedGravity added_gravity(const GravityChange& change, double time) {
  AddedGravity added;
  if (!change.given() || time < change.from || !(time < change.until)) return added;
  const double t = time - change.from;
  const double share = change.ramp > 0 ? drive_place::ramp_at(t, change.ramp).share : 1.0;
  const double phase = drive_place::kTurn * (change.oscillation.phase / 360 + t / change.oscillation.period);
  const double now = share * sin(phase);
  added.value[0] = now * change.amplitude.x;
  added.value[1] = now * change.amplitude.y;
  added.value[2] = now * change.amplitude.z;
  return added;
}

}  // namespace riffle
