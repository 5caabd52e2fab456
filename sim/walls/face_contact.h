#pragma once
/// Contact of particles with the domain's walled faces and with the surfaces of solids, both called faces here. Spray and
/// thin films are under no pressure when they reach a wall, so the wall's pressure stops them too late or not at all.
/// Within `reach` of a face, a velocity towards the face is damped,
///   dv_n / dt = -c (1 / d - 1 / reach) v_n, with the gap d to the face,
/// as by a film that must be pressed out. A particle that arrives with v_n < c stops at a gap where
/// ln(reach / d) + d / reach - 1 = v_n / c. Fluid at rest is half a spacing from the wall, out of reach, and a particle
/// that leaves the wall is not held.
///
/// Where positions are found directly (PBF), a displacement s towards the face is shortened in the same way,
///   dd / ds = -d / reach within reach,
/// when positions are predicted; the iterations then leave at least half of the gap, or half of the reach if the gap is
/// larger.
///
/// Where a solid moves, velocities and displacements are those relative to its surface at the particle, and the gap is that
/// at the start of the step: in the frame of the solid everything is as beside one that stands still.

#include "core/math/domain.h"
#include "core/math/vec.h"
#include "sim/bodies/solid_impulses.h"
#include "sim/walls/solid_surfaces.h"

namespace riffle {

inline constexpr float kContactReach = 0.3f;  ///< [spacings]

struct FaceContact {
  Domain domain;
  float reach;  ///< [m]
  float speed;  ///< c [m/s]: no particle that arrives slower touches the wall
  SurfaceView solids;
  SolidImpulses impulses;  ///< of what contact takes from particles; by default they are not summed

  /// v after dt. The damping is taken at the end of the step (implicit Euler). The gap stays positive if v dt <= reach
  /// for a particle that is still out of reach, and dt <= reach / c, v <= c for one within it. With longer steps (a
  /// large `cfl` or `support_ratio`) a fast particle can cross the face: the solver counts it and puts it back.
  /// v: towards the face or away from it
  RIFFLE_HD float damped(float v, float gap, float dt) const {
    if (!(gap < reach)) return v;
    return gap > 0 ? v / (1 + dt * speed * (1 / gap - 1 / reach)) : 0.0f;
  }

  RIFFLE_HD float damped(float v, float x, float dt, int a, float low, float high) const {
    return domain.axis[a] != Axis::Walled ? v : damped(v, v < 0 ? x - low : high - x, dt);
  }

  /// dx from x as it ends with contact, again by implicit Euler: at most the gap, whatever dx is.
  /// length: of dx, towards the face
  RIFFLE_HD float shortened(float length, float gap) const {
    if (!(gap - length < reach)) return length;
    const float from = gap < reach ? gap : reach;  // where contact begins
    if (!(from > 0)) return 0;
    const float within = length - (gap - from);  // the part of dx within reach
    return (gap - from) + from * (within / (reach + within));
  }

  RIFFLE_HD float shortened(float dx, float x, int a, float low, float high) const {
    if (domain.axis[a] != Axis::Walled) return dx;
    return dx < 0 ? -shortened(-dx, x - low) : shortened(dx, high - x);
  }

  /// Puts particle i on the surface of a solid that it is in. @return whether it was inside by more than rounding
  template <SurfaceTime Time = SurfaceTime::End>
  RIFFLE_HD bool confine(Vec3& x, Vec3& v, std::int64_t i) const {
    return solids.confine<Time>(
        x, v, [&](std::uint32_t solid, Vec3 at, Vec3 dv) { impulses.add_contact(solid + 1, i, at, dv); });
  }

