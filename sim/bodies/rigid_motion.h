#pragma once
/// How a free body moves by impulses, on both devices. In double precision.
///
/// The angular momentum is kept to rounding when nothing acts, whatever the step; the rotation is of second order: by the
/// angular velocity that the body has half a step later.

#include <cmath>

#include "core/platform.h"
#include "sim/bodies/free_body.h"
#include "sim/motion/drive_place.h"

namespace riffle::rigid_motion {

/// The rows of the rotation of a unit quaternion w, x, y, z.
RIFFLE_INLINE void rotation_of(const double (&q)[4], double (&rows)[9]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int k = 0; k < 9; ++k) rows[k] = turn[k];
}

/// q after the rotation by `angles` [rad] about the domain's axes: a rotation vector.
RIFFLE_INLINE void turn_by(double (&q)[4], const double (&angles)[3]) {
  const double angle = sqrt(angles[0] * angles[0] + angles[1] * angles[1] + angles[2] * angles[2]);
  if (!(angle > 0)) return;
  const double c = cos(0.5 * angle), s = sin(0.5 * angle) / angle;
  const double x = s * angles[0], y = s * angles[1], z = s * angles[2];
  double next[4] = {c * q[0] - x * q[1] - y * q[2] - z * q[3], c * q[1] + x * q[0] + y * q[3] - z * q[2],
                    c * q[2] + y * q[0] + z * q[1] - x * q[3], c * q[3] + z * q[0] + x * q[2] - y * q[1]};
  const double length = sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2] + next[3] * next[3]);
  for (int k = 0; k < 4; ++k) q[k] = next[k] / length;
}

/// m given along the scene's axes, times v along the domain's: R m R^T v.
RIFFLE_INLINE void times_turned(const double (&m)[9], const double (&rows)[9], const double (&v)[3], double (&out)[3]) {
  double back[3], product[3];
  for (int a = 0; a < 3; ++a) back[a] = rows[a] * v[0] + rows[3 + a] * v[1] + rows[6 + a] * v[2];
  for (int a = 0; a < 3; ++a) product[a] = m[3 * a] * back[0] + m[3 * a + 1] * back[1] + m[3 * a + 2] * back[2];
  for (int a = 0; a < 3; ++a)
    out[a] = rows[3 * a] * product[0] + rows[3 * a + 1] * product[1] + rows[3 * a + 2] * product[2];
}

/// [kg m^2/s] about the centre of mass.
RIFFLE_INLINE void angular_momentum(const BodyMass& body, const BodyState& state, double (&out)[3]) {
  double rows[9];
  rotation_of(state.turn, rows);
  times_turned(body.inertia, rows, state.spin, out);
}

/// The state dt [s] later, after a change of its momentum and angular momentum now.
RIFFLE_INLINE BodyState moved(const BodyMass& body, const BodyState& from, const double (&impulse)[3],
                              const double (&angular_impulse)[3], double dt) {
  BodyState to = from;
  double rows[9], momentum[3];
  angular_momentum(body, from, momentum);
  for (int a = 0; a < 3; ++a) {
    to.velocity[a] += impulse[a] / body.mass;
    to.center[a] += dt * to.velocity[a];
    momentum[a] += angular_impulse[a];
  }
  double spin[3], angles[3], half[4] = {from.turn[0], from.turn[1], from.turn[2], from.turn[3]};
  rotation_of(from.turn, rows);
  times_turned(body.inverse, rows, momentum, spin);
  for (int a = 0; a < 3; ++a) angles[a] = 0.5 * dt * spin[a];
  turn_by(half, angles);
  rotation_of(half, rows);
  times_turned(body.inverse, rows, momentum, spin);
  for (int a = 0; a < 3; ++a) angles[a] = dt * spin[a];
  turn_by(to.turn, angles);
  rotation_of(to.turn, rows);
  times_turned(body.inverse, rows, momentum, to.spin);
  return to;
}

/// As if it were driven to be there. x = turn X + shift for the point that the scene has at X.
RIFFLE_INLINE DrivenPlace place_of(const BodyMass& body, const BodyState& state) {
  DrivenPlace place;
  rotation_of(state.turn, place.turn);
  for (int a = 0; a < 3; ++a) {
    place.center[a] = state.center[a];
    place.shift[a] = state.center[a] - (place.turn[3 * a] * body.center[0] + place.turn[3 * a + 1] * body.center[1] +
                                        place.turn[3 * a + 2] * body.center[2]);
    place.velocity[a] = state.velocity[a];
    place.angular_velocity[a] = state.spin[a];
  }
  return place;
}

/// Where it was `earlier` [s] ago, on the way that its velocity and its spin give.
RIFFLE_INLINE BodyState before(const BodyState& state, double earlier) {
  BodyState then = state;
  double angles[3];
  for (int a = 0; a < 3; ++a) {
    then.center[a] -= earlier * state.velocity[a];
    angles[a] = -earlier * state.spin[a];
  }
  turn_by(then.turn, angles);
  return then;
}

}  // namespace riffle::rigid_motion
