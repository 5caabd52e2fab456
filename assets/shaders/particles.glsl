// The particles, their colours, and which of them are shown.

layout(std430, binding = 0) readonly buffer Particles { vec4 particle[]; };  // x, y, z [m], colour value

uniform vec4 cut_plane;    // shows dot(xyz, center) <= w
uniform vec2 value_range;  // of the colour map's ends: (minimum, 1 / extent)
uniform int palette_size;  // 0: colour map
uniform vec3 palette[8];   // sRGB
uniform sampler2D color_map;  // one row

const vec2 kCorners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1), vec2(-1, 1));

// Every comparison with a NaN is false, so a particle with a NaN position is not shown.
bool shown(vec3 center) {
  return all(lessThan(abs(center), vec3(1e30))) && dot(cut_plane.xyz, center) <= cut_plane.w;
}

// Linear, with a gamma of 2: close enough to sRGB, and it costs one multiplication.
vec3 color_of(float value) {
  vec3 srgb;
  // Not a number: a grey that no map has. Tests the bits, because the compiler may invert a comparison.
  if ((floatBitsToUint(value) & 0x7f800000u) == 0x7f800000u) {
    srgb = vec3(0.45);
  } else if (palette_size > 0) {
    srgb = palette[clamp(int(value + 0.5), 0, palette_size - 1)];
  } else {
    float t = clamp((value - value_range.x) * value_range.y, 0.0, 1.0);
    float texels = float(textureSize(color_map, 0).x);
    srgb = textureLod(color_map, vec2((t * (texels - 1.0) + 0.5) / texels, 0.5), 0.0).rgb;
  }
  return srgb * srgb;
}