  /// Solids alone. Particle i, whose velocity is the way in the step over 1 / over_dt; over_dt 0: a displacement at the end
  /// of the step, by which its velocity does not change.
  RIFFLE_HD Vec3 shortened_by_solids(Vec3 dx, Vec3 x, std::int64_t i = 0, float over_dt = 0) const {
    if (solids.count == 0) return dx;
    const float near = reach + quick_sqrt(length2(dx));
    const auto shorten = [&](std::uint32_t solid, SurfaceDistance d, Vec3 way) {
      const float length = dot(way - dx, d.normal);
      if (!(length > 0)) return;
      const Vec3 change = (length - shortened(length, d.distance)) * d.normal;
      dx += change;
      if (over_dt > 0) impulses.add_contact(solid + 1, i, x, over_dt * change);
    };
    if (over_dt > 0)
      solids.for_each_near<SurfaceTime::InStep>(
          x, near, [&](std::uint32_t solid, SurfaceDistance d) { shorten(solid, d, solids.way(solid, x)); });
    else
      solids.for_each_near(x, near, [&](std::uint32_t solid, SurfaceDistance d) { shorten(solid, d, {0, 0, 0}); });
    return dx;
  }

  RIFFLE_HD Vec3 shortened(Vec3 dx, Vec3 x, std::int64_t i = 0, float over_dt = 0) const {
    const Vec3 before = dx;
    dx.x = shortened(dx.x, x.x, 0, domain.min.x, domain.max.x);
    dx.y = shortened(dx.y, x.y, 1, domain.min.y, domain.max.y);
    if (domain.dimension == 3) dx.z = shortened(dx.z, x.z, 2, domain.min.z, domain.max.z);
    if (over_dt > 0) impulses.add_face_contact(i, x, over_dt * (dx - before));
    if (solids.count == 0) return dx;
    const Vec3 pushed = shortened_by_solids(dx, x, i, over_dt), kept = no_nearer_to_faces(pushed, dx, x, 1);
    if (over_dt > 0) impulses.add_face_contact(i, x, over_dt * (kept - pushed));
    return kept;
  }

  /// In a wedge between a face and a solid, what the solid has pushed towards the face goes along the face.
  /// way: as the solid has changed it; before: as the face left it; per_way: dx is that times `way`
  RIFFLE_HD Vec3 no_nearer_to_faces(Vec3 way, Vec3 before, Vec3 x, float per_way) const {
    way.x = no_nearer_to_face(way.x, before.x, x.x, 0, domain.min.x, domain.max.x, per_way);
    way.y = no_nearer_to_face(way.y, before.y, x.y, 1, domain.min.y, domain.max.y, per_way);
    if (domain.dimension == 3) way.z = no_nearer_to_face(way.z, before.z, x.z, 2, domain.min.z, domain.max.z, per_way);
    return way;
  }
  RIFFLE_HD float no_nearer_to_face(float way, float before, float x, int a, float low, float high,
                                    float per_way) const {
    if (domain.axis[a] != Axis::Walled || way == before) return way;
    const float gap = (way < before ? x - low : high - x) - per_way * (way < 0 ? -way : way);
    return gap < reach ? before : way;
  }

  /// Of particle i.
  RIFFLE_HD Vec3 damped(Vec3 v, Vec3 x, float dt, std::int64_t i = 0) const {
    const Vec3 before = v;
    v.x = damped(v.x, x.x, dt, 0, domain.min.x, domain.max.x);
    v.y = damped(v.y, x.y, dt, 1, domain.min.y, domain.max.y);
    if (domain.dimension == 3) v.z = damped(v.z, x.z, dt, 2, domain.min.z, domain.max.z);
    impulses.add_face_contact(i, x, v - before);
    if (solids.count == 0) return v;
    const Vec3 at_faces = v;
    solids.for_each_near<SurfaceTime::InStep>(x, reach, [&](std::uint32_t solid, SurfaceDistance d) {
      const float inwards = dot(v - solids.velocity(solid, x), d.normal);
      if (!(inwards < 0)) return;
      const Vec3 change = (damped(inwards, d.distance, dt) - inwards) * d.normal;
      v += change;
      impulses.add_contact(solid + 1, i, x, change);
    });
    const Vec3 kept = no_nearer_to_faces(v, at_faces, x, dt);
    impulses.add_face_contact(i, x, kept - v);
    return kept;
  }
};

}  // namespace riffle
