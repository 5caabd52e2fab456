#pragma once
/// The light of assets/shaders/sphere.frag for kernels, with the same constants: a picture must not change its look
/// with the number of particles.

#include <cmath>
#include <cstdint>

#include "render/color_map.h"
#include "render/particles/splat.h"
#include "render/particles/splat_geometry.h"

namespace riffle::render {

RIFFLE_INLINE float at_least(float least, float x) { return x > least ? x : least; }
RIFFLE_INLINE float clamp01(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

/// Whether a colour value is a number, and finite.
RIFFLE_INLINE bool is_number(float value) { return std::fabs(value) < 3e38f; }

/// 0..1 along the colour map
RIFFLE_INLINE float place_on_map(const SplatLook& look, float value) {
  return clamp01((value - look.least) * look.inverse_extent);
}

/// Converts a particle's colour value to sRGB.
RIFFLE_INLINE Vec3 splat_color(const SplatLook& look, float value) {
  if (!is_number(value)) return {0.45f, 0.45f, 0.45f};  // a grey that no map has
  if (look.palette_size > 0) {
    const auto last = static_cast<float>(look.palette_size - 1);
    const float entry = value + 0.5f > 0 ? value + 0.5f : 0.0f;
    return look.palette[static_cast<int>(entry < last ? entry : last)];
  }
  const float at = place_on_map(look, value) * (kColorMapSize - 1);
  const int below = at < kColorMapSize - 2 ? static_cast<int>(at) : kColorMapSize - 2;
  const float t = at - static_cast<float>(below);
  const Vec3 a = xyz(look.color_map[below]), b = xyz(look.color_map[below + 1]);
  return a + t * (b - a);
}

/// 0..1 to a byte. Goes through an int, because AVX2 cannot convert to an unsigned one and would not vectorise the
/// loop.
RIFFLE_INLINE std::uint32_t to_byte(float x) {
  return static_cast<std::uint32_t>(static_cast<int>(255 * clamp01(x) + 0.5f));
}

/// sphere.frag's edge_code as a byte.
RIFFLE_INLINE std::uint32_t edge_byte(const SplatFrame& frame, const SplatSphere& sphere, const RayHit& hit) {
  const float distance2 = 1 - hit.inside;
  // distance^2 = |offset|^2 - b^2 / a, along x and along y
  const float move_x = frame.step_x * sphere.scale, move_y = frame.step_y * sphere.scale;
  const float turn_x = frame.perspective * frame.step_x, turn_y = frame.perspective * frame.step_y;
  const float c = hit.b / hit.a;
  const float slope_x =
      2 * (hit.offset_x * move_x - c * (move_x * hit.slope_x + hit.offset_x * turn_x) + c * c * hit.slope_x * turn_x);
  const float slope_y =
      2 * (hit.offset_y * move_y - c * (move_y * hit.slope_y + hit.offset_y * turn_y) + c * c * hit.slope_y * turn_y);
  const float steep_x = std::fabs(slope_x), steep_y = std::fabs(slope_y);
  const float from_center = std::sqrt(at_least(0, distance2));
  const float to_edge = (1 - from_center) * 2 * from_center / at_least(1e-20f, steep_x > steep_y ? steep_x : steep_y);
  const int direction = steep_x > steep_y ? (slope_x > 0 ? 0 : 1) : (slope_y > 0 ? 2 : 3);
  const bool near = to_edge <= 1 && distance2 > 0;
  return static_cast<std::uint32_t>(near ? 63 * direction + static_cast<int>(62 * clamp01(to_edge) + 0.5f) : 255);
}

/// A pixel's colour, with the distance to the silhouette in alpha.
/// @param srgb  the particle's colour
RIFFLE_INLINE std::uint32_t lit_pixel(const SplatFrame& frame, const SplatLook& look, const SplatSphere& sphere,
                                      Vec3 srgb, float ray_x, float ray_y) {
  const RayHit hit = meet(frame, sphere, ray_x, ray_y);
  const float facing = std::sqrt(hit.inside > 0 ? hit.inside : 0);  // cosine between normal and the ray back to the eye
  const Vec3 normal{hit.offset_x + hit.beyond * hit.slope_x, hit.offset_y + hit.beyond * hit.slope_y, -hit.beyond};
  const Vec3 back{-frame.perspective * sphere.x, -frame.perspective * sphere.y,
                  sphere.scale};  // from the centre to the eye
  const float key_ahead = dot(back, look.key_light) / std::sqrt(length2(back));

  const float key = dot(normal, look.key_light);
  const float wrapped = at_least(0, 0.8f * key + 0.2f);
  const float hemisphere = 0.5f + 0.5f * dot(normal, look.sky);
  const Vec3 low{0.13f, 0.13f, 0.15f}, high{0.36f, 0.39f, 0.44f};
  const Vec3 incoming = wrapped * Vec3{0.86f, 0.84f, 0.80f} + low + hemisphere * (high - low);
  const float half_way = at_least(0, (key + facing) / std::sqrt(at_least(1e-12f, 2 + 2 * key_ahead)));
  const float h2 = half_way * half_way, h4 = h2 * h2, h8 = h4 * h4, h16 = h8 * h8;
  const float specular = 0.16f * h16 * h16 * h8;
  const float rim = 1 - facing, rim4 = rim * rim * rim * rim;
  const float shown = 1 - 0.42f * rim4;
  const float red = srgb.x * srgb.x * incoming.x * shown + specular;
  const float green = srgb.y * srgb.y * incoming.y * shown + specular;
  const float blue = srgb.z * srgb.z * incoming.z * shown + specular;
  return to_byte(std::sqrt(red)) | to_byte(std::sqrt(green)) << 8 | to_byte(std::sqrt(blue)) << 16 |
         edge_byte(frame, sphere, hit) << 24;
}

}  // namespace riffle::render
