#pragma once
/// A solid: sites at its surface, sampled in a frame of its own, and where that frame is and how it moves. Lengths in
/// metres, times in seconds. Two sites are at one place if their placed coordinates are equal as floats.

#include <cmath>
#include <memory>
#include <vector>

#include "core/math/domain.h"
#include "core/math/vec.h"
#include "neighbors/separation.h"

namespace riffle {

/// Sites of one lattice that continues through the surface, which lies half a step from the sites on both sides.
struct SolidSamples {
  /// The wall particles: as many layers as fill the support radius of a particle in front. w: the bend (sim/walls/surface_bend.h).
  std::vector<Vec4> wall;
  std::vector<Vec4> behind;  ///< as many layers beyond those
  std::vector<Vec4> front;   ///< as many layers in front of the surface: where fluid at rest would be
  static constexpr std::size_t kBytesPerParticle = 3 * sizeof(Vec4);  ///< of the wall's, about
};

/// Rows of an orthonormal matrix of determinant 1.
struct Rotation {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  friend bool operator==(const Rotation&, const Rotation&) = default;
};

/// Counterclockwise by `angle` [rad] for an observer whom the axis points at.
/// axis: of any length above 0
Rotation rotation_about(Vec3 axis, double angle);

/// From the frame of the samples to that of the domain: first turned, then moved.
struct Pose {
  Rotation rotation;
  Vec3 translation;
  friend bool operator==(const Pose&, const Pose&) = default;
};

/// A rigid motion: v(x) = velocity + angular_velocity x (x - center).
struct Motion {
  Vec3 velocity;          ///< [m/s] of the centre
  Vec3 angular_velocity;  ///< [1/s]
  Vec3 center;            ///< [m] in the domain's frame
  friend bool operator==(const Motion&, const Motion&) = default;
};

struct Placement {
  Pose pose;
  Motion motion;
  friend bool operator==(const Placement&, const Placement&) = default;
};

/// Velocities of a box's faces along themselves, beyond the motion of the solid that they belong to. The faces drag the
/// fluid like belts and stay where they are.
struct FaceVelocities {
  Domain box;                ///< in the frame of the samples; its walled faces
  Vec3 velocity[3][2] = {};  ///< [m/s] of the lower and the upper face of each axis, in the same frame

  /// Behind a face its velocity; in corners, which lie behind several faces, their mean.
  RIFFLE_HD Vec3 at(Vec3 x) const {
    Vec3 sum{0, 0, 0};
    int faces = 0;
    for (int a = 0; a < box.dimension; ++a) {
      if (box.axis[a] != Axis::Walled) continue;
      const float position = component(x, a);
      if (position < component(box.min, a)) {
        sum += velocity[a][0];
        ++faces;
      } else if (position > component(box.max, a)) {
        sum += velocity[a][1];
        ++faces;
      }
    }
    return faces > 1 ? (1.0f / static_cast<float>(faces)) * sum : sum;
  }

  /// Whether a walled face has a velocity.
  bool any() const {
    for (int a = 0; a < 3; ++a)
      for (const Vec3& v : velocity[a])
        if (box.walled(a) && !(v == Vec3{})) return true;
    return false;
  }
};

/// What the velocities of a solid depend on besides the place, for kernels.
struct SolidMotion {
  Placement placement;
  FaceVelocities belts;
};

struct Solid {
  std::shared_ptr<const SolidSamples> samples;  ///< not nullptr
  Placement placement;
  FaceVelocities belts;
  int group = -1;  ///< from 0: weighed together with those of the group, whose samples leave each other's places out
  bool driven = false;  ///< steps place it; its sites are particles of their own wherever they are

  bool moves() const {
    return driven || !(placement.motion.velocity == Vec3{} && placement.motion.angular_velocity == Vec3{}) ||
           belts.any();
  }
};

std::vector<Placement> placements_of(const std::vector<Solid>& solids);

/// @throws InputError naming the solid, for a value that is not finite or a rotation that is none; in 2-D also for one
/// that leaves the plane.
void check_placement(const Placement& placement, int dimension, std::size_t solid);

/// Each operation is rounded once, so that all devices get the same bits. A quarter turn is exact.
RIFFLE_INLINE Vec3 turned(const Rotation& rotation, Vec3 x, Vec3 offset = {0, 0, 0}) {
  const auto row = [&](Vec3 r, float start) {
    return fused_multiply_add(r.z, x.z, fused_multiply_add(r.y, x.y, fused_multiply_add(r.x, x.x, start)));
  };
  return {row(rotation.x, offset.x), row(rotation.y, offset.y), row(rotation.z, offset.z)};
}

RIFFLE_INLINE Vec3 placed(const Pose& pose, Vec3 x) { return turned(pose.rotation, x, pose.translation); }

/// From the frame of the domain to that of the samples.
RIFFLE_INLINE Vec3 turned_back(const Rotation& rotation, Vec3 x) {
  return x.x * rotation.x + x.y * rotation.y + x.z * rotation.z;
}
RIFFLE_INLINE Vec3 placed_back(const Pose& pose, Vec3 x) { return turned_back(pose.rotation, x - pose.translation); }

RIFFLE_INLINE Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// x: in the domain's frame
RIFFLE_INLINE Vec3 velocity_at(const Motion& motion, Vec3 x) {
  return motion.velocity + cross(motion.angular_velocity, x - motion.center);
}

}  // namespace riffle
