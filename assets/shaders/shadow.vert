#version 450 core
// One small square per particle, seen along the light, for the shadow on the floor.

#include "particles.glsl"

uniform mat4 to_shadow;  // world to 0..1
uniform vec2 half_size;  // of a square, in 0..1
uniform bool colored;    // the light that passes has the fluid's colour

out vec2 offset;
flat out vec3 optical_depth;

void main() {
  vec4 p = particle[gl_VertexID / 6];
  offset = kCorners[gl_VertexID % 6];
  vec2 at = (to_shadow * vec4(p.xyz, 1.0)).xy;
  gl_Position = shown(p.xyz) ? vec4(2.0 * (at + offset * half_size) - 1.0, 0.5, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  optical_depth = colored ? -log(max(color_of(p.w), vec3(0.02))) : vec3(1.0);
}
