#version 450 core
// Paint and foam of the visible fluid: a mean over the particles near the surface.

in vec2 offset;
flat in float eye_depth;
flat in vec3 paint;
flat in float enlarged;
flat in float foam;

uniform sampler2D depth;   // [m], of the surface; 0: none
uniform vec2 pixel_size;   // 1 / (width, height) of the target
uniform float reach;       // [m] depth below the surface from which a particle still shows its colour
#ifdef FLAT
flat in float stray;
flat in float lone;
uniform float core;        // radius at which a particle alone reaches 1/2, in the disc's radii
#endif

layout(location = 0) out vec4 paint_sum;  // and weight
#ifdef FLAT
layout(location = 1) out vec2 core_sum;   // of lone particles' cores, and of those of them that are beyond the walls
#else
layout(location = 1) out float foam_sum;
#endif

void main() {
  float d2 = dot(offset, offset);
  if (d2 > 1.0) discard;
  float weight = (1.0 - d2) * (1.0 - d2);
  float surface = textureLod(depth, gl_FragCoord.xy * pixel_size, 0.0).r;
  if (surface > 0.0) {
    float below = max(0.0, eye_depth - surface) / reach;
    weight *= exp2(-1.44 * below * below);
  }
  weight *= 0.25;
  paint_sum = vec4(paint * weight, weight);
#ifdef FLAT
  float middle = lone * (1.0 - smoothstep(0.8 * core, 1.2 * core, sqrt(d2)));
  core_sum = vec2(middle, stray * middle);
#else
  foam_sum = foam * weight;
#endif
}
