// The particles, their colours, and which of them are shown.

layout(std430, binding = 0) readonly buffer Particles { vec4 particle[]; };  // x, y, z [m], colour value

uniform vec4 cut_plane;    // shows dot(xyz, center) <= w
uniform vec2 value_range;  // of the colour map's ends: (minimum, 1 / extent)
uniform int palette_size;  // 0: colour map
uniform vec3 palette[8];   // sRGB

#include "color_map.glsl"

const vec2 kCorners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));

// Every comparison with a NaN is false, so a particle with a NaN position is not shown.
bool shown(vec3 center) {
  return all(lessThan(abs(center), vec3(1e30))) && dot(cut_plane.xyz, center) <= cut_plane.w;
}

// Tests the bits, because the compiler may invert a comparison.
bool is_number(float value) { return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u; }

float place_on_map(float value) { return clamp((value - value_range.x) * value_range.y, 0.0, 1.0); }

vec3 color_of(float value) {
  if (!is_number(value)) return kNoNumber;
  if (palette_size == 0) return map_color(place_on_map(value));
  vec3 srgb = palette[clamp(int(value + 0.5), 0, palette_size - 1)];
  return srgb * srgb;
}
