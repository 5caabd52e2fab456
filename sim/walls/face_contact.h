#pragma once
/// Contact of particles with the domain's walled faces. Solids inside the domain have no contact: only their pressure
/// stops a particle. Spray and thin films are under no pressure when they reach a wall, so the wall's pressure stops
/// them too late or not at all. Within `reach` of a face, a velocity towards the face is damped,
///   dv_n / dt = -c (1 / d - 1 / reach) v_n, with the gap d to the face,
/// as by a film that must be pressed out. A particle that arrives with v_n < c stops at a gap where
/// ln(reach / d) + d / reach - 1 = v_n / c. Fluid at rest is half a spacing from the wall, out of reach, and a particle
/// that leaves the wall is not held.
///
/// Where positions are found directly (PBF), a displacement s towards the face is shortened in the same way,
///   dd / ds = -d / reach within reach,
/// when positions are predicted; the iterations then leave at least half of the gap, or half of the reach if the gap is
/// larger.

#include "core/math/domain.h"
#include "core/math/vec.h"

namespace riffle {

inline constexpr float kContactReach = 0.3f;  ///< [spacings]

struct FaceContact {
  Domain domain;
  float reach;  ///< [m]
  float speed;  ///< c [m/s]: no particle that arrives slower touches the wall

  /// v after dt. The damping is taken at the end of the step (implicit Euler). The gap stays positive if v dt <= reach
  /// for a particle that is still out of reach, and dt <= reach / c, v <= c for one within it. With longer steps (a
  /// large `cfl` or `support_ratio`) a fast particle can cross the face: the solver counts it and puts it back.
  RIFFLE_HD float damped(float v, float x, float dt, int a, float low, float high) const {
    if (domain.axis[a] != Axis::Walled) return v;
    const float gap = v < 0 ? x - low : high - x;
    if (!(gap < reach)) return v;
    return gap > 0 ? v / (1 + dt * speed * (1 / gap - 1 / reach)) : 0.0f;
  }

  /// dx from x as it ends with contact, again by implicit Euler: at most the gap, whatever dx is.
  RIFFLE_HD float shortened(float dx, float x, int a, float low, float high) const {
    if (domain.axis[a] != Axis::Walled) return dx;
    const float length = dx < 0 ? -dx : dx, gap = dx < 0 ? x - low : high - x;
    if (!(gap - length < reach)) return dx;
    const float from = gap < reach ? gap : reach;  // where contact begins
    if (!(from > 0)) return 0;
    const float within = length - (gap - from);  // the part of dx within reach
    const float way = (gap - from) + from * (within / (reach + within));
    return dx < 0 ? -way : way;
  }

  RIFFLE_HD Vec3 shortened(Vec3 dx, Vec3 x) const {
    dx.x = shortened(dx.x, x.x, 0, domain.min.x, domain.max.x);
    dx.y = shortened(dx.y, x.y, 1, domain.min.y, domain.max.y);
    if (domain.dimension == 3) dx.z = shortened(dx.z, x.z, 2, domain.min.z, domain.max.z);
    return dx;
  }

  RIFFLE_HD Vec3 damped(Vec3 v, Vec3 x, float dt) const {
    v.x = damped(v.x, x.x, dt, 0, domain.min.x, domain.max.x);
    v.y = damped(v.y, x.y, dt, 1, domain.min.y, domain.max.y);
    if (domain.dimension == 3) v.z = damped(v.z, x.z, dt, 2, domain.min.z, domain.max.z);
    return v;
  }
};

}  // namespace riffle
