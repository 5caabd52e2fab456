#pragma once
/// A sphere in the picture: which pixels it may cover, and where a pixel's ray meets it. For kernels.

#include <cmath>
#include <cstdint>

#include "core/device/atomic.h"
#include "core/math/vec.h"
#include "core/platform.h"

namespace riffle::render {

/// Camera and picture for the kernels, filled in by make_splat_frame(). Rows run upwards, as in OpenGL.
struct SplatFrame {
  int width = 0, height = 0;  ///< [pixel]
  int pitch = 0;              ///< [pixel] from one row to the next
  Vec4 eye_x, eye_y, eye_z;   ///< rows of world-to-eye; the eye looks along -z
  Vec4 cut;                   ///< particles with dot(xyz, position) > w are left out; zeros: all are shown
  float radius = 0;           ///< [m] of every sphere
  bool orthographic = false;
  float perspective = 1;           ///< 0 in an orthographic view: a factor, because a branch would prevent vectorising
  float pixel_angle = 0;           ///< of a pixel's height: tangent under perspective, [m] in an orthographic view
  float first_x = 0, first_y = 0;  ///< ray of pixel 0: x / depth under perspective, [m] in an orthographic view
  float step_x = 0, step_y = 0;    ///< from a pixel's ray to the next
  float near_depth = 0;            ///< [m]
  float depth_x = 0, depth_y = 0;  ///< window depth: x / depth, or x + y * depth in an orthographic view

  RIFFLE_INLINE float ray_x(int x) const { return first_x + static_cast<float>(x) * step_x; }
  RIFFLE_INLINE float ray_y(int y) const { return first_y + static_cast<float>(y) * step_y; }
  RIFFLE_INLINE float window_depth(float depth) const {
    return orthographic ? depth_x + depth_y * depth : depth_x / depth;
  }
};

/// A sphere in eye space. Intersections with rays use its radius as unit of length: all numbers are then of order one,
/// so that a small sphere far away keeps its precision.
struct SplatSphere {
  float x, y;    ///< of the centre [radii]
  float scale;   ///< [radii] that a ray moves in the centre's plane when its coordinate grows by 1
  float depth;   ///< of the centre [m]
  float radius;  ///< [m], at least that of a pixel
};

/// @return false for a particle that is not drawn: cut away, NaN, behind the near plane or around the eye.
/// @param wanted  its radius [m]
RIFFLE_INLINE bool place_sphere(const SplatFrame& frame, Vec4 position, float wanted, SplatSphere& sphere) {
  // Every comparison with a NaN is false, so a particle with a NaN position is not drawn.
  const Vec3 p = xyz(position);
  if (!(std::fabs(p.x) < 1e30f && std::fabs(p.y) < 1e30f && std::fabs(p.z) < 1e30f)) return false;
  if (!(dot(xyz(frame.cut), p) <= frame.cut.w)) return false;
  const float x = dot(xyz(frame.eye_x), p) + frame.eye_x.w;
  const float y = dot(xyz(frame.eye_y), p) + frame.eye_y.w;
  const float depth = -(dot(xyz(frame.eye_z), p) + frame.eye_z.w);
  // A sphere smaller than a pixel would flicker from picture to picture, so it is drawn as large as one.
  const float pixel = frame.pixel_angle * (frame.orthographic ? 1.0f : depth);
  const float radius = wanted > 0.7f * pixel ? wanted : 0.7f * pixel;
  if (frame.orthographic) {
    if (!(frame.window_depth(depth - radius) > 0 && frame.window_depth(depth) <= 1)) return false;
  } else {
    const float distance2 = x * x + y * y + depth * depth, reach = 1.001f * radius;
    if (!(distance2 > reach * reach && is_finite(distance2) && depth + radius > frame.near_depth)) return false;
  }
  const float inverse = 1 / radius;
  sphere = {x * inverse, y * inverse, frame.orthographic ? inverse : depth * inverse, depth, radius};
  return true;
}

RIFFLE_INLINE bool place_sphere(const SplatFrame& frame, Vec4 position, SplatSphere& sphere) {
  return place_sphere(frame, position, frame.radius, sphere);
}

/// An interval that includes both ends.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = -1, y1 = -1;
  RIFFLE_INLINE bool empty() const { return x1 < x0 || y1 < y0; }
  RIFFLE_INLINE std::int64_t size() const {
    return empty() ? 0 : std::int64_t{x1 - x0 + 1} * std::int64_t{y1 - y0 + 1};
  }
};

/// The rays that bound the sphere along one axis of the picture. Under perspective they are the tangents to the
/// sphere's circle in the plane of the axis and the line of sight.
struct Silhouette {
  float low, high;
};
RIFFLE_INLINE Silhouette silhouette(const SplatFrame& frame, const SplatSphere& sphere, float center) {
  if (frame.orthographic) return {(center - 1) * sphere.radius, (center + 1) * sphere.radius};
  const float z = sphere.scale, distance2 = center * center + z * z;
  // Slightly too short, which opens the tangents, so that rounding cannot cut off a pixel.
  const float tangent2 = distance2 - 1 - 1e-6f * distance2;
  if (!(tangent2 > 0)) return {-INFINITY, INFINITY};
  const float tangent = std::sqrt(tangent2);
  const float below = z * tangent + center, above = z * tangent - center;  // <= 0: turned past the eye's own plane
  return {below > 0 ? (center * tangent - z) / below : -INFINITY,
          above > 0 ? (center * tangent + z) / above : INFINITY};
}

