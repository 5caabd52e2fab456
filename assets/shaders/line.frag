#version 450 core

in float across;
in float fade;

uniform vec4 line_color;   // sRGB and opacity
uniform float half_width;  // [pixel]

layout(location = 0) out vec4 pixel;

void main() {
  float distance_to_line = abs(across * gl_FragCoord.w);
  float coverage = clamp(half_width + 0.5 - distance_to_line, 0.0, 1.0);
  pixel = vec4(line_color.rgb, line_color.a * coverage * mix(1.0, 0.45, fade));
}
