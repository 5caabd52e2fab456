#version 450 core

in vec2 position;

uniform vec3 top;      // sRGB
uniform vec3 bottom;

layout(location = 0) out vec4 pixel;

void main() {
  float t = smoothstep(0.0, 1.0, position.y);
  // Ordered noise of one grey level: eight bits would show the gradient as bands.
  ivec2 at = ivec2(gl_FragCoord.xy);
  float noise = float(((at.x ^ at.y) & 3) * 4 + (at.x & 3)) / 16.0 - 0.5;
  if (top == bottom) noise = 0.0;
  pixel = vec4(mix(bottom, top, t) + noise / 255.0, 1.0);
}
