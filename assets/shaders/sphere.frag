#version 450 core
// A particle as a lit sphere.

#include "sphere.glsl"

in vec2 offset;
flat in vec3 color;
flat in vec3 local_key;
flat in vec3 local_sky;
flat in vec4 depth_plane;
flat in float inverse_distance;

uniform vec2 depth_transform;  // window depth: x / eye depth under perspective, x + y * eye depth otherwise
uniform bool orthographic;

layout(location = 0) out vec4 pixel;
layout(depth_less) out float gl_FragDepth;

vec3 light(vec3 normal, float facing) {  // facing: cosine between the normal and the ray back to the eye
  float key = dot(normal, local_key);
  float wrapped = max(0.0, 0.8 * key + 0.2);  // wrapped a little: no hard terminator on a body of many spheres
  float hemisphere = 0.5 + 0.5 * dot(normal, local_sky);
  vec3 fill = mix(vec3(0.13, 0.13, 0.15), vec3(0.36, 0.39, 0.44), hemisphere);
  vec3 diffuse = color * (vec3(0.86, 0.84, 0.80) * wrapped + fill);
  // Blinn-Phong with the viewer at +z
  float half_way = max(0.0, (key + facing) * inversesqrt(2.0 + 2.0 * local_key.z));
  float h2 = half_way * half_way, h4 = h2 * h2, h8 = h4 * h4, h16 = h8 * h8;
  float specular = 0.16 * h16 * h16 * h8;
  float rim = 1.0 - facing;
  float edge = rim * rim;
  edge *= edge;
  // Darker towards the silhouette, which separates overlapping spheres.
  return diffuse * (1.0 - 0.42 * edge) + vec3(specular);
}

// Distance from the pixel's centre to the silhouette along x or y, whichever is shorter: 0..1 pixels and one of four
// directions in eight bits; 255 means farther. resolve.frag smooths the outline from it. On a software OpenGL that
// costs a third of four samples per pixel, and it has 62 grey levels instead of four.
float edge_code(float sw, vec2 slope) {
  float from_center = sqrt(sw);
  vec2 steepness = abs(slope);
  bool along_x = steepness.x > steepness.y;
  float steepest = max(steepness.x, steepness.y);
  float to_edge = (1.0 - from_center) * 2.0 * from_center / max(steepest, 1e-20);  // [pixel]
  if (to_edge > 1.0 || sw == 0.0) return 1.0;
  float direction = along_x ? (slope.x > 0.0 ? 0.0 : 1.0) : (slope.y > 0.0 ? 2.0 : 3.0);
  return (63.0 * direction + floor(62.0 * to_edge + 0.5)) / 255.0;
}

void main() {
  float sw = ray_distance2(offset, inverse_distance);
  vec2 slope = ray_distance2_slope(offset, inverse_distance, dFdx(offset), dFdy(offset));
  if (sw > 1.0) discard;
  float facing = sqrt(1.0 - sw);
  vec3 normal = ray_normal(offset, inverse_distance, facing);
  float eye_depth = dot(depth_plane.xyz, normal) + depth_plane.w;
  gl_FragDepth = orthographic ? depth_transform.x + depth_transform.y * eye_depth : depth_transform.x / eye_depth;
  pixel = vec4(sqrt(light(normal, facing)), edge_code(sw, slope));
}
