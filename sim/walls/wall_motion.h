#pragma once
/// How the wall particles of a Boundary move, for kernels.

#include <cstdint>

#include "core/math/vec.h"
#include "sim/walls/solid.h"

namespace riffle {

/// Arrays of wall particles, in their search's order.
struct WallMotion {
  const Vec4* velocity = nullptr;  ///< [m/s]; nullptr: the walls are at rest
  const std::uint32_t* solid = nullptr;
  const SolidMotion* motion = nullptr;  ///< of the solids; nullptr: none of them turns
  const float* bend = nullptr;          ///< sim/walls/surface_bend.h; nullptr: all surfaces are flat

  RIFFLE_HD Vec3 at(int b) const { return velocity != nullptr ? xyz(velocity[b]) : Vec3{0, 0, 0}; }

  /// By how much the solid of wall particle b moves faster at b + away than at b [m/s].
  RIFFLE_HD Vec3 turning(int b, Vec3 away) const {
    return motion != nullptr ? cross(motion[solid[b]].placement.motion.angular_velocity, away) : Vec3{0, 0, 0};
  }

  /// The velocity that viscosity gives wall particle b, so that the fluid at the surface has the solid's [m/s]. The solid's
  /// velocity at b minus it is the mean relative velocity of the fluid and the solid that goes on in its place (Adami, Hu and
  /// Adams 2012, eq. 23), times 1 + bend.
  /// @param mean  velocity of the fluid around b [m/s]
  /// @param away  the mean way from b to that fluid [m]
  RIFFLE_HD Vec3 mirrored(int b, Vec3 mean, Vec3 away) const {
    const Vec3 v = at(b), relative = v + turning(b, away) - mean;
    return v + (bend != nullptr ? 1 + bend[b] : 1) * relative;
  }
};

}  // namespace riffle
