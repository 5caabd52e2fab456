#pragma once
/// What the fluid does to solids in a step: sums over wall particles and contacts, for kernels.
///
/// Sums are integers, so that they do not depend on the order of the additions: a run on a GPU has the same forces each
/// time as long as the particles have.

#include <cmath>
#include <cstdint>

#include "core/device/atomic.h"
#include "core/math/periodic.h"
#include "core/math/vec.h"
#include "sim/setup.h"

namespace riffle {

/// The wall particles whose forces are measured, and the fluid particles that contribute: those of another device do there.
struct MeasuredSolids {
  const std::uint32_t* solid = nullptr;  ///< (wall particles) 0: of the domain's faces; nullptr: all are
  bool faces = false;
  const std::uint32_t* foreign = nullptr;  ///< (fluid particles) flags; nullptr: none is foreign

  RIFFLE_HD bool has(int b) const { return faces || (solid != nullptr && solid[b] != 0); }
  RIFFLE_HD bool counts(int j) const { return foreign == nullptr || foreign[j] == 0; }
};

/// Impulses that a step measures after its free bodies have taken theirs (sim/bodies/free_bodies.h).
struct UntakenImpulses {
  std::uint64_t* taken = nullptr;  ///< (sums, 6) of this step, in units; nullptr: there is no free body
  double* left = nullptr;          ///< (sums, 6) [N s, N m s]
  std::int64_t count = 0;          ///< of sums: the domain's faces together, then the solids
};

/// The sums are of the solids, then of the domain's faces: 2 axis + (1 for the upper one).
struct SolidImpulses {
  std::uint64_t* sums = nullptr;  ///< (sums, 6) impulse, then angular impulse, in units; nullptr: nothing is summed
  const Vec3* center = nullptr;   ///< (sums) [m] about which the angular impulse is
  const Vec3* period = nullptr;   ///< (sums) [m] 0 along axes on which the solid has no images
  double per_unit = 0;            ///< units in 1 N s
  double per_angular_unit = 0;    ///< units in 1 N m s
  const std::uint32_t* fluid = nullptr;  ///< of particles
  int fluids = 1;
  bool faces = false;            ///< whether what the domain's faces get is summed too
  std::uint32_t first_face = 0;  ///< index of the first face's sum
  float mass[kMaxFluids] = {};   ///< of a particle [kg]

  RIFFLE_HD void add(std::uint32_t sum, const double (&impulse)[6]) const {
    for (int k = 0; k < 6; ++k) {
      const double units = impulse[k] * (k < 3 ? per_unit : per_angular_unit);
      if (units != 0)
        atomic_add(&sums[6 * std::size_t{sum} + k], static_cast<std::uint64_t>(static_cast<std::int64_t>(rint(units))));
    }
  }

  /// [N s], or of k >= 3 [N m s], of a sum or a difference of sums.
  RIFFLE_HD double part(std::uint64_t units, int k) const {
    return static_cast<double>(static_cast<std::int64_t>(units)) / (k < 3 ? per_unit : per_angular_unit);
  }

  /// From the centre of the solid's nearest image to x.
  RIFFLE_HD Vec3 from_center(std::uint32_t sum, Vec3 x) const {
    return image_near(x, center[sum], period[sum]) - center[sum];
  }

  /// An impulse p [N s] at x.
  RIFFLE_HD void add_at(std::uint32_t sum, Vec3 x, Vec3 p) const {
    const Vec3 r = from_center(sum, x);
    add(sum, {double{p.x}, double{p.y}, double{p.z}, double{r.y} * p.z - double{r.z} * p.y,
              double{r.z} * p.x - double{r.x} * p.z, double{r.x} * p.y - double{r.y} * p.x});
  }

  /// Fluid particle i at x changed its velocity by dv because of the solid.
  RIFFLE_HD void add_contact(std::uint32_t solid, std::int64_t i, Vec3 x, Vec3 dv) const {
    if (sums == nullptr || dv == Vec3{0, 0, 0}) return;
    add_at(solid, x, -mass[fluids == 1 ? 0 : fluid[i]] * dv);
  }

  /// The same because of one of the domain's faces, 2 axis + (1 for the upper one).
  RIFFLE_HD void add_to_face(std::uint32_t face, std::int64_t i, Vec3 x, Vec3 dv) const {
    if (sums == nullptr || !faces || dv == Vec3{0, 0, 0}) return;
    add_at(first_face + face, x, -mass[fluids == 1 ? 0 : fluid[i]] * dv);
  }

  /// The same because of the domain's faces, none of which drags. Each pushes away from itself: along an axis the sign says which one did.
  RIFFLE_HD void add_face_contact(std::int64_t i, Vec3 x, Vec3 dv) const {
    if (sums == nullptr || !faces || dv == Vec3{0, 0, 0}) return;
    const Vec3 p = -mass[fluids == 1 ? 0 : fluid[i]] * dv;
    if (p.x != 0) add_at(first_face + (p.x < 0 ? 0 : 1), x, {p.x, 0, 0});
    if (p.y != 0) add_at(first_face + (p.y < 0 ? 2 : 3), x, {0, p.y, 0});
    if (p.z != 0) add_at(first_face + (p.z < 0 ? 4 : 5), x, {0, 0, p.z});
  }
};

}  // namespace riffle
