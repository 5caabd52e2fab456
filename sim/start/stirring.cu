#include "sim/start/stirring.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/device/parallel.cuh"
#include "core/error.h"
#include "neighbors/separation.h"
#include "sim/halo.h"
#include "sim/solver.h"

namespace riffle {

namespace {

/// 1 / max of x (1 - x^2)^2, which is at x^2 = 1/5.
constexpr float kRadialScale = 3.4938562f;

struct Stir {
  Stirring stirring;
  PeriodicWrap wrap;
  int dimension;
  float soft_speed;  ///< [m/s]
  const Vec4* position;
  Vec4* velocity;
  const std::uint32_t* foreign;  ///< flags; nullptr: none
  const ClockState* clock;

  RIFFLE_HD void operator()(std::int64_t i) const {
    const float dt = clock->dt;
    if (!(dt > 0)) return;
    if (foreign && foreign[i] != 0) return;
    Vec3 r = separation(xyz(position[i]), stirring.center, wrap);
    if (dimension == 2) r.z = 0;
    const float x2 = squared_length(r) / (stirring.radius * stirring.radius);
    if (!(x2 < 1)) return;
    const float weight = (1 - x2) * (1 - x2);
    const Vec4 v4 = velocity[i];
    Vec3 along;
    if (stirring.kind == StirringKind::Drag) {
      Vec3 lag = stirring.velocity - xyz(v4);
      if (dimension == 2) lag.z = 0;
      along = (weight / fmaxf(sqrtf(length2(lag)), soft_speed)) * lag;
    } else {
      const float sign = stirring.kind == StirringKind::Pull ? -1.0f : 1.0f;
      along = (sign * kRadialScale * weight / stirring.radius) * r;
    }
    velocity[i] = make_vec4(xyz(v4) + (dt * stirring.strength) * along, v4.w);
  }
};

}  // namespace

float strongest_stirring(const SimulationSetup& setup, float radius) {
  const float dt = step_bounds(setup).fixed;
  return dt > 0 ? 0.25f * radius / (dt * dt) : std::numeric_limits<float>::infinity();
}

float usual_stirring(const SimulationSetup& setup, float radius) {
  const float speed = expected_speed(setup);
  return std::min(0.5f * speed * speed / radius, strongest_stirring(setup, radius));
}

void check_stirring(const Stirring& s, const SimulationSetup& setup) {
  if (!(s.radius > 0) || !is_finite(s.radius))
    throw InputError("stirring: radius: found " + std::to_string(s.radius) + " m; allowed: above 0");
  if (!is_finite(s.center)) throw InputError("stirring: the centre is not a finite point");
  if (!is_finite(s.velocity)) throw InputError("stirring: the velocity is not finite");
  const float most = strongest_stirring(setup, s.radius);
  if (!(s.strength >= 0) || !is_finite(s.strength) || s.strength > most)
    throw InputError("stirring: strength: found " + std::to_string(s.strength) + " m/s^2; allowed: from 0" +
                     (is_finite(most) ? " to " + std::to_string(most) + " with the fixed time step" : ""));
}

StepBounds with_stirring(StepBounds bounds, const Stirring& s) {
  if (bounds.fixed > 0 || !(s.strength > 0)) return bounds;
  bounds.acceleration += s.strength;
  bounds.constant = std::min(bounds.constant, 0.5f * std::sqrt(s.radius / s.strength));
  return bounds;
}

void add_stirring(ParticleSet& particles, const Stirring& stirring, const Domain& domain, const ClockState* clock) {
  if (!(stirring.strength > 0)) return;
  parallel_for(particles.device(), "stirring", particles.count(),
               Stir{stirring, periodic_wrap(domain), domain.dimension, std::sqrt(stirring.strength * stirring.radius),
                    particles.get<Vec4>("position").data(), particles.get<Vec4>("velocity").data(),
                    foreign_flags(particles), clock});
}

}  // namespace riffle
