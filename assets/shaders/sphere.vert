#version 450 core
// One square per particle, pulled from the particle buffer: six vertices each, no vertex attributes.

#include "particles.glsl"
#include "sphere.glsl"

uniform mat4 view;
uniform mat4 projection;
uniform float sphere_radius;    // [m]
uniform bool orthographic;
uniform float pixel_angle;      // height of a pixel: tan(angle) under perspective, [m] in an orthographic view
uniform vec3 key_light;         // view space, towards the light
uniform vec3 sky;               // view space, up in the world

#if HIGHLIGHTS
layout(std430, binding = 2) readonly buffer Highlights { vec4 highlight[]; };  // linear colour, scale of the radius
#endif

out vec2 offset;                // from the centre in its plane, in radii
flat out vec3 color;            // linear
flat out vec3 local_key;
flat out vec3 local_sky;
flat out vec4 depth_plane;      // (dot with the local normal) + w is the eye depth [m]
flat out float inverse_distance;  // radii per distance of the eye; 0 in an orthographic view

void main() {
  vec4 p = particle[gl_VertexID / 6];
  vec2 corner = kCorners[gl_VertexID % 6];
  vec3 center = (view * vec4(p.xyz, 1.0)).xyz;
  // A sphere smaller than a pixel would flicker from picture to picture, so it is drawn as large as one.
  float pixel = pixel_angle * (orthographic ? 1.0 : -center.z);  // [m]
#if HIGHLIGHTS
  vec4 own = highlight[gl_VertexID / 6];
  float radius = max(sphere_radius * own.w, 0.7 * pixel);
  color = own.rgb;
#else
  float radius = max(sphere_radius, 0.7 * pixel);
  color = color_of(p.w);
#endif
  // A sphere around the eye is not drawn either.
  if (!shown(p.xyz) || !(orthographic || length(center) > 1.001 * radius)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    offset = vec2(2.0);
    local_key = local_sky = vec3(0.0);
    depth_plane = vec4(0.0);
    inverse_distance = 0.0;
    return;
  }

  Square square = square_at(center, radius, orthographic);
  offset = square_offset(square, corner);
  inverse_distance = square.k;
  gl_Position = projection * vec4(square_corner(square, center, radius, offset), 1.0);
  mat3 to_local = transpose(mat3(square.right, square.up, square.back));
  local_key = to_local * key_light;
  local_sky = to_local * sky;
  depth_plane = depth_plane_of(square, center, radius);
}
