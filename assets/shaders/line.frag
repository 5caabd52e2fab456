#version 450 core
// With HIDDEN only what a fluid's surface hides: the other part is drawn over the fluid, and lines drawn twice are darker.

#ifdef HIDDEN
#include "camera.glsl"
uniform sampler2D surface;  // eye depth [m]; 0: no fluid
uniform float bump;         // [m]
#endif

in float across;
in float fade;

uniform vec4 line_color;   // sRGB and opacity
uniform float half_width;  // [pixel]

layout(location = 0) out vec4 pixel;

void main() {
#ifdef HIDDEN
  float eye_depth = texelFetch(surface, ivec2(gl_FragCoord.xy), 0).r;
  if (eye_depth <= 0.0 || gl_FragCoord.z > window_depth(eye_depth + bump)) discard;
#endif
  float distance_to_line = abs(across * gl_FragCoord.w);
  float coverage = clamp(half_width + 0.5 - distance_to_line, 0.0, 1.0);
  pixel = vec4(line_color.rgb, line_color.a * coverage * mix(1.0, 0.45, fade));
}
