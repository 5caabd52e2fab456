#pragma once
/// The discs over which particles of the fluid look are spread, and the size of drops. For kernels; computes the same
/// as assets/shaders/fluid_particle.vert.

#include <cmath>

#include "core/math/vec.h"
#include "core/platform.h"
#include "render/particles/splat_geometry.h"

namespace riffle::render {

RIFFLE_INLINE float smooth_step(float low, float high, float x) {
  const float t = (x - low) / (high - low);
  const float inside = t > 0 ? (t < 1 ? t : 1.0f) : 0.0f;
  return inside * inside * (3 - 2 * inside);
}

/// A disc through the centre of a particle, facing the eye.
struct Disc {
  SplatSphere sphere;  ///< sphere of the disc's radius, which contains the disc
  /// Square of the distance from the eye to the centre [radii^2]; in an orthographic view what disc_offset2() needs.
  float distance2;
  float farthest_ray;  ///< a ray with a larger denominator meets the disc's plane before the near plane
};

/// @param frame has the discs' radius; a disc smaller than a pixel is drawn as large as one
/// @return false for a particle that is not drawn
RIFFLE_INLINE bool place_disc(const SplatFrame& frame, Vec4 position, Disc& disc) {
  SplatSphere& s = disc.sphere;
  if (!place_sphere(frame, position, s)) return false;
  if (frame.orthographic) {
    disc.distance2 = s.scale * s.scale;
    disc.farthest_ray = INFINITY;
    return frame.window_depth(s.depth) >= 0;
  }
  disc.distance2 = s.x * s.x + s.y * s.y + s.scale * s.scale;
  disc.farthest_ray = disc.distance2 * s.radius / frame.near_depth;
  return s.depth > 0;
}

/// Squared distance from the disc's centre to the place where a ray goes through [radii^2]; 1 or more outside the disc.
RIFFLE_INLINE float disc_offset2(const SplatFrame& frame, const Disc& disc, float ray_x, float ray_y) {
  // With o from the centre to the ray at the centre's depth and d the ray, |c x d| = |o x d|.
  const float o_x = ray_x * disc.sphere.scale - disc.sphere.x, o_y = ray_y * disc.sphere.scale - disc.sphere.y;
  const float d_x = frame.perspective * ray_x, d_y = frame.perspective * ray_y;
  const float a = 1 + d_x * d_x + d_y * d_y, b = o_x * d_x + o_y * d_y;
  const float along = disc.sphere.scale * a - b;  // c . d [radii]
  const float offset2 = disc.distance2 * ((o_x * o_x + o_y * o_y) * a - b * b) / (along * along);
  return along > 0 && along <= disc.farthest_ray ? offset2 : 1.0f;
}

/// The summed thickness of the fluid, and what follows from it for a particle.
struct SpreadThickness {
  SplatFrame frame;      ///< of `sums`
  const Vec4* sums;      ///< w: [particle spacings]
  float lone_thickness;  ///< [particle spacings] of a lone particle

  /// 0..1: how little other fluid there is along this particle's ray. A drop in front of more fluid is not found.
  RIFFLE_INLINE float aloneness(Vec4 position) const {
    const Vec3 p = xyz(position);
    const float x = dot(xyz(frame.eye_x), p) + frame.eye_x.w, y = dot(xyz(frame.eye_y), p) + frame.eye_y.w;
    const float depth = frame.orthographic ? 1.0f : -(dot(xyz(frame.eye_z), p) + frame.eye_z.w);
    const float at_x = (x / depth - frame.first_x) / frame.step_x, at_y = (y / depth - frame.first_y) / frame.step_y;
    return 1 - smooth_step(1.5f * lone_thickness, 3 * lone_thickness, at(at_x, at_y));
  }

  /// Thickness [particle spacings], interpolated between the middles of pixels; beyond the edge the edge's value.
  /// @param x,y [pixel], 0 in the middle of the first
  RIFFLE_INLINE float at(float x, float y) const {
    const Between column = between(x, frame.width), row = between(y, frame.height);
    const Vec4* low = sums + std::int64_t{row.low} * frame.pitch;
    const Vec4* high = sums + std::int64_t{row.high} * frame.pitch;
    const float below = low[column.low].w + column.t * (low[column.high].w - low[column.low].w);
    const float above = high[column.low].w + column.t * (high[column.high].w - high[column.low].w);
    return below + row.t * (above - below);
  }

 private:
  struct Between {
    int low, high;
    float t;
  };
  static RIFFLE_INLINE Between between(float x, int count) {
    const auto last = static_cast<float>(count - 1);
    const float inside = x > 0 ? (x < last ? x : last) : 0.0f;  // 0 for a NaN too
    const int low = static_cast<int>(inside);
    return {low, low + 1 < count ? low + 1 : low, inside - static_cast<float>(low)};
  }
};

/// Radius of a particle's sphere: a drop that left the fluid is drawn with about its own volume; spheres in the fluid
/// must overlap.
struct DropSize {
  float radius;  ///< [m] in the fluid
  SpreadThickness thickness;
  const float* layers = nullptr;  ///< (count) factor of window depths for each particle; nullptr: 1
  RIFFLE_INLINE float layer(std::int64_t i) const { return layers ? layers[i] : 1.0f; }
  RIFFLE_INLINE float operator()(Vec4 position) const { return radius * (1 - 0.4f * thickness.aloneness(position)); }
};

}  // namespace riffle::render
