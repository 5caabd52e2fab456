#version 450 core
// A corner of a solid's triangle, seen along the light, for the shadow on the floor.

#include "solids.glsl"

uniform mat4 to_shadow;  // world to 0..1

void main() {
  vec2 at = (to_shadow * vec4(corner[gl_VertexID].at.xyz, 1.0)).xy;
  gl_Position = vec4(2.0 * at - 1.0, 0.5, 1.0);
}
