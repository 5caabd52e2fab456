#pragma once
/// A hand that holds a point of a free body and pulls it to a place, as a spring does.
///
/// In each step the hand gives the impulse after which the point moves as a particle on a critically damped spring would, by the
/// implicit Euler method: u' = (u - dt w^2 e) / (1 + w dt)^2, with e from the hand to the point, u the point's velocity by all else
/// that acts in this step and w the spring's rate. The mass that the point has, by which the body's mass and inertia resist an
/// impulse there, gives the impulse for that. So the spring is as strong as the body is heavy, and stable for every step. Farther
/// away than `reach` it pulls no harder, so that the point is never faster than w reach / 2 by it.

#include <cmath>

#include "core/math/domain.h"
#include "core/platform.h"
#include "sim/bodies/free_body.h"
#include "sim/bodies/rigid_motion.h"

namespace riffle {

struct SimulationSetup;

struct BodyGrip {
  int solid = -1;   ///< number of the region; below 0: nothing is held
  Vec3 at{};        ///< [m] the point, where the scene puts the body
  Vec3 target{};    ///< [m] the hand, in the domain
  float rate = 0;   ///< w [1/s]
  float reach = 0;  ///< [m]
};

/// A grip that is noticeable, and harmless to the fluid: it moves the point at two thirds of the speed that is expected of fast
/// particles, over lengths as of the domain.
BodyGrip usual_grip(const SimulationSetup& setup, int solid, Vec3 at, Vec3 target);

/// @throws InputError for a solid that is not free, and for numbers that are not finite or not above 0
void check_grip(const BodyGrip& grip, const SimulationSetup& setup);

namespace rigid_motion {

/// Solves m x = b. m: symmetric, positive definite
RIFFLE_INLINE void solve(const double (&m)[9], const double (&b)[3], double (&x)[3]) {
  const double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
  const double over = 1 / (m[0] * c0 + m[1] * c1 + m[2] * c2);
  x[0] = over * (c0 * b[0] + (m[2] * m[7] - m[1] * m[8]) * b[1] + (m[1] * m[5] - m[2] * m[4]) * b[2]);
  x[1] = over * (c1 * b[0] + (m[0] * m[8] - m[2] * m[6]) * b[1] + (m[2] * m[3] - m[0] * m[5]) * b[2]);
  x[2] = over * (c2 * b[0] + (m[1] * m[6] - m[0] * m[7]) * b[1] + (m[0] * m[4] - m[1] * m[3]) * b[2]);
}

RIFFLE_INLINE void cross(const double (&a)[3], const double (&b)[3], double (&out)[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Adds what the hand gives in a step of dt [s] to the impulses of all else.
RIFFLE_INLINE void add_grip(const BodyGrip& grip, const BodyMass& body, const BodyState& from, const Domain& domain,
                            double dt, double (&impulse)[3], double (&angular)[3]) {
  double rows[9], arm[3], error[3], momentum[3], spin[3], turning[3];
  rotation_of(from.turn, rows);
  const double rest[3] = {grip.at.x - body.center[0], grip.at.y - body.center[1], grip.at.z - body.center[2]};
  for (int a = 0; a < 3; ++a) arm[a] = rows[3 * a] * rest[0] + rows[3 * a + 1] * rest[1] + rows[3 * a + 2] * rest[2];
  if (domain.dimension == 2) arm[2] = 0;
  double distance2 = 0;
  for (int a = 0; a < 3; ++a) {
    error[a] = from.center[a] + arm[a] - component(grip.target, a);
    if (a >= domain.dimension) error[a] = 0;
    if (a < domain.dimension && domain.axis[a] == Axis::Periodic) {
      const double length = double{component(domain.max, a)} - component(domain.min, a);
      error[a] -= length * floor(error[a] / length + 0.5);
    }
    distance2 += error[a] * error[a];
  }
  const double distance = sqrt(distance2), share = distance > grip.reach ? grip.reach / distance : 1;
  // The velocity of the point by all else.
  angular_momentum(body, from, momentum);
  for (int a = 0; a < 3; ++a) momentum[a] += angular[a];
  times_turned(body.inverse, rows, momentum, spin);
  cross(spin, arm, turning);
  double change[3];
  const double rate = grip.rate, damping = 1 / ((1 + rate * dt) * (1 + rate * dt));
  for (int a = 0; a < 3; ++a) {
    const double velocity = from.velocity[a] + impulse[a] / body.mass + turning[a];
    change[a] = a < domain.dimension ? damping * (velocity - dt * rate * rate * share * error[a]) - velocity : 0;
  }
  // Its velocity per impulse there: 1 / mass + what the impulse turns it by.
  double per_impulse[9];
  for (int column = 0; column < 3; ++column) {
    const double unit[3] = {column == 0 ? 1.0 : 0.0, column == 1 ? 1.0 : 0.0, column == 2 ? 1.0 : 0.0};
    double moment[3], turned[3], moved[3];
    cross(arm, unit, moment);
    times_turned(body.inverse, rows, moment, turned);
    cross(turned, arm, moved);
    for (int a = 0; a < 3; ++a) per_impulse[3 * a + column] = moved[a] + unit[a] / body.mass;
  }
  double given[3], moment[3];
  solve(per_impulse, change, given);
  cross(arm, given, moment);
  for (int a = 0; a < 3; ++a) impulse[a] += given[a], angular[a] += moment[a];
}

}  // namespace rigid_motion
}  // namespace riffle
