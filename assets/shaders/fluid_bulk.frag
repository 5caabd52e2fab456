#version 450 core
// Tells a body of fluid from drops: how much of a pixel's surroundings belongs to the same surface. What lies behind a
// drop has no say, so a drop in front of water is found as well as one in front of nothing, and a thin sheet is a body.

in vec2 position;

uniform vec2 shares;  // shares of the surroundings at which a body begins and is complete

layout(location = 0) out float bulk;  // 0: a drop alone, 1: a body

#include "fluid_around.glsl"

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float middle = texelFetch(depth, at, 0).r;
  bulk = 0.0;
  if (middle <= 0.0) return;
  vec3 places = places_around(at, middle);
  bulk = smoothstep(shares.x, shares.y, places.y / max(places.x, 1.0));
}
