#pragma once
/// Free bodies that only pushes and contact move, for tests.

#include <array>
#include <cmath>
#include <vector>

#include "sim/bodies/body_contacts.h"
#include "sim/bodies/mass/body_mass.h"
#include "sim/setup.h"
#include "tests/sim/walls/region_setups.h"

namespace riffle::test {

/// A solid that is free.
inline SolidRegion freed(SolidRegion solid, float friction = 0.4f, float restitution = 0, float density = 500) {
  solid.free.given = true;
  solid.free.density = density;
  solid.contact.friction = friction;
  solid.contact.restitution = restitution;
  return solid;
}

inline SolidRegion touched(SolidRegion solid, float friction, float restitution = 0) {
  solid.contact.friction = friction;
  solid.contact.restitution = restitution;
  return solid;
}

/// A domain from -half to half whose axes are all alike.
inline SimulationSetup contact_setup(int dimension, float half, Axis axis, float spacing,
                                     std::vector<SolidRegion> solids) {
  SimulationSetup setup;
  setup.domain.dimension = dimension;
  setup.domain.min = {-half, -half, dimension == 3 ? -half : 0};
  setup.domain.max = {half, half, dimension == 3 ? half : 0};
  for (Axis& a : setup.domain.axis) a = axis;
  setup.spacing = spacing;
  setup.solid_regions = std::move(solids);
  return setup;
}

/// The loop of a caller: a step of dt for each solve(), with semi-implicit steps and pushes that do not change.
class FallingBodies {
 public:
  explicit FallingBodies(const SimulationSetup& setup, KickTime kick_time, double dt = 1e-3)
      : masses(body_masses(setup)),
        contacts(setup, masses, kick_time),
        dt(dt),
        kick_time_(kick_time),
        dimension_(setup.domain.dimension) {
    const std::size_t n = setup.solid_regions.size();
    bodies.resize(n), pushes.resize(n), kicks.resize(n), free.resize(n);
    for (std::size_t s = 0; s < n; ++s) {
      free[s] = setup.solid_regions[s].free.given;
      const FreeBodySetup& start = setup.solid_regions[s].free;
      for (int a = 0; a < 3; ++a) {
        bodies[s].center[a] = masses[s].center[a];
        bodies[s].velocity[a] = component(start.velocity, a);
        bodies[s].spin[a] = component(start.angular_velocity, a);
        pushes[s].acceleration[a] = component(setup.gravity, a);
      }
    }
  }

  int step() {
    const int pairs = contacts.solve(bodies, pushes, time, dt, memory, kicks);
    if (kick_time_ == KickTime::AtStart)
      push(), kick_speeds(), move(), kick_places();
    else
      push(), move(), kick_speeds(), kick_places();
    time += dt;
    return pairs;
  }
  void run(double until) {
    while (time < until - 0.5 * dt) step();
  }

  std::vector<BodyMass> masses;
  BodyContacts contacts;
  ContactMemory memory;
  std::vector<BodyState> bodies;
  std::vector<BodyPush> pushes;
  std::vector<BodyKick> kicks;
  std::vector<bool> free;
  double time = 0, dt;

 private:
  template <class F>
  void each(const F& f) {
    for (std::size_t s = 0; s < bodies.size(); ++s)
      if (free[s]) f(bodies[s], pushes[s], kicks[s]);
  }
  void push() {
    each([&](BodyState& body, const BodyPush& push, const BodyKick&) {
      for (int a = 0; a < 3; ++a) {
        body.velocity[a] += dt * push.acceleration[a];
        body.spin[a] += dt * push.angular[a];
      }
    });
  }
  void kick_speeds() {
    each([&](BodyState& body, const BodyPush&, const BodyKick& kick) {
      for (int a = 0; a < 3; ++a) body.velocity[a] += kick.velocity[a], body.spin[a] += kick.spin[a];
    });
  }
  void move() {
    each([&](BodyState& body, const BodyPush&, const BodyKick&) {
      double turn[3];
      for (int a = 0; a < 3; ++a) body.center[a] += dt * body.velocity[a], turn[a] = dt * body.spin[a];
      rotate(body, turn);
    });
  }
  void kick_places() {
    each([&](BodyState& body, const BodyPush&, const BodyKick& kick) {
      for (int a = 0; a < 3; ++a) body.center[a] += kick.way[a];
      rotate(body, kick.turn);
    });
  }
  static void rotate(BodyState& body, const double* by) {
    const double angle = std::sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
    if (angle == 0) return;
    const double s = std::sin(0.5 * angle) / angle, w = std::cos(0.5 * angle), x = s * by[0], y = s * by[1],
                 z = s * by[2];
    double(&q)[4] = body.turn;
    const double turned[4] = {w * q[0] - x * q[1] - y * q[2] - z * q[3], w * q[1] + x * q[0] + y * q[3] - z * q[2],
                              w * q[2] - x * q[3] + y * q[0] + z * q[1], w * q[3] + x * q[2] - y * q[1] + z * q[0]};
    double square = 0;
    for (const double c : turned) square += c * c;
    for (int k = 0; k < 4; ++k) q[k] = turned[k] / std::sqrt(square);
  }

  KickTime kick_time_;
  int dimension_;
};

}  // namespace riffle::test
