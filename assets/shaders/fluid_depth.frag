#version 450 core
// Eye depth of the spheres that form the fluid's surface.

#include "sphere.glsl"

in vec2 offset;
flat in vec4 depth_plane;
flat in float inverse_distance;
#if LAYERS
flat in float layer;
#endif

uniform vec2 depth_transform;
uniform bool orthographic;

layout(location = 0) out float eye_depth;
layout(depth_less) out float gl_FragDepth;

void main() {
  float sw = ray_distance2(offset, inverse_distance);
  if (sw > 1.0) discard;
  eye_depth = dot(depth_plane.xyz, ray_normal(offset, inverse_distance, sqrt(1.0 - sw))) + depth_plane.w;
  gl_FragDepth = orthographic ? depth_transform.x + depth_transform.y * eye_depth : depth_transform.x / eye_depth;
#if LAYERS
  gl_FragDepth *= layer;
#endif
}
