#version 450 core
// Ends the fluid's surface at the domain's walls and periodic faces. The spheres that form it reach over them, in bumps.

#include "camera.glsl"

in vec2 position;

uniform sampler2D depth;  // eye depth of the surface [m]; 0: none
uniform mat4 view;        // from the world
uniform vec3 box_min, box_max;  // [m], very large across open axes
uniform float stray;      // [m] what is farther beyond has left the box, and stays
uniform float blend;      // [m] a surface that leaves the wall does so smoothly: a crease would be seen

layout(location = 0) out float eye_depth;
layout(location = 1) out float covered;  // whether there is fluid, also where it reaches over a wall

void main() {
  eye_depth = texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r;
  covered = float(eye_depth > 0.0);
  if (eye_depth <= 0.0) return;
  mat3 to_world = transpose(mat3(view));
  vec3 from = to_world * ((orthographic ? view_place(position, 0.0) : vec3(0.0)) - view[3].xyz);
  // One step of it is a meter of eye depth.
  vec3 along = to_world * (orthographic ? vec3(0.0, 0.0, -1.0) : vec3((2.0 * position - 1.0) * half_extent, -1.0));
  vec3 at = from + along * eye_depth;
  if (length(max(max(box_min - at, at - box_max), 0.0)) > stray) return;
  along = mix(along, vec3(1e-12), lessThan(abs(along), vec3(1e-12)));
  vec3 low = (box_min - from) / along, high = (box_max - from) / along;
  vec3 first = min(low, high), last = max(low, high);
  float enters = max(max(first.x, first.y), first.z), leaves = min(min(last.x, last.y), last.z);
  float near_wall = max(blend - abs(eye_depth - enters), 0.0) / blend;
  eye_depth = enters < leaves && eye_depth < leaves ? max(eye_depth, enters) + 0.25 * blend * near_wall * near_wall : 0.0;
}
