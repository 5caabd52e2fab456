#include "sim/bodies/body_energy.h"

#include "sim/bodies/rigid_motion.h"
#include "sim/motion/gravity_field.h"
#include "sim/setup.h"

namespace riffle {

BodiesEnergy energy_of(std::span<const BodyState> bodies, std::span<const BodyMass> masses,
                       const SimulationSetup& setup, double time) {
  BodiesEnergy energy;
  if (bodies.empty()) return energy;
  const Vec3 gravity = apparent_gravity_at(gravity_sources(setup), time).gravity;
  for (std::size_t r = 0; r < bodies.size(); ++r) {
    const BodyMass& body = masses[r];
    if (!(body.mass > 0)) continue;
    const BodyState& state = bodies[r];
    double spin_momentum[3];
    rigid_motion::angular_momentum(body, state, spin_momentum);
    for (int a = 0; a < 3; ++a) {
      energy.kinetic += 0.5 * (body.mass * state.velocity[a] * state.velocity[a] + state.spin[a] * spin_momentum[a]);
      energy.potential -=
          body.mass * double{component(gravity, a)} * (state.center[a] - double{component(setup.domain.min, a)});
    }
  }
  return energy;
}

}  // namespace riffle
