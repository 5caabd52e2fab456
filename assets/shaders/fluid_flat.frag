#version 450 core
// A 2-D fluid: the particles' areas add up to a field that is 1 inside. Its level 1/2 is the outline.

#include "camera.glsl"

in vec2 position;

uniform sampler2D surface;  // colour times weight, and weight
uniform sampler2D thickness;  // alpha: 1 inside
uniform sampler2D behind;   // sRGB
uniform float eye_depth;    // [m] of the plane
uniform vec3 ink;           // linear

layout(location = 0) out vec4 pixel;

void main() {
  float field = textureLod(thickness, position, 0.0).a;
  float width = max(fwidth(field), 1e-4);
  float inside = clamp((field - 0.5) / width + 0.5, 0.0, 1.0);
  if (inside <= 0.0) discard;
  vec4 front = textureLod(surface, position, 0.0);
  vec3 color = front.rgb / max(front.a, 1e-4);
  float rim = 1.0 - smoothstep(0.5, 0.5 + max(0.12, 1.5 * width), field);
  color = mix(color, 0.35 * color, 0.75 * rim);
  vec3 own = textureLod(behind, position, 0.0).rgb;
  pixel = vec4(sqrt(mix(own * own, color, inside)), 1.0);
  gl_FragDepth = inside >= 0.5 ? window_depth(eye_depth) : 0.0;
}
