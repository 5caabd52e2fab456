#version 450 core
// How much fluid there is along the ray, and how much light it absorbs. Each particle spreads its volume over a disc
// with a smooth edge, so that the mean thickness is exact and no outline of a particle shows.

in vec2 offset;
flat in float eye_depth;
flat in vec3 color;
flat in float enlarged;

uniform float weight;  // [particle spacings] of thickness at the disc's middle
uniform float core;    // radius at which a lone particle reaches 1/2 (2-D), in the disc's radii; 0: nowhere

// Optical depth at one absorption length of thickness per spacing, and thickness [particle spacings]. The sums stay in
// the hundreds, where half precision can still add ones.
layout(location = 0) out vec4 sum;

void main() {
  float d2 = dot(offset, offset);
  if (d2 > 1.0) discard;
  float t = weight * enlarged * (1.0 - d2) * (1.0 - d2);
  if (core > 0.0) t += 0.5 * (1.0 - smoothstep(0.8 * core, 1.2 * core, sqrt(d2)));
  sum = vec4(-log(max(color, vec3(0.012))) * t, t);
}
