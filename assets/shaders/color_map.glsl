// The colour map. Colours are linear, with a gamma of 2: close enough to sRGB, and it costs one multiplication.

uniform sampler2D color_map;  // sRGB, one row

const vec3 kNoNumber = vec3(0.45 * 0.45);  // a grey that no map has

// t: 0..1 along the map
vec3 map_color(float t) {
  float texels = float(textureSize(color_map, 0).x);
  vec3 srgb = textureLod(color_map, vec2((t * (texels - 1.0) + 0.5) / texels, 0.5), 0.0).rgb;
  return srgb * srgb;
}
