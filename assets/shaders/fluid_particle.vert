#version 450 core
// One square per particle for the passes of the fluid look. With SPHERE it is the square in which a sphere is traced.
// With LAYERS in addition, drops in front of other fluid lie behind everything: a pixel shows them if it has nothing else.
// Otherwise it holds a disc through the centre that faces the eye; the particle's volume is spread over the disc.

#include "particles.glsl"
#if !SPHERE
#define PARTICLES
#include "paint.glsl"
#endif
#include "sphere.glsl"

uniform mat4 view;
uniform mat4 projection;
#if LAYERS
uniform vec2 drop_shares;     // a drop has less of its own around it than x, and more behind it than y
uniform float behind_all;     // factor of window depths
flat out float layer;         // it, or 1

#include "fluid_around.glsl"
#else
uniform bool orthographic;
#endif
#ifdef FLAT
uniform vec4 walls;           // of the box: least x and y, most x and y beyond which a particle is no part of the fluid in it
flat out float stray;         // 1: it is beyond
#if SURFACE
flat out float lone;          // 0..1: how little other fluid there is around it
#endif
#endif
uniform float pixel_angle;    // height of a pixel: tan(angle) under perspective, [m] in an orthographic view
uniform float sphere_radius;  // [m], of the sphere or the disc

out vec2 offset;              // from the centre, in radii
#if SPHERE
flat out vec4 depth_plane;
flat out float inverse_distance;
#else
flat out float eye_depth;     // [m] of the centre
flat out vec3 paint;          // see paint.glsl
flat out float enlarged;      // square of (radius wanted / drawn): keeps the volume
#endif
#if SURFACE
layout(std430, binding = 1) readonly buffer Speeds { float speed[]; };  // [m/s]
uniform bool has_speeds;
uniform float foam_speed;     // [m/s]
flat out float foam;          // 0..1
#endif

#if SPHERE || SURFACE
uniform sampler2D thickness;  // alpha: in particle spacings
uniform float lone_thickness;  // of a single particle

// 0..1: how little other fluid there is along this particle's ray. A drop in front of more fluid is not found.
float aloneness(vec3 center) {
  vec4 clip = projection * vec4(center, 1.0);
  float layers = textureLod(thickness, 0.5 + 0.5 * clip.xy / clip.w, 0.0).a;
  return 1.0 - smoothstep(1.5 * lone_thickness, 3.0 * lone_thickness, layers);
}
#endif

void main() {
  vec4 p = particle[gl_VertexID / 6];
  vec2 corner = kCorners[gl_VertexID % 6];
  vec3 center = (view * vec4(p.xyz, 1.0)).xyz;
  float pixel = pixel_angle * (orthographic ? 1.0 : -center.z);  // [m]
#if SPHERE
  // A drop that left the fluid is drawn with about its own volume; spheres in the fluid must overlap.
  float drawn_radius = sphere_radius * mix(1.0, 0.6, aloneness(center));
#else
  float drawn_radius = sphere_radius;
#endif
  float radius = max(drawn_radius, 0.7 * pixel);
  bool drawable = shown(p.xyz) && (orthographic || (-center.z > 0.0 && length(center) > 1.001 * radius));
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  offset = vec2(2.0);
#if SPHERE
  depth_plane = vec4(0.0);
  inverse_distance = 0.0;
#if LAYERS
  layer = 1.0;
#endif
#else
  eye_depth = -center.z;
  paint = paint_of(p.w);
  enlarged = sphere_radius * sphere_radius / (radius * radius);
#endif
#ifdef FLAT
  stray = float(any(lessThan(p.xy, walls.xy)) || any(greaterThan(p.xy, walls.zw)));
#endif
#if SURFACE
  foam = 0.0;
#ifdef FLAT
  lone = 0.0;
#endif
#endif
  if (!drawable) return;

  Square square = square_at(center, radius, orthographic);
#if SPHERE
  offset = square_offset(square, corner);
  inverse_distance = square.k;
  depth_plane = depth_plane_of(square, center, radius);
#if LAYERS
  vec4 clip = projection * vec4(center, 1.0);
  ivec2 size = textureSize(depth, 0), at = ivec2(floor((0.5 + 0.5 * clip.xy / clip.w) * vec2(size)));
  if (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size)) && -center.z > radius) {
    vec3 places = places_around(at, -center.z - radius);
    if (places.y < drop_shares.x * places.x && places.z > drop_shares.y * places.x) layer = behind_all;
  }
#endif
  gl_Position = projection * vec4(square_corner(square, center, radius, offset), 1.0);
#else
  offset = corner;
  gl_Position = projection * vec4(center + radius * (square.right * corner.x + square.up * corner.y), 1.0);
#endif
#if SURFACE
#ifdef FLAT
  // At its middle a particle has 1.4 times as much as a lone one if it ends a string of particles, and 1.95 times at the
  // corner of a body.
  vec4 clip = projection * vec4(center, 1.0);
  float layers = textureLod(thickness, 0.5 + 0.5 * clip.xy / clip.w, 0.0).a;
  lone = 1.0 - smoothstep(1.4, 1.9, layers / lone_thickness);
#endif
  if (has_speeds && foam_speed > 0.0) {
    // Spray whitens at half the speed of the bulk.
    float alone = aloneness(center);
    foam = smoothstep(foam_speed, 1.7 * foam_speed, speed[gl_VertexID / 6] * (1.0 + alone));
  }
#endif
}
