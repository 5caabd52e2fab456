#pragma once
/// A free body within a step in which pressure and the body's velocity are found together, for kernels.

#include <cstdint>

#include "core/math/vec.h"
#include "core/platform.h"
#include "sim/bodies/solid_impulses.h"

namespace riffle {

/// In 2-D it turns about z alone: all else of `inverse` is 0.
struct CoupledBody {
  double velocity[3] = {0, 0, 0};  ///< [m/s] of the centre of mass, before the present solve
  double spin[3] = {0, 0, 0};      ///< [rad/s] likewise
  double inverse_mass = 0;         ///< [1/kg]; 0: the region is not free
  double inverse[9] = {};          ///< [1/(kg m^2)] of the inertia, along the domain's axes, rows

  // A generalised force has the energy of a unit force if its parts have a square sum of 1: an impulse p with the angular
  // impulse l gives the body the kinetic energy of half the square sum of inverse_root p and root l.
  float inverse_root = 0;  ///< of inverse_mass
  Vec3 root[3];            ///< rows of a matrix whose transpose times itself is `inverse`

  // With the impulses of the present iterate:
  Vec3 now, turning;  ///< velocity [m/s] and spin [rad/s]

  RIFFLE_HD bool free() const { return inverse_mass > 0; }
  /// [m/s] r: from the centre of mass
  RIFFLE_HD Vec3 velocity_at(Vec3 r) const {
    return now + Vec3{turning.y * r.z - turning.z * r.y, turning.z * r.x - turning.x * r.z,
                      turning.x * r.y - turning.y * r.x};
  }
  /// The six parts of a force g at r from the centre of mass.
  RIFFLE_HD void parts_of(Vec3 g, Vec3 r, float (&parts)[6]) const {
    const Vec3 l{r.y * g.z - r.z * g.y, r.z * g.x - r.x * g.z, r.x * g.y - r.y * g.x};
    parts[0] = inverse_root * g.x, parts[1] = inverse_root * g.y, parts[2] = inverse_root * g.z;
    for (int a = 0; a < 3; ++a) parts[3 + a] = dot(root[a], l);
  }
};

/// The free bodies that a kernel meets at wall particles.
struct CoupledView {
  CoupledBody* bodies = nullptr;         ///< (regions)
  const std::uint32_t* solid = nullptr;  ///< (wall particles) region + 1; 0: of the domain's faces
  SolidImpulses places;                  ///< where the solids' centres are

  /// nullptr: the wall particle belongs to no free body
  RIFFLE_HD const CoupledBody* of(std::int64_t b) const {
    const std::uint32_t s = solid[b];
    if (s == 0 || !bodies[s - 1].free()) return nullptr;
    return &bodies[s - 1];
  }
};

}  // namespace riffle
