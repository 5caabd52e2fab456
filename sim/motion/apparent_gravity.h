#pragma once
/// The acceleration that particles feel beside the forces between them, where gravity changes, the tank moves or a body
/// force varies across the domain.
///
/// Positions and velocities are those in the tank: the domain's box and its axes move with it. With the centre's
/// acceleration A, the angular velocity w and its change w', all along the tank's axes, r from the centre:
///
///   a = R^T g - R^T A - w' x r - w x (w x r) - 2 w x v + f(x)
///
/// R turns the tank's axes from where they are at first to where they are. f is the body force, along the tank's axes.

#include "core/math/cross_product.h"
#include "core/math/vec.h"
#include "core/platform.h"
#include "sim/motion/body_force.h"
#include "sim/motion/drive.h"
#include "sim/motion/drive_place.h"
#include "sim/motion/gravity_change.h"

namespace riffle {

/// What makes apparent gravity.
struct GravitySources {
  Vec3 gravity{};             ///< [m/s^2] the constant part
  GravityChangeParts change;  ///< along the axes of the world, like `gravity`
  DriveParts tank;            ///< how the tank moves; `about` is the centre
  BodyForce force;

  /// Otherwise `gravity` is all, everywhere and always.
  RIFFLE_HD bool changing() const { return change.given || tank.given || force.given(); }
  friend bool operator==(const GravitySources&, const GravitySources&) = default;
};

/// At a time, or the mean over a step.
struct ApparentGravity {
  Vec3 gravity{};      ///< [m/s^2] R^T g
  Vec3 uniform{};      ///< [m/s^2] R^T (g - A)
  Vec3 spin{};         ///< [rad/s] w
  Vec3 spin_change{};  ///< [rad/s^2] w'
  Vec3 center{};       ///< [m]
  BodyForce force;

  /// [m/s^2] At x [m], without the part that depends on the velocity.
  RIFFLE_HD Vec3 at(Vec3 x) const { return force.given() ? of_tank(x) + force.at(x) : of_tank(x); }

  /// The same without the body force.
  RIFFLE_HD Vec3 of_tank(Vec3 x) const {
    const Vec3 r = x - center;
    return uniform - cross_product(spin_change, r) - cross_product(spin, cross_product(spin, r));
  }

  /// [m/s^2] The Coriolis acceleration.
  RIFFLE_HD Vec3 of_velocity(Vec3 v) const { return -2.0f * cross_product(spin, v); }

  /// The velocity after the Coriolis acceleration over dt [s]. Its length stays, however long the step: half of the change
  /// is by the velocity at the start, half by that at the end, v' + dt w x v' = v - dt w x v.
  RIFFLE_HD Vec3 turned(Vec3 v, float dt) const {
    const Vec3 half = dt * spin;
    const Vec3 b = v - cross_product(half, v);
    return (1 / (1 + length2(half))) * (b + dot(half, b) * half - cross_product(half, b));
  }
};

namespace apparent_gravity {

RIFFLE_INLINE Vec3 in_tank(const DrivenPlace& place, const double (&world)[3]) {
  float axes[3];
  for (int a = 0; a < 3; ++a)
    axes[a] =
        static_cast<float>(place.turn[a] * world[0] + place.turn[3 + a] * world[1] + place.turn[6 + a] * world[2]);
  return {axes[0], axes[1], axes[2]};
}

RIFFLE_INLINE ApparentGravity make(const GravitySources& sources, const DrivenPlace& place, double time,
                                   const double (&acceleration)[3], const double (&spin)[3],
                                   const double (&spin_change)[3]) {
  const AddedGravity added = added_gravity(sources.change, time);
  const double g[3] = {double{sources.gravity.x} + added.value[0], double{sources.gravity.y} + added.value[1],
                       double{sources.gravity.z} + added.value[2]};
  const double rest[3] = {g[0] - acceleration[0], g[1] - acceleration[1], g[2] - acceleration[2]};
  ApparentGravity apparent;
  apparent.gravity = in_tank(place, g);
  apparent.uniform = in_tank(place, rest);
  apparent.spin = in_tank(place, spin);
  apparent.spin_change = in_tank(place, spin_change);
  apparent.center = sources.tank.about;
  apparent.force = sources.force;
  return apparent;
}

}  // namespace apparent_gravity

/// At `time` [s] of the simulation. A sudden start or stop of the tank is not in it.
RIFFLE_INLINE ApparentGravity apparent_gravity_at(const GravitySources& sources, double time) {
  const DrivenPlace place = place_of(sources.tank, time);
  return apparent_gravity::make(sources, place, time, place.acceleration, place.angular_velocity,
                                place.angular_acceleration);
}

/// The mean from `start` to `end` [s], start before end. The tank's accelerations are the differences of its velocities:
/// fluid keeps its velocity in the world when the tank starts or stops suddenly.
RIFFLE_INLINE ApparentGravity mean_apparent_gravity(const GravitySources& sources, double start, double end) {
  const DrivenPlace from = place_of(sources.tank, start), to = place_of(sources.tank, end);
  const double over = 1 / (end - start);
  double acceleration[3], spin[3], spin_change[3];
  for (int a = 0; a < 3; ++a) {
    acceleration[a] = over * (to.velocity[a] - from.velocity[a]);
    spin[a] = 0.5 * (to.angular_velocity[a] + from.angular_velocity[a]);
    spin_change[a] = over * (to.angular_velocity[a] - from.angular_velocity[a]);
  }
  const double middle = 0.5 * (start + end);
  return apparent_gravity::make(sources, place_of(sources.tank, middle), middle, acceleration, spin, spin_change);
}

}  // namespace riffle
