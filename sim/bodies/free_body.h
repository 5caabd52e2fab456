#pragma once
/// A solid that forces move: what a scene says of it, and where it is.

#include "core/math/vec.h"

namespace riffle {

/// Of a solid region. In 2-D masses are per metre of depth, and the body turns about z alone.
struct FreeBodySetup {
  bool given = false;       ///< otherwise the solid stands still or is driven, whatever stands below
  float density = 0;        ///< [kg/m^3]; with DPD [m/r_c^3]; 0: `mass` is given
  float mass = 0;           ///< [kg]; 0: `density` is given
  Vec3 velocity{};          ///< [m/s] of the centre of mass at the start
  Vec3 angular_velocity{};  ///< [rad/s] at the start
  Vec3 force{};             ///< [N], in 2-D per metre of depth: acts on the centre of mass all the time

  friend bool operator==(const FreeBodySetup&, const FreeBodySetup&) = default;
};

/// How solids meet each other. The domain's walled faces are as `ContactSetup{}` says.
struct ContactSetup {
  float friction = 0.4f;  ///< Coulomb's coefficient; of two solids that meet the geometric mean counts
  float restitution =
      0;  ///< speed apart after a bounce over the speed together before, 0 to 1; the larger of two counts

  friend bool operator==(const ContactSetup&, const ContactSetup&) = default;
};

/// What does not change while a body moves. Along the axes of the scene, with the body where the scene puts it.
struct BodyMass {
  double mass = 0;               ///< [kg]; in 2-D [kg/m]
  double volume = 0;             ///< [m^d]
  double center[3] = {0, 0, 0};  ///< [m] of mass
  double inertia[9] = {};        ///< [kg m^2] about that centre, rows; in 2-D only zz counts
  double inverse[9] = {};        ///< of the inertia; in 2-D only zz is not 0
};

/// Where a body is and how fast.
struct BodyState {
  double center[3] = {0, 0, 0};    ///< [m] of mass
  double turn[4] = {1, 0, 0, 0};   ///< w, x, y, z: unit quaternion from where the scene puts the body to where it is
  double velocity[3] = {0, 0, 0};  ///< [m/s] of the centre of mass
  double spin[3] = {0, 0, 0};      ///< [rad/s] angular velocity, along the scene's axes

  friend bool operator==(const BodyState&, const BodyState&) = default;
};

}  // namespace riffle