/// Pixels first..last of `count` whose rays lie between the bounds; none if a bound is NaN.
RIFFLE_INLINE void pixels_between(Silhouette rays, float first_ray, float step, int count, int& first, int& last) {
  constexpr float margin = 1.0f / 64;  // [pixel] larger than the rounding error of a ray in the largest picture
  const float low = (rays.low - first_ray) / step - margin, high = (rays.high - first_ray) / step + margin;
  const auto end = static_cast<float>(count - 1);
  if (!(low <= end && high >= 0)) {
    first = 0, last = -1;
    return;
  }
  first = low > 0 ? static_cast<int>(std::ceil(low)) : 0;
  last = high < end ? static_cast<int>(std::floor(high)) : count - 1;
}

RIFFLE_INLINE PixelBox pixel_box(const SplatFrame& frame, const SplatSphere& sphere) {
  PixelBox box;
  pixels_between(silhouette(frame, sphere, sphere.x), frame.first_x, frame.step_x, frame.width, box.x0, box.x1);
  pixels_between(silhouette(frame, sphere, sphere.y), frame.first_y, frame.step_y, frame.height, box.y0, box.y1);
  return box;
}

/// A ray relative to a sphere; lengths in its radii.
struct RayHit {
  float offset_x, offset_y;  ///< from the centre to the ray, in the plane of the centre's depth
  float slope_x, slope_y;    ///< of the ray per unit of depth; 0 in an orthographic view
  float a, b;                ///< square of the ray's length per unit of depth; offset times slope
  float inside;              ///< 1 - (distance of the ray from the centre)^2; negative if the ray misses
  float beyond;              ///< depth of the front minus the centre's depth, if the ray hits
};
RIFFLE_INLINE RayHit meet(const SplatFrame& frame, const SplatSphere& sphere, float ray_x, float ray_y) {
  RayHit hit;
  hit.offset_x = ray_x * sphere.scale - sphere.x;
  hit.offset_y = ray_y * sphere.scale - sphere.y;
  hit.slope_x = frame.perspective * ray_x;
  hit.slope_y = frame.perspective * ray_y;
  hit.a = 1 + hit.slope_x * hit.slope_x + hit.slope_y * hit.slope_y;
  hit.b = hit.offset_x * hit.slope_x + hit.offset_y * hit.slope_y;
  const float inverse = 1 / hit.a;
  const float outside = hit.offset_x * hit.offset_x + hit.offset_y * hit.offset_y - 1;
  hit.inside = hit.b * hit.b * inverse - outside;
  const float half_chord2 = hit.inside * inverse;
  hit.beyond = -hit.b * inverse - std::sqrt(half_chord2 > 0 ? half_chord2 : 0);
  return hit;
}

/// Window depth of the sphere's front; 0 if the ray misses it or hits it outside the view's range.
RIFFLE_INLINE float front_depth(const SplatFrame& frame, const SplatSphere& sphere, const RayHit& hit) {
  const float depth = frame.window_depth(sphere.depth + sphere.radius * hit.beyond);
  return hit.inside >= 0 && depth > 0 && depth <= 1 ? depth : 0;
}

/// A pixel's record of a sphere. The smallest key is the nearest sphere, and at equal depths the smaller index. Window
/// depths are positive floats, whose bits compare as the values do; larger is nearer.
inline constexpr std::uint64_t kNoSplat = ~std::uint64_t{0};
RIFFLE_INLINE std::uint64_t splat_key(float window_depth, std::uint32_t index) {
  return std::uint64_t{~float_bits(window_depth)} << 32 | index;
}
/// A sphere whose window depths are multiplied by this is behind all whose are not: a pixel shows it if nothing else is
/// there. A power of two, so that dividing by it gives the depth back.
inline constexpr float kSplatBehindAll = 0x1p-60f;
RIFFLE_INLINE float splat_depth(std::uint64_t key) { return float_from_bits(~static_cast<std::uint32_t>(key >> 32)); }
RIFFLE_INLINE std::uint32_t splat_index(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

/// A lower bound on the sphere's keys. It moves the nearest point nearer by more than the rounding error of a depth:
/// with a bound that is too far, the result would depend on the order of threads.
RIFFLE_INLINE std::uint64_t least_key(const SplatFrame& frame, const SplatSphere& sphere, float layer) {
  const float margin = 1e-5f * (std::fabs(sphere.depth) + sphere.radius);
  const float nearest = sphere.depth - sphere.radius - margin;
  float depth = 1;
  if (frame.orthographic) {
    depth = frame.window_depth(nearest) + 1e-6f;
  } else if (nearest > frame.near_depth) {
    depth = frame.window_depth(nearest);
  }
  return splat_key(layer * (depth < 1 ? depth : 1.0f), 0);
}

}  // namespace riffle::render
