// What particles of the fluid look add up, so that a mean over them has a colour that the legend has too.
//
// Of fluids' own colours a sum has the optical depth after one absorption length: the mean is what light has that passes through
// both. A mean of the colours themselves would be lilac where blue meets orange, though no light there is.
// Of a colour map a sum has the places on the map, and how many of the values are numbers: a mean of the map's colours is none of
// them where the ends of the map meet.

uniform bool mixes_absorption;  // the colours are the fluids' own

const float kDarkest = 0.012;  // linear

#ifdef PARTICLES
vec3 paint_of(float value) {
  if (mixes_absorption) return -log(max(color_of(value), vec3(kDarkest)));
  return is_number(value) ? vec3(place_on_map(value), 1.0, 0.0) : vec3(0.0);
}
#else
#include "color_map.glsl"

// sum: of weighted paint, and of the weights, which is above 0. Linear.
vec3 color_of_paint(vec4 sum) {
  if (mixes_absorption) return exp(-sum.rgb / sum.a);
  return mix(kNoNumber, map_color(sum.r / max(sum.g, 1e-6 * sum.a)), clamp(sum.g / sum.a, 0.0, 1.0));
}

vec3 absorption_of_paint(vec4 sum) {
  return mixes_absorption ? sum.rgb / sum.a : -log(max(color_of_paint(sum), vec3(kDarkest)));
}
#endif
