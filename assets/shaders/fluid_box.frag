#version 450 core
// Ends the fluid's surface at the domain's walls and periodic faces. The spheres that form it reach over them, in bumps, or
// end before them, in scallops: particles keep about half a spacing off a wall, some more and some less.

#include "camera.glsl"
#include "walls.glsl"

in vec2 position;

uniform sampler2D depth;  // eye depth of the surface [m]; 0: none
uniform float spacing;    // [m]
uniform float stray;      // [m] what is farther beyond has left the box, and stays
uniform vec2 at_wall;     // [m] a surface this close to the wall through which it is seen lies on it; from y on it is free

layout(location = 0) out float eye_depth;
// Whether there is fluid, also where it reaches over a wall. Beside the box as well: the outline of a fluid that touches a
// wall is the wall's, not that of its last spheres.
layout(location = 1) out float covered;

const int kDirections = 8;

// Eye depth [m] of the fluid next to a place that its spheres leave free beside the box's outline; 0: none
float beside(Chord here) {
  vec2 pixels = vec2(textureSize(depth, 0));
  vec2 reach = 0.6 * spacing / (2.0 * half_extent * (orthographic ? 1.0 : here.enters));
  reach = max(reach, 1.5 / pixels);
  bool outline = false;
  float sum = 0.0, count = 0.0, inside = 0.0;
  for (int i = 0; i < kDirections; ++i) {
    float angle = 6.2831853 / float(kDirections) * (float(i) + 0.25);
    vec2 there = position + reach * vec2(cos(angle), sin(angle));
    bool hits = chord(there).hits;
    outline = outline || !hits;
    inside += float(hits);
    float z = textureLod(depth, there, 0.0).r;
    if (z > 0.0) sum += z, count += 1.0;
  }
  return outline && count > 0.4 * inside ? sum / count : 0.0;
}

void main() {
  eye_depth = texelFetch(depth, ivec2(gl_FragCoord.xy), 0).r;
  covered = float(eye_depth > 0.0);
  Chord here = chord(position);
  if (!here.hits) covered = 1.0;
  bool filled = eye_depth <= 0.0;
  if (filled) {
    if (!here.hits || here.enters <= 0.0) return;
    eye_depth = beside(here);
    if (eye_depth <= 0.0) return;
    covered = 1.0;
  }
  vec3 at = here.from + here.along * eye_depth;
  if (!filled && length(max(max(box_min - at, at - box_max), 0.0)) > stray) return;
  if (!here.hits || eye_depth >= here.leaves) {
    eye_depth = filled && here.hits ? here.leaves : 0.0;
    return;
  }
  // The wall is a plane: across it the spheres' bumps are less than this, however far the ray goes between them.
  float off = (eye_depth - here.enters) * here.slant;
  if (off < at_wall.y) eye_depth = here.enters + max(eye_depth - here.enters, 0.0) * smoothstep(at_wall.x, at_wall.y, off);
}
